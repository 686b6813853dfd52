import { expect, test } from 'vitest';
import type { Unstated } from '../../../../generator/contract/contract.ts';
import { typeSchemas } from '../../../../generator/targets/printing/types/types.ts';
import {
  describeScalars,
  SchemaNotes,
} from '../../../../generator/targets/printing/types/schema-notes.ts';
import type { JsonObject } from '../../../../generator/json/json.ts';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { emitPackage } from '../../contract/emit-package.ts';

const entry = (id: string, more: Partial<Unstated> = {}): Unstated => ({
  kind: 'unstated',
  pointer: `openapi#/info/x-unstated/${id}`,
  source: ['1'],
  id,
  optionName: id,
  question: `What about\n${id}?`,
  choices: [
    { name: 'a', value: 'a', meaning: 'The first.' },
    { name: 'b', value: 'b', meaning: 'The second.' },
  ],
  usedBy: [],
  answers: [],
  affects: [],
  ...more,
});

const unstated = [
  entry('weight-form', { assumed: 'a' }),
  entry('weight-unit', { choices: [], remark: 'None is set.' }),
  entry('colours', { choices: [] }),
  entry('done', { settled: 'b' }),
];

const ask = (...ids: readonly string[]): { readonly 'x-unstated': JsonObject } => ({
  'x-unstated': Object.fromEntries(ids.map((id) => [id, {}])),
});

const definitions: readonly (readonly [string, JsonSchema])[] = [
  [
    'Weight',
    {
      type: 'number',
      format: 'decimal',
      description: 'A weight.',
      ...ask('weight-form', 'weight-unit'),
    },
  ],
  ['Count', { type: 'number', description: 'A count.' }],
  ['Colour', { type: 'string', enum: ['red'], description: 'A colour.', ...ask('colours') }],
  [
    'Parcel',
    {
      type: 'object',
      properties: {
        gross: { allOf: [{ $ref: '#/$defs/Weight' }], description: 'With packing.' },
        net: { anyOf: [{ $ref: '#/$defs/Weight' }, { type: 'null' }] },
        parts: { type: 'array', items: { $ref: '#/$defs/Weight' } },
        colour: { allOf: [{ $ref: '#/$defs/Colour' }] },
        count: { $ref: '#/$defs/Count' },
        owner: { type: 'string', ...ask('done') },
        inner: { $ref: '#/$defs/Parcel' },
      },
    },
  ],
];

/** The comment lines above a member. */
function commentOf(text: string, member: string): string {
  return new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*${member}\?:`).exec(text)?.[1] ?? '';
}

test('the comment of a member leaves the entries of its type to the comment of the type', () => {
  const parcel = typeSchemas(buildContract(definitions, { unstated })).get('Parcel')?.text ?? '';
  for (const member of ['gross', 'net', 'parts']) {
    const comment = commentOf(parcel, member);
    expect(comment).not.toContain('Open:');
    expect(comment).toContain('Type: `Weight`.');
    expect(comment).not.toContain('A weight.');
  }
  expect(commentOf(parcel, 'colour')).toBe('');
  expect(commentOf(parcel, 'count')).toContain('Type: `Count`.');
  expect(parcel).not.toContain('What about');
  expect(parcel).not.toContain('numbers:');
});

test('a module states once how numbers are treated', () => {
  const decimal: JsonSchema = { type: 'number', format: 'decimal', description: 'A weight.' };
  const parcel: JsonSchema = {
    type: 'object',
    properties: { gross: decimal, net: { ...decimal, description: 'Without packing.' } },
  };
  const text = typeSchemas(buildContract([['Parcel', parcel]])).get('Parcel')?.text ?? '';
  expect(text.match(/With the option `numbers: 'text'`/gu)).toHaveLength(1);
  expect(commentOf(text, 'gross')).toContain('numbers:');
});

test('a settled entry is named with its answer', () => {
  const parcel = typeSchemas(buildContract(definitions, { unstated })).get('Parcel')?.text ?? '';
  expect(commentOf(parcel, 'owner').replaceAll(/[\s*]+/gu, ' ')).toBe(' Settled: done (b) ');
});

test('types and enumerations name their entries, also those whose answers would change them', async () => {
  const affects = ['openapi#/components/schemas/enum'] as const;
  const files = await emitPackage(
    buildContract(definitions, { unstated: [...unstated, entry('elsewhere', { affects })] }),
  );
  const text = files.get('src/index.ts') ?? '';
  expect(text).toContain(' * Open: elsewhere, weight-form (a assumed), weight-unit\n');
  expect(text).toContain("With the option `numbers: 'text'`");
  // The comment of the object, which an editor shows for the type of the same name too.
  const colour = text.slice(text.indexOf(' * A colour.'), text.indexOf('function isColour('));
  expect(colour.match(/colours/gu)).toHaveLength(1);
});

test('a schema that contains itself has notes', () => {
  const knot: JsonSchema = { type: 'string', allOf: [{ $ref: '#/$defs/Knot' }], ...ask('colours') };
  const holder: JsonSchema = { type: 'object', properties: { knot: { $ref: '#/$defs/Knot' } } };
  const contract = buildContract(
    [
      ['Knot', knot],
      ['Holder', holder],
    ],
    { unstated },
  );
  const notes = new SchemaNotes(contract);
  const entriesOfKnot = contract.schemas
    .slice(0, 1)
    .map((schema) => notes.ofSchema(schema).entries);
  expect(entriesOfKnot.flatMap((entries) => [...entries].map(({ id }) => id))).toEqual(['colours']);
});

test('the scalars of a contract are those without listed values', () => {
  expect(describeScalars(buildContract(definitions))).toEqual([
    { typeName: 'Weight', json: 'number', about: 'A weight.' },
    { typeName: 'Count', json: 'number', about: 'A count.' },
  ]);
});
