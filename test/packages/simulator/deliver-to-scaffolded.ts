import { createSimulator } from '@instant-payment/simulator';
import {
  createMemoryJournal,
  type Delivery,
  deliveryFaults,
  type PlannedDelivery,
} from '@countersign/simulator';
import { expect } from 'vitest';
import { contentOf, contentsOf } from './event-contents.ts';
import {
  type HandledEvent,
  type RecordingApplication,
  secrets,
} from './scaffolded-applications.ts';

/** What came of a plan that was sent to an application. */
export interface Outcome {
  readonly plan: readonly PlannedDelivery[];
  readonly deliveries: readonly Delivery[];
  readonly handled: readonly HandledEvent[];
  readonly log: string;
}

/** Sends deliveries of all kinds, with all faults and seed 7, to an application, and ends it. */
export async function deliverTo(
  application: RecordingApplication,
  count: number,
): Promise<Outcome> {
  await using simulator = await startSimulator(application.url);
  const plan = simulator.plan({ count, faults });
  const played = simulator.play(plan);
  // All attempts follow within the schedule of five repetitions and the longest delay.
  await simulator.clock.advance('2h');
  const deliveries = await played;
  return { plan, deliveries, ...(await application.stop()) };
}

/** Every fault. Bursts are few, because each has many deliveries: a larger share makes sure that there are some. */
const faults = {
  ...Object.fromEntries(deliveryFaults.map((name) => [name, 0.08])),
  burst: 0.2,
};

async function startSimulator(
  to: string,
): Promise<Awaited<ReturnType<typeof createSimulator>> & AsyncDisposable> {
  const simulator = await createSimulator({
    to,
    seed: 7,
    manualClock: true,
    journal: createMemoryJournal(100_000),
    answers: { 'signed-path': 'path-and-query' },
    authentication: {
      signature: 'signature',
      key: secrets.WEBHOOK_SECRET,
      previousKey: secrets.WEBHOOK_PREVIOUS_SECRET,
      headers: { apikey: secrets.WEBHOOK_HEADER_APIKEY },
    },
  });
  return Object.assign(simulator, {
    [Symbol.asyncDispose]: async () => await simulator.close(),
  });
}

/** Returns the outcome of every attempt, without times, ports and signatures. */
export function attemptsOf({ deliveries }: Outcome): readonly object[] {
  return deliveries.flatMap(({ id, state, attempts }) =>
    attempts.map(({ attempt, kind, faults: names, isAcknowledged, nextAttemptInMs, ...entry }) => ({
      id,
      state,
      attempt,
      kind,
      faults: names,
      isAcknowledged,
      nextAttemptInMs,
      error: entry.error,
      status: entry.response?.status,
      answer: entry.response?.body.text,
      violations: entry.violations,
    })),
  );
}

/** Expects that a plan has every kind, every fault and both wire formats of cash-outs. */
export function expectCompletePlan(plan: readonly PlannedDelivery[]): void {
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(
    new Set([
      'customer',
      'charge',
      'dueDateCharge',
      'staticCharge',
      'chargeReversal',
      'cashoutStageOne',
      'cashoutStageTwo',
      'cashoutReversal',
    ]),
  );
  expect(new Set(plan.flatMap((delivery) => delivery.faults))).toEqual(
    new Set(deliveryFaults.filter((fault) => !fault.endsWith('-certificate'))),
  );
  for (const kind of ['cashoutStageOne', 'cashoutStageTwo']) {
    const bodies = plan
      .filter((delivery) => delivery.isValid && delivery.kind === kind)
      .map(({ body }) => body);
    expect(bodies.some((body) => body.startsWith('{"pix":['))).toBe(true);
    expect(bodies.some((body) => body.startsWith('{"Pix":{'))).toBe(true);
  }
}

/**
 * Expects that every event of every delivery was handled at least once, in fact once for each attempt that the
 * application took, and that nothing else was.
 */
export function expectAllHandled({ plan, deliveries, handled }: Outcome): void {
  const planned = new Map(plan.map((delivery) => [delivery.id, delivery]));
  const due = new Map<string, number>();
  let refused = 0;
  for (const { id, attempts } of deliveries) {
    const delivery = planned.get(id);
    if (delivery === undefined) throw new Error(`${id} was not planned.`);
    const validBody = delivery.correctedBody ?? (delivery.isValid ? delivery.body : undefined);
    if (validBody === undefined) throw new Error(`${id} is never valid.`);
    const events = contentsOf(validBody).map((content) => `${delivery.kind} ${content}`);
    for (const event of events) due.set(event, due.get(event) ?? 0);
    for (const { response, violations, faults: names } of attempts) {
      const isTaken = response !== undefined && response.status < 300;
      // An invalid payload is refused, or taken by `otherwise` if nothing in it tells its kind. No handler runs for it.
      if (violations.length > 0) {
        if (!isTaken) refused += 1;
        continue;
      }
      const isRefused = names.some((name) => refusing.has(name));
      // A receiver that takes what is not authentic is wrong, and so is one that refuses what is valid.
      expect({ id, names, status: response?.status, isTaken }).toMatchObject({
        isTaken: !isRefused && !names.includes('reset-mid-body'),
      });
      if (isTaken) for (const event of events) due.set(event, (due.get(event) ?? 0) + 1);
    }
  }
  expect(refused).toBeGreaterThan(0);
  const done = new Map<string, number>();
  for (const event of handled) {
    const content = contentOf(event.data);
    const kinds = (event.kinds ?? [event.kind]).map((kind) => `${kind} ${content}`);
    const kindAndContent = kinds.find((kind) => due.has(kind)) ?? kinds.join(' or ');
    done.set(kindAndContent, (done.get(kindAndContent) ?? 0) + 1);
  }
  expect([...due].filter(([, count]) => count === 0)).toEqual([]);
  expect([...done].filter(([event, count]) => due.get(event) !== count)).toEqual([]);
  expect(done.size).toBe(due.size);
}

const refusing: ReadonlySet<string> = new Set([
  'wrong-signature',
  'stale-timestamp',
  'future-timestamp',
]);

/** Expects that no text of a payload and no secret is in what an application logged. */
export function expectNothingLogged({ plan, log, handled }: Outcome): void {
  expect(log.split('\n').length).toBeGreaterThan(handled.length);
  for (const secret of Object.values(secrets)) expect(log).not.toContain(secret);
  const words = new Set(log.split(/[\s"'`,;()[\]{}]+/u));
  const values = new Set<string>();
  for (const { body, correctedBody = '{}' } of plan)
    for (const text of [body, correctedBody])
      JSON.parse(text, (_, value: unknown) => {
        if (typeof value === 'string' && value.length >= 6) values.add(value);
        return value;
      });
  expect(values.size).toBeGreaterThan(plan.length);
  const leaked = [...values].filter((value) =>
    value.split(/[\s"'`,;()[\]{}]+/u).some((word) => word.length >= 6 && words.has(word)),
  );
  expect(leaked).toEqual([]);
}
