import type { Server } from 'node:http';
import { join } from 'node:path';
import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createSimulator,
  type Service,
  type Simulator,
} from '../../packages/simulator/src/index.ts';
import { loadConfig } from '../../generator/config/load-config.ts';
import { loadService } from '../../packages/simulator/src/simulate/load-service.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { repository } from '../targets/emit-project.ts';
import { openExample, post, refusals, serve, type Serving } from './example.ts';

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
    'authorized TestPayment-1407325143704: 1130 EUR',
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
  expect(log).toEqual([`authorized ${merchantReference}: 1130 EUR`]);
});

test('no member can move to the next one without a new signature', async () => {
  const item = signed({ merchantReference: 'TestPayment:99' });
  const { merchantAccountCode: account } = item;
  const moved = { merchantAccountCode: `${account}:TestPayment`, merchantReference: '99' };
  const forged = { ...item, ...moved };
  expect(vendor.validateHMAC(forged as VendorItem, key)).toBe(true);
  expect((await deliver(forged)).status).toBe(401);
  expect(refusals(log)).toEqual(['ambiguous-framing']);
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
  for (const forgedItem of forged) {
    expect(await deliver(forgedItem)).toMatchObject({ status: 401 });
    // Also beside an authentic item.
    expect(await deliver(signed(), forgedItem)).toMatchObject({ status: 401 });
  }
  expect(log).toHaveLength(12);
  expect(new Set(refusals(log))).toEqual(new Set(['signature-mismatch', 'missing-signature']));
});

test('a body without items is refused', async () => {
  const bodies = [{ live: 'false', notificationItems: [] }, { live: 'false' }, [], {}];
  for (const body of bodies) expect((await deliverBody(body)).status).toBe(401);
  expect(refusals(log)).toEqual([
    'missing-signature',
    'missing-signature',
    'missing-signature',
    'missing-signature',
  ]);
});

const folder = join(repository, 'examples/adyen');

describe('the simulator of the contract', () => {
  let service: Service;

  beforeAll(async () => {
    const { configs } = await loadConfig(folder);
    const [config] = configs;
    if (config === undefined) throw new Error('There is a configuration.');
    const loaded = await loadService(config, folder, () => undefined);
    if (loaded.service === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
    service = loaded.service;
  });

  async function simulate(options: Parameters<typeof createSimulator>[1] = {}): Promise<Simulator> {
    const to = `${serving.origin}/webhooks`;
    const simulator = await createSimulator(service, {
      to,
      retry: { attempts: 1 },
      credentials: { hmacKey: key },
      ...options,
    });
    onTestFinished(() => simulator.close());
    return simulator;
  }

  test("sends what the receiver and the vendor's library accept", async () => {
    const simulator = await simulate();
    const single = await simulator.trigger('authorisation');
    const several = await simulator.trigger('authorisation', { example: 'refusedAndAuthorised' });
    const sample = await simulator.trigger('refund');
    const deliveries = [single, several, sample];
    expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'acknowledged'));
    expect(log).toEqual([
      'authorized TestPayment-1407325143704: 1130 EUR',
      expect.stringMatching(/^refused .*: 990 BRL$/u),
      expect.stringMatching(/^authorized .*: 990 BRL$/u),
      expect.stringMatching(/^refund of /u),
    ]);
    const items = deliveries.flatMap(({ attempts: [attempt] }) =>
      itemsOf(attempt?.request.body.text),
    );
    expect(items).toHaveLength(4);
    for (const item of items) expect(vendor.validateHMAC(item as VendorItem, key)).toBe(true);
    expect(JSON.stringify(simulator.journal.list({}))).not.toContain(key);
  });

  test('spoils the signature, and the receiver refuses it', async () => {
    const simulator = await simulate();
    const payload = { notificationItems: [{ NotificationRequestItem: { ...signed() } }] };
    const spoiled = await simulator.trigger('authorisation', {
      payload,
      faults: ['wrong-signature'],
    });
    expect(spoiled.attempts.map(({ response }) => response?.status)).toEqual([401]);
    const without = await simulate({ authentication: { signature: false } });
    const unsigned = await without.trigger('authorisation');
    expect(unsigned.attempts.map(({ response }) => response?.status)).toEqual([401]);
    expect(refusals(log)).toEqual(['signature-mismatch', 'missing-signature']);
    const [entry] = spoiled.attempts;
    if (entry === undefined) throw new Error('There is an attempt.');
    // What is sent again has the signature of the key.
    expect(await simulator.sendAgain(entry)).toMatchObject({ state: 'acknowledged' });
    expect(log).toHaveLength(3);
  });

  test('plans deliveries with faults of which every authentic one is handled', async () => {
    const simulator = await simulate({ retry: { attempts: 2, firstDelayMs: 0 } });
    const faults = {
      'invalid-payload': 0.3,
      'wrong-signature': 0.2,
      'array-with-bad-element': 0.2,
    };
    const deliveries = await simulator.play(simulator.plan({ count: 60, faults }));
    expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'acknowledged'));
    const attempts = deliveries.flatMap((delivery) => delivery.attempts);
    const statuses = (fault: string): ReadonlySet<number | undefined> =>
      new Set(
        attempts
          .filter(({ faults: had }) => had.some((attemptFault) => attemptFault === fault))
          .map(({ response }) => response?.status),
      );
    expect(statuses('wrong-signature')).toEqual(new Set([401]));
    // What is authentic and not valid is refused for that reason.
    expect(statuses('invalid-payload')).toEqual(new Set([422]));
    expect(statuses('array-with-bad-element')).toEqual(new Set([422]));
  });
});

/** Returns the items of a body. */
function itemsOf(body: string | undefined): readonly object[] {
  const { notificationItems } = JSON.parse(body ?? '{}') as {
    readonly notificationItems: readonly { readonly NotificationRequestItem: object }[];
  };
  return notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem);
}

test('send signs, unless it is to send without', async () => {
  const to = `${serving.origin}/webhooks`;
  const send = (
    flags: readonly string[],
    environment: Record<string, string>,
  ): ReturnType<typeof runInProcess> =>
    runInProcess(folder, ['send', 'authorisation', '--to', to, ...flags], environment);
  const flags = ['--example', 'refusedAndAuthorised', '--key-env', 'ADYEN_HMAC_KEY'];
  const sent = await send(flags, { ADYEN_HMAC_KEY: key });
  expect(sent, sent.error).toMatchObject({ code: 0 });
  expect(sent.out).toContain('signed');
  expect(sent.out).not.toContain(key);
  expect(log).toHaveLength(2);
  expect(await send(flags, { ADYEN_HMAC_KEY: 'DEADBEEF' })).toMatchObject({
    code: 1,
    out: expect.stringContaining('compare ADYEN_HMAC_KEY of this terminal'),
  });
  expect(await send(['--no-signature'], {})).toMatchObject({ code: 1 });
  expect(await send([], {})).toMatchObject({
    code: 1,
    error: expect.stringContaining('WEBHOOK_SECRET'),
  });
  expect(refusals(log.slice(2))).toEqual(['signature-mismatch', 'missing-signature']);
});
