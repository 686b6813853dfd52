import { expect, test } from 'vitest';
import { essenceOf, isJsonType } from '../../../../packages/runtime/base/index.ts';
import { kindOf, typeOf } from '../../../../generator/specification/media-type.ts';

test.each([
  ['application/json', true],
  [' Text/JSON ; charset=utf-8', true],
  ['application/vnd.a+json', true],
  ['application/json-seq', false],
  ['application/json; profile="a"', true],
  ['text/plain; profile="application/json"', false],
  ['application/jsonl', false],
  ['', false],
])('that %j is JSON is %s, as for the generator', (mediaType, isJson) => {
  expect(isJsonType(mediaType)).toBe(isJson);
  expect(kindOf(mediaType) === 'json').toBe(isJson);
  expect(essenceOf(mediaType)).toBe(typeOf(mediaType));
});
