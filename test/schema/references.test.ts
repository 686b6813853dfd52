import { describe, expect, it } from 'vitest';
import {
  indexSchemas,
  mapReferences,
  reachableFrom,
  referenceOf,
  referencesOf,
  resolveSchema,
  toReference,
} from '../../generator/schema/references.ts';
import { buildContract } from '../targets/contract/contract-builder.ts';

const index = indexSchemas(
  buildContract([
    ['A', { $ref: '#/$defs/B' }],
    ['B', { items: { $ref: '#/$defs/C' } }],
    ['C', { properties: { a: { $ref: '#/$defs/A' } } }],
    ['Loop', { $ref: '#/$defs/Loop' }],
  ]),
);

describe('the references of a schema', () => {
  it('are named once each in order of appearance, wherever a subschema can be', () => {
    const references = referencesOf({
      properties: { b: { $ref: '#/$defs/B' }, a: { items: { $ref: '#/$defs/A' } } },
      allOf: [{ $ref: '#/$defs/B' }],
      not: { $ref: '#/$defs/C~1D' },
      const: { $ref: '#/$defs/data' },
    });
    expect(references).toEqual(['B', 'A', 'C/D']);
  });

  it('can be replaced, innermost first', () => {
    const mapped = mapReferences(
      { items: { $ref: '#/$defs/A', title: 'T' }, enum: [{ $ref: 'data' }] },
      (name, beside) => ({ $ref: name, ...beside }),
    );
    expect(mapped).toEqual({ items: { $ref: 'A', title: 'T' }, enum: [{ $ref: 'data' }] });
  });

  it.each(['A', 'a/b~c', '__proto__'])('to %j keep the name', (name) => {
    expect(referenceOf(toReference(name))).toBe(name);
  });

  it('are followed to a schema, and not in a circle', () => {
    expect(resolveSchema(index, toReference('A'))).toEqual({ items: { $ref: '#/$defs/C' } });
    expect(resolveSchema(index, toReference('Loop'))).toBeUndefined();
    expect(resolveSchema(index, toReference('missing'))).toBeUndefined();
    expect(resolveSchema(index, { type: 'string' })).toEqual({ type: 'string' });
  });

  it('lead to every schema that one needs, each once', () => {
    expect(reachableFrom(index, 'B')).toEqual(['B', 'C', 'A']);
    expect(() => reachableFrom(index, 'missing')).toThrow('no schema "missing"');
  });
});
