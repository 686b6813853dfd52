import {
  createSigner,
  type SignatureScheme,
  type VerificationFailure,
} from '../../../../packages/runtime/signing/index.ts';
import { now } from './read-scheme.ts';
import { toSignable } from './signable.ts';

/** A scheme with a bit of everything: a signed header, a timestamp, several signatures. */
export const base: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.header.x-id', { text: '.' }, '$timestamp', { text: '.' }, '$request.body'],
  encoding: 'base64',
  header: 'X-Signature',
  value: 'v1,{signature}',
  separator: ' ',
  timestamp: { header: 'X-Timestamp', format: 'unix-seconds', tolerance: 300 },
};
export const key = 'sekrit-0123456789';
export const body = '{"amount":1}';
const signer = createSigner(base, { key, clock: () => now });
/** The headers of an unmodified request. */
export const authentic: Readonly<Record<string, string>> = {
  'X-Id': 'msg_1',
  ...(await signer.sign(toSignable({ headers: { 'X-Id': 'msg_1' }, body }))),
};
export const signature: string = authentic['X-Signature'] ?? '';
const digest = Buffer.from(signature.slice(3), 'base64');
const seconds = now / 1000;

/** The headers of an authentic request with one given other values, or taken away where there are none. */
export function withHeader(
  name: string,
  ...values: readonly string[]
): readonly (readonly [string, string])[] {
  const otherHeaders = Object.entries(authentic).filter(([other]) => other !== name);
  return [...otherHeaders, ...values.map((value) => [name, value] as const)];
}

/** What a sender can write, and why it is refused. */
export const refusals: readonly (readonly [
  string,
  ReturnType<typeof withHeader>,
  VerificationFailure,
])[] = [
  ['no signature', withHeader('X-Signature'), 'missing-signature'],
  ['an empty signature', withHeader('X-Signature', ''), 'missing-signature'],
  ['a label without a signature', withHeader('X-Signature', 'v1,'), 'malformed-signature'],
  [
    'a signature without its label',
    withHeader('X-Signature', signature.slice(3)),
    'malformed-signature',
  ],
  [
    'a signature of another version',
    withHeader('X-Signature', signature.replace('v1', 'v2')),
    'malformed-signature',
  ],
  ['a short signature', withHeader('X-Signature', signature.slice(0, -2)), 'malformed-signature'],
  [
    'a digest truncated to 128 bits',
    withHeader('X-Signature', `v1,${digest.subarray(0, 16).toString('base64')}`),
    'malformed-signature',
  ],
  [
    'a digest with zeros after it',
    withHeader('X-Signature', `v1,${Buffer.concat([digest, Buffer.alloc(3)]).toString('base64')}`),
    'malformed-signature',
  ],
  [
    'hexadecimal digits for Base64',
    withHeader('X-Signature', `v1,${digest.toString('hex')}`),
    'malformed-signature',
  ],
  [
    'Base64 without its padding',
    withHeader('X-Signature', `v1,${digest.toString('base64url')}`),
    'malformed-signature',
  ],
  [
    'the alphabet of Base64url',
    withHeader('X-Signature', `v1,${'-_'.repeat(21)}-=`),
    'malformed-signature',
  ],
  [
    'bits that stand for nothing',
    withHeader('X-Signature', `v1,${'A'.repeat(42)}B=`),
    'malformed-signature',
  ],
  [
    'padding in the middle',
    withHeader('X-Signature', `v1,${'A'.repeat(20)}=${'A'.repeat(22)}=`),
    'malformed-signature',
  ],
  [
    'characters beyond ASCII',
    withHeader('X-Signature', `v1,${'é'.repeat(43)}=`),
    'malformed-signature',
  ],
  [
    'a signature of one megabyte',
    withHeader('X-Signature', `v1,${'A'.repeat(1 << 20)}`),
    'malformed-signature',
  ],
  [
    'another signature',
    withHeader('X-Signature', `v1,${Buffer.alloc(32).toString('base64')}`),
    'signature-mismatch',
  ],
  [
    'the signature header twice',
    withHeader('X-Signature', signature, signature),
    'repeated-header',
  ],
  ['no timestamp', withHeader('X-Timestamp'), 'missing-timestamp'],
  [
    'the timestamp header twice',
    withHeader('X-Timestamp', String(seconds), String(seconds)),
    'repeated-header',
  ],
  [
    'a timestamp just too old',
    withHeader('X-Timestamp', String(seconds - 301)),
    'timestamp-too-old',
  ],
  [
    'a timestamp just too new',
    withHeader('X-Timestamp', String(seconds + 301)),
    'timestamp-too-new',
  ],
  [
    'a timestamp that was changed',
    withHeader('X-Timestamp', String(seconds + 1)),
    'signature-mismatch',
  ],
  ...[
    '1e9',
    ` ${seconds}`,
    `${seconds} `,
    `+${seconds}`,
    `-${seconds}`,
    `${seconds}.0`,
    `0${seconds}`,
    '12345678901234567',
    '0x69559e80',
    'NaN',
    'Infinity',
    `${seconds},${seconds}`,
    '١٧٦٧٢٢٥٦٠٠',
    '0000000017',
  ].map(
    (timestamp) =>
      [
        `the timestamp "${timestamp}"`,
        withHeader('X-Timestamp', timestamp),
        'malformed-timestamp',
      ] as const,
  ),
  ['no signed header', withHeader('X-Id'), 'missing-header'],
  ['an empty signed header', withHeader('X-Id', ''), 'missing-header'],
  ['a signed header twice', withHeader('X-Id', 'msg_1', 'msg_1'), 'repeated-header'],
  ['a signed header with a line break', withHeader('X-Id', 'msg_1\r\nX: y'), 'malformed-header'],
  ['a signed header beyond ASCII', withHeader('X-Id', 'mség'), 'malformed-header'],
  ['a signed header with space around it', withHeader('X-Id', ' msg_1'), 'malformed-header'],
  ['a signed header of one megabyte', withHeader('X-Id', 'a'.repeat(1 << 20)), 'malformed-header'],
  ['another signed header', withHeader('X-Id', 'msg_2'), 'signature-mismatch'],
  [
    'a signed header that holds the text after it',
    withHeader('X-Id', 'msg.1'),
    'ambiguous-framing',
  ],
];
