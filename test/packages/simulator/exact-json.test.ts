import { expect, test } from 'vitest';
import {
  keepsNumbers,
  parseExactly,
  toDoubles,
} from '../../../packages/simulator/src/sending/exact-json.ts';

test.each([
  ['1.10', false],
  ['10000000000000000.01', false],
  ['-0', false],
  ['1e2', false],
  ['1E400', false],
  ['0.1', true],
  ['39.98', true],
  ['"1.10"', true],
])('%s is written as it was read; a double does so: %s', (number, isDouble) => {
  const text = `{"list":[${number}],"__proto__":${number}}`;
  expect(JSON.stringify(parseExactly(text))).toBe(text);
  expect(keepsNumbers(text)).toBe(isDouble);
  expect(toDoubles(parseExactly('[1.10,{"a":2.50}]'))).toEqual([1.1, { a: 2.5 }]);
});
