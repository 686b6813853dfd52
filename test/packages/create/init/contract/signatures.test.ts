import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { signatureForms } from '../../../../../packages/create/src/init/contract/signatures.ts';
import { repository } from '../../../../targets/emit-project.ts';
import { rendererFor } from '../../../../../packages/create/src/templates.ts';

const render = await rendererFor('init');

/** The schemes that the tests of `@countersign/runtime/signing` compare with the vendors' own libraries. */
it.each([
  ['github', 'hmac-hex-prefixed'],
  ['shopify', 'hmac-base64'],
  ['stripe', 'timestamped'],
  ['slack', 'versioned'],
  ['standard-webhooks', 'standard-webhooks'],
  ['svix', 'standard-webhooks'],
])('the scheme of %s is the form %s with its header', async (vendor, form) => {
  const path = join(repository, 'test/packages/runtime/signing/schemes', `${vendor}.yaml`);
  const scheme = parse(await readFile(path, 'utf8'));
  const { key } = scheme['x-signature'];
  // Names of headers have no case.
  const fold = (value: unknown): string => JSON.stringify(value).toLowerCase();
  const renderedScheme = JSON.parse(fold(signatureForms(render, scheme.name)[form]));
  const credential = 'webhookSecret';
  const expected = { ...scheme['x-signature'], key: { ...key, credential } };
  expect(renderedScheme).toEqual(JSON.parse(fold({ ...scheme, 'x-signature': expected })));
});

it('each form has a header of its own', () => {
  const headers = Object.entries(signatureForms(render)).map(([form, { name }]) => [form, name]);
  expect(Object.fromEntries(headers)).toEqual({
    'hmac-hex': 'x-signature',
    'hmac-hex-prefixed': 'x-signature-256',
    'hmac-base64': 'x-signature',
    timestamped: 'x-signature',
    versioned: 'x-signature',
    'standard-webhooks': 'webhook-signature',
    secret: 'x-webhook-secret',
  });
});

it('a header is text, whatever it contains', () => {
  const name = 'x-"}],{{secret}}';
  expect(signatureForms(render, name)['secret']).toEqual({ type: 'apiKey', in: 'header', name });
});
