import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { describeBodySignatures } from '../../../generator/targets/printing/body-signature-code.ts';
import {
  describeCertificates,
  describeCombination,
} from '../../../generator/targets/printing/certificate-code.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { planAuthentication } from '../../../packages/create/src/scaffold/authentication.ts';
import type { ClientCertificateOptions } from '../../../packages/runtime/webhooks/client-certificate.ts';
import type { Authentication } from '../../../packages/runtime/webhooks/receiver.ts';
import { createAuthority } from '../../packages/certificates.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readAsyncapi, readOpenapi } from '../client/emit-client.ts';
import { compileStrictly } from '../strict-compile.ts';
import { emitFiles } from '../emit-project.ts';
import { generateWebhooks } from '../webhooks/emit-webhooks.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

const signed = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Signed',
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'secret', encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
  },
};

const proof = {
  type: 'apiKey',
  in: 'header',
  name: 'none',
  'x-body-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'proofKey', encoding: 'utf-8' },
    over: ['/a0'],
    separator: '|',
    encoding: 'hex',
    signature: '/proof',
  },
};

/** A contract whose webhooks have these requirements. */
function readDoors(...requirements: readonly (readonly Requirement[])[]): Promise<Contract> {
  const webhooks = requirements.map((security, index) => [
    `opened${index}`,
    {
      post: {
        operationId: `opened${index}`,
        'x-identified-by-schema': true,
        security,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: [`a${index}`],
                properties: { [`a${index}`]: { type: 'integer' } },
              },
              example: { [`a${index}`]: 1 },
            },
          },
        },
        responses: { 200: { description: 'Taken.' } },
      },
    },
  ]);
  return readOpenapi({
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1.0.0', 'x-countersign': 1 },
    webhooks: Object.fromEntries(webhooks) as object,
    components: {
      securitySchemes: {
        'bank-certificate': { type: 'mutualTLS', description: "The bank's */ certificate." },
        seal: { type: 'apiKey', in: 'header', name: 'X-Seal' },
        ...(JSON.stringify(requirements).includes('signed') ? { signed } : {}),
        ...(JSON.stringify(requirements).includes('proof') ? { proof } : {}),
      },
    },
  });
}

const certificate: Requirement = { 'bank-certificate': [] };
const seal: Requirement = { seal: [] };
const both: Requirement = { ...certificate, ...seal };

test.each([
  [[[certificate]], undefined],
  [[[both]], 'allOf(strategies.bankCertificate, strategies.seal)'],
  [[[both], [{ ...seal, ...certificate }]], 'allOf(strategies.bankCertificate, strategies.seal)'],
  [[[certificate, seal]], 'anyOf(strategies.bankCertificate, strategies.seal)'],
  [
    [[{ ...certificate, signed: [] }, seal]],
    'anyOf(allOf(strategies.bankCertificate, strategies.signed), strategies.seal)',
  ],
  // A receiver cannot tell which notification it has before it authenticates.
  [[[both], [certificate]], undefined],
  // An alternative that requires nothing.
  [[[both, {}]], undefined],
  [[[seal]], undefined],
])('the requirements %j are combined as %s', async (requirements, combined) => {
  const contract = await readDoors(...requirements);
  expect(describeCombination(contract)?.combined.text).toBe(combined);
  const isStated = JSON.stringify(requirements).includes('bank-certificate');
  expect(describeCertificates(contract).map(({ verify }) => verify)).toEqual(
    isStated ? ['verifyBankCertificate'] : [],
  );
});

test.each([
  [[[{ proof: [], ...seal }]], 'allOf(strategies.proof, strategies.seal)', false],
  [[[{ proof: [], signed: [] }]], 'allOf(strategies.proof, strategies.signed)', false],
  [[[{ proof: [] }, seal]], 'anyOf(strategies.proof, strategies.seal)', true],
  [
    [[{ ...certificate, proof: [] }, seal]],
    'anyOf(allOf(strategies.bankCertificate, strategies.proof), strategies.seal)',
    false,
  ],
  [[[{ proof: [] }]], undefined, true],
  // Each notification requires something else, so that nothing is combined for all.
  [[[{ proof: [], ...seal }, {}]], undefined, false],
])('a signature in the body of %j is combined as %s', async (requirements, combined, isAlone) => {
  const contract = await readDoors(...requirements);
  expect(describeCombination(contract)?.combined.text).toBe(combined);
  expect(describeBodySignatures(contract)).toMatchObject([{ verify: 'verifyProof', isAlone }]);
  const files = await emitFiles(webhooksTarget, contract);
  expect(files.get('webhooks/src/index.ts')).toContain("export { verifyProof } from './body-");
  const readme = files.get('webhooks/README.md') ?? '';
  expect(readme.includes('The contract requires other schemes beside it')).toBe(!isAlone);
  expect(readme.includes('combineAsStated')).toBe(combined !== undefined);
});

test('X509 of AsyncAPI is the same scheme', async () => {
  const contract = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Doors', version: '1.0.0' },
    channels: {
      doors: { address: '/doors', messages: { opened: { payload: { type: 'object' } } } },
    },
    operations: {
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/doors' },
        security: [{ $ref: '#/components/securitySchemes/bank' }],
      },
    },
    components: { securitySchemes: { bank: { type: 'X509' } } },
  });
  expect(describeCertificates(contract)).toMatchObject([{ verify: 'verifyBank', isAlone: true }]);
});

test('a contract without client certificates has nothing of them', async () => {
  const files = await emitFiles(webhooksTarget, await readDoors([seal, { signed: [] }]));
  expect(files.size).toBeGreaterThan(0);
  for (const text of files.values()) expect(text).not.toMatch(/client-certificate|tlsSocket/u);
});

test('scaffold states what it does not verify', async () => {
  const alone = await readDoors([certificate]);
  expect(planAuthentication(alone, 'shared-secret', new Map()).about).toContain(
    "Replace that by `verifyBankCertificate({ from: tlsSocket(), subject: { CN: '…' } })`",
  );
  const combined = await readDoors([{ ...certificate, signed: [] }]);
  expect(planAuthentication(combined, 'signed', new Map()).about).toContain(
    'bank-certificate and signed',
  );
});

test('scaffold states what the contract requires beside a signature in the body', async () => {
  const withSeal = await readDoors([{ proof: [], ...seal }]);
  expect(planAuthentication(withSeal, 'proof', new Map()).about).toContain(
    'the signature proof in the body, as the contract states, which requires other schemes beside it.',
  );
  const withSignature = await readDoors([{ proof: [], signed: [] }]);
  expect(planAuthentication(withSignature, 'signed', new Map()).about).toContain(
    'the signature in the body proof (proof and signed), which this does not verify: add `verifyProof`',
  );
  const alone = await readDoors([{ proof: [] }]);
  expect(planAuthentication(alone, 'proof', new Map()).about).toMatch(
    /^Every delivery carries the signature proof in the body, as the contract states\. It covers these members alone: [^.]*\.$/u,
  );
});

test('a signature in the body and the scheme beside it are both required', async () => {
  const contract = await readDoors([{ proof: [], ...seal }]);
  await using generated = await generateWebhooks(contract);
  await compileStrictly(generated.project, ['contract/src', 'webhooks/src'], {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  });
  const load = async (file: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, 'src', file)).href);
  const main = (await load('index.ts')) as WebhooksModule & {
    readonly verifyProof: (options: { readonly keys: readonly string[] }) => Authentication;
    readonly combineAsStated: (
      strategies: Readonly<Record<string, Authentication>>,
    ) => Authentication;
    readonly sharedSecret: (place: { header: string }, secret: string) => Authentication;
  };
  const testing = (await load('testing.ts')) as {
    readonly createProofSigner: (options: { readonly key: string }) => object;
    readonly deliver: (kind: string, overrides: object) => Promise<Request>;
  };
  const { fetch } = main.createWebhooks({
    authenticate: main.combineAsStated({
      proof: main.verifyProof({ keys: ['key'] }),
      seal: main.sharedSecret({ header: 'X-Seal' }, 'sealed'),
    }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const send = async (key: string, secret: string): Promise<number> => {
    const bodySigner = testing.createProofSigner({ key });
    const headers = { 'x-seal': secret };
    return (await fetch(await testing.deliver('opened0', { bodySigner, headers }))).status;
  };
  expect(await send('key', 'sealed')).toBe(200);
  expect(await send('other', 'sealed')).toBe(401);
  expect(await send('key', 'other')).toBe(401);
});

test('the generated receiver compiles, and requires what the contract combines', async () => {
  const contract = await readDoors([both]);
  const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
  expect(readme).toContain('verifyBankCertificate({ from, subject })');
  expect(readme).toContain("`authenticate` is the contract's strategy, or a stricter one");
  await using generated = await generateWebhooks(contract);
  await compileStrictly(generated.project, ['contract/src', 'webhooks/src'], {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  });
  const main = (await import(
    pathToFileURL(join(generated.webhooks, 'src/index.ts')).href
  )) as WebhooksModule & {
    readonly verifyBankCertificate: (options: ClientCertificateOptions) => Authentication;
    readonly combineAsStated: (
      strategies: Readonly<Record<string, Authentication>>,
    ) => Authentication;
    readonly sharedSecret: (place: { header: string }, secret: string) => Authentication;
    readonly tlsSocket: () => ClientCertificateOptions['from'];
    readonly proxyHeader: (options: object) => ClientCertificateOptions['from'];
  };
  const createWith = (
    from: ClientCertificateOptions['from'],
  ): ReturnType<WebhooksModule['createWebhooks']> =>
    main.createWebhooks({
      authenticate: main.combineAsStated({
        bankCertificate: main.verifyBankCertificate({ from, subject: { O: 'Bank' } }),
        seal: main.sharedSecret({ header: 'X-Seal' }, 'sealed'),
      }),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    });
  expect(() => createWith(main.tlsSocket()).fetch).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
  expect(() => createWith(main.tlsSocket()).receive).not.toThrow();
  const { fetch } = createWith(
    main.proxyHeader({
      header: 'Client-Cert',
      trust: 'proxy-replaces-header',
      proxies: 'only-proxies-can-connect',
    }),
  );
  const authority = await createAuthority();
  const { cert } = await authority.issue({ subject: 'O=Bank,CN=callbacks' });
  const proof = { 'client-cert': `:${cert.replaceAll(/-----[A-Z ]+-----|\s/gu, '')}:` };
  const send = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const request = { method: 'POST', headers, body: '{"a0":1}' };
    return (await fetch(new Request('http://127.0.0.1/opened0', request))).status;
  };
  expect(await send({ ...proof, 'x-seal': 'sealed' })).toBe(200);
  expect(await send({ ...proof, 'x-seal': 'other' })).toBe(401);
  expect(await send(proof)).toBe(401);
  expect(await send({ 'x-seal': 'sealed' })).toBe(401);
});
