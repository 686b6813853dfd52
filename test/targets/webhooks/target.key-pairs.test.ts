import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type {
  TestingModule,
  WebhooksModule,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { Authentication } from '../../../packages/runtime/webhooks/receiver.ts';
import { createKeySet } from '../../../packages/runtime/signing/jwks.ts';
import { readAsyncapi } from '../client/emit-client.ts';
import { generateWebhooks } from './emit-webhooks.ts';

interface SignedModule extends WebhooksModule {
  verifySeal(options: object): Authentication;
}
interface SignedTesting extends TestingModule {
  createSealSigner(options: object): object;
}

/** A contract whose notification carries a signature with a key pair. */
async function readSigned(signature: object): Promise<Contract> {
  return await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Doors', version: '1.0.0', 'x-countersign': 1 },
    channels: {
      doors: {
        address: '/doors',
        messages: {
          opened: {
            headers: {
              type: 'object',
              properties: { 'X-Time': {}, 'X-Key': {}, 'X-Id': {} },
            },
            payload: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
            'x-dedupe-by': ['$request.body#/id'],
            examples: [{ name: 'plain', payload: { id: 'D1' } }],
          },
        },
      },
    },
    operations: {
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/doors' },
        security: [{ $ref: '#/components/securitySchemes/seal' }],
      },
    },
    components: {
      securitySchemes: {
        seal: {
          type: 'httpApiKey',
          name: 'X-Seal',
          in: 'header',
          'x-signature': {
            over: ['$timestamp', { text: '.' }, '$request.body'],
            encoding: 'base64',
            timestamp: { header: 'X-Time', format: 'unix-seconds', tolerance: 300 },
            ...signature,
          },
        },
      },
    },
  });
}

const toPem = (key: KeyObject): string =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' });

const pairs = {
  ed25519: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

async function open(contract: Contract, authenticate: (main: SignedModule) => Authentication) {
  const generated = await generateWebhooks(contract);
  const load = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href);
  const main = (await load('index')) as SignedModule;
  const testing = (await load('testing')) as SignedTesting;
  let handled = 0;
  const seen: string[] = [];
  const { fetch } = main.createWebhooks({
    authenticate: authenticate(main),
    on: {
      opened: () => {
        handled += 1;
      },
    },
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    onEvent: ({ outcome }: { outcome: { kind: string; reason?: string } }) => {
      seen.push(JSON.stringify(outcome));
    },
  });
  const deliver = async (key: unknown, overrides: object = {}): Promise<number> => {
    const signer = testing.createSealSigner({ key });
    return (await fetch(await testing.deliver('opened', { signer, ...overrides }))).status;
  };
  return { deliver, generated, handled: () => handled, seen };
}

describe.each([
  ['ed25519', { algorithm: 'ed25519' }, pairs.ed25519],
  ['ECDSA raw', { algorithm: 'ecdsa-p256-sha256', format: 'raw' }, pairs.ec],
  ['ECDSA der', { algorithm: 'ecdsa-p256-sha256', format: 'der' }, pairs.ec],
  ['RSA-PSS', { algorithm: 'rsa-pss-sha256', saltLength: 32 }, pairs.rsa],
  ['RSA v1.5', { algorithm: 'rsa-v1_5-sha256' }, pairs.rsa],
])('%s', (_, parameters, { privateKey, publicKey }) => {
  test('a generated receiver verifies what its signer for tests signs', async () => {
    const contract = await readSigned({ ...parameters, key: { credential: 'sealing' } });
    const opened = await open(contract, (main) => main.verifySeal({ keys: [toPem(publicKey)] }));
    const { deliver, handled } = opened;
    await using generated = opened.generated;
    expect(generated.webhooks).not.toBe('');
    expect(await deliver(toPem(privateKey))).toBe(200);
    expect(await deliver(privateKey.export({ format: 'jwk' }), { body: { id: 'D2' } })).toBe(200);
    expect(handled()).toBe(2);
    const other = privateKey.asymmetricKeyType === 'ed25519' ? 'ed25519' : undefined;
    const stranger =
      other === undefined
        ? privateKey.asymmetricKeyType === 'ec'
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
          : generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
    expect(await deliver(toPem(stranger.privateKey))).toBe(401);
    expect(handled()).toBe(2);
  });
});

describe('keys at an address', () => {
  const jwks = { keys: [{ ...pairs.ed25519.publicKey.export({ format: 'jwk' }), kid: 'k1' }] };
  const contract = readSigned({
    algorithm: 'ed25519',
    key: { credential: 'sealing', idHeader: 'X-Key', jwks: 'https://keys.example/jwks.json' },
  });
  const key = { id: 'k1', key: toPem(pairs.ed25519.privateKey) };

  test('the contract states the address, which is fetched for the first delivery', async () => {
    const fetched: string[] = [];
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
      fetched.push(address instanceof Request ? address.url : address.toString());
      return await Promise.resolve(Response.json(jwks));
    });
    try {
      const opened = await open(await contract, (main) => main.verifySeal({}));
      const { deliver, handled } = opened;
      await using generated = opened.generated;
      expect(generated.webhooks).not.toBe('');
      expect(await deliver(key)).toBe(200);
      expect(await deliver(key, { body: { id: 'D2' } })).toBe(200);
      expect(await deliver({ ...key, id: 'k2' })).toBe(401);
      expect(handled()).toBe(2);
      expect(fetched).toEqual(['https://keys.example/jwks.json']);
    } finally {
      spy.mockRestore();
    }
  });

  test('a delivery is not refused while no key can be fetched, so that it is sent again', async () => {
    let isDown = true;
    const opened = await open(await contract, (main) =>
      main.verifySeal({
        keys: createKeySet('https://other.example', {
          fetch: async () =>
            await Promise.resolve(isDown ? new Response('', { status: 503 }) : Response.json(jwks)),
          minRefreshMs: 0,
          onError: () => undefined,
        }),
      }),
    );
    const { deliver, handled } = opened;
    await using generated = opened.generated;
    expect(generated.webhooks).not.toBe('');
    expect(await deliver(key)).toBe(500);
    isDown = false;
    expect(await deliver(key)).toBe(200);
    expect(handled()).toBe(1);
  });

  test('own keys take the place of the address', async () => {
    const opened = await open(await contract, (main) =>
      main.verifySeal({ keys: [{ id: 'k1', key: toPem(pairs.ed25519.publicKey) }] }),
    );
    const { deliver } = opened;
    await using generated = opened.generated;
    expect(generated.webhooks).not.toBe('');
    expect(await deliver(key)).toBe(200);
    expect(await deliver({ ...key, id: 'k2' })).toBe(401);
  });
});

test('a signed header without a known value needs no expected value', async () => {
  const contract = await readSigned({
    algorithm: 'ed25519',
    key: { credential: 'sealing', encoding: 'base64', prefix: 'whpk_', privatePrefix: 'whsk_' },
    over: ['$request.header.x-id', { text: '.' }, '$timestamp', { text: '.' }, '$request.body'],
    value: 'v1a,{signature}',
    separator: ' ',
  });
  const raw = (member: 'd' | 'x'): string =>
    Buffer.from(
      pairs.ed25519.privateKey.export({ format: 'jwk' })[member] ?? '',
      'base64url',
    ).toString('base64');
  const opened = await open(contract, (main) => main.verifySeal({ keys: [`whpk_${raw('x')}`] }));
  const { deliver } = opened;
  await using generated = opened.generated;
  expect(generated.webhooks).not.toBe('');
  const headers = { 'X-Id': 'msg_1' };
  expect(await deliver(`whsk_${raw('d')}`, { headers })).toBe(200);
});
