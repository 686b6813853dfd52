import type { Schema } from 'countersign';
import { packageName, SchemaNode } from 'countersign/kit';
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

/** Renders every named schema, each once. The page's script shows the members of links to them from these entries. */
export function schemasSection(page: Page): Html {
  const { context } = page;
  const { schemas } = page.contract;
  const lead = html`Every type by name, the forms in which values travel
  included.${Object.hasOwn(context.packageNames, 'contract') && symbols(page)}`;
  const entries = schemas.map((schema) => renderSchema(page, schema));
  const body = html`<div class="schema-list">${entries}</div>`;
  return part('schemas', 'Schemas', schemas.length, lead, body);
}

/** Says once what the package has of each type. */
function symbols({ context }: Page): Html {
  const from = html`<code>${packageName(context, 'contract')}</code>`;
  return context.validators === false
    ? html` Each type is in ${from}.`
    : html` Each type <code>X</code> is in ${from}, with <code>isX()</code>,
        <code>validateX()</code> and <code>assertX()</code>.`;
}

/** Returns the anchors of the members that a schema has itself. */
function memberAnchors({ anchors }: Page, { name, definition }: Schema): Map<string, string> {
  return new Map(
    new SchemaNode(definition).properties.map(([member]) => [member, anchors.member(name, member)]),
  );
}

function renderSchema(page: Page, schema: Schema): Html {
  const { anchors } = page;
  const { name, typeName, description, definition, enumeration, origin, source } = schema;
  const marks = {
    component: '',
    inline: 'written in place',
    variant: 'another form',
    wire: 'every form',
    request: 'as sent in requests',
  };
  const head = html`<span class="name">${typeName}</span>
    <span class="type">${typeText(page, definition, false)}</span
    >${marks[origin] === '' ? undefined : html` <span class="tag">${marks[origin]}</span>`}${deprecatedTag(schema.deprecated)}`;
  const about = [
    ...(source.length === 0 ? [] : [sourceLinks(page, source)]),
    ...questionsIn(definition).map((id) => html` ${questionLink(page, id)}`),
  ];
  const tree =
    enumeration === undefined
      ? schemaTree(page, definition, memberAnchors(page, schema))
      : members(enumeration.members, enumeration.open);
  return entry(
    page,
    'schema',
    anchors.of('schema', name),
    head,
    html`<div class="entry-body">
      ${prose(description)}${noteList(schema.notes)} ${about.length > 0 && html`<p>${about}</p>`}
      <div class="members">${tree}</div>
      ${schema.title === undefined ? undefined : html`<p class="note">${inline(schema.title)}</p>`}
    </div>`,
  );
}
