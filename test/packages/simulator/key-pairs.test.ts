import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createKeySet } from '../../../packages/runtime/signing/jwks.ts';
import {
  createSigner,
  createVerifier,
  type Jwk,
  type KeyPairScheme,
  type KeyPairVerifierOptions,
  type Verification,
} from '../../../packages/runtime/signing/key-pairs.ts';
import { createSimulator } from '../../../packages/simulator/src/create-simulator.ts';
import type { Service } from '../../../packages/simulator/src/service.ts';
import type { SimulatorOptions } from '../../../packages/simulator/src/simulator.ts';
import { receive, type Received } from './deliveries/receive.ts';
import { toSecurity } from './to-security.ts';

const form = {
  over: ['$timestamp', { text: '.' }, '$request.body'],
  encoding: 'base64',
  header: 'x-seal',
  value: '{signature}',
  timestamp: { header: 'x-time', format: 'unix-seconds', tolerance: 300 },
} as const;

/** The members of a signature by its algorithm. */
const algorithms = {
  ed25519: { algorithm: 'ed25519' },
  raw: { algorithm: 'ecdsa-p256-sha256', format: 'raw' },
  der: { algorithm: 'ecdsa-p256-sha256', format: 'der' },
  pss: { algorithm: 'rsa-pss-sha256', saltLength: 32 },
  rsa: { algorithm: 'rsa-v1_5-sha256' },
} as const;

type Algorithm = (typeof algorithms)[keyof typeof algorithms];

/** A service with one call and one notification, both signed with a key pair. */
function describe(
  parameters: Algorithm,
  key: NonNullable<Service['security'][number]['signature']>['key'],
): Service {
  return {
    modelVersion: 2,
    info: { title: 'Doors', version: '1.0.0' },
    operations: [
      {
        name: 'openDoor',
        id: 'openDoor',
        method: 'POST',
        path: '/doors',
        parameters: [],
        responses: [{ status: '204', description: 'Done', fixedHeaders: {}, content: [] }],
        security: toSecurity([['seal']]),
      },
    ],
    notifications: [
      {
        name: 'opened',
        label: { path: '/opened', parameters: [] },
        delivery: { method: 'POST', contentType: 'application/json', headers: {} },
        wire: 'Opened',
        examples: [{ name: 'plain', value: { id: 'D1' } }],
        invalidExamples: [],
        security: toSecurity([['seal']]),
        openCodes: [],
      },
    ],
    security: [
      {
        id: 'seal',
        type: 'apiKey',
        in: 'header',
        parameterName: 'x-seal',
        credential: 'sealing',
        signature: { ...parameters, ...form, key },
      },
    ],
    credentials: [{ name: 'sealing', form: 'key' }],
    unstated: [],
    workflows: [],
    servers: { overrides: [], tokenEndpoints: [] },
    samples: { bodies: {}, payloads: {} },
    checks: new Map(),
    parameterChecks: new Map(),
  };
}

const toRequest = ({ method = '', url = '', headers, body }: Received) => ({
  method,
  url,
  headers: (name: string) => [headers[name] ?? []].flat(),
  body: Buffer.from(body),
});

async function start(description: Service, options: SimulatorOptions = {}) {
  const simulator = await createSimulator(description, options);
  onTestFinished(() => simulator.close());
  return simulator;
}

async function verify(
  scheme: KeyPairScheme,
  keys: KeyPairVerifierOptions['keys'],
  received: Received | undefined,
): Promise<Verification> {
  if (received === undefined) throw new Error('Nothing was received.');
  return await createVerifier(scheme, { keys }).verify(toRequest(received));
}

test.each(Object.entries(algorithms))(
  'a simulator makes its own key pair and signs deliveries with it: %s',
  async (_, parameters) => {
    const scheme: KeyPairScheme = { ...parameters, ...form, key: {} };
    const receiver = await receive();
    const simulator = await start(describe(parameters, {}), { to: receiver.url });
    const publicKey = JSON.parse(simulator.publicKeys['seal'] ?? '') as Jwk;
    expect(publicKey).not.toHaveProperty('d');
    await simulator.trigger('opened');
    expect(await verify(scheme, [publicKey], receiver.received[0])).toMatchObject({ ok: true });
    await simulator.trigger('opened', { faults: ['wrong-signature'] });
    expect(await verify(scheme, [publicKey], receiver.received[1])).toEqual({
      ok: false,
      reason: 'signature-mismatch',
    });
    await simulator.trigger('opened', { faults: ['stale-timestamp'] });
    expect(await verify(scheme, [publicKey], receiver.received[2])).toEqual({
      ok: false,
      reason: 'timestamp-too-old',
    });
    expect(simulator.jwksUrl).toBeUndefined();
  },
);

test.each(Object.entries(algorithms))(
  'a simulator verifies the signature of calls: %s',
  async (_, parameters) => {
    const scheme: KeyPairScheme = { ...parameters, ...form, key: {} };
    const simulator = await start(describe(parameters, {}));
    const key = simulator.credentials['sealing'] ?? '';
    const body = '{"id":"D1"}';
    const call = async (content: string, headers: Readonly<Record<string, string>>) =>
      (await fetch(`${simulator.url}/doors`, { method: 'POST', headers, body: content })).status;
    const signed = await createSigner(scheme, { key }).sign({
      method: 'POST',
      url: '/doors',
      headers: () => [],
      body: Buffer.from(body),
    });
    const accepted = await call(body, { ...signed });
    expect(accepted).toBe(204);
    expect(await call(`${body} `, { ...signed })).toBe(401);
    expect(await call(body, { ...signed, 'x-time': '1' })).toBe(401);
    expect(await call(body, {})).toBe(401);
  },
);

test('a simulator publishes its public keys where the contract states an address of them', async () => {
  const scheme: KeyPairScheme = { ...algorithms.ed25519, ...form, key: { idHeader: 'x-key' } };
  const receiver = await receive();
  const description = describe(algorithms.ed25519, {
    idHeader: 'x-key',
    jwks: 'https://keys.example/jwks.json',
  });
  const simulator = await start(description, { to: receiver.url });
  await simulator.trigger('opened');
  await simulator.trigger('opened', { faults: ['wrong-signature'] });
  const keys = createKeySet(simulator.jwksUrl ?? '');
  expect(await verify(scheme, keys, receiver.received[0])).toMatchObject({
    ok: true,
    keyId: 'seal',
  });
  expect(await verify(scheme, keys, receiver.received[1])).toEqual({
    ok: false,
    reason: 'signature-mismatch',
  });
  const published = await (await fetch(simulator.jwksUrl ?? '')).text();
  const secret = JSON.parse(simulator.credentials['sealing'] ?? '') as { readonly d: string };
  expect(secret.d.length).toBeGreaterThan(40);
  expect(published).not.toContain(secret.d);
  expect(simulator.calls).toEqual([]);
});

test('a simulator signs with the private key that it is given, and with the previous one', async () => {
  const [newKeys, previousKeys] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const toPem = (key: typeof newKeys.privateKey): string =>
    key.export({ format: 'pem', type: 'pkcs8' });
  const scheme: KeyPairScheme = { ...algorithms.ed25519, ...form, key: {} };
  const receiver = await receive();
  const simulator = await start(describe(algorithms.ed25519, {}), {
    to: receiver.url,
    authentication: { key: toPem(newKeys.privateKey), previousKey: toPem(previousKeys.privateKey) },
  });
  await simulator.trigger('opened');
  await simulator.trigger('opened', { faults: ['old-key'] });
  const keys = [newKeys, previousKeys].map(
    ({ publicKey }) => publicKey.export({ format: 'jwk' }) as Jwk,
  );
  expect(await verify(scheme, keys, receiver.received[0])).toMatchObject({ ok: true, key: 0 });
  expect(await verify(scheme, keys, receiver.received[1])).toMatchObject({ ok: true, key: 1 });
  const published = createPublicKey({
    key: JSON.parse(simulator.publicKeys['seal'] ?? '') as Record<string, string>,
    format: 'jwk',
  });
  expect(published.equals(createPublicKey(createPrivateKey(toPem(newKeys.privateKey))))).toBe(true);
});

test.each(['secret', '', '{}', '-----BEGIN PRIVATE KEY-----'])(
  'a simulator refuses %j as a private key',
  async (key) => {
    await expect(
      createSimulator(describe(algorithms.ed25519, {}), { authentication: { key } }),
    ).rejects.toMatchObject({ code: 'not-signable' });
  },
);
