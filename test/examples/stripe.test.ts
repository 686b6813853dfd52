import { createServer, type RequestListener } from 'node:http';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openExample, post, refusals, sendAsShown, serve, type Serving } from './example.ts';

interface App {
  createApp(secrets: readonly string[], log: (line: string) => void): RequestListener;
}

const secret = 'whsec_test_secret';
const { webhooks } = new Stripe('sk_test_none');
const log: string[] = [];
let serving: Serving;

beforeAll(async () => {
  const { createApp } = await openExample<App>('stripe');
  const app = createApp(['whsec_next', secret], (line) => log.push(line));
  serving = await serve(createServer(app));
});
afterAll(() => serving[Symbol.asyncDispose]());
beforeEach(() => {
  log.length = 0;
});

/** Returns an event that the vendor's library accepts, with the vendor's signature. */
function signed(
  { type = 'payment_intent.succeeded', object = paymentIntent, id = 'evt_1' },
  { key = secret, secondsAgo = 0 } = {},
): { readonly payload: string; readonly header: string } {
  const created = Math.floor(Date.now() / 1000);
  const event = { id, object: 'event', type, created, livemode: false, data: { object } };
  const payload = JSON.stringify({ ...event, api_version: '2026-01-28', pending_webhooks: 1 });
  const timestamp = created - secondsAgo;
  const header = webhooks.generateTestHeaderString({ payload, secret: key, timestamp });
  expect(webhooks.constructEvent(payload, header, key, 2 * secondsAgo + 60).id).toBe(id);
  return { payload, header };
}

const paymentIntent: object = {
  id: 'pi_1',
  object: 'payment_intent',
  amount_received: 1999,
  currency: 'eur',
};
const charge = { id: 'ch_1', object: 'charge', amount_refunded: 500, currency: 'eur' };

async function deliver({ payload, header }: ReturnType<typeof signed>): Promise<number> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return (await post(`${serving.origin}/webhooks`, payload, headers)).status;
}

test('an event is handled once, also if it is delivered again with a new signature', async () => {
  expect(await deliver(signed({ id: 'evt_again' }))).toBe(200);
  expect(await deliver(signed({ id: 'evt_again' }, { secondsAgo: 5 }))).toBe(200);
  expect(log).toEqual(['paid pi_1: 1999 eur']);
});

test('each kind has its handler, and any other event is acknowledged', async () => {
  const type = 'charge.refunded';
  expect(await deliver(signed({ id: 'evt_refund', type, object: charge }))).toBe(200);
  expect(await deliver(signed({ id: 'evt_other', type: 'customer.created' }))).toBe(200);
  expect(log).toEqual(['refunded ch_1: 500 eur', expect.stringMatching('^not in use: ')]);
});

test('while the secret of the endpoint is rolled, the header has a signature for each secret', async () => {
  const { payload, header } = signed({ id: 'evt_rolled' }, { key: 'whsec_newest' });
  const [, old = ''] = signed({ id: 'evt_rolled' }).header.split(',');
  expect(await deliver({ payload, header: `${header},${old},v0=${'0'.repeat(64)}` })).toBe(200);
  expect(log).toEqual(['paid pi_1: 1999 eur']);
});

test('an event that violates the contract is refused with what it violates', async () => {
  const object = { ...charge, amount_refunded: '5.00' };
  expect(await deliver(signed({ id: 'evt_odd', type: 'charge.refunded', object }))).toBe(422);
  expect(log).toEqual([
    'invalid chargeRefunded: /data/object/amount_refunded must be of type integer',
  ]);
});

test('a changed body, another key, an old or new timestamp, and no signature are refused', async () => {
  const event = signed({ id: 'evt_forged' });
  expect(await deliver({ ...event, payload: event.payload.replace('1999', '9999') })).toBe(401);
  expect(await deliver(signed({ id: 'evt_forged' }, { key: 'whsec_other' }))).toBe(401);
  expect(await deliver(signed({ id: 'evt_forged' }, { secondsAgo: 310 }))).toBe(401);
  expect(await deliver(signed({ id: 'evt_forged' }, { secondsAgo: -310 }))).toBe(401);
  expect(await deliver({ ...event, header: '' })).toBe(401);
  expect(refusals(log)).toEqual([
    'signature-mismatch',
    'signature-mismatch',
    'timestamp-too-old',
    'timestamp-too-new',
    'missing-signature',
  ]);
  expect(await deliver(event)).toBe(200);
});

test.each([
  ['paymentIntentSucceeded', 'paid pi_1: 1999 eur'],
  ['chargeRefunded', 'refunded ch_1: 500 eur'],
])(
  '`send` of the README delivers the example of %s, each time as another event',
  async (kind, line) => {
    for (const _ of [1, 2])
      expect(await sendAsShown('stripe', `${serving.origin}/webhooks`, secret, kind)).toMatchObject(
        { code: 0 },
      );
    expect(log).toEqual([line, line]);
  },
);

test('after a wrong secret, `send` names its variable, and not its value', async () => {
  const wrong = 'whsec_of_another_endpoint';
  const { code, out } = await sendAsShown('stripe', `${serving.origin}/webhooks`, wrong);
  expect({ code, causes: refusals(log) }).toEqual({ code: 1, causes: ['signature-mismatch'] });
  expect(out).toContain('compare STRIPE_ENDPOINT_SECRET of this terminal');
  expect(out).not.toContain(wrong);
});
