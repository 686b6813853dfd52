import type { Notification, Operation } from '../../contract/contract.ts';
import { SchemaNode } from '../../schema/node.ts';
import { visible } from '../escape.ts';
import { oneLine } from '../package/prose.ts';
import type { Section } from './coverage.ts';
import type { Page } from './page.ts';
import { groupByTag } from './tags.ts';
import { workflowAnchor } from './workflows.ts';

/** An item of the search: its kind, its title, further text that the search matches, and its anchor. */
export type SearchItem = readonly [kind: string, title: string, detail: string, anchor: string];

/** The number of items after which the index has no members of further schemas, to keep results useful. */
const maxItems = 20_000;

/** Returns the items that the page's search finds. */
export function searchIndex(page: Page, sections: readonly Section[]): readonly SearchItem[] {
  const { contract, anchors } = page;
  const searchItems: SearchItem[] = [];
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
    for (const member of enumeration?.members ?? []) {
      add(
        'value',
        `${typeName}.${member.name}`,
        `${JSON.stringify(member.value)} ${member.description ?? ''}`,
        anchor,
      );
    }
  }
  for (const { name, typeName, definition, origin } of contract.schemas) {
    if (searchItems.length > maxItems) break;
    if (origin === 'wire') continue;
    for (const [member, schema] of new SchemaNode(definition).properties) {
      const about = new SchemaNode(schema).text('description');
      add('member', `${typeName}.${member}`, about, anchors.member(name, member));
    }
  }
  for (const { name } of sections) add('section', `§${name}`, '', anchors.of('source', name));
  return searchItems;
}

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length <= 140 ? line : `${line.slice(0, 139).toWellFormed()}…`;
}
