import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKeySet, type KeySetOptions } from '../../../../packages/runtime/signing/jwks.ts';
import {
  createSigner,
  createVerifier,
  type Jwk,
  type KeyPairScheme,
  type Verification,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { keyPairSchemes, makeKeys, toPem } from './key-pair-suite.ts';
import { toSignable } from './signable.ts';

const scheme: KeyPairScheme = {
  algorithm: 'ed25519',
  key: { idHeader: 'X-Key-Id' },
  over: ['$request.body'],
  encoding: 'base64',
  header: 'X-Signature',
  value: '{signature}',
};
const pairs = { one: makeKeys('ed25519'), two: makeKeys('ed25519'), three: makeKeys('ed25519') };
type Name = keyof typeof pairs;

const jwkOf = (name: Name, kid: string = name): Jwk => ({
  ...pairs[name].publicKey.export({ format: 'jwk' }),
  kid,
});

/** A server of keys, whose answer a test can change. */
interface KeyServer {
  readonly address: string;
  requests: number;
  answer: RequestListener;
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function startKeys(answer: RequestListener): Promise<KeyServer> {
  const server = createServer((request, response) => {
    keys.requests += 1;
    keys.answer(request, response);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const keys: KeyServer = { address: `http://127.0.0.1:${port}/keys`, requests: 0, answer };
  return keys;
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

/** A clock that a test moves. */
function createClock(): { (): number; add: (milliseconds: number) => void } {
  let time = 1_767_225_600_000;
  return Object.assign(() => time, {
    add(milliseconds: number) {
      time += milliseconds;
    },
  });
}

async function prepare(
  answer: RequestListener,
  options: Omit<KeySetOptions, 'clock'> = {},
): Promise<{
  readonly server: KeyServer;
  readonly clock: ReturnType<typeof createClock>;
  readonly deliver: (name: Name, kid?: string) => Promise<Verification>;
  readonly failures: string[];
}> {
  const server = await startKeys(answer);
  const clock = createClock();
  const failures: string[] = [];
  const keys = createKeySet(server.address, {
    onError: ({ code, member }) => failures.push(`${code} ${member}`),
    ...options,
    clock,
  });
  const { verify } = createVerifier(scheme, { keys });
  const deliver = async (name: Name, kid: string = name): Promise<Verification> => {
    const signer = createSigner(scheme, { key: { id: kid, key: toPem(pairs[name].privateKey) } });
    const headers = await signer.sign(toSignable({ body: '{}' }));
    return await verify(toSignable({ headers, body: '{}' }));
  };
  return { server, clock, deliver, failures };
}

const authentic = (kid: string): object => ({ ok: true, keyId: kid });
const unknown = { ok: false, reason: 'unknown-key' };
const unavailable = (member: string): unknown =>
  expect.objectContaining({ name: 'SigningError', code: 'keys-unavailable', member });

test('keys are fetched once, when the first delivery needs them, and jose reads the same set', async () => {
  const set = { keys: [jwkOf('one'), jwkOf('two')] };
  const { server, deliver, failures } = await prepare(json(set));
  expect(server.requests).toBe(0);
  const all = await Promise.all([deliver('one'), deliver('two'), deliver('one')]);
  for (const verification of all) expect(verification).toMatchObject({ ok: true });
  expect(await deliver('two')).toEqual({ ok: true, key: 0, keyId: 'two' });
  expect(await deliver('two', 'one')).toEqual({ ok: false, reason: 'signature-mismatch' });
  expect(server.requests).toBe(1);
  expect(failures).toEqual([]);
  const find = createLocalJWKSet(set);
  expect(await find({ alg: 'EdDSA', kid: 'two' })).toMatchObject({ type: 'public' });
});

test.each([
  ['ES256', 'ecdsa raw'],
  ['PS256', 'rsa-pss'],
  ['RS256', 'rsa-v1_5'],
])('keys that jose writes for %s', async (alg, name) => {
  const pair = await generateKeyPair(alg, { extractable: true });
  const key = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg, use: 'sig' };
  const server = await startKeys(json({ keys: [key] }));
  const { timestamp: _, ...form } = keyPairSchemes[name] as KeyPairScheme;
  const named: KeyPairScheme = { ...form, key: { idHeader: 'X-Key-Id' }, over: ['$request.body'] };
  const headers = await createSigner(named, {
    key: { ...(await exportJWK(pair.privateKey)), kid: 'k' },
  }).sign(toSignable({ body: '{}' }));
  const { verify } = createVerifier(named, { keys: createKeySet(server.address) });
  expect(await verify(toSignable({ headers, body: '{}' }))).toEqual({
    ok: true,
    key: 0,
    keyId: 'k',
  });
});

describe('rotation', () => {
  test('an unknown key is looked up again, at most once in a while', async () => {
    const { server, clock, deliver } = await prepare(json({ keys: [jwkOf('one')] }));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    server.answer = json({ keys: [jwkOf('one'), jwkOf('two')] });
    // Within the time between two fetches, however many unknown keys deliveries name.
    for (let round = 0; round < 50; round++) expect(await deliver('two')).toEqual(unknown);
    expect(server.requests).toBe(1);
    clock.add(30_000);
    expect(await deliver('two')).toMatchObject(authentic('two'));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    expect(server.requests).toBe(2);
    clock.add(29_999);
    for (let round = 0; round < 50; round++)
      expect(await deliver('three', `three-${round}`)).toEqual(unknown);
    expect(server.requests).toBe(2);
    clock.add(1);
    await Promise.all(Array.from({ length: 50 }, () => deliver('three')));
    expect(server.requests).toBe(3);
  });

  test('a key that was removed, or replaced under its id, is refused after the keys are fetched again', async () => {
    const { server, clock, deliver } = await prepare(json({ keys: [jwkOf('one'), jwkOf('two')] }));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    server.answer = json({ keys: [jwkOf('three', 'two')] });
    clock.add(599_999);
    expect(await deliver('one')).toMatchObject(authentic('one'));
    clock.add(1);
    expect(await deliver('one')).toEqual(unknown);
    expect(await deliver('two')).toEqual({ ok: false, reason: 'signature-mismatch' });
    expect(await deliver('three', 'two')).toMatchObject(authentic('two'));
    expect(server.requests).toBe(2);
  });

  test('keys are accepted for a day while they cannot be fetched, and others are not refused', async () => {
    const { server, clock, deliver, failures } = await prepare(json({ keys: [jwkOf('one')] }));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    server.answer = json({}, 500);
    clock.add(600_000);
    expect(await deliver('one')).toMatchObject(authentic('one'));
    expect(failures).toEqual(['keys-unavailable status']);
    // The key can be one that the service has added: the sender has to repeat the delivery.
    await expect(deliver('two')).rejects.toEqual(unavailable('status'));
    expect(server.requests).toBe(2);
    clock.add(86_400_000 - 600_001);
    expect(await deliver('one')).toMatchObject(authentic('one'));
    clock.add(1);
    await expect(deliver('one')).rejects.toEqual(unavailable('status'));
    server.answer = json({ keys: [jwkOf('one'), jwkOf('two')] });
    clock.add(30_000);
    expect(await deliver('two')).toMatchObject(authentic('two'));
    expect(await deliver('one')).toMatchObject(authentic('one'));
  });

  test('a set without a key replaces none, and is reported', async () => {
    const { server, clock, deliver, failures } = await prepare(json({ keys: [jwkOf('one')] }));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    const { x, ...incomplete } = jwkOf('one');
    const sets = [
      [],
      [{ kty: 'oct', k: 'AA', kid: 'one' }],
      [incomplete, { ...incomplete, x: `${String(x)}AA` }],
      [{ kty: 'EC', crv: 'P-256', x, kid: 'one' }],
      [{ kty: 'RSA', n: x, e: 'AQAB', kid: 'one' }],
      [{ ...incomplete, x, crv: 'Ed448' }],
    ];
    for (const set of sets.map((keys) => ({ keys }))) {
      server.answer = json(set);
      clock.add(600_000);
      expect(await deliver('one')).toMatchObject(authentic('one'));
      // The key can be one that the service has added.
      await expect(deliver('two')).rejects.toEqual(unavailable('no-usable-key'));
    }
    expect(failures).toEqual(sets.map(() => 'keys-unavailable no-usable-key'));
    server.answer = json({ keys: [jwkOf('two')] });
    clock.add(600_000);
    expect(await deliver('two')).toMatchObject(authentic('two'));
    expect(await deliver('one')).toEqual(unknown);
  });

  test('a clock that is set back fetches again', async () => {
    const { server, clock, deliver } = await prepare(json({ keys: [jwkOf('one')] }));
    expect(await deliver('one')).toMatchObject(authentic('one'));
    clock.add(-3_600_000);
    expect(await deliver('one')).toMatchObject(authentic('one'));
    expect(server.requests).toBe(2);
  });
});

describe('a server that', () => {
  const big = JSON.stringify({ keys: [jwkOf('one')], filler: 'x'.repeat(70_000) });
  test.each<readonly [string, RequestListener, string]>([
    ['answers 500', json({ keys: [jwkOf('one')] }, 500), 'status'],
    ['answers 404 with keys', json({ keys: [jwkOf('one')] }, 404), 'status'],
    ['answers 204', json('', 204), 'status'],
    ['answers with HTML', json('<html>{"keys":[]}</html>'), 'not-json'],
    ['answers with nothing', json(''), 'not-json'],
    ['answers with a list', json([jwkOf('one')]), 'not-a-key-set'],
    ['answers with null', json('null'), 'not-a-key-set'],
    ['answers with keys by their names', json({ keys: { one: jwkOf('one') } }), 'not-a-key-set'],
    ['answers with an empty set', json({ keys: [] }), 'no-usable-key'],
    [
      'answers with keys without ids',
      json({ keys: [{ ...jwkOf('one'), kid: '' }] }),
      'no-usable-key',
    ],
    [
      'answers with keys for encryption',
      json({ keys: [{ ...jwkOf('one'), use: 'enc' }] }),
      'no-usable-key',
    ],
    ['answers with one byte too many', json(big), 'too-large'],
    [
      'answers with bytes that are not UTF-8',
      (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
      'not-json',
    ],
    ['closes the connection', (request) => request.socket.destroy(), 'network'],
    [
      'redirects',
      (_, response) => response.writeHead(302, { location: '/other' }).end(),
      'redirect',
    ],
    [
      'redirects permanently to another host',
      (_, response) => response.writeHead(308, { location: 'https://example.com/' }).end(),
      'redirect',
    ],
  ])('%s gives no keys', async (_, answer, reason) => {
    const { server, deliver, failures } = await prepare(answer);
    await expect(deliver('one')).rejects.toEqual(unavailable(reason));
    await expect(deliver('one')).rejects.toEqual(unavailable(reason));
    expect(server.requests).toBe(1);
    expect(failures).toEqual([`keys-unavailable ${reason}`]);
  });

  test('sends without an end is cut off', async () => {
    let sent = 0;
    const { deliver } = await prepare((_, response) => {
      const write = (): void => {
        if (response.destroyed) return;
        sent += 16_384;
        response.write('x'.repeat(16_384), () => setImmediate(write));
      };
      write();
    });
    await expect(deliver('one')).rejects.toEqual(unavailable('too-large'));
    const { length } = servers;
    expect(length).toBe(1);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test.each<readonly [string, RequestListener]>([
    ['answers nothing', () => undefined],
    ['answers with half a set', (_, response) => void response.write('{"keys":[')],
  ])('%s is left after the time limit', async (_, answer) => {
    const { deliver } = await prepare(answer, { timeoutMs: 50 });
    await expect(deliver('one')).rejects.toEqual(unavailable('timeout'));
  });

  test('hangs delays deliveries with a known key once in a while only', async () => {
    const { server, clock, deliver } = await prepare(json({ keys: [jwkOf('one')] }), {
      timeoutMs: 50,
    });
    expect(await deliver('one')).toMatchObject(authentic('one'));
    server.answer = () => undefined;
    clock.add(600_000);
    for (let round = 0; round < 20; round++)
      expect(await deliver('one')).toMatchObject(authentic('one'));
    expect(server.requests).toBe(2);
  });
});

test('a function that ignores the signal is left after the time limit', async () => {
  const keys = createKeySet('https://keys.example', {
    timeoutMs: 20,
    fetch: async () => await new Promise<Response>(() => undefined),
    onError: () => undefined,
  });
  await expect(keys.find('one')).rejects.toEqual(unavailable('timeout'));
});

test('private, symmetric and malformed keys are ignored, and others of the same set are used', async () => {
  const rsa = makeKeys('rsa-pss').publicKey.export({ format: 'jwk' }) as Jwk;
  const set = {
    keys: [
      null,
      7,
      'text',
      [],
      {},
      { ...(pairs.one.privateKey.export({ format: 'jwk' }) as Jwk), kid: 'private' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric' },
      { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'short' },
      { ...rsa, kid: 'rsa' },
      { ...jwkOf('one', 'enc'), use: 'enc' },
      { ...jwkOf('one', 'alg'), alg: 'HS256' },
      { ...jwkOf('one'), kid: 7 },
      { ...jwkOf('one'), kid: undefined },
      { ...jwkOf('one', 'jku'), jku: 'https://attacker.example/keys', x5u: 'https://a.example' },
      jwkOf('two'),
    ],
  };
  const { deliver, server } = await prepare(json(set), { minRefreshMs: 0 });
  expect(await deliver('two')).toMatchObject(authentic('two'));
  for (const kid of ['private', 'symmetric', 'enc', '7', 'undefined'])
    expect(await deliver('one', kid)).toEqual(unknown);
  // The sender has published the key of the delivery wrongly, so that it has to be sent again.
  for (const kid of ['short', 'rsa', 'alg'])
    await expect(deliver('one', kid)).rejects.toEqual(unavailable('unusable-key'));
  expect(await deliver('one', 'jku')).toMatchObject(authentic('jku'));
  for (const kid of ['__proto__', 'constructor', 'length', '0'])
    expect(await deliver('one', kid)).toEqual(unknown);
  expect(server.requests).toBeGreaterThan(1);
});

test('each of several keys with one id is tried', async () => {
  const rsa = makeKeys('rsa-pss').publicKey.export({ format: 'jwk' }) as Jwk;
  const set = { keys: [{ ...rsa, kid: 'k' }, jwkOf('one', 'k'), jwkOf('two', 'k')] };
  const { deliver } = await prepare(json(set));
  expect(await deliver('one', 'k')).toMatchObject({ ok: true, key: 1, keyId: 'k' });
  expect(await deliver('two', 'k')).toMatchObject({ ok: true, key: 2, keyId: 'k' });
  expect(await deliver('three', 'k')).toEqual({ ok: false, reason: 'signature-mismatch' });
});

test('at most 64 keys are read, and further ones are reported', async () => {
  const keys = Array.from({ length: 65 }, (_, index) => jwkOf('one', `k${index}`));
  const { deliver, failures, server, clock } = await prepare(json({ keys }));
  expect(await deliver('one', 'k63')).toMatchObject({ ok: true });
  expect(failures).toEqual(['keys-unavailable too-many-keys']);
  // The key can be one of those that are not read.
  await expect(deliver('one', 'k64')).rejects.toEqual(unavailable('too-many-keys'));
  server.answer = json({ keys: keys.slice(1) });
  clock.add(30_000);
  expect(await deliver('one', 'k64')).toMatchObject({ ok: true });
  expect(await deliver('one', 'k0')).toEqual(unknown);
  expect(failures).toHaveLength(1);
});

test('a delivery without the id of a key is refused without a fetch', async () => {
  const { server } = await prepare(json({ keys: [jwkOf('one')] }));
  const { verify } = createVerifier(scheme, { keys: createKeySet(server.address) });
  const { key: _, ...rest } = scheme;
  const headers = await createSigner(
    { ...rest, key: {} },
    {
      key: toPem(pairs.one.privateKey),
    },
  ).sign(toSignable({ body: '{}' }));
  expect(await verify(toSignable({ headers, body: '{}' }))).toEqual({
    ok: false,
    reason: 'missing-header',
  });
  expect(server.requests).toBe(0);
});

test('a scheme whose requests do not name their key cannot use an address', () => {
  const unnamed = { ...scheme, key: {} };
  const keys = createKeySet('https://keys.example');
  expect(() => createVerifier(unnamed, { keys })).toThrow(
    expect.objectContaining({ code: 'invalid-scheme', member: 'key.idHeader' }),
  );
});

test.each([
  'http://keys.example',
  'http://127.0.0.1.example',
  'https://user:secret@keys.example',
  'ftp://keys.example',
  'file:///keys.json',
  'data:application/json,{}',
  '/keys',
  '',
])('the address %j is refused', (address) => {
  expect(() => createKeySet(address)).toThrow(
    expect.objectContaining({ code: 'invalid-option', member: 'address' }),
  );
});

test.each([
  { timeoutMs: 0 },
  { timeoutMs: Infinity },
  { maxBytes: -1 },
  { maxAgeMs: Number.NaN },
  { minRefreshMs: -1 },
])('the option %j is refused', (options) => {
  expect(() => createKeySet('https://keys.example', options)).toThrow(
    expect.objectContaining({ code: 'invalid-option', member: Object.keys(options)[0] }),
  );
});

test('a failure without a listener is a warning of the process, once for each reason', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const server = await startKeys(json({}, 500));
    const keys = createKeySet(server.address, { minRefreshMs: 0 });
    for (let round = 0; round < 3; round++)
      await expect(keys.find('one')).rejects.toEqual(unavailable('status'));
    expect(server.requests).toBe(3);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(warn.mock.calls)).not.toContain(server.address);
  } finally {
    warn.mockRestore();
  }
});

test('a listener that throws does not refuse a delivery', async () => {
  const { server, clock, deliver } = await prepare(json({ keys: [jwkOf('one')] }), {
    onError: () => {
      throw new Error('of the listener');
    },
  });
  expect(await deliver('one')).toMatchObject(authentic('one'));
  server.answer = json({}, 500);
  clock.add(600_000);
  expect(await deliver('one')).toMatchObject(authentic('one'));
});
