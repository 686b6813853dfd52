import type { Schema } from '../../schema/model.ts';
import { packageName } from '../package/package-files.ts';
import { symbolTable } from './calls.ts';
import { type Html, html, inline, prose } from './html.ts';
import { type Page, entry, noteList, questionLink, sourceLinks } from './page.ts';
import { members, questionsIn, schemaTree, typeText } from './schema-tree.ts';

/** Renders every named schema. Trees elsewhere in the page copy their members from these entries. */
export function schemasSection(page: Page): Html {
  const { schemas } = page.contract;
  if (schemas.length === 0) return html``;
  const entries = schemas.map((schema) => one(page, schema));
  return html`<section id="schemas" class="part" aria-labelledby="schemas-title">
    <h2 id="schemas-title">Schemas <span class="count">${schemas.length}</span></h2>
    <p class="lead">Every type by name, the forms in which values travel included.</p>
    <div class="schema-list">${entries}</div>
  </section>`;
}

function one(page: Page, schema: Schema): Html {
  const { anchors, context } = page;
  const { name, typeName, description, definition, enumeration, origin, source } = schema;
  const marks = {
    component: '',
    inline: 'written in place',
    variant: 'another form',
    wire: 'every form',
    request: 'as sent in requests',
  };
  const head = html`<span class="head"
    ><span class="name">${typeName}</span>
    <span class="type">${typeText(page, definition, false)}</span
    >${marks[origin] === '' ? undefined : html` <span class="tag">${marks[origin]}</span>`}${schema.deprecated ? html` <span class="tag deprecated">deprecated</span>` : undefined}</span
  >`;
  const questions = questionsIn(definition);
  const tree =
    enumeration === undefined
      ? schemaTree(page, definition, { left: page.large ? 0 : 40 }, (member) =>
          anchors.member(name, member),
        )
      : members(enumeration.members, enumeration.open);
  const from = packageName(context, 'contract');
  const symbols = Object.hasOwn(context.packageNames, 'contract')
    ? symbolTable([
        ['Type', typeName, from],
        ['Guard', `is${typeName}()`, from],
        ['Validator', `validate${typeName}()`, from],
      ])
    : undefined;
  return entry(
    page,
    'schema',
    anchors.of('schema', name),
    head,
    html`${prose(description)}${noteList(schema.notes)}
      <p>${sourceLinks(page, source)} ${questions.map((id) => html`${questionLink(page, id)} `)}</p>
      <div class="members">${tree}</div>
      ${symbols}${schema.title === undefined ? undefined : html`<p class="note">${inline(schema.title)}</p>`}`,
  );
}
