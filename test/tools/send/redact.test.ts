import { expect, it } from 'vitest';
import { createRedactor } from '../../../generator/tools/send/redact.ts';

it.each([
  ['plain', 'a s3cret/"', 'it was a s3cret/"!', 'it was [redacted]!'],
  ['in JSON', 'a s3cret/"', '{"x":"a s3cret/\\""}', '{"x":"[redacted]"}'],
  ['in a URL', 'a s3cret/"', '?x=a%20s3cret%2F%22&y', '?x=[redacted]&y'],
  ['several times', 'abcd', 'abcd abcd', '[redacted] [redacted]'],
  ['short', 'k', 'ok', 'o[redacted]'],
])('takes secrets out of text: %s', (_, secret, text, clean) => {
  expect(createRedactor([secret])(text)).toBe(clean);
});

it('takes the longest of secrets that begin alike', () => {
  expect(createRedactor(['abcd', 'abcdef', ''])('abcdefabcd')).toBe('[redacted][redacted]');
});
