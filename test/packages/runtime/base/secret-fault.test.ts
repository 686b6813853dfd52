import { expect, test } from 'vitest';
import { faultOfSecret } from '../../../../packages/runtime/base/index.ts';

test.each([
  '',
  ' \t\r\n\u00A0\u3000',
  '\uFEFF',
  '\u200B\u200B',
  '\u2060',
  '\u00AD',
  '\u3164',
  '\u2800',
  '\0',
  '\u001B',
  '\u202E\u2066',
  undefined,
  null,
  0,
  new Uint8Array(3),
])('nothing in %j is visible, so that it is no secret', (value) => {
  expect(faultOfSecret(value)).toBe('blank');
});

test.each([
  'undefined',
  'null',
  'NULL',
  ' NaN\n',
  '[object Object]',
  '[object Promise]',
  '""',
  "''",
  '${WEBHOOK_SECRET}',
  '{{ webhook.secret }}',
])('%j stands for a value that is missing', (text) => {
  expect(faultOfSecret(text)).toBe('unset');
});

test.each(['a\n', ' a', 'a\u00A0', '\uFEFFa', 'a\u200B', 'a\0', '\u200Ea', 'a\u2060'])(
  'something that nobody sees is around %j',
  (text) => {
    expect(faultOfSecret(text)).toBe('white-space');
  },
);

test.each([
  'hush',
  'a b',
  'ключ',
  'pass\u2764\uFE0F',
  '$ecret',
  'null-safe',
  '%40',
  '"quoted"',
  '${a}b',
  '\u{1F511}',
])('%j can be a secret', (text) => {
  expect(faultOfSecret(text)).toBeUndefined();
});
