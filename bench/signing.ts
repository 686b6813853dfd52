import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { sign as signGitHub, verify as verifyGitHub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Bench } from 'tinybench';
import {
  createSigner,
  createVerifier,
  type SignableRequest,
  type SignatureScheme,
} from '../packages/signing/src/index.ts';
import type { Throughput } from './validators.ts';

/** What a body of a notification weighs. */
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

/** Signs and verifies a request of half a kilobyte by this package, by vendors' libraries, and by the HMAC alone. */
export async function benchSigning(milliseconds: number): Promise<readonly Throughput[]> {
  const floor = createFloor();
  const ways: (readonly [string, () => unknown])[] = [
    ['the HMAC alone', () => floor.digest()],
    ['the HMAC and a comparison', () => floor.verify()],
    ['the HMAC alone, in three pieces', () => floor.digestPieces()],
  ];
  for (const [name, scheme] of [
    ['body', github],
    ['timestamp.body', stripeScheme],
    ['id.timestamp.body', standard],
    ['key, timestamp, body, path', unseparated],
  ] as const) {
    const { sign, verify } = await prepare(scheme);
    ways.push([`sign: ${name}`, sign], [`verify: ${name}`, verify]);
  }
  ways.push(...(await vendorWays()));
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4 });
  for (const [name, act] of ways) bench.add(name, act);
  await bench.run();
  return bench.tasks.map(({ name, result }) => ({
    name,
    perSecond: 'throughput' in result ? result.throughput.mean : Number.NaN,
  }));
}

interface Floor {
  readonly digest: () => Uint8Array;
  readonly verify: () => boolean;
  readonly digestPieces: () => Uint8Array;
}

/** The least that any code could do: a key made once, and nothing asked of the request. */
function createFloor(): Floor {
  const secret = createSecretKey(key, 'utf8');
  const digest = (): Uint8Array => createHmac('sha256', secret).update(bytes).digest();
  const expected = digest();
  const head = `k-0123456789${new Date(now).toISOString()}`;
  return {
    digest,
    verify: () => timingSafeEqual(digest(), expected),
    digestPieces: () =>
      createHmac('sha256', secret)
        .update(head, 'latin1')
        .update(bytes)
        .update('/v1/things', 'latin1')
        .digest(),
  };
}

async function prepare(
  scheme: SignatureScheme,
): Promise<{ readonly sign: () => unknown; readonly verify: () => unknown }> {
  const signer = createSigner(scheme, { key, clock: () => now });
  const verifier = createVerifier(scheme, { keys: [key], clock: () => now });
  const given = new Map([
    ['webhook-id', ['msg_1']],
    ['apikey', ['k-0123456789']],
  ]);
  const request = toRequest(given);
  const signed = new Map(given);
  for (const [name, value] of Object.entries(await signer.sign(request))) signed.set(name, [value]);
  const arrived = toRequest(signed);
  const verification = await verifier.verify(arrived);
  if (!verification.ok) throw new Error(verification.reason);
  return { sign: () => signer.sign(request), verify: () => verifier.verify(arrived) };
}

function toRequest(headers: ReadonlyMap<string, readonly string[]>): SignableRequest {
  return {
    method: 'POST',
    url: '/v1/things',
    headers: (name) => headers.get(name) ?? [],
    body: bytes,
  };
}

async function vendorWays(): Promise<readonly (readonly [string, () => unknown])[]> {
  const stripe = new Stripe('sk_test_none').webhooks;
  const header = stripe.generateTestHeaderString({ payload: body, secret: key });
  const webhook = new Webhook(key);
  const standardHeaders = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': webhook.sign('msg_1', new Date(now), body),
  };
  const githubHeader = await signGitHub(key, body);
  if (!(await verifyGitHub(key, body, githubHeader))) throw new Error('octokit verifies wrongly');
  return [
    ['@octokit/webhooks-methods sign', () => signGitHub(key, body)],
    ['@octokit/webhooks-methods verify', () => verifyGitHub(key, body, githubHeader)],
    [
      'stripe sign',
      () => stripe.generateTestHeaderString({ payload: body, secret: key, timestamp: now / 1000 }),
    ],
    [
      'stripe verify (parses the body too)',
      () => stripe.constructEvent(body, header, key, 300, undefined, now),
    ],
    ['standardwebhooks sign', () => webhook.sign('msg_1', new Date(now), body)],
    ['standardwebhooks verify (parses the body too)', () => webhook.verify(body, standardHeaders)],
  ];
}
