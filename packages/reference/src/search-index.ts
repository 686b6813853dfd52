import { oneLine, visible } from 'countersign/companion/target';
import { type Notification, type Operation, SchemaNode } from 'countersign/kit';
import type { Section } from './coverage.ts';
import type { Page } from './page.ts';
import { groupByTag } from './tags.ts';
import { workflowAnchor } from './workflows.ts';

/** An item of the search: its kind, its title, further text that the search matches, and its anchor. */
export type SearchItem = readonly [kind: string, title: string, detail: string, anchor: string];

/**
 * The members or values of a schema that the search finds: their kind, the name of the type, the anchor of the schema,
 * and a name or a name with further text for each. The page's script adds the type to a name, and a member to the anchor.
 */
export type SearchGroup = readonly [
  kind: 'members' | 'values',
  typeName: string,
  anchor: string,
  items: readonly (string | readonly [name: string, detail: string])[],
];

/** The number of items after which the index has no members of further schemas, to keep results useful. */
const maxItems = 20_000;

/** Returns the items that the page's search finds. */
export function searchIndex(
  page: Page,
  sections: readonly Section[],
): readonly (SearchItem | SearchGroup)[] {
  const { contract, anchors } = page;
  const searchItems: (SearchItem | SearchGroup)[] = [];
  const add = (kind: string, title: string, detail: string | undefined, anchor: string): void => {
    // The page's script displays these texts unchanged.
    searchItems.push([kind, visible(oneLine(title)), visible(shorten(detail ?? '')), anchor]);
  };
  for (const { id, name, method, path, summary } of contract.operations) {
    add('call', name, `${method} ${path} ${summary ?? ''}`, anchors.of('call', id));
  }
  for (const { id, name, label, summary } of contract.notifications) {
    add(
      'notification',
      name,
      `${label?.method ?? ''} ${label?.path ?? ''} ${summary ?? ''}`,
      anchors.of('notification', id),
    );
  }
  for (const { id, operation, address, protocols, summary } of contract.messages) {
    const detail = [...protocols, address, summary].filter(Boolean).join(' ');
    add('message', id, detail, anchors.of('message', `${operation} ${id}`));
  }
  for (const workflow of contract.workflows) {
    add('workflow', workflow.id, workflow.summary, workflowAnchor(page, workflow));
  }
  for (const kind of ['call', 'notification'] as const) {
    const items = kind === 'call' ? contract.operations : contract.notifications;
    for (const { tag, description } of groupByTag<Operation | Notification>(contract, items))
      if (tag !== undefined) add('tag', tag, description, anchors.of('tag', `${kind} ${tag}`));
  }
  for (const { id, description } of contract.security) {
    add('security', id, description, anchors.of('security', id));
  }
  for (const { id, question } of contract.unstated) {
    add('question', id, question, anchors.of('question', id));
  }
  for (const { name, typeName, description, enumeration } of contract.schemas) {
    const anchor = anchors.of('schema', name);
    add('schema', typeName, description, anchor);
    const values = (enumeration?.members ?? []).map((member) =>
      toItem(
        member.name,
        [member.value === member.name ? [] : member.value, member.description ?? []]
          .flat()
          .join(' '),
      ),
    );
    if (values.length > 0) searchItems.push(['values', visible(typeName), anchor, values]);
  }
  let members = 0;
  for (const { name, typeName, definition, origin } of contract.schemas) {
    const { properties } = new SchemaNode(definition);
    if (origin === 'wire' || properties.length === 0) continue;
    members += properties.length;
    if (members > maxItems) break;
    const items = properties.map(([member, schema]) =>
      toItem(member, new SchemaNode(schema).text('description') ?? ''),
    );
    searchItems.push(['members', visible(typeName), anchors.of('schema', name), items]);
  }
  for (const { name } of sections) add('section', `§${name}`, '', anchors.of('source', name));
  return searchItems;
}

function toItem(name: string, detail: string): string | readonly [name: string, detail: string] {
  const title = visible(oneLine(name));
  return detail.trim() === '' ? title : [title, visible(shorten(detail))];
}

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`;
}
