import { expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { shopDocument } from '../../cli/shop-contract.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

const own = (id: string): string => shopDocument({ own: `security: [{ ${id}: [] }], ` });

async function read(text: string): Promise<Contract> {
  return (await lowerFiles({ 'openapi.yaml': text })).contract;
}

test.each([
  ['bodySignature', 'hmac-sha256', 'hmac-sha512', '`algorithm`', 'signature-changed'],
  ['bodySignature', 'over: [/id]', 'over: [/seal, /id]', '`over[0]`', 'signature-changed'],
  ['bodySignature', 'encoding: hex', 'encoding: base64', '`encoding`', 'signature-changed'],
  ['bodySignature', 'encoding: utf-8', 'encoding: hex', '`key.encoding`', 'signature-changed'],
  ['bodySignature', "separator: '|'", "separator: ':'", '`separator`', 'signature-changed'],
  ['bodySignature', 'signature: /seal', 'signature: /id', '`signature`', 'signature-changed'],
  ['bodySignature', 'over:', 'numbers: as-sent, over:', '`numbers`', 'signature-changed'],
  ['bodySignature', 'sealKey', 'otherKey', '`key.credential`', 'credential-renamed'],
  ['signature', 'encoding: base64 }', 'encoding: hex }', '`encoding`', 'signature-changed'],
  ['signature', 'over: [', "separator: '.', over: [", '`separator`', 'signature-changed'],
])('%s: another "%s" is reported', async (id, was, is, what, code) => {
  const text = own(id);
  expect(text).toContain(was);
  const [base, head] = [await read(text), await read(text.replace(was, is))];
  const [first] = diffContracts({ base, head });
  expect(first).toMatchObject({
    code,
    subject: `security scheme ${id}`,
    message: expect.stringContaining(what),
  });
});

test('a signature in the body that is added or removed is reported', async () => {
  const text = own('bodySignature');
  const without = text.replace(/x-body-signature: \{.*\} \}/u, 'description: A key. }');
  expect(without).not.toContain('x-body-signature');
  const [base, head] = [await read(text), await read(without)];
  const codesOf = (from: Contract, to: Contract): readonly string[] =>
    diffContracts({ base: from, head: to }).map(({ code }) => code);
  expect(codesOf(base, head)).toContain('signature-removed');
  expect(codesOf(head, base)).toContain('signature-added');
});
