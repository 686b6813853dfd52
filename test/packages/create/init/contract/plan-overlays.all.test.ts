import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../../../generator/generate.ts';
import type { Contract } from '../../../../../generator/contract/contract.ts';
import type { ContractFiles } from '../../../../../generator/load/contract-files.ts';
import type { ContractAnswers } from '../../../../../packages/create/src/init/contract/contract-questions.ts';
import { planOverlays } from '../../../../../packages/create/src/init/contract/plan-overlays.ts';
import { signatureForms } from '../../../../../packages/create/src/init/contract/signatures.ts';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { writeTree } from '../../../../output/tree.ts';
import { repository } from '../../../../targets/emit-project.ts';
import { rendererFor } from '../../../../../packages/create/src/templates.ts';

const render = await rendererFor('init');

/** Plans the overlays of a contract, and reads it again with them. */
async function complete(
  files: ContractFiles,
  folder: string,
  answers: ContractAnswers,
): Promise<{
  readonly contract: Contract;
  readonly texts: readonly string[];
  readonly about: readonly string[];
}> {
  const config = { contract: files, output: '', targets: [] };
  const { contract, documents, diagnostics } = await readContract(config, folder);
  if (contract === undefined) throw new Error(JSON.stringify(diagnostics));
  const forms = signatureForms(render, answers.signatureHeader);
  const planned = planOverlays(contract, documents, answers, forms);
  const overlays = planned.files.map(({ path }) => path);
  const texts = new Map(planned.files.map(({ path, text }) => [join(folder, path), text]));
  const after = await readContract({ ...config, contract: { ...files, overlays } }, folder, {
    texts,
  });
  if (after.contract === undefined) throw new Error(JSON.stringify(after.diagnostics));
  const { about } = planned;
  return { contract: after.contract, texts: planned.files.map(({ text }) => text), about };
}

it("identifies all 261 kinds of GitHub's document, and signs them", async () => {
  const folder = join(repository, 'node_modules/@octokit/openapi-webhooks/generated');
  const { contract, texts } = await complete({ openapi: 'api.github.com.json' }, folder, {
    signature: 'hmac-hex-prefixed',
    signatureHeader: 'X-Hub-Signature-256',
  });
  const { notifications, recognition } = contract;
  expect(notifications).toHaveLength(261);
  expect(recognition.indistinct).toEqual([]);
  const signed = notifications.filter(({ security }) =>
    security.every((all) => all.every(({ scheme }) => scheme === 'webhookSignature')),
  );
  expect(signed).toHaveLength(261);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('target: $.webhooks.*.post');
});

const openapi = `openapi: 3.1.1
info: { title: Hooks, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /a: { get: { security: [], responses: { '204': { description: a } } } }
  /b: { get: { security: [], responses: { '204': { description: b } } } }
webhooks:
  made: { post: { security: [{ key: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: ok } } } }
  gone: { put: { requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: ok } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: x-key }, webhookSignature: { type: http, scheme: basic } } }
`;

describe('what is stated of the security of others', () => {
  it('is replaced for what is signed, and not for anything else', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'o.yaml': openapi });
    const { contract } = await complete({ openapi: 'o.yaml' }, folder, { signature: 'hmac-hex' });
    const schemesOf = (
      security: Contract['notifications'][number]['security'],
    ): readonly string[] => security.flat().map(({ scheme }) => scheme);
    expect(contract.notifications.map(({ security }) => schemesOf(security))).toEqual([
      ['webhookSignature2'],
      ['webhookSignature2'],
    ]);
    expect(contract.operations.map(({ security }) => schemesOf(security))).toEqual([[], []]);
  });

  it('gets credentials for calls, and for no notification', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'o.yaml': openapi });
    const { contract } = await complete({ openapi: 'o.yaml' }, folder, { credentials: 'bearer' });
    expect(contract.operations.map(({ security }) => security.flat()[0]?.scheme)).toEqual([
      'callCredentials',
      'callCredentials',
    ]);
    expect(contract.notifications.map(({ security }) => security.flat()[0]?.scheme)).toEqual([
      'key',
      undefined,
    ]);
  });
});

it('states nothing that the user declines, and refuses what AsyncAPI 2 cannot have', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'o.yaml': openapi,
    'a.yaml': `asyncapi: 2.6.0
info: { title: Hooks, version: 1.0.0 }
servers: { hooks: { url: 'https://example.com', protocol: https } }
channels: { hooks: { subscribe: { message: { name: paid, payload: { type: object } } } } }
`,
  });
  const none = await complete({ openapi: 'o.yaml' }, folder, { kindsBy: 'none' });
  expect(none.texts).toEqual([]);
  await expect(
    complete({ asyncapi: 'a.yaml' }, folder, { signature: 'hmac-hex' }),
  ).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('AsyncAPI 2') });
});

it.each([
  ['hmac-hex', 'the header x-signature has the signature in hexadecimal'],
  ['hmac-hex-prefixed', 'the header x-signature-256 has the signature as sha256=…'],
  ['hmac-base64', 'the header x-signature has the signature in Base64'],
  ['timestamped', 'the header x-signature has the signature as t=…,v1=…'],
  [
    'versioned',
    'the header x-signature has the signature as v0=…, and x-request-timestamp has the timestamp',
  ],
  [
    'standard-webhooks',
    'the header webhook-signature has the signature as v1,…, and webhook-timestamp has the timestamp',
  ],
  ['secret', 'the header x-webhook-secret has a secret'],
])('tells the header and the form that are written for %s', async (signature, text) => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'o.yaml': openapi });
  const answers = { signature, kindsBy: 'none' };
  const { about } = await complete({ openapi: 'o.yaml' }, folder, answers);
  expect(about).toEqual([
    `overlays/openapi.yaml says how a delivery is authenticated: ${text}. Change it if the service does otherwise.`,
  ]);
});
