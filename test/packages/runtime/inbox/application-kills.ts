import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { InboxEvent, InboxOperations } from '@countersign/runtime/inbox';
import { createMemoryJournal, type Delivery, type PlannedDelivery } from '@countersign/simulator';
import { createSimulator } from '@instant-payment/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { contentsOf } from '../../simulator/event-contents.ts';
import type { KilledStore } from './kills.ts';
import type { RecordedEffect } from './serve-application.ts';
import { failpoints, spawnKilled, type Kill } from './spawn-killed.ts';

/** How much an application gets, and how often it is killed. */
export interface ApplicationKills {
  readonly deliveries: number;
  /** The number of kills at each failpoint. */
  readonly kills: number;
}

/** What makes deliveries arrive twice, in another order, or with a signature that is wrong. */
const faults = {
  duplicate: 0.15,
  'lost-acknowledgement': 0.15,
  'reset-mid-body': 0.02,
  'wrong-signature': 0.02,
  'out-of-order': 0.2,
  delayed: 0.05,
  burst: 0.2,
};

const secrets = {
  WEBHOOK_SECRET: randomBytes(24).toString('hex'),
  WEBHOOK_HEADER_APIKEY: randomBytes(12).toString('hex'),
};

/** The number of deliveries that are sent between two checks of the process. */
const partSize = 15;

/** The number of deliveries that are sent at the same time, besides those of bursts. */
const senders = 6;

/**
 * Sends deliveries of the simulator to an application with the generated receiver and the generated worker. Kills it in
 * every window in turn, and starts it again each time.
 */
export function testApplicationKills<Scope, Result>(
  { deliveries: count, kills }: ApplicationKills,
  open: () => Promise<KilledStore<Scope, Result>>,
): void {
  const name = `${count} deliveries and ${kills} kills in each window lose, repeat and reorder nothing`;
  test(name, { timeout: 60_000 + kills * 60_000 }, async ({ annotate }) => {
    const store = await open();
    await using harness = store.harness;
    await using simulator = await startSimulator();
    const plan = simulator.plan({ count: 2 * count, faults, intervalMs: 20 });
    const feed = createFeed(simulator, plan);
    const began = performance.now();
    for (let number = 0; number < kills * failpoints.length; number += 1) {
      const at = failpoints[number % failpoints.length] ?? 'receive:before-commit';
      const application = startApplication(store.command, { at, after: 1 + (number % 8) });
      const url = await application.url;
      if (url !== undefined) {
        simulator.to = url;
        while (application.isRunning()) await feed.send();
      }
      expect(await application.ended).toEqual({ signal: 'SIGKILL', errors: '' });
    }
    const killedFor = performance.now() - began;

    const application = startApplication(store.command);
    simulator.to = await application.url;
    while (feed.sent < count) await feed.send();
    // All attempts follow within the schedule of five repetitions and the longest delay.
    await advance(simulator, 2 * 3_600_000);
    const deliveries = await feed.deliveries();
    const observer = harness.another();
    while ((await observer.stats()).depth > 0) await delay(20);
    application.stop();
    expect(await application.ended).toEqual({ signal: null, errors: '' });

    const { byState, duplicates } = await observer.stats();
    const events = await allEvents(observer);
    const effects = (await harness.effects()).map((value) => JSON.parse(value) as RecordedEffect);
    expect(judge(plan, deliveries, events, effects)).toEqual({
      unacknowledged: [],
      lost: [],
      unknown: [],
      repeatedIdentities: [],
      withoutEffect: [],
      repeatedEffects: [],
      repeatedContents: [],
      reorderedKeys: [],
      unexpectedStatuses: [],
    });
    expect(byState).toEqual({ ...byState, dead: 0, discarded: 0, done: events.length });
    expect(store.check?.() ?? []).toEqual([]);
    const attempts = deliveries.flatMap((delivery) => delivery.attempts);
    const unanswered = attempts.filter(({ response }) => response === undefined);
    // The application was down or killed while it received: otherwise the test shows nothing.
    expect(unanswered.length).toBeGreaterThan(kills);
    await annotate(
      `${feed.sent} deliveries in ${attempts.length} attempts, ${unanswered.length} of them without a response; ` +
        `${kills * failpoints.length} kills in ${Math.round(killedFor / 1000)} s; ${events.length} events, ` +
        `${duplicates} duplicates; ${sum(events, 'interruptions')} interruptions, ${sum(events, 'attempts')} failures; ` +
        `${Math.round((performance.now() - began) / 1000)} s`,
    );
  });
}

type Simulator = Awaited<ReturnType<typeof createSimulator>>;

async function startSimulator(): Promise<Simulator & AsyncDisposable> {
  const simulator = await createSimulator({
    seed: 7,
    manualClock: true,
    journal: createMemoryJournal(1),
    authentication: {
      signature: 'signature',
      key: secrets.WEBHOOK_SECRET,
      headers: { apikey: secrets.WEBHOOK_HEADER_APIKEY },
    },
  });
  return Object.assign(simulator, {
    [Symbol.asyncDispose]: async () => await simulator.close(),
  });
}

/** Sends a plan in parts. */
interface Feed {
  readonly sent: number;
  /** Sends the next part. Resolves after the first attempts, and those that are due meanwhile. */
  readonly send: () => Promise<void>;
  /** Resolves when each delivery is acknowledged or has failed. */
  readonly deliveries: () => Promise<readonly Delivery[]>;
}

function createFeed(simulator: Simulator, plan: readonly PlannedDelivery[]): Feed {
  const played: Promise<readonly Delivery[]>[] = [];
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    async send() {
      const part = plan.slice(sent, sent + partSize);
      const [first] = part;
      if (first === undefined) throw new Error('the plan is too short');
      sent += part.length;
      const moved = part.map((delivery) => ({
        ...delivery,
        offsetMs: delivery.offsetMs - first.offsetMs,
      }));
      played.push(simulator.play(moved));
      await advance(simulator, moved.at(-1)?.offsetMs ?? 0);
    },
    deliveries: async () => (await Promise.all(played)).flat(),
  };
}

/** Moves the clock. Each of several calls waits for one delivery at a time. */
async function advance({ clock }: Simulator, by: number): Promise<void> {
  await Promise.all(
    Array.from({ length: senders }, async (_, index) => await clock.advance(index === 0 ? by : 0)),
  );
}

/** An application in a process of its own. */
interface Application {
  /** Its address; `undefined` if it was killed before it listened. */
  readonly url: Promise<string | undefined>;
  readonly isRunning: () => boolean;
  readonly ended: Promise<{ readonly signal: string | null; readonly errors: string }>;
  readonly stop: () => void;
}

function startApplication(command: readonly string[], kill?: Kill): Application {
  const child = spawnKilled(command, kill, secrets);
  // A test that fails leaves it running.
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  const lines = createInterface({ input: child.stdout });
  return {
    url: Promise.race([
      once(lines, 'line').then(([line]) => String(line)),
      closed.then(() => undefined),
    ]),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended: closed.then(async ([, signal]) => ({ signal, errors: await errors })),
    stop: () => child.kill('SIGTERM'),
  };
}

async function allEvents(store: InboxOperations): Promise<readonly InboxEvent[]> {
  const events: InboxEvent[] = [];
  let after: string | undefined;
  do {
    const page = await store.list({}, { pageSize: 1000, ...(after !== undefined && { after }) });
    events.push(...page.events);
    after = page.next;
  } while (after !== undefined);
  return events;
}

/** Returns what is wrong: every list is empty if nothing was lost, repeated or reordered. */
function judge(
  plan: readonly PlannedDelivery[],
  deliveries: readonly Delivery[],
  events: readonly InboxEvent[],
  effects: readonly RecordedEffect[],
): Record<string, readonly unknown[]> {
  const bodies = new Map(plan.map(({ id, body }) => [id, body]));
  const contentsOfAll = (all: readonly Delivery[]): Set<string> =>
    new Set(all.flatMap(({ id }) => contentsOf(bodies.get(id) ?? '')));
  const acknowledged = deliveries.filter(({ attempts }) =>
    attempts.some(({ response }) => response !== undefined && response.status < 300),
  );
  const sent = contentsOfAll(deliveries);
  const contents = new Set(effects.map(({ content }) => content));
  const handled = new Set(effects.map(({ id }) => id));
  const keys = Map.groupBy(events, ({ orderKey }) => orderKey);
  const order = new Map(effects.map(({ id }, index) => [id, index]));
  return {
    unacknowledged: deliveries.filter(({ state }) => state !== 'acknowledged'),
    lost: [...contentsOfAll(acknowledged)].filter((content) => !contents.has(content)),
    unknown: effects.filter(({ content }) => !sent.has(content)),
    repeatedIdentities: repeated(events.map(({ identity }) => identity)),
    withoutEffect: events.filter(({ id }) => !handled.has(id)),
    repeatedEffects: repeated(effects.map(({ id }) => id)),
    repeatedContents: repeated(effects.map(({ content }) => content)),
    reorderedKeys: [...keys].filter(([, ofKey]) =>
      ofKey.some(
        ({ id }, index) => (order.get(ofKey[index - 1]?.id ?? '') ?? -1) > (order.get(id) ?? -1),
      ),
    ),
    unexpectedStatuses: deliveries
      .flatMap(({ attempts }) => attempts)
      .filter(
        ({ response, faults: names }) =>
          response !== undefined &&
          response.status !== (names.includes('wrong-signature') ? 401 : 200),
      ),
  };
}

function repeated<T>(values: readonly T[]): readonly T[] {
  const seen = new Set<T>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

function sum(events: readonly InboxEvent[], name: 'interruptions' | 'attempts'): number {
  return events.reduce((total, event) => total + event[name], 0);
}
