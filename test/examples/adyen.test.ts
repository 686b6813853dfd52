import type { Server } from 'node:http';
import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openExample, post, serve, type Serving } from './example.ts';

interface App {
  createApp(keys: readonly string[], log: (line: string) => void): Server;
}

const key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const otherKey = '11223344D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB';
const vendor = new HmacValidator();
const log: string[] = [];
let serving: Serving;

beforeAll(async () => {
  const { createApp } = await openExample<App>('adyen');
  serving = await serve(createApp([otherKey, key], (line) => log.push(line)));
});
afterAll(() => serving[Symbol.asyncDispose]());
beforeEach(() => {
  log.length = 0;
});

/** An item as the vendor's library reads it, of its own class. */
type VendorItem = Parameters<(typeof vendor)['validateHMAC']>[0];

interface Item {
  readonly amount: { readonly currency: string; readonly value: number };
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly success: string;
}

let references = 0;

/** Returns an item with the vendor's signature, which the vendor's library accepts. */
function signed(changes: object = {}, hmacKey: string = key): Item {
  references += 1;
  const item = {
    amount: { currency: 'EUR', value: 1130 },
    pspReference: `79140733813422${references}`,
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-26T10:00:00+01:00',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    paymentMethod: 'visa',
    success: 'true',
    ...changes,
  };
  const hmacSignature = vendor.calculateHmac(item as VendorItem, hmacKey);
  const complete = { ...item, additionalData: { hmacSignature, expiryDate: '12/2030' } };
  expect(vendor.validateHMAC(complete as VendorItem, hmacKey)).toBe(true);
  return complete;
}

type Answer = Awaited<ReturnType<typeof post>>;

async function deliver(...items: readonly object[]): Promise<Answer> {
  const notificationItems = items.map((item) => ({ NotificationRequestItem: item }));
  return await deliverBody({ live: 'false', notificationItems });
}

async function deliverBody(body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return await post(`${serving.origin}/webhooks`, JSON.stringify(body), headers);
}

const accepted = { status: 200, text: '[accepted]', type: 'text/plain; charset=utf-8' };

test('each item of a delivery reaches its handler, and the answer is what the vendor expects', async () => {
  const refund = { eventCode: 'REFUND', originalReference: '7914073381342284' };
  const answer = await deliver(signed(), signed({ success: 'false' }), signed(refund));
  expect(answer).toEqual(accepted);
  expect(log).toEqual([
    'authorised TestPayment-1407325143704: 1130 EUR',
    'refused TestPayment-1407325143704: 1130 EUR',
    'refund of 7914073381342284: true',
  ]);
});

test('an item that is delivered again is not handled again, and gets the same answer', async () => {
  const item = signed();
  expect(await deliver(item)).toEqual(accepted);
  expect(await deliver(item)).toEqual(accepted);
  expect(log).toHaveLength(1);
});

test('an event that the application does not use gets the same answer', async () => {
  expect(await deliver(signed({ eventCode: 'CHARGEBACK' }))).toEqual(accepted);
  expect(log).toEqual(['not in use: CHARGEBACK']);
});

test("a merchant's reference can contain the separator of the signed members", async () => {
  const merchantReference = 'order:17 – São Paulo \\ 😀';
  expect(await deliver(signed({ merchantReference }))).toEqual(accepted);
  expect(log).toEqual([`authorised ${merchantReference}: 1130 EUR`]);
});

test('no member can move to the next one without a new signature', async () => {
  const item = signed({ merchantReference: 'TestPayment:99' });
  const { merchantAccountCode: account } = item;
  const moved = { merchantAccountCode: `${account}:TestPayment`, merchantReference: '99' };
  const forged = { ...item, ...moved };
  expect(vendor.validateHMAC(forged as VendorItem, key)).toBe(true);
  expect((await deliver(forged)).status).toBe(401);
  expect(log).toEqual([]);
});

test('a signed member that was changed, another key, and no signature are refused', async () => {
  const item = signed();
  const forged = [
    { ...item, amount: { currency: 'EUR', value: 9999 } },
    { ...item, merchantReference: 'another' },
    { ...item, success: 'false' },
    { ...item, additionalData: {} },
    { ...item, additionalData: { hmacSignature: '' } },
    signed({}, 'DEADBEEF'),
  ];
  for (const one of forged) {
    expect(await deliver(one)).toMatchObject({ status: 401 });
    // Also beside an authentic item.
    expect(await deliver(signed(), one)).toMatchObject({ status: 401 });
  }
  expect(log).toEqual([]);
});

test('a body without items is refused', async () => {
  const bodies = [{ live: 'false', notificationItems: [] }, { live: 'false' }, [], {}];
  for (const body of bodies) expect((await deliverBody(body)).status).toBe(401);
  expect(log).toEqual([]);
});
