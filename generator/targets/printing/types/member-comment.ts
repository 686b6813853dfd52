import type { JsonSchema } from '../../../schema/model.ts';
import { SchemaNode } from '../../../schema/node.ts';
import { jsdoc } from '../../jsdoc.ts';
import type { Notes } from './schema-notes.ts';

/**
 * Returns the comment above a member of a type, from the annotations of its schema; empty where it has none.
 * @param stated the paragraphs that the module has already; those that it states once are added
 */
export function memberComment(
  schema: JsonSchema,
  { paragraphs, once, entries, constraints }: Notes,
  sourceDocument: string | undefined,
  stated: Set<string>,
): string {
  const node = new SchemaNode(schema);
  const title = textOf(node, 'title');
  const description = textOf(node, 'description');
  const itemText = textOf(new SchemaNode(node.schema('items') ?? true), 'description');
  const added = once.filter((text) => !stated.has(text) && stated.add(text));
  const texts = [
    description,
    itemText === undefined ? undefined : `Items: ${itemText}`,
    ...paragraphs,
    ...added,
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
