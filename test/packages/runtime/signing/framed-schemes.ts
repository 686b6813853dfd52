import fc from 'fast-check';
import type {
  SignatureScheme,
  SignedPart,
  TimestampFormat,
} from '../../../../packages/runtime/signing/index.ts';
import { type Part, writeTimestampPattern } from '../../../../packages/runtime/signing/core.ts';
import { readOwnScheme } from './read-scheme.ts';

const ownScheme = await readOwnScheme();

/** Our own scheme over other parts; the timestamp travels in `x-timestamp`. */
export function schemeOver(
  over: readonly SignedPart[],
  format: TimestampFormat = 'unix-seconds',
): SignatureScheme {
  return { ...ownScheme, over, timestamp: { header: 'x-timestamp', format, tolerance: 300 } };
}

const T = '$timestamp';
const B = '$request.body';
const P = '$url.path';
/** Schemes in which something has to be asserted of a request. */
export const framed: readonly (readonly [string, SignatureScheme])[] = [
  ['body, path', schemeOver([T, B, P])],
  ['body, path and query', schemeOver([T, B, '$url.path+query'])],
  ['body, URL', schemeOver([T, B, '$url'])],
  ['header, date-time, body, path', schemeOver(['$request.header.a', T, B, P], 'iso-8601')],
  ['header, body', schemeOver([T, '$request.header.a', B])],
  ['method, path, body', schemeOver([T, '$method', P, B])],
  ['header, path', schemeOver([T, '$request.header.a', P])],
  [
    'header, local time, body, path',
    schemeOver(['$request.header.a', T, B, P], {
      pattern: "yyyy-MM-dd'T'HH:mm:ssxxx",
      offset: '-03:00',
    }),
  ],
  ['path, local time, body', schemeOver([P, T, B], { pattern: 'HH:mm:ss dd/MM/yyyy' })],
  ['path, time in digits, body', schemeOver([P, T, B], { pattern: 'yyyyMMddHHmmss' })],
  ['path, timestamp, body', schemeOver([P, T, B])],
  ['method, path, timestamp, body', schemeOver(['$method', P, T, B])],
  [
    'header . timestamp . body',
    schemeOver(['$request.header.a', { text: '.' }, T, { text: '.' }, B]),
  ],
  [
    'method, path, body by lines',
    schemeOver(['$method', { text: '\n' }, P, { text: '\n' }, B, { text: '\n' }, T]),
  ],
  ['body, a line, path', schemeOver([T, B, { text: '\n' }, P])],
  ['body, lines, path', schemeOver([T, B, { text: '\n\n' }, P])],
  ['body, a colon, path', schemeOver([T, B, { text: ':' }, P])],
  ['body, a bracket, path', schemeOver([T, B, { text: '{' }, P])],
];

/** Values of a part, made of what marks the ends of others. */
export function textsOf(part: Part, format: TimestampFormat): fc.Arbitrary<string> {
  const times =
    typeof format === 'object'
      ? [0, 11_111_000].map((time) => writeTimestampPattern(1_767_225_600_000 + time, format))
      : format.startsWith('iso')
        ? ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z']
        : ['1767225600'];
  const token = fc.constantFrom(
    '/',
    '{',
    '}',
    '[',
    ']',
    '{}',
    'a',
    'POST',
    '.',
    ':',
    '7',
    'http://',
    ...times,
  );
  const tokens = fc.array(token, { maxLength: 4 }).map((chosen) => chosen.join(''));
  switch (part.kind) {
    case 'text':
      return fc.constant(part.text);
    case '$timestamp':
      return fc.constantFrom(...times);
    case '$method':
      return fc.constantFrom('GET', 'POST');
    case 'header':
      return tokens.map((text) => `a${text}`);
    case '$url.host+path':
      return tokens.map((text) => `http://a.example/${text}`);
    case '$url':
      return tokens.map((text) => `http://a/${text}`);
    case '$url.path':
    case '$url.path+query':
      return tokens.map((text) => `/${text}`);
    default:
      return fc.oneof(
        tokens,
        tokens.map((text) => `{${text}}`),
        tokens.map((text) => `[${text}]\n`),
        tokens.map((text) => `\n${text}\n\n`),
      );
  }
}
