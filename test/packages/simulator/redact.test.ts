import { expect, test } from 'vitest';
import { Redactor } from '../../../packages/simulator/src/redact.ts';

const secret = 'a-secret/with "quotes" & more';

test.each([
  ['plain', `x${secret}y`],
  ['JSON', `x${JSON.stringify(secret).slice(1, -1)}y`],
  ['a URL', `x${encodeURIComponent(secret)}y`],
  ['a form', `x${new URLSearchParams([['', secret]]).toString().slice(1)}y`],
  ['Base64', `x${Buffer.from(secret).toString('base64')}y`],
])('replaces a secret in the form %s', (_, text) => {
  expect(new Redactor([secret]).redact(text)).toBe('x[redacted]y');
});

test('replaces what a pattern describes, and later secrets', () => {
  const redactor = new Redactor();
  expect(redactor.redact('token-12 later')).toBe('token-12 later');
  redactor.addPattern(/token-\d+/u);
  expect(redactor.redact('token-12 later')).toBe('[redacted] later');
  redactor.add('later');
  redactor.add('x');
  expect(redactor.redact('token-12 later x')).toBe('[redacted] [redacted] x');
});
