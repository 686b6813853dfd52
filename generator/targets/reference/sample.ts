import type { SchemaIndex } from '../../schema/references.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { referenceOf } from './schema-tree.ts';

/**
 * Returns a sample value of a schema: an example, its default or constant, its first listed value, or a value of its
 * type. An object gets its required members only.
 */
export function sampleOf(index: SchemaIndex, schema: Json | undefined, depth = 0): Json {
  if (!isJsonObject(schema)) return 'text';
  const { examples, enum: values, properties, required, items } = schema;
  for (const key of ['example', 'default', 'const']) {
    if (schema[key] !== undefined) return schema[key];
  }
  for (const list of [examples, values]) {
    if (Array.isArray(list) && list.length > 0) return list[0] as Json;
  }
  const target = index.get(referenceOf(schema) ?? '');
  if (target !== undefined) {
    const [own] = target.examples;
    if (own !== undefined) return own;
    return depth > 6 ? {} : sampleOf(index, target.definition, depth + 1);
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    const list = schema[keyword];
    if (Array.isArray(list) && list.length > 0) return sampleOf(index, list[0] as Json, depth + 1);
  }
  const [type] = [schema['type'] ?? []].flat();
  if (type === 'object' || isJsonObject(properties)) {
    const wanted = new Set(Array.isArray(required) ? required : []);
    const members = isJsonObject(properties) ? Object.entries(properties) : [];
    return Object.fromEntries(
      members
        .filter(([name]) => wanted.has(name))
        .map(([name, member]) => [name, depth > 6 ? null : sampleOf(index, member, depth + 1)]),
    );
  }
  if (type === 'array') return depth > 6 ? [] : [sampleOf(index, items, depth + 1)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'text';
}
