import { createHmac, createSecretKey, hash } from 'node:crypto';
import { sign as signGitHub, verify as verifyGitHub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Bench } from 'tinybench';
import {
  createSigner,
  createVerifier,
  type SignableRequest,
  type SignatureScheme,
} from '../packages/runtime/signing/index.ts';
import type { Throughput } from './validators.ts';

/** The size of a notification's body in bytes. */
const body = JSON.stringify({ id: 'evt_1', note: 'x'.repeat(480) });
const bytes = new TextEncoder().encode(body);
const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = 1000 * Math.floor(Date.now() / 1000);

const base = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  encoding: 'hex',
} as const;
const timestamp = { format: 'unix-seconds', tolerance: 300 } as const;
const github: SignatureScheme = {
  ...base,
  over: ['$request.body'],
  header: 'x-hub-signature-256',
  value: 'sha256={signature}',
};
const stripeScheme: SignatureScheme = {
  ...base,
  over: ['$timestamp', { text: '.' }, '$request.body'],
  header: 'stripe-signature',
  value: 't={timestamp},v1={signature}',
  separator: ',',
  timestamp,
};
const standard: SignatureScheme = {
  ...base,
  key: { encoding: 'base64', prefix: 'whsec_' },
  over: ['$request.header.webhook-id', { text: '.' }, '$timestamp', { text: '.' }, '$request.body'],
  encoding: 'base64',
  header: 'webhook-signature',
  value: 'v1,{signature}',
  separator: ' ',
  timestamp: { ...timestamp, header: 'webhook-timestamp' },
};
const unseparated: SignatureScheme = {
  ...base,
  over: ['$request.header.apikey', '$timestamp', '$request.body', '$url.path'],
  encoding: 'base64',
  header: 'x-signature',
  value: '{signature}',
  timestamp: { format: 'iso-8601', tolerance: 300, header: 'x-timestamp' },
};

/** Operations per second, of a function and of the floor. */
export interface SigningThroughput extends Throughput {
  readonly floorPerSecond: number;
}

/**
 * Signs and verifies a request of half a kilobyte by this package and by vendors' libraries. The floor of each scheme
 * is its HMAC alone: one `Hmac` of `node:crypto` over the signed bytes in one piece, with an existing `KeyObject`, and
 * the digest as text, which costs less than a Buffer. It checks and compares nothing. This package can cost less than
 * the floor: it hashes small requests with two calls of `hash` instead of an `Hmac`; their cost is shown too.
 */
export async function benchSigning(milliseconds: number): Promise<readonly SigningThroughput[]> {
  const ways: Way[] = [];
  for (const [name, scheme] of Object.entries(schemes)) ways.push(...(await waysOf(name, scheme)));
  ways.push(...(await vendorWays()));
  // A failing function has no throughput, so the bench fails.
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4, throws: true });
  for (const { name, act } of ways) bench.add(name, act);
  await bench.run();
  const results = new Map(
    bench.tasks.map(({ name, result }) => [
      name,
      'throughput' in result ? result.throughput.mean : Number.NaN,
    ]),
  );
  return ways.map(({ name, floor }) => ({
    name,
    perSecond: results.get(name) ?? Number.NaN,
    floorPerSecond: results.get(floor) ?? Number.NaN,
  }));
}

const schemes: Readonly<Record<string, SignatureScheme>> = {
  body: github,
  'timestamp.body': stripeScheme,
  'id.timestamp.body': standard,
  'key, timestamp, body, path': unseparated,
};

interface Way {
  readonly name: string;
  /** The name of the floor. */
  readonly floor: string;
  readonly act: () => unknown;
}

function floorOf(name: string): string {
  return `the HMAC alone: ${name}`;
}

async function waysOf(name: string, scheme: SignatureScheme): Promise<readonly Way[]> {
  const signer = createSigner(scheme, { key, clock: () => now });
  const verifier = createVerifier(scheme, { keys: [key], clock: () => now });
  const headers = new Map([
    ['webhook-id', ['msg_1']],
    ['apikey', ['k-0123456789']],
  ]);
  const request = toRequest(headers);
  const signed = new Map(headers);
  for (const [header, value] of Object.entries(await signer.sign(request)))
    signed.set(header, [asReceived(value)]);
  const arrived = toRequest(signed);
  const verification = await verifier.verify(arrived);
  if (!verification.ok) throw new Error(verification.reason);
  const parts = partsOf(scheme, headers);
  const message = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const secret = createSecretKey(toKey(scheme));
  const floor = floorOf(name);
  return [
    {
      name: floor,
      floor,
      act: () => createHmac('sha256', secret).update(message).digest('latin1'),
    },
    {
      name: `the HMAC alone, part by part: ${name}`,
      floor,
      act() {
        const hmac = createHmac('sha256', secret);
        for (const part of parts) {
          if (typeof part === 'string') hmac.update(part, 'latin1');
          else hmac.update(part);
        }
        return hmac.digest('latin1');
      },
    },
    {
      name: `the HMAC alone, by two hashes: ${name}`,
      floor,
      act: createTwoHashes(toKey(scheme), message),
    },
    { name: `sign: ${name}`, floor, act: () => signer.sign(request) },
    { name: `verify: ${name}`, floor, act: () => verifier.verify(arrived) },
  ];
}

/** Computes HMAC-SHA-256 as RFC 2104 defines it, as this package does for a small request, without joining its parts. */
function createTwoHashes(secret: Buffer, message: Buffer): () => string {
  const pad = (byte: number): Buffer =>
    Buffer.from(Buffer.concat([secret], 64).map((keyByte) => keyByte ^ byte));
  const inner = Buffer.concat([pad(0x36), message]);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(32)]);
  const act = (): string => {
    outer.write(hash('sha256', inner, 'latin1'), 64, 'latin1');
    return hash('sha256', outer, 'latin1');
  };
  if (act() !== createHmac('sha256', secret).update(message).digest('latin1'))
    throw new Error('two hashes make another HMAC');
  return act;
}

/** Returns a header's value as a flat string, as a server reads it. A concatenated string is not flat yet. */
function asReceived(value: string): string {
  return Buffer.from(value, 'latin1').toString('latin1');
}

function toKey({ key: { encoding } }: SignatureScheme): Buffer {
  return Buffer.from(key, encoding);
}

/** The signed parts, text and bytes. */
function partsOf(
  { over, timestamp }: SignatureScheme,
  headers: ReadonlyMap<string, readonly string[]>,
): readonly (string | Uint8Array)[] {
  const timestampText =
    timestamp?.format === 'iso-8601' ? new Date(now).toISOString() : `${now / 1000}`;
  return over.map((part) => {
    if (typeof part === 'object') return part.text;
    if (part === '$timestamp') return timestampText;
    if (part === '$request.body') return bytes;
    return headers.get(part.replace('$request.header.', ''))?.[0] ?? '/v1/things';
  });
}

function toRequest(headers: ReadonlyMap<string, readonly string[]>): SignableRequest {
  return {
    method: 'POST',
    url: '/v1/things',
    headers: (name) => headers.get(name) ?? [],
    body: bytes,
  };
}

async function vendorWays(): Promise<readonly Way[]> {
  const stripe = new Stripe('sk_test_none').webhooks;
  const header = stripe.generateTestHeaderString({ payload: body, secret: key });
  const webhook = new Webhook(key);
  // This library has no clock option and refuses timestamps older than five minutes; other sections may have run before.
  const sent = new Date(1000 * Math.floor(Date.now() / 1000));
  const standardHeaders = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(sent.getTime() / 1000),
    'webhook-signature': webhook.sign('msg_1', sent, body),
  };
  const githubHeader = await signGitHub(key, body);
  if (!(await verifyGitHub(key, body, githubHeader))) throw new Error('octokit verifies wrongly');
  const ways: readonly (readonly [string, string, () => unknown])[] = [
    ['@octokit/webhooks-methods sign', 'body', () => signGitHub(key, body)],
    ['@octokit/webhooks-methods verify', 'body', () => verifyGitHub(key, body, githubHeader)],
    [
      'stripe sign',
      'timestamp.body',
      () => stripe.generateTestHeaderString({ payload: body, secret: key, timestamp: now / 1000 }),
    ],
    [
      'stripe verify (parses the body too)',
      'timestamp.body',
      () => stripe.constructEvent(body, header, key, 300, undefined, now),
    ],
    ['standardwebhooks sign', 'id.timestamp.body', () => webhook.sign('msg_1', sent, body)],
    [
      'standardwebhooks verify (parses the body too)',
      'id.timestamp.body',
      () => webhook.verify(body, standardHeaders),
    ],
  ];
  return ways.map(([name, scheme, act]) => ({ name, floor: floorOf(scheme), act }));
}
