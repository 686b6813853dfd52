import { type TimestampFormat, writeTimestamp } from '@countersign/runtime/signing';
import { bodyVariants, lineEndVariants } from './body-variants.ts';
import { decodePercent } from './decode-text.ts';
import type { DeviationCandidate, DeviationSubject, SignedCall } from './deviation-candidate.ts';
import { bytesOf } from './signed-parts.ts';
import { nameOfFormat, timestampFormats } from './timestamp-text.ts';

/** Lists the deviations that replace the value of one part. */
export function valueDeviations(signed: SignedCall): readonly DeviationCandidate[] {
  const { parts, call } = signed;
  return parts.flatMap(({ expression, isText }, index) => {
    if (isText) return [];
    const replace = (
      subject: DeviationSubject,
      code: string,
      condition: string,
      fix: string,
      bytes: Buffer,
    ): DeviationCandidate => ({
      subject,
      code,
      condition,
      fix,
      pieces: parts.map((part, place) => (place === index ? bytes : part.bytes)),
    });
    if (expression === '$request.body') {
      const body = bytesOf(expression, call);
      const rewrites = bodyVariants(body, call.headers('content-type')[0] ?? '').map(
        ({ description, text }) =>
          replace(
            'body',
            'body-written-again',
            `the body is signed as ${description}`,
            'Sign the exact bytes of the body that are sent. Serialize the body once, and use the result for both.',
            Buffer.from(text),
          ),
      );
      const ended = lineEndVariants(body).map(({ description, bytes }) =>
        replace(
          'body',
          'body-with-line-end',
          `the body is signed ${description}`,
          'Sign the exact bytes of the body that are sent. Editors, shells and `echo` add line ends, and some tools convert them.',
          bytes,
        ),
      );
      return [...ended, ...rewrites];
    }
    if (expression === '$method')
      return [
        replace(
          'method',
          'method-in-lower-case',
          'the method is signed in lower case',
          'Sign the method in upper case.',
          Buffer.from(call.method.toLowerCase()),
        ),
      ];
    if (expression.startsWith('$url')) return pathDeviations(expression, signed, replace);
    return isTimestamp(expression, signed) ? timestampDeviations(signed, replace) : [];
  });
}

type Replace = (
  subject: DeviationSubject,
  code: string,
  condition: string,
  fix: string,
  bytes: Buffer,
) => DeviationCandidate;

const paths: readonly (readonly [
  expression: string,
  code: string,
  condition: string,
  stated: string,
])[] = [
  ['$url.path', 'path-alone', 'the path is signed without host and query', 'the path alone'],
  [
    '$url.path+query',
    'path-with-query',
    'the path is signed with its query',
    'the path with its query',
  ],
  ['$url.host+path', 'host-and-path', 'the path is signed after the host', 'the host and the path'],
  ['$url', 'whole-url', 'the whole URL is signed', 'the whole URL'],
];

function pathDeviations(
  expression: string,
  { call }: SignedCall,
  replace: Replace,
): readonly DeviationCandidate[] {
  const stated = paths.find(([pathExpression]) => pathExpression === expression)?.[3] ?? expression;
  const fix = `Sign ${stated}, as it is sent: \`${expression}\`.`;
  const pathBytes = bytesOf(expression, call);
  return [
    ...paths.flatMap(([other, code, condition]) =>
      other === expression ? [] : [replace('path', code, condition, fix, bytesOf(other, call))],
    ),
    replace(
      'path',
      'path-decoded',
      'the path is signed without percent-encoding',
      fix,
      Buffer.from(decodePercent(pathBytes.toString())),
    ),
  ];
}

function isTimestamp(expression: string, { scheme }: SignedCall): boolean {
  const { header } = scheme.timestamp ?? {};
  return (
    expression === '$timestamp' ||
    (header !== undefined && expression.toLowerCase() === `$request.header.${header.toLowerCase()}`)
  );
}

function timestampDeviations(
  { instant, timestamp }: SignedCall,
  replace: Replace,
): readonly DeviationCandidate[] {
  if (instant === undefined) return [];
  return timestampFormats.flatMap((format: TimestampFormat) => {
    const text = writeTimestamp(instant, format);
    return text === timestamp
      ? []
      : [
          replace(
            'timestamp',
            'timestamp-signed-in-other-form',
            `the timestamp is signed as ${nameOfFormat(format)}, unlike the one that is sent`,
            'Write the timestamp once, and sign the same text that you send.',
            Buffer.from(text),
          ),
        ];
  });
}

/** Lists the deviations that leave a part out. */
export function missingParts({ parts }: SignedCall): readonly DeviationCandidate[] {
  return parts.flatMap(({ expression, isText, bytes }, index) => {
    if (isText) return [];
    const without = (from: number, to: number): DeviationCandidate => ({
      subject: 'part',
      code: 'part-not-signed',
      condition: `\`${expression}\` is not signed`,
      fix: `Sign \`${expression}\` too, in its position.`,
      pieces: parts.flatMap((part, place) => (place >= from && place <= to ? [] : [part.bytes])),
    });
    // A separator can be left out with the part: the one after it, or the one before it.
    return [
      ...(bytes.length === 0 ? [] : [without(index, index)]),
      ...(parts[index + 1]?.isText === true ? [without(index, index + 1)] : []),
      ...(parts[index - 1]?.isText === true ? [without(index - 1, index)] : []),
    ];
  });
}

/** Lists the deviations that sign the same parts in another order; separators keep their positions. */
export function otherOrders({ parts }: SignedCall): readonly DeviationCandidate[] {
  const values = parts.flatMap(({ isText }, index) => (isText ? [] : [index]));
  const orders = values.length <= 4 ? permutations(values) : swaps(values);
  const displaced = (order: readonly number[]): number =>
    order.filter((from, place) => from !== values[place]).length;
  return orders
    .filter((order) => displaced(order) > 0)
    .toSorted((a, b) => displaced(a) - displaced(b))
    .map((order) => {
      const names = order.map((from) => `\`${parts[from]?.expression ?? ''}\``);
      const stated = values.map((index) => `\`${parts[index]?.expression ?? ''}\``);
      return {
        subject: 'order',
        code: 'other-order',
        condition: `the order is ${names.join(', ')}`,
        fix: `Sign the parts in the order ${stated.join(', ')}.`,
        pieces: parts.map((part, index) => {
          const place = values.indexOf(index);
          return (place === -1 ? part : parts[order[place] ?? index])?.bytes ?? Buffer.alloc(0);
        }),
      };
    });
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

function swaps(items: readonly number[]): readonly (readonly number[])[] {
  return items.flatMap((left, first) =>
    items
      .slice(first + 1)
      .map((right) => items.map((item) => (item === left ? right : item === right ? left : item))),
  );
}

const separators: readonly (readonly [text: string, name: string])[] = [
  ['', 'no separator'],
  ['\n', 'a line feed'],
  ['.', 'a full stop'],
  [':', 'a colon'],
  ['|', 'a vertical bar'],
  ['&', 'an ampersand'],
  [',', 'a comma'],
  [' ', 'a space'],
];

/** Lists the deviations that put another text between all parts. */
export function otherSeparators({ parts }: SignedCall): readonly DeviationCandidate[] {
  const values = parts.flatMap(({ isText }, index) => (isText ? [] : [index]));
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  if (values.length < 2) return [];
  const before = parts.slice(0, first).map(({ bytes }) => bytes);
  const after = parts.slice(last + 1).map(({ bytes }) => bytes);
  return separators.map(([text, name]) => ({
    subject: 'separator',
    code: 'other-separator',
    condition: `there is ${name} between the parts`,
    fix: 'Put between the parts exactly what the contract states.',
    pieces: [
      ...before,
      ...values.flatMap((index, place) => {
        const bytes = parts[index]?.bytes ?? Buffer.alloc(0);
        return place === 0 ? [bytes] : [Buffer.from(text), bytes];
      }),
      ...after,
    ],
  }));
}
