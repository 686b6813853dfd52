import { expect, test } from 'vitest';
import { redactError } from '../../../../packages/runtime/client/request.ts';

test.each([
  ['one letter', ['a', 'c', 'd', 'e', 'r', 't', '[', ']'], 'xax', 'x[redacted]x'],
  ['the text of a redaction', ['redacted', '[redacted]'], 'a redacted b', 'a [redacted] b'],
  ['a part of another', ['abc', 'abcdef'], 'abcdef abc', '[redacted] [redacted]'],
  [
    'characters of patterns',
    ['a.c', '$&', '(x|y)*'],
    'abc a.c $& (x|y)*',
    'abc [redacted] [redacted] [redacted]',
  ],
  ['escaped forms', ["a'b c"], 'a%27b%20c a%27b+c', '[redacted] [redacted]'],
  ['nothing', [''], 'abc', 'abc'],
])('a secret can be %s', (_, secrets, message, shown) => {
  const once = redactError(new Error(message), secrets);
  expect(once?.message).toBe(shown);
  // Errors of token requests are redacted by the token request and by the call.
  expect(redactError(once, secrets)?.message).toBe(shown);
});

test('an error can be its own cause', () => {
  const error = new Error('a secret');
  error.cause = new Error('another secret', { cause: error });
  const copy = redactError(error, ['secret']);
  expect(copy).toMatchObject({ message: 'a [redacted]', cause: { message: 'another [redacted]' } });
});
