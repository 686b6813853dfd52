import { expect, test } from 'vitest';
import { normalizeKeyword } from '../../generator/schema/normalize-keyword.ts';
import type { Json } from '../../generator/json/json.ts';

const cases: readonly (readonly [string, Json, Json | undefined])[] = [
  ['type', 'string', 'string'],
  ['type', 'String', 'string'],
  ['type', 'int', 'integer'],
  ['type', 'any', undefined],
  ['type', ['string', 'null'], ['string', 'null']],
  ['type', ['string', 'any'], undefined],
  ['type', [], undefined],
  ['maximum', '10', 10],
  ['maximum', 'ten', undefined],
  ['multipleOf', 0, undefined],
  ['multipleOf', 0.01, 0.01],
  ['maxLength', '255', 255],
  ['maxLength', -1, undefined],
  ['minItems', 1.5, undefined],
  ['exclusiveMinimum', true, true],
  ['exclusiveMinimum', 3, 3],
  ['nullable', 'true', true],
  ['uniqueItems', 'no', undefined],
  ['pattern', 3, undefined],
  ['required', true, undefined],
  ['required', ['a', 'a', 1], ['a']],
  ['enum', [], undefined],
  ['enum', 'a', undefined],
  ['properties', [], undefined],
  ['additionalProperties', 'false', false],
  ['items', 'string', undefined],
  ['items', [{}], [{}]],
  ['allOf', [], undefined],
  ['oneOf', {}, {}],
  ['items', [], undefined],
  ['x-own', 'anything', 'anything'],
  ['description', 'text', 'text'],
  ['default', null, null],
];

test.each(cases)('%s: %j is read as %j', (keyword, value, expected) => {
  expect(normalizeKeyword(keyword, value)).toEqual(expected);
});
