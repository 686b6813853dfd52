import { expect, test } from 'vitest';
import { describeConstraints } from '../../../../generator/targets/printing/types/constraints.ts';
import { typeSchemas } from '../../../../generator/targets/printing/types/types.ts';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import { hostileTexts } from '../../../hostile/hostile-texts.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { emitPackage } from '../../contract/emit-package.ts';

const contract = buildContract([
  ['Moment', { type: 'string', format: 'date-time', maxLength: 40 }],
  ['Place', { type: 'object', minProperties: 1, properties: { town: { type: 'string' } } }],
  ['Loop', { type: 'string', minLength: 1, allOf: [{ $ref: '#/$defs/Loop' }] }],
]);
const index = indexSchemas(contract);
const moment: JsonSchema = { $ref: '#/$defs/Moment' };

test.each<[what: string, schema: JsonSchema, line: string | undefined]>([
  ['a format', { type: 'string', format: 'uuid' }, '`format: uuid`'],
  [
    'a default and bounds',
    { type: 'integer', default: 20, minimum: 1, maximum: 100, multipleOf: 5 },
    '`default: 20, minimum: 1, maximum: 100, multipleOf: 5`',
  ],
  [
    'exclusive bounds',
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    '`exclusiveMinimum: 0, exclusiveMaximum: 1`',
  ],
  [
    'a text',
    { type: 'string', default: 'a, b', minLength: 1, maxLength: 9, pattern: '^[a-z, ]+$' },
    '`default: "a, b", minLength: 1, maxLength: 9, pattern: ^[a-z, ]+$`',
  ],
  [
    'an array',
    { type: 'array', default: [], minItems: 1, maxItems: 2, uniqueItems: true },
    '`default: [], minItems: 1, maxItems: 2, uniqueItems: true`',
  ],
  [
    'an object',
    { type: 'object', minProperties: 1, maxProperties: 2 },
    '`minProperties: 1, maxProperties: 2`',
  ],
  ['the value null as a default', { default: null }, '`default: null`'],
  ['a referenced scalar', moment, '`format: date-time, maxLength: 40`'],
  [
    'a scalar with bounds beside its reference',
    { allOf: [moment, { maxLength: 30 }], default: 'now' },
    '`format: date-time, default: "now", maxLength: 40, maxLength: 30`',
  ],
  ['a value or null', { anyOf: [moment, { type: 'null' }] }, '`format: date-time, maxLength: 40`'],
  ['a scalar that contains itself', { $ref: '#/$defs/Loop' }, '`minLength: 1`'],
  ['a referenced object, which has its own comment', { $ref: '#/$defs/Place' }, undefined],
  ['one of several alternatives', { oneOf: [moment, { type: 'integer', minimum: 1 }] }, undefined],
  ['items that are not unique', { type: 'array', uniqueItems: false }, undefined],
  ['a pattern that is longer than a line', { pattern: `^${'a'.repeat(60)}$` }, undefined],
  ['a pattern that would end the code span', { pattern: '^`$' }, undefined],
  ['a schema that accepts everything', true, undefined],
])('the line of %s', (_, schema, line) => {
  expect(describeConstraints(schema, index)).toBe(line);
});

test.each(hostileTexts.map((text) => [text]))('is one line of code for any text: %j', (text) => {
  const line = describeConstraints({ format: text, default: text, pattern: text }, index) ?? '``';
  expect(line).toMatch(/^`[^`\p{Cc}\p{Cf}\u2028\u2029]*`$/u);
});

test('members and types state it below their descriptions', async () => {
  const holder: JsonSchema = {
    type: 'object',
    properties: { at: { ...(moment as object), description: 'When.' }, plain: { type: 'string' } },
  };
  const stating = buildContract([
    ['Moment', { type: 'string', format: 'date-time', description: 'A time.' }],
    ['Holder', holder],
  ]);
  const text = typeSchemas(stating).get('Holder')?.text ?? '';
  expect(text).toMatch(
    /\* When\.\n.*(?:\n.*)*\* `format: date-time`\n \*\/\nat\?: Moment;\nplain\?/u,
  );
  expect((await emitPackage(stating)).get('src/index.ts')).toContain(
    ' * A time.\n *\n * `format: date-time`\n',
  );
});
