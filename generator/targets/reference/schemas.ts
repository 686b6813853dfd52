import type { Schema } from '../../schema/model.ts';
import { packageName } from '../package/package-files.ts';
import { symbolTable } from './calls.ts';
import { type Html, html, inline, prose } from './html.ts';
import {
  type Page,
  deprecatedTag,
  entry,
  part,
  noteList,
  questionLink,
  sourceLinks,
} from './page.ts';
import { members, questionsIn, schemaTree, typeText } from './schema-tree.ts';

/** Renders every named schema. Trees elsewhere in the page copy their members from these entries. */
export function schemasSection(page: Page): Html {
  const { schemas } = page.contract;
  const lead = html`Every type by name, the forms in which values travel included.`;
  const entries = schemas.map((schema) => renderSchema(page, schema));
  const body = html`<div class="schema-list">${entries}</div>`;
  return part('schemas', 'Schemas', schemas.length, lead, body);
}

function renderSchema(page: Page, schema: Schema): Html {
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
    >${marks[origin] === '' ? undefined : html` <span class="tag">${marks[origin]}</span>`}${deprecatedTag(schema.deprecated)}</span
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
