import { createVerifier, type SignatureScheme } from '@countersign/runtime/signing';
import { expect, test } from 'vitest';
import { signRequest } from '../../../../packages/simulator/src/sending/sign-request.ts';
import {
  coveredHeaders,
  createRequestSigner,
} from '../../../../packages/simulator/src/sending/signature-scheme.ts';

const scheme: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.header.x-account', { text: '\n' }, '$url', { text: '\n' }, '$request.body'],
  encoding: 'hex',
  header: 'x-signature',
  value: '{signature}',
};
const key = 'a key of the sender';
const unsigned = {
  method: 'POST',
  url: new URL('http://127.0.0.1:3000/hooks?a=1'),
  headers: [['content-type', 'application/json']],
  body: new TextEncoder().encode('{"a":1}'),
} as const;
const signature = {
  id: 'sealed',
  covered: coveredHeaders(scheme),
  signer: createRequestSigner(scheme, key),
};

function toHeaders(list: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: list.length / 2 }, (_, index) => [
      (list[2 * index] ?? '').toLowerCase(),
      list[2 * index + 1] ?? '',
    ]),
  );
}

test('a signature in a header covers secrets, the query and the signed body that are added', async () => {
  const request = await signRequest(unsigned, {
    query: [['ticket', 'of the service']],
    headers: [['x-account', 'the account']],
    bodies: [(body) => Buffer.concat([body, Buffer.from(' ')])],
    signature,
  });
  expect(request.url.href).toBe('http://127.0.0.1:3000/hooks?a=1&ticket=of+the+service');
  expect(new TextDecoder().decode(request.body)).toBe('{"a":1} ');
  const headers = toHeaders(request.headers);
  const verified = await createVerifier(scheme, { keys: [key] }).verify({
    method: request.method,
    url: request.url.href,
    headers: (name) => [headers.get(name) ?? ''],
    body: request.body,
  });
  expect(verified).toMatchObject({ ok: true });
  expect(request.proofs).toEqual(['the account', headers.get('x-signature')]);
  expect(headers.get('content-length')).toBe('8');
});

test('a covered header comes from its key, and one without a key is named', async () => {
  const keyHeader = (name: string) => [name, 'from its key'] as const;
  const request = await signRequest(unsigned, { signature: { ...signature, keyHeader } });
  expect(toHeaders(request.headers).get('x-account')).toBe('from its key');
  await expect(signRequest(unsigned, { signature })).rejects.toMatchObject({
    code: 'not-signable',
    message: expect.stringContaining('The signature sealed covers the header x-account.'),
  });
});

test('the URL that a sender calls is signed and reported, where a proxy changes it', async () => {
  const mapping = { map: () => 'https://bank.example/in?a=1' } as never;
  const headers = [['x-account', 'a']] as const;
  const request = await signRequest(unsigned, { headers, signature: { ...signature, mapping } });
  expect(request.signedUrl).toBe('https://bank.example/in?a=1');
  expect(request.url).toEqual(unsigned.url);
});
