import { createHmac } from 'node:crypto';
import { sign as signGitHub, verify as verifyGitHub } from '@octokit/webhooks-methods';
import {
  isValidSlackRequest,
  verifySlackRequest,
} from '@slack/bolt/dist/receivers/verify-request.js';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  type SignatureScheme,
} from '../../../../packages/runtime/signing/index.ts';
import { readScheme, vendors } from './read-scheme.ts';
import { toSignable } from './signable.ts';

/** Signs and verifies requests as a vendor's own library, or its published algorithm, does. */
interface Vendor {
  readonly key: string;
  readonly otherKey: string;
  /** Headers that the vendor sends besides those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly sign: (body: string, key: string) => Promise<Readonly<Record<string, string>>>;
  /** Resolves to false or rejects where the vendor refuses. */
  readonly verify: (
    body: string,
    headers: Readonly<Record<string, string>>,
    key: string,
  ) => Promise<boolean>;
}

const seconds = (): number => Math.floor(Date.now() / 1000);
const whsec = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherWhsec = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const standard = new StandardWebhook(whsec);
const stripe = new Stripe('sk_test_none');

const table: Readonly<Record<string, Vendor>> = {
  github: {
    key: "It's a Secret to Everybody",
    otherKey: 'another',
    sign: async (body, key) => ({ 'X-Hub-Signature-256': await signGitHub(key, body) }),
    verify: (body, headers, key) => verifyGitHub(key, body, headers['X-Hub-Signature-256'] ?? ''),
  },
  stripe: {
    key: 'whsec_test_secret',
    otherKey: 'whsec_other',
    sign: async (payload, secret) => ({
      'Stripe-Signature': stripe.webhooks.generateTestHeaderString({ payload, secret }),
    }),
    verify: async (body, headers, key) =>
      stripe.webhooks.constructEvent(body, headers['Stripe-Signature'] ?? '', key, 300) !==
      undefined,
  },
  'standard-webhooks': {
    key: whsec,
    otherKey: otherWhsec,
    headers: { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
    sign: async (body, key) => ({
      'webhook-timestamp': String(seconds()),
      'webhook-signature': new StandardWebhook(key).sign(
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        new Date(1000 * seconds()),
        body,
      ),
    }),
    verify: async (body, headers, key) => accepts(new StandardWebhook(key), body, headers),
  },
  svix: {
    key: whsec,
    otherKey: otherWhsec,
    headers: { 'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
    sign: async (body, key) => ({
      'svix-timestamp': String(seconds()),
      'svix-signature': new SvixWebhook(key).sign(
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        new Date(1000 * seconds()),
        body,
      ),
    }),
    verify: async (body, headers, key) => accepts(new SvixWebhook(key), body, headers),
  },
  shopify: {
    key: 'hush',
    otherKey: 'another',
    sign: async (body, key) => ({ 'X-Shopify-Hmac-Sha256': shopify(body, key) }),
    verify: async (body, headers, key) => headers['X-Shopify-Hmac-Sha256'] === shopify(body, key),
  },
  slack: {
    key: '8f742231b10e8888abcd99yyyzzz85a5',
    otherKey: 'another',
    sign: async (body, key) => {
      const timestamp = String(seconds());
      const digest = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex');
      return { 'X-Slack-Request-Timestamp': timestamp, 'X-Slack-Signature': `v0=${digest}` };
    },
    verify: async (body, headers, signingSecret) =>
      isValidSlackRequest({
        signingSecret,
        body,
        headers: {
          'x-slack-signature': headers['X-Slack-Signature'] ?? '',
          'x-slack-request-timestamp': Number(headers['X-Slack-Request-Timestamp']),
        },
      }),
  },
};

function shopify(body: string, key: string): string {
  return createHmac('sha256', key).update(body, 'utf8').digest('base64');
}

/** Both libraries throw for what they refuse. */
function accepts(
  webhook: StandardWebhook | SvixWebhook,
  body: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  webhook.verify(body, { ...headers });
  return true;
}

const bodies = ['{"id":"evt_1"}', '{"name":"São João ☃ 😀","at":"a/b"}', '{}', '[]'];
const schemes = new Map<string, SignatureScheme>(
  await Promise.all(vendors.map(async (vendor) => [vendor, await readScheme(vendor)] as const)),
);

test('every scheme in the folder is compared with its vendor', () => {
  expect(Object.keys(table).toSorted()).toEqual(vendors);
});

describe.each(vendors)('%s', (name) => {
  const vendor = table[name] as Vendor;
  const scheme = schemes.get(name) as SignatureScheme;

  test.each(bodies)('verifies what the vendor signs: %s', async (body) => {
    const headers = { ...vendor.headers, ...(await vendor.sign(body, vendor.key)) };
    const { verify } = createVerifier(scheme, { keys: [vendor.key] });
    expect(await verify(toSignable({ headers, body }))).toMatchObject({ ok: true, key: 0 });
    expect(await verify(toSignable({ headers, body: `${body} ` }))).toEqual({
      ok: false,
      reason: 'signature-mismatch',
    });
  });

  test.each(bodies)('signs what the vendor verifies: %s', async (body) => {
    const added = await createSigner(scheme, { key: vendor.key }).sign(
      toSignable({ headers: vendor.headers ?? {}, body }),
    );
    const headers = { ...vendor.headers, ...added };
    expect(await vendor.verify(body, headers, vendor.key)).toBe(true);
    const other = vendor.verify(`${body} `, headers, vendor.key).catch(() => false);
    expect(await other).toBe(false);
  });

  test('tells which of the keys was used while they rotate', async () => {
    const headers = { ...vendor.headers, ...(await vendor.sign('{}', vendor.otherKey)) };
    const { verify } = createVerifier(scheme, { keys: [vendor.key, vendor.otherKey] });
    expect(await verify(toSignable({ headers, body: '{}' }))).toMatchObject({ ok: true, key: 1 });
  });
});

test('a Stripe header with signatures of an old key, a new key and another version is authentic', async () => {
  const timestamp = seconds();
  const header = (secret: string): string =>
    stripe.webhooks.generateTestHeaderString({ payload: '{}', secret, timestamp });
  const [, old] = header('old').split(',');
  const value = `${header('new')},${old ?? ''},v0=${'0'.repeat(64)}`;
  const scheme = schemes.get('stripe') as SignatureScheme;
  for (const key of ['old', 'new']) {
    const request = toSignable({ headers: { 'stripe-signature': value }, body: '{}' });
    expect(await createVerifier(scheme, { keys: [key] }).verify(request)).toMatchObject({
      ok: true,
    });
  }
});

test('several signatures in one Standard Webhooks header are authentic to both sides', async () => {
  const scheme = schemes.get('standard-webhooks') as SignatureScheme;
  const id = { 'webhook-id': 'msg_1' };
  const request = toSignable({ headers: id, body: '{}' });
  const clock = (): number => 1000 * seconds();
  const [firstHeaders, secondHeaders] = await Promise.all(
    [whsec, otherWhsec].map(async (key) => createSigner(scheme, { key, clock }).sign(request)),
  );
  const headers = {
    ...id,
    ...firstHeaders,
    'webhook-signature': `v1a,${'A'.repeat(86)}== ${secondHeaders?.['webhook-signature'] ?? ''} ${firstHeaders?.['webhook-signature'] ?? ''}`,
  };
  expect(accepts(standard, '{}', headers)).toBe(true);
  expect(
    await createVerifier(scheme, { keys: [whsec] }).verify(toSignable({ headers, body: '{}' })),
  ).toMatchObject({ ok: true });
});

test("Slack's documented example has the documented signature", async () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const signer = createSigner(schemes.get('slack') as SignatureScheme, {
    key: '8f742231b10e8888abcd99yyyzzz85a5',
    clock: () => 1_531_420_618_000,
  });
  expect(await signer.sign(toSignable({ body }))).toEqual({
    'X-Slack-Request-Timestamp': '1531420618',
    'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  });
});

test("Slack's own function, which throws, agrees with the one that answers", async () => {
  const headers = await (table['slack'] as Vendor).sign('a=1', 'other');
  expect(() =>
    verifySlackRequest({
      signingSecret: 'secret',
      body: 'a=1',
      headers: {
        'x-slack-signature': headers['X-Slack-Signature'] ?? '',
        'x-slack-request-timestamp': Number(headers['X-Slack-Request-Timestamp']),
      },
    }),
  ).toThrow();
});

test("GitHub's documented example has the documented signature", async () => {
  const signer = createSigner(schemes.get('github') as SignatureScheme, {
    key: "It's a Secret to Everybody",
  });
  expect(await signer.sign(toSignable({ body: 'Hello, World!' }))).toEqual({
    'X-Hub-Signature-256':
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  });
});
