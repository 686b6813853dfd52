import { expect, test } from 'vitest';
import type { Contract, Signature } from '../../generator/contract/contract.ts';
import { openQuestionsOf, settleSignature } from '../../generator/contract/signature-scheme.ts';
import { literal } from '../../generator/targets/escape.ts';
import { signInShell } from '../../packages/reference/src/sign-in-shell.ts';
import { signatureSchemeCode } from '../../generator/targets/signature-scheme.ts';
import { toSignatureScheme } from '../../packages/simulator/src/sending/signature-scheme.ts';

const known: Signature = {
  header: 'X-Signature',
  algorithm: 'hmac-sha256',
  key: { credential: 'secret', description: 'Ask for it.', encoding: 'utf-8' },
  over: ['$request.body'],
  encoding: { unstated: 'encoding' },
  value: '{signature}',
};
/** A signature with members that the vocabulary does not have yet, one of which is an open question. */
const signature = {
  ...known,
  key: { ...known.key, newOfKey: true },
  newOfScheme: { first: ':', second: { unstated: 'second' } },
} as Signature;
const entry = (id: string, ...values: readonly string[]): Contract['unstated'][number] => ({
  kind: 'unstated',
  pointer: 'openapi#/info/x-unstated',
  source: [],
  id,
  optionName: id,
  question: 'Which?',
  choices: values.map((value) => ({ name: `choose ${value}`, value, meaning: value })),
  usedBy: [],
  answers: [],
  affects: [],
});
const contract = {
  unstated: [entry('second', '-', '_'), entry('unused', 'x'), entry('encoding', 'hex', 'base64')],
} as unknown as Contract;
const settledScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8', newOfKey: true },
  over: ['$request.body'],
  encoding: 'base64',
  header: 'X-Signature',
  value: '{signature}',
  newOfScheme: { first: ':', second: '-' },
};

test('a new member of a signature reaches the scheme that signers and verifiers get', () => {
  const choices = new Map([['encoding', 'choose base64']]);
  expect(settleSignature(contract, signature, choices)).toEqual({
    scheme: settledScheme,
    answers: { encoding: 'choose base64', second: 'choose -' },
  });
});

test('a question in a new member counts among those that decide about the signature', () => {
  expect(openQuestionsOf(contract, signature).map(({ id }) => id)).toEqual(['second', 'encoding']);
});

test('a new member of a signature is printed with the others', () => {
  const { text } = signatureSchemeCode(signature, (value) => literal(value));
  expect(text.replaceAll(/\s+/gu, ' ')).toContain(
    'newOfScheme: { first: ":", second: {"unstated":"second"} }',
  );
  expect(text).toContain('newOfKey: true');
  expect(text).not.toMatch(/credential|Ask for it/u);
});

test('a new member of a signature reaches the scheme of the simulator', () => {
  const { credential: _, description: __, ...key } = signature.key;
  const data = {
    ...signature,
    key: { ...key, jwks: 'https://example.com' },
    header: 'X-Signature',
  };
  const answers: Readonly<Record<string, string>> = { encoding: 'base64', second: '-' };
  const settle = <T>(value: T | { readonly unstated: string }): T =>
    typeof value === 'object' && value !== null && 'unstated' in value
      ? (answers[value.unstated] as T)
      : value;
  expect(toSignatureScheme(data, settle)).toEqual(settledScheme);
});

test('no commands of a shell are shown for a signature with a member that they do not know', () => {
  const stated: Signature = { ...known, encoding: 'hex' };
  expect(signInShell(stated)).toContain('openssl');
  expect(signInShell({ ...stated, newOfScheme: ':' } as Signature)).toBeUndefined();
});
