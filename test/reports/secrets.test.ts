import { describe, expect, test } from 'vitest';
import { createVerifier, type SignatureScheme } from '@countersign/runtime/signing';
import { createVerifier as createCheckedVerifier } from '../../packages/runtime/signing/core.ts';
import { reported } from './contract-of.ts';

// Secrets of public reports about libraries for webhooks: each is refused when the receiver is created, and says why.

const text: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.body'],
  encoding: 'hex',
  header: 'x-signature',
  value: '{signature}',
};
const prefixed: SignatureScheme = { ...text, key: { encoding: 'base64', prefix: 'whsec_' } };
const bare = Buffer.from('0123456789abcdef01234567').toString('base64');

const refused: readonly (readonly [
  link: string,
  scheme: SignatureScheme,
  key: string,
  says: string,
  code?: string,
])[] = [
  [reported('stripe/stripe-node', 1980), text, 'whsec_a\n', 'white space'],
  ['https://github.com/heripo-lab/heripo-engine/pull/47', text, 'whsec_a\r\n', 'white space'],
  [reported('honojs/examples', 159), text, 'whsec_a ', 'white space'],
  [reported('webhookdb/webhookdb', 895), prefixed, `whsec_${bare}\n`, 'white space'],
  [reported('standard-webhooks/standard-webhooks', 235), prefixed, `v1,whsec_${bare}`, 'prefix'],
  ['https://github.com/polarsource/polar/pull/13522', prefixed, `polar_whs_${bare}`, 'prefix'],
  ['https://github.com/openai/openai-node/pull/1887', prefixed, 'whsec_xyz!', 'base64'],
  ['https://github.com/corsairdev/corsair/pull/1024', prefixed, 'whsec_!!!!', 'base64'],
  ['https://github.com/nextlyhq/nextly/pull/227', prefixed, 'whsec_', 'missing', 'missing-key'],
];

describe.each([
  ['with texts', createVerifier],
  ['of generated code', createCheckedVerifier],
])('a verifier %s refuses a secret of a public report', (_, create) => {
  test.each(refused.map((row) => [row[0], row] as const))('%s', (_, row) => {
    const [, scheme, key, says, code = 'malformed-key'] = row;
    expect(() => create(scheme, { keys: [key] })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(says) }),
    );
  });
});

test.each([`whsec_${bare}`, bare])('the secret %s is accepted', (key) => {
  expect(() => createVerifier(prefixed, { keys: [key] })).not.toThrow();
});

test('a secret that is text is the key as a whole, whatever it looks like', () => {
  // https://github.com/Notifuse/notifuse/issues/318
  expect(() => createVerifier(text, { keys: [`whsec_${bare}`] })).not.toThrow();
});
