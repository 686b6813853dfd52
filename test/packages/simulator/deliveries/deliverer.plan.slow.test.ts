import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import {
  deliveryFaults,
  type DeliveryEntry,
  type Faults,
  type PlannedDelivery,
  type Service,
} from '../../../../packages/simulator/src/index.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import { createTestDeliverer, parcelService } from './parcel-service.ts';
import { receive } from './receive.ts';
import { verify } from './verify.ts';

const all: Faults = Object.fromEntries(deliveryFaults.map((fault) => [fault, 0.05]));

function isValid({ kind }: PlannedDelivery, body: string): boolean {
  const check = kind === 'parcelSent' ? 'parcel' : 'lost';
  return parcelService.checks.get(check)?.accepts(JSON.parse(body)) === true;
}

describe('a plan', () => {
  it('is the same for the same seed', () => {
    const options = { count: 500, faults: all, intervalMs: 100 };
    const plan = createTestDeliverer({ seed: 7 }).plan(options);
    expect(plan).toHaveLength(500);
    expect(new Set(plan.map(({ id }) => id)).size).toBe(500);
    const text = JSON.stringify(plan);
    const other = createTestDeliverer({ seed: 7, to: 'http://127.0.0.1:1/' });
    expect(JSON.stringify(other.plan(options))).toBe(text);
    expect(JSON.stringify(other.plan(options))).toBe(text);
    expect(JSON.stringify(createTestDeliverer({ seed: 8 }).plan(options))).not.toBe(text);
  });

  it('has all kinds and examples, and says what is valid', () => {
    const plan = createTestDeliverer().plan({ count: 400, faults: all });
    expect(new Set(plan.map(({ kind, example }) => `${kind} ${example}`))).toEqual(
      new Set(['parcelSent one', 'parcelSent heavy', 'parcelSent list', 'parcelLost lost']),
    );
    for (const planned of plan) {
      expect(isValid(planned, planned.body)).toBe(planned.isValid);
      if (planned.isValid) expect(planned).not.toHaveProperty('correctedBody');
      else expect(isValid(planned, planned.correctedBody ?? '')).toBe(true);
    }
    expect(plan.some((planned) => !planned.isValid)).toBe(true);
  });

  it('leaves out the examples of the contract that violate their own schema, if there is another payload', () => {
    const bad = { name: 'bad', value: { id: 7 } };
    const plan = (samples: readonly Json[], ...examples: Service['notifications'][0]['examples']) =>
      createTestDeliverer(
        {},
        {
          ...parcelService,
          notifications: parcelService.notifications.map((notification) => ({
            ...notification,
            examples: [bad, ...examples],
          })),
          samples: { bodies: {}, payloads: { parcelSent: samples } },
        },
      ).plan({ count: 10, kinds: ['parcelSent'] });
    const good = { name: 'good', value: { id: 'PARCEL00000001', status: 'SENT', weight: 1 } };
    const names = (deliveries: readonly PlannedDelivery[]) => [
      ...new Set(deliveries.map(({ example, isValid }) => `${example ?? 'sample'} ${isValid}`)),
    ];
    expect(names(plan([], good))).toEqual(['good true']);
    expect(names(plan([good.value]))).toEqual(['sample true']);
    expect(names(plan([]))).toEqual(['bad false']);
  });

  it('has only the kinds that are chosen, and no faults without shares', () => {
    const plan = createTestDeliverer().plan({ count: 20, kinds: ['parcelLost'] });
    expect(plan.every(({ kind, faults }) => kind === 'parcelLost' && faults.length === 0)).toBe(
      true,
    );
    expect(plan.every(({ offsetMs }) => offsetMs === 0)).toBe(true);
  });

  it('makes each delivery an event of its own', () => {
    const plan = createTestDeliverer().plan({ count: 200 });
    expect(new Set(plan.map(({ body }) => body)).size).toBe(200);
    for (const { kind, path, body } of plan)
      if (kind === 'parcelSent' && !body.includes('parcels'))
        expect(path).toBe(`/parcels/${(JSON.parse(body) as { id: string }).id}/office`);
  });

  it('has offsets with the mean interval', () => {
    const offsets = createTestDeliverer()
      .plan({ count: 1_000, intervalMs: 50 })
      .map(({ offsetMs }) => offsetMs);
    expect(offsets).toEqual(offsets.toSorted((left, right) => left - right));
    expect(Math.abs((offsets.at(-1) ?? 0) - 50_000)).toBeLessThan(5_000);
  });

  it('swaps deliveries that are out of order', () => {
    const ids = createTestDeliverer()
      .plan({ count: 4, faults: { 'out-of-order': 1 } })
      .map(({ id }) => Number(id.slice(-6)));
    expect(ids).toEqual([2, 1, 4, 3]);
  });

  it.each([
    { count: -1 },
    { count: 1.5 },
    { count: 1, intervalMs: -1 },
    { count: 1, intervalMs: NaN },
  ])('is refused for %o', (options) => {
    expect(() => createTestDeliverer().plan(options)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  it('names unknown kinds', () => {
    expect(() => createTestDeliverer().plan({ count: 1, kinds: ['box'] })).toThrow(
      'The kinds are parcelSent, parcelLost.',
    );
  });

  it('makes payloads of samples where a kind has no example', () => {
    const description: Service = {
      ...parcelService,
      notifications: parcelService.notifications.map((notification) => ({
        ...notification,
        examples: [],
      })),
    };
    const plan = createTestDeliverer({}, description).plan({ count: 3 });
    expect(plan.map(({ kind, example }) => [kind, example])).toEqual(
      Array.from({ length: 3 }, () => ['parcelSent', undefined]),
    );
  });
});

describe('play', () => {
  /** Plays a plan with all faults on a receiver that checks everything. */
  async function play(): Promise<{
    readonly plan: readonly PlannedDelivery[];
    readonly handled: readonly string[];
    readonly outcomes: readonly string[];
    readonly states: readonly string[];
  }> {
    let key = '';
    const handled: string[] = [];
    const { url } = await receive(async (request) => {
      const { method, body } = request;
      if (method === 'POST' && (await verify(key, request)) !== 'authentic') return 401;
      const check = method === 'PUT' ? 'lost' : 'parcel';
      if (parcelService.checks.get(check)?.accepts(JSON.parse(body)) !== true) return 422;
      handled.push(body);
      return 200;
    });
    const journal = createMemoryJournal(100_000);
    const deliverer = createTestDeliverer({
      to: url,
      seed: 7,
      journal,
      authentication: { previousKey: 'the-key-before' },
    });
    key = deliverer.credentials['signingKey'] ?? '';
    const plan = deliverer.plan({ count: 400, faults: all, intervalMs: 200 });
    const playing = deliverer.play(plan);
    await deliverer.clock.advance('1d');
    const deliveries = await playing;
    expect(deliveries.map(({ id }) => id)).toEqual(plan.map(({ id }) => id));
    const outcomes = deliverer
      .attempts()
      .map((entry: DeliveryEntry) =>
        JSON.stringify([
          entry.delivery,
          entry.attempt,
          entry.faults,
          entry.response?.status ?? entry.error,
          entry.isAcknowledged,
          entry.nextAttemptInMs,
        ]),
      );
    return { plan, handled, outcomes, states: deliveries.map(({ state }) => state) };
  }

  it('delivers every valid event in the end, with the same outcomes in every run', async () => {
    const first = await play();
    expect(new Set(first.states)).toEqual(new Set(['acknowledged']));
    const handled = new Set(first.handled);
    expect(first.plan).not.toEqual([]);
    for (const { isValid: isGood, body, correctedBody } of first.plan) {
      expect(handled).toContain(isGood ? body : correctedBody);
      if (!isGood) expect(handled).not.toContain(body);
    }
    const second = await play();
    // Deliveries of a burst are sent at once, so their entries have no order.
    expect(second.outcomes.toSorted()).toEqual(first.outcomes.toSorted());
  });

  it('runs in real time, and fails what is left when the simulator is closed', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url, manualClock: false });
    const plan = deliverer.plan({ count: 4 }).map((planned, index) => ({
      ...planned,
      offsetMs: index < 3 ? 5 * index : 3_600_000,
    }));
    const playing = deliverer.play(plan);
    const { promise, resolve } = Promise.withResolvers<void>();
    deliverer.journal.subscribe(({ id }) => {
      if (id === 3) resolve();
    });
    await promise;
    await deliverer.settled();
    await deliverer.close();
    expect((await playing).map(({ state }) => state)).toEqual([
      'acknowledged',
      'acknowledged',
      'acknowledged',
      'failed',
    ]);
    expect(received.map(({ body }) => body)).toEqual(plan.slice(0, 3).map(({ body }) => body));
  });

  it('refuses a plan of another contract before it sends anything', async () => {
    const { url, begun } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const [delivery] = deliverer.plan({ count: 1 });
    if (delivery === undefined) throw new Error('The plan is empty.');
    await expect(deliverer.play([delivery, { ...delivery, kind: 'box' }])).rejects.toMatchObject({
      code: 'unknown-name',
    });
    expect(begun()).toBe(0);
  });

  it('ends at once for an empty plan', async () => {
    const deliverer = createTestDeliverer({ to: 'http://127.0.0.1:1/' });
    expect(await deliverer.play([])).toEqual([]);
  });
});
