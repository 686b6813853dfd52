import fc from 'fast-check';
import type { Claim, InboxStore } from '@countersign/runtime/inbox';
import { expect } from 'vitest';
import { receipt, type OpenHarness } from './store-harness.ts';
import { runsOf } from '../../../some.ts';

/** One step of a random history. */
type Step =
  | { readonly do: 'receive'; readonly events: readonly { key: number; identity: number }[] }
  | { readonly do: 'claim'; readonly limit: number; readonly worker: number }
  | {
      readonly do: 'complete' | 'fail' | 'bury' | 'release' | 'kill' | 'late';
      readonly held: number;
    }
  | { readonly do: 'wait'; readonly milliseconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('receive' as const),
      events: fc.array(
        fc.record({
          key: fc.integer({ min: 0, max: 3 }),
          identity: fc.integer({ min: 0, max: 30 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      worker: fc.integer({ min: 0, max: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'complete' as const,
        'complete' as const,
        'fail' as const,
        'bury' as const,
        'release' as const,
        'kill' as const,
        'late' as const,
      ),
      held: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.integer({ min: 0, max: 40_000 }),
    }),
  },
);

/**
 * Runs random histories of two workers. Checks that keys are handled in commit order, that every identity has one
 * effect, and that no event is lost.
 */
export async function checkHistories<Scope, Result>(
  open: OpenHarness<Scope, Result>,
  runs: number,
): Promise<void> {
  await using harness = await open();
  const workers = [harness.store, harness.another()];
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      run += 1;
      await runHistory(harness, workers, `run${run}`, steps);
    }),
    { numRuns: runsOf(runs), endOnFailure: true },
  );
}

async function runHistory<Scope, Result>(
  harness: Awaited<ReturnType<OpenHarness<Scope, Result>>>,
  workers: readonly InboxStore<Scope, Result>[],
  prefix: string,
  steps: readonly Step[],
): Promise<void> {
  const { store, clock } = harness;
  /** The identities of each key in commit order, and those that an operator's policy took out. */
  const committed = new Map<string, string[]>();
  const buried = new Set<string>();
  const held: Claim[] = [];
  const killed: Claim[] = [];
  const leases = new Map<Claim, number>();
  const isOwn = ({ event }: Claim): boolean => event.identity?.startsWith(`${prefix}/`) === true;
  const take = (list: Claim[], index: number): Claim | undefined =>
    list.splice(index % Math.max(1, list.length), 1)[0];

  async function claim(worker: number, limit: number): Promise<void> {
    const from = workers[worker] ?? store;
    const claims = await from.claim({ owner: `${worker}`, maxEvents: limit, leaseMs: 20_000 });
    expect(claims.every(isOwn)).toBe(true);
    // An expired claim that was given again is no longer held.
    for (const { event } of claims) {
      const index = held.findIndex((other) => other.event.id === event.id);
      if (index >= 0) killed.push(...held.splice(index, 1));
    }
    held.push(...claims);
    for (const newClaim of claims) leases.set(newClaim, clock.now + 20_000);
    // A claim whose lease ended can be free before another worker has it.
    const keys = held
      .filter((heldClaim) => (leases.get(heldClaim) ?? 0) > clock.now)
      .map(({ event }) => event.orderKey)
      .filter((key) => key !== undefined);
    expect(new Set(keys).size).toBe(keys.length);
  }

  for (const step of steps) {
    if (step.do === 'receive') {
      const events = step.events.map(({ key, identity }) => ({
        identity: `${prefix}/${identity}`,
        ...(key === 0 ? {} : { orderKey: `${prefix}/${key}` }),
      }));
      const results = await store.receive(receipt(...events));
      for (const [index, { status }] of results.entries()) {
        const { identity = '', orderKey = '' } = events[index] ?? {};
        const isKnown = [...committed.values()].flat().includes(identity);
        expect(status).toBe(isKnown ? 'duplicate' : 'stored');
        if (!isKnown) committed.set(orderKey, [...(committed.get(orderKey) ?? []), identity]);
      }
    } else if (step.do === 'claim') await claim(step.worker, step.limit);
    else if (step.do === 'wait') clock.now += step.milliseconds;
    else if (step.do === 'late') {
      const late = killed[step.held % Math.max(1, killed.length)];
      const isHeld = late && held.some(({ event }) => event.id === late.event.id);
      if (late !== undefined && isHeld === true)
        expect(await store.complete(late, harness.effect('late'))).toBe('lost');
    } else {
      const claimed = take(held, step.held);
      if (claimed === undefined) continue;
      const { identity = '' } = claimed.event;
      if (step.do === 'complete') {
        const result = await store.complete(claimed, harness.effect(identity));
        const isExpired = (leases.get(claimed) ?? 0) <= clock.now;
        if (!isExpired) expect(result).toBe('completed');
      } else if (step.do === 'fail')
        await store.fail(claimed, { error: 'x', at: clock.now + 1000 });
      else if (step.do === 'bury') {
        const result = await store.bury(claimed, { error: 'x', afterDeadLetter: 'skip' });
        if (result === 'recorded') buried.add(identity);
      } else if (step.do === 'release') await store.release([claimed]);
      else killed.push(claimed);
    }
  }

  // Every worker is killed; one that starts afterwards handles what is left.
  clock.now += 40_000;
  held.length = 0;
  for (;;) {
    await claim(0, 4);
    if (held.length === 0) break;
    for (const heldClaim of held.splice(0))
      await store.complete(heldClaim, harness.effect(heldClaim.event.identity ?? ''));
  }
  const effects = (await harness.effects()).filter((value) => value.startsWith(`${prefix}/`));
  expect(new Set(effects).size).toBe(effects.length);
  for (const [key, identities] of committed) {
    const expected = identities.filter((identity) => !buried.has(identity));
    const actual = effects.filter((identity) => identities.includes(identity));
    if (key === '') expect(actual.toSorted()).toEqual(expected.toSorted());
    else expect(actual).toEqual(expected);
  }
  expect(await harness.effects()).not.toContain('late');
}
