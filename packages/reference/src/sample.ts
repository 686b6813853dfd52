import type { JsonSchema } from 'countersign';
import { type Json, type SchemaIndex, SchemaNode } from 'countersign/kit';

/** The depth at which a sample ends, because a schema can be recursive. */
const maxDepth = 6;

/**
 * Returns a sample value of a schema: an example, its default or constant, its first listed value, or a value of its
 * type. An object gets its required members only.
 */
export function sampleOf(index: SchemaIndex, schema: JsonSchema = true, depth = 0): Json {
  const node = new SchemaNode(schema);
  const { keywords, oneOf, anyOf, allOf } = node;
  const stated = [
    keywords['example'],
    keywords['default'],
    keywords['const'],
    node.list('examples')?.[0],
    node.list('enum')?.[0],
  ].find((value) => value !== undefined);
  if (stated !== undefined) return stated;
  const target = index.get(node.reference ?? '');
  if (target !== undefined) {
    const [example] = target.examples;
    if (example !== undefined) return example;
    return depth > maxDepth ? {} : sampleOf(index, target.definition, depth + 1);
  }
  const [part] = [...oneOf, ...anyOf, ...allOf];
  if (part !== undefined) return sampleOf(index, part, depth + 1);
  const [type] = node.types ?? [];
  if (type === 'object' || node.has('properties')) {
    const required = new Set(node.required);
    return Object.fromEntries(
      node.properties
        .filter(([name]) => required.has(name))
        .map(([name, member]) => [
          name,
          depth > maxDepth ? null : sampleOf(index, member, depth + 1),
        ]),
    );
  }
  switch (type) {
    case 'array':
      return depth > maxDepth ? [] : [sampleOf(index, node.schema('items'), depth + 1)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'text';
  }
}
