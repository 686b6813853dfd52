import type { JsonSchema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { jsdoc } from '../jsdoc.ts';

/** Returns the comment above a member of a type, from the annotations of its schema; empty where it has none. */
export function memberComment(schema: JsonSchema, sourceDocument: string | undefined): string {
  const node = new SchemaNode(schema);
  const description = textOf(node, 'description');
  const itemText = textOf(new SchemaNode(node.schema('items') ?? true), 'description');
  return jsdoc({
    summary: textOf(node, 'title'),
    description:
      itemText === undefined ? description : `${description ?? ''}\n\nItems: ${itemText}`,
    notes: node.notes,
    source: node.source,
    sourceDocument,
    deprecated: node.keywords['deprecated'] === true,
    examples: node.list('examples') ?? [],
  }).text;
}

function textOf(node: SchemaNode, keyword: string): string | undefined {
  const text = node.text(keyword);
  return text?.trim() === '' ? undefined : text;
}
