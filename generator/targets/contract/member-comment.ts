import type { JsonSchema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { jsdoc } from '../jsdoc.ts';
import type { Notes } from './schema-notes.ts';

/** Returns the comment above a member of a type, from the annotations of its schema; empty where it has none. */
export function memberComment(
  schema: JsonSchema,
  { paragraphs, entries, constraints }: Notes,
  sourceDocument: string | undefined,
): string {
  const node = new SchemaNode(schema);
  const title = textOf(node, 'title');
  const description = textOf(node, 'description');
  const itemText = textOf(new SchemaNode(node.schema('items') ?? true), 'description');
  const texts = [
    description,
    itemText === undefined ? undefined : `Items: ${itemText}`,
    ...paragraphs.filter((text) => text !== title && text !== description),
    constraints,
  ];
  return jsdoc({
    summary: title,
    description: texts.filter((text) => text !== undefined).join('\n\n'),
    notes: node.notes,
    questions: entries,
    source: node.source,
    sourceDocument,
    deprecated: node.keywords['deprecated'] === true,
    examples: (node.list('examples') ?? []).map((value) => ({ value })),
  }).text;
}

function textOf(node: SchemaNode, keyword: string): string | undefined {
  const text = node.text(keyword);
  return text?.trim() === '' ? undefined : text;
}
