import { expect, test } from 'vitest';
import type { Unstated } from '../../../generator/contract/contract.ts';
import { typeSchemas } from '../../../generator/targets/contract/types.ts';
import { describeScalars } from '../../../generator/targets/contract/schema-notes.ts';
import type { JsonObject } from '../../../generator/json/json.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import { buildContract } from './contract-builder.ts';
import { emitPackage } from './emit-package.ts';

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

const form = 'Open question `weight-form`: What about weight-form? Assumed: `a`. The first.';
const unit = 'Open question `weight-unit`: What about weight-unit? None is set.';

/** The comment lines above a member. */
function commentOf(text: string, member: string): string {
  return new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*${member}\?:`).exec(text)?.[1] ?? '';
}

test('the comment of a member names each open entry that its value depends on, on one line', () => {
  const parcel = typeSchemas(buildContract(definitions, { unstated })).get('Parcel')?.text ?? '';
  for (const member of ['gross', 'net', 'parts']) {
    const comment = commentOf(parcel, member);
    expect(comment.split('\n')).toEqual(expect.arrayContaining([` * - ${form}`, ` * - ${unit}`]));
    expect(comment).toContain('A weight.');
    expect(comment).toContain("With the option `numbers: 'text'`");
  }
  expect(commentOf(parcel, 'colour')).toContain(
    '`colours`: What about colours? Nothing is assumed.',
  );
  expect(commentOf(parcel, 'colour')).not.toContain('A colour.');
  expect(commentOf(parcel, 'count')).toContain('A count.');
  expect(commentOf(parcel, 'count')).not.toContain('numbers:');
});

test('a settled entry is not mentioned', () => {
  const parcel = typeSchemas(buildContract(definitions, { unstated })).get('Parcel')?.text ?? '';
  expect(parcel).not.toContain('`done`');
  expect(parcel).toContain('owner?: string');
});

test('types and enumerations name their entries, also those whose answers would change them', async () => {
  const affects = ['openapi#/components/schemas/enum'] as const;
  const files = await emitPackage(
    buildContract(definitions, { unstated: [...unstated, entry('elsewhere', { affects })] }),
  );
  const weight = files.get('src/types/weight.ts') ?? '';
  expect(weight).toContain(` * - ${form}\n * - ${unit}\n`);
  expect(weight).toContain(
    ' * - Open question `elsewhere`: What about elsewhere? Nothing is assumed.',
  );
  expect(files.get('src/types/colour.ts')?.match(/`colours`/g)).toHaveLength(2);
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
  expect(typeSchemas(contract).get('Holder')?.text).toContain('`colours`');
});

test('the scalars of a contract are those without listed values', () => {
  expect(describeScalars(buildContract(definitions))).toEqual([
    { typeName: 'Weight', json: 'number', about: 'A weight.' },
    { typeName: 'Count', json: 'number', about: 'A count.' },
  ]);
});
