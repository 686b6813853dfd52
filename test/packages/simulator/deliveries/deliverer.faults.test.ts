import { describe, expect, it } from 'vitest';
import {
  deliveryFaults,
  type DeliveryFault,
  type SimulatorOptions,
} from '../../../../packages/simulator/src/index.ts';
import { createTestDeliverer, parcelService, type TestDeliverer } from './parcel-service.ts';
import { receive, type TestReceiver } from './receive.ts';
import { verify } from './verify.ts';

const previousKey = 'the-key-before';

/** Sends one delivery with a fault, and all repetitions. */
async function send(
  fault: DeliveryFault,
  options: SimulatorOptions = {},
): Promise<TestReceiver & { readonly deliverer: TestDeliverer }> {
  const receiver = await receive();
  const deliverer = createTestDeliverer({
    to: receiver.url,
    authentication: { previousKey },
    ...options,
  });
  await deliverer.trigger('parcelSent', { faults: [fault] });
  await deliverer.clock.advance('1d');
  await deliverer.settled();
  return { ...receiver, deliverer };
}

async function verifyAll(
  { received, deliverer }: Awaited<ReturnType<typeof send>>,
  key = deliverer.credentials['signingKey'] ?? '',
): Promise<readonly string[]> {
  return await Promise.all(received.map((request) => verify(key, request)));
}

const validBody = '{"id":"PARCEL00000001","status":"SENT","weight":2.5}';

function isValid(body: string): boolean {
  return parcelService.checks.get('parcel')?.accepts(JSON.parse(body)) === true;
}

describe('a fault', () => {
  // Those of certificates: `client-certificates.test.ts`.
  it.each(deliveryFaults.filter((fault) => !fault.endsWith('-certificate')))(
    'ends with an acknowledged delivery: %s',
    async (fault) => {
      const sent = await send(fault);
      const deliveries = sent.deliverer.list();
      expect(deliveries).toHaveLength(fault === 'burst' ? 10 : 1);
      for (const { state, attempts } of deliveries) {
        expect(state).toBe('acknowledged');
        expect(attempts[0]?.faults).toEqual([fault]);
      }
      const { received } = sent;
      const last = received.at(-1);
      expect(last && isValid(last.body)).toBe(true);
      if (fault !== 'old-key') expect((await verifyAll(sent)).at(-1)).toBe('authentic');
    },
  );

  it('duplicate sends the same bytes again', async () => {
    const { received, deliverer } = await send('duplicate');
    const [request, repetition] = received;
    expect(received).toHaveLength(2);
    expect(repetition).toEqual(request);
    expect(deliverer.attempts()).toMatchObject([
      { attempt: 1, isAcknowledged: true, nextAttemptInMs: 0 },
      { attempt: 2, isAcknowledged: true },
    ]);
  });

  it('lost-acknowledgement repeats what the receiver has handled', async () => {
    const { received, deliverer } = await send('lost-acknowledgement');
    expect(received.map(({ body }) => body)).toEqual([validBody, validBody]);
    expect(deliverer.attempts()).toMatchObject([
      { response: { status: 200 }, isAcknowledged: false },
      { response: { status: 200 }, isAcknowledged: true, faults: [] },
    ]);
  });

  it('reset-mid-body ends the connection before the body has ended', async () => {
    const { received, begun, deliverer } = await send('reset-mid-body');
    expect([begun(), received.length]).toEqual([2, 1]);
    expect(deliverer.attempts()).toMatchObject([
      { error: 'reset', isAcknowledged: false },
      { isAcknowledged: true },
    ]);
  });

  it('slow-body sends the whole body in pieces', async () => {
    const { received } = await send('slow-body');
    expect(received.map(({ body }) => body)).toEqual([validBody]);
  });

  it.each<[DeliveryFault, string]>([
    ['wrong-signature', 'signature-mismatch'],
    ['stale-timestamp', 'timestamp-too-old'],
    ['future-timestamp', 'timestamp-too-new'],
  ])(
    '%s is followed by a good signature, even if the receiver does not check it',
    async (fault, reason) => {
      const sent = await send(fault);
      expect(await verifyAll(sent)).toEqual([reason, 'authentic']);
      expect(sent.received.map(({ body }) => body)).toEqual([validBody, validBody]);
    },
  );

  it('old-key signs with the previous key', async () => {
    const sent = await send('old-key');
    expect(await verifyAll(sent)).toEqual(['signature-mismatch']);
    expect(await verifyAll(sent, previousKey)).toEqual(['authentic']);
  });

  it('unknown-code sends a code that the contract does not list, in every attempt', async () => {
    const { received } = await send('unknown-code');
    const [first] = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(first).toMatchObject({ id: 'PARCEL00000001', weight: 2.5 });
    expect(first?.['status']).not.toBe('SENT');
  });

  it('unknown-property adds a property', async () => {
    const { received } = await send('unknown-property');
    const [first] = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(first).toMatchObject({ id: 'PARCEL00000001', status: 'SENT', weight: 2.5 });
    expect(Object.keys(first ?? {})).toHaveLength(4);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'invalid-payload is followed by the valid one: seed %i',
    async (seed) => {
      const { received, deliverer } = await send('invalid-payload', { seed });
      expect(received.map(({ body }) => isValid(body))).toEqual([false, true]);
      expect(received[1]?.body).toBe(validBody);
      expect(deliverer.attempts().map(({ violations }) => violations.length)).toEqual([1, 0]);
    },
  );

  it.each([1, 2, 3])(
    'array-with-bad-element has one bad element of three: seed %i',
    async (seed) => {
      const { received } = await send('array-with-bad-element', { seed });
      const [bad, good] = received.map(({ body }) => {
        const { parcels } = JSON.parse(body) as { readonly parcels: readonly unknown[] };
        return parcels.map((parcel) => parcelService.checks.get('parcel')?.accepts(parcel));
      });
      expect(good).toEqual([true, true, true]);
      expect(bad?.filter((isGood) => isGood === true)).toHaveLength(2);
    },
  );

  it('burst sends different events at once', async () => {
    const { received } = await send('burst');
    expect(new Set(received.map(({ body }) => body)).size).toBe(10);
    expect(received.every(({ body }) => isValid(body))).toBe(true);
  });

  it('delayed sends nothing before its time', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const delivery = await deliverer.trigger('parcelSent', { faults: ['delayed'] });
    expect(delivery).toMatchObject({ state: 'pending', attempts: [] });
    expect(deliverer.list()).toEqual([delivery]);
    await deliverer.clock.advance(999);
    expect(received).toHaveLength(0);
    await deliverer.clock.advance('30s');
    expect(delivery.state).toBe('acknowledged');
  });

  it('out-of-order sends the next delivery first', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    await deliverer.trigger('parcelSent', { faults: ['out-of-order'] });
    await deliverer.trigger('parcelLost');
    await deliverer.settled();
    expect(received.map(({ method }) => method)).toEqual(['PUT', 'POST']);
  });

  it.each<[string, DeliveryFault]>([
    ['a delivery that is held', 'out-of-order'],
    ['a delivery whose time has not come', 'delayed'],
  ])('ends with the simulator: %s', async (_, fault) => {
    const { url, begun } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const delivery = await deliverer.trigger('parcelSent', { faults: [fault] });
    await deliverer.close();
    await deliverer.settled();
    expect(delivery.state).toBe('failed');
    expect(begun()).toBe(0);
  });
});

describe('the shares of faults', () => {
  it('decide how many deliveries have them', async () => {
    const { url } = await receive();
    const faults = { duplicate: 0.25, 'wrong-signature': 0.25, 'unknown-code': 0.5 };
    const deliverer = createTestDeliverer({ to: url, faults });
    const counts = new Map<string, number>();
    for (const { faults: drawn } of deliverer.plan({ count: 2_000, kinds: ['parcelSent'] }))
      for (const fault of drawn) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual(['duplicate', 'unknown-code', 'wrong-signature']);
    expect(Math.abs((counts.get('duplicate') ?? 0) - 500)).toBeLessThan(75);
    expect(Math.abs((counts.get('wrong-signature') ?? 0) - 500)).toBeLessThan(75);
    expect(Math.abs((counts.get('unknown-code') ?? 0) - 1_000)).toBeLessThan(100);
  });

  it.each([0.1, 0.5, 1])('hold for bursts, which have several deliveries: %d', (share) => {
    const deliverer = createTestDeliverer();
    const plan = deliverer.plan({ count: 5_000, faults: { burst: share } });
    const burstShare = plan.filter(({ faults }) => faults.includes('burst')).length / plan.length;
    expect(Math.abs(burstShare - share)).toBeLessThan(0.08);
  });

  it('apply to `trigger`, and can change', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url, faults: { duplicate: 1 } });
    await deliverer.trigger('parcelLost');
    expect(received).toHaveLength(2);
    await deliverer.trigger('parcelLost', { faults: [] });
    expect(received).toHaveLength(3);
  });

  it('are not drawn for deliveries that they cannot apply to', () => {
    const faults = Object.fromEntries(deliveryFaults.map((fault) => [fault, 1]));
    const plan = createTestDeliverer().plan({ count: 200, kinds: ['parcelLost'], faults });
    const drawn = new Set(plan.flatMap((planned) => planned.faults));
    for (const fault of ['wrong-signature', 'stale-timestamp', 'old-key', 'unknown-code'] as const)
      expect(drawn).not.toContain(fault);
    expect(drawn).not.toContain('array-with-bad-element');
    expect(drawn).toContain('duplicate');
  });
});
