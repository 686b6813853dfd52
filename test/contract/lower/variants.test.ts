import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../generator/schema/model.ts';
import { type Json, type JsonObject, toObject } from '../../../generator/json/json.ts';
import { lowerFiles } from './lower-files.ts';

/** Lowers a message whose payload is the schema `Parcel`, beside other schemas. */
async function lowerParcel(
  parcel: JsonObject,
  schemas: JsonObject = {},
): Promise<{ readonly schemas: readonly Schema[]; readonly problems: readonly string[] }> {
  const document: JsonObject = {
    asyncapi: '3.0.0',
    info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
    channels: {
      parcels: { messages: { sent: { payload: { $ref: '#/components/schemas/Parcel' } } } },
    },
    operations: { send: { action: 'send', channel: { $ref: '#/channels/parcels' } } },
    components: { schemas: { Parcel: parcel, ...schemas } },
  };
  const { contract, diagnostics } = await lowerFiles({ 'asyncapi.yaml': JSON.stringify(document) });
  const problems = diagnostics.filter(({ code }) => code === 'invalid-variant');
  return { schemas: contract.schemas, problems: problems.map(({ message }) => message) };
}

const when: JsonObject = { '$request.body#/ID': {} };
const text: Json = { type: 'string' };
const parcel = (
  rename: JsonObject,
  more: JsonObject = {},
  properties: JsonObject = {},
): JsonObject => ({
  type: 'object',
  required: ['id'],
  properties: { id: text, state: text, ...properties },
  'x-variants': { list: { when, as: '', rename, ...more } },
});

const definitionOf = (schemas: readonly Schema[], name: string): JsonObject =>
  toObject(schemas.find((schema) => schema.name === name)?.definition);

describe('a wire format', () => {
  it('without a place for elements is one schema, and the wire is either', async () => {
    const { schemas, problems } = await lowerParcel(parcel({ ID: 'id' }));
    expect(problems).toEqual([]);
    expect(schemas.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'Parcel component',
      'ParcelList variant',
      'ParcelWire wire',
    ]);
    expect(definitionOf(schemas, 'ParcelList')).toMatchObject({
      properties: { ID: text, state: text },
      required: ['ID'],
      not: { anyOf: [{ required: ['ID', 'id'] }] },
    });
    expect(schemas[0]?.variants).toMatchObject([
      { name: 'list', schema: 'ParcelList', rename: { ID: 'id' } },
    ]);
  });

  it('swaps two names', async () => {
    const { schemas, problems } = await lowerParcel(parcel({ id: 'state', state: 'id' }));
    expect(problems).toEqual([]);
    expect(definitionOf(schemas, 'ParcelList')).toMatchObject({ required: ['state'] });
  });

  it('has aliases of any name', async () => {
    const { schemas, problems } = await lowerParcel(parcel({ 'a/b': 'id', constructor: 'state' }));
    expect(problems).toEqual([]);
    const { properties, required } = definitionOf(schemas, 'ParcelList');
    expect(Object.keys(toObject(properties))).toEqual(['a/b', 'constructor']);
    expect(required).toEqual(['a/b']);
  });

  it('has its elements at any place', async () => {
    const { schemas } = await lowerParcel(parcel({}, { each: '/a~1b/__proto__' }));
    const inner = toObject(toObject(definitionOf(schemas, 'ParcelList')['properties'])['a/b']);
    expect(inner).toMatchObject({ type: 'object', required: ['__proto__'] });
    const lists = toObject(inner['properties']);
    expect(Object.entries(lists)).toEqual([
      ['__proto__', { type: 'array', items: { $ref: '#/$defs/ParcelListItem' } }],
    ]);
  });

  it('renames members of a schema that is a part of itself', async () => {
    const base: JsonObject = {
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Base' }],
      properties: { id: text },
    };
    const { schemas, problems } = await lowerParcel(
      {
        allOf: [{ $ref: '#/components/schemas/Base' }],
        'x-variants': { list: { when, as: '', rename: { ID: 'id' } } },
      },
      { Base: base },
    );
    expect(problems).toEqual([]);
    expect(definitionOf(schemas, 'ParcelList')).toMatchObject({ properties: { ID: text } });
  });

  it.each<[string, JsonObject, string]>([
    [
      'a missing member',
      { ID: 'ID' },
      '"rename" maps to "ID", which is not a property of the schema.',
    ],
    [
      'a name of Object.prototype',
      { ID: 'constructor' },
      '"rename" maps to "constructor", which is not a property of the schema.',
    ],
    ['one member twice', { ID: 'id', Id: 'id' }, '"rename" gives two names to "id".'],
    [
      'the name of another member',
      { state: 'id' },
      '"rename" uses "state", which is another property.',
    ],
  ])('does not rename %s', async (_, rename, problem) => {
    const { schemas, problems } = await lowerParcel(parcel(rename));
    expect(problems).toEqual([problem]);
    expect(schemas.map(({ name }) => name)).toEqual(['Parcel']);
  });

  it.each(['/box', '/id', '/constructor', '/state/0'])('requires an object at %s', async (as) => {
    const { problems } = await lowerParcel(parcel({}, { as }));
    expect(problems).toEqual([`The schema Parcel has no object at "${as}".`]);
  });
});

describe('another value of a member', () => {
  const onMember = (schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: {
      size: schema,
      sizes: { type: 'array', items: { type: 'object', properties: { size: schema } } },
    },
  });
  const numeric: JsonObject = { texts: { as: 'number', schema: { type: 'string' } } };

  it('leads to one wire schema', async () => {
    const { schemas, problems } = await lowerParcel(
      onMember({ type: 'number', 'x-variants': numeric }),
    );
    expect(problems).toEqual([]);
    expect(schemas.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'Parcel component',
      'ParcelWire wire',
    ]);
    expect(JSON.stringify(definitionOf(schemas, 'ParcelWire'))).not.toContain('x-variants');
  });

  it.each<[string, JsonObject, string]>([
    [
      'a text as number',
      onMember({ type: 'string', 'x-variants': numeric }),
      'A variant with "as: number" must be on a schema of the type number.',
    ],
    [
      'a number below anyOf',
      { anyOf: [{ properties: { size: { type: 'integer', 'x-variants': numeric } } }] },
      'A variant with "as: number" must be on a schema that only properties, items and allOf lead to.',
    ],
    [
      'an item',
      {
        type: 'object',
        properties: {
          a: {
            type: 'array',
            items: {
              type: 'string',
              'x-variants': { none: { schema: { const: '' }, as: 'absent' } },
            },
          },
        },
      },
      'A variant with "schema" must be on a property, which only properties, items and allOf lead to.',
    ],
    [
      'a format of a part',
      {
        type: 'object',
        properties: {
          a: { type: 'object', properties: {}, 'x-variants': { list: { when, as: '' } } },
        },
      },
      'A variant with "when" must be on the schema of a whole payload.',
    ],
    [
      'a required member that can be absent',
      {
        type: 'object',
        required: ['a'],
        properties: {
          a: { type: 'string', 'x-variants': { none: { schema: { const: '' }, as: 'absent' } } },
        },
      },
      'The member "a" of Parcel is required, but one of its variants makes it absent.',
    ],
  ])('is refused of %s', async (_, schema, problem) => {
    const { problems } = await lowerParcel(schema);
    expect([...new Set(problems)]).toEqual([problem]);
  });
});
