import { describe, expect, it } from 'vitest';
import { Cursor } from '../../generator/json/cursor.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import {
  mapSchema,
  subschemasAt,
  subschemasOf,
  visitSchema,
} from '../../generator/schema/visit.ts';
import { schemaKeywords } from '../../generator/specification/schema-keywords.ts';

/** A schema that has a subschema, named by its title, in each keyword that can hold one. */
const everywhere = Object.fromEntries(
  Array.from(schemaKeywords, ([keyword, { holds }]) => {
    const inner = { title: keyword };
    if (holds === 'list') return [keyword, [inner]];
    if (holds === 'map') return [keyword, { name: inner }];
    return [keyword, holds === undefined ? { title: 'data' } : inner];
  }),
) as JsonObject;

describe('visiting a schema', () => {
  it('reaches every subschema once, and no data', () => {
    const titles: unknown[] = [];
    visitSchema(everywhere, ({ title }) => titles.push(title));
    const holders = [...schemaKeywords].filter(([, { holds }]) => holds !== undefined);
    expect(titles.slice(1)).toEqual(holders.map(([keyword]) => keyword));
    expect(holders.length).toBeGreaterThan(20);
  });

  it('keeps a schema without changes as the same object', () => {
    expect(mapSchema(everywhere, (schema) => schema)).toBe(everywhere);
  });

  it('names the path to each direct subschema', () => {
    const schema = { items: [{}, true], properties: { a: false }, not: {}, enum: [{}] };
    expect(subschemasOf(schema).map(({ path }) => path)).toEqual([
      ['items', 0],
      ['items', 1],
      ['properties', 'a'],
      ['not'],
    ]);
    const places = subschemasAt(Cursor.ofDocument({}, 'openapi').withValue(schema));
    expect(places.map(({ pointer }) => pointer)).toEqual([
      'openapi#/items/0',
      'openapi#/items/1',
      'openapi#/properties/a',
      'openapi#/not',
    ]);
  });

  it('selects the subschemas for the same value', () => {
    const schema = { allOf: [{}], not: {}, if: {}, then: {}, items: {} };
    const keywords = (...of: readonly ('value' | 'test')[]): readonly string[] =>
      subschemasOf(schema, ...of).map(({ keyword }) => keyword);
    expect(keywords('value')).toEqual(['allOf', 'then']);
    expect(keywords('value', 'test')).toEqual(['allOf', 'not', 'if', 'then']);
  });
});
