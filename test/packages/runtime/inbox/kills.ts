import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'vitest';
import { failpoints, spawnKilled, type Kill } from './spawn-killed.ts';
import type { StoreHarness } from './store-harness.ts';

/** The number of deliveries that each process gets. */
const deliveriesPerRun = 15;

/** A store that processes are killed on. */
export interface KilledStore<Scope, Result> {
  readonly harness: StoreHarness<Scope, Result>;
  /** The program and its first arguments. */
  readonly command: readonly string[];
  /** Returns what is damaged. */
  readonly check?: () => readonly unknown[];
}

/** Runs a process that receives deliveries and is killed at a failpoint. Returns what it acknowledged. */
async function run(
  command: readonly string[],
  deliveries: readonly number[],
  kill?: Kill,
): Promise<{ acknowledged: readonly number[]; killed: boolean }> {
  const child = spawnKilled([...command, JSON.stringify(deliveries)], kill);
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (signal !== 'SIGKILL' && (code !== 0 || kill !== undefined))
    throw new Error(`the process ended by itself with ${code ?? signal}: ${errors}`);
  const acknowledged = output.split('\n').filter(Boolean).map(Number);
  return { acknowledged, killed: signal === 'SIGKILL' };
}

/** Returns what is wrong: every list is empty if nothing was lost, repeated or reordered. */
async function judge<Scope, Result>(
  { harness, check }: KilledStore<Scope, Result>,
  acknowledged: ReadonlySet<number>,
): Promise<Record<string, readonly unknown[]>> {
  const { events } = await harness.another().list({}, { pageSize: 1_000_000 });
  const committed = events.map(({ identity }) => Number(identity));
  const effects = (await harness.effects()).map(Number);
  const ofKey = (all: readonly number[], key: number): string =>
    all.filter((number) => number % 5 === key).join();
  return {
    lost: [...acknowledged].filter((number) => !committed.includes(number)),
    withoutEffect: committed.filter((number) => !effects.includes(number)),
    repeated: effects.filter((number, index) => effects.indexOf(number) !== index),
    reordered: [0, 1, 2, 3, 4].filter((key) => ofKey(committed, key) !== ofKey(effects, key)),
    damaged: check?.() ?? [],
  };
}

/** Kills a process at each failpoint, as often as given, and checks what the last process leaves behind. */
export function describeKills<Scope, Result>(
  kills: number,
  open: () => Promise<KilledStore<Scope, Result>>,
): void {
  describe(`${kills} kills`, () => {
    const limits = { concurrent: true, timeout: 60_000 + kills * 20_000 };
    test.for(failpoints)(
      'at %s lose, repeat and reorder nothing',
      limits,
      async (at, { expect }) => {
        const store = await open();
        const { command } = store;
        await using _ = store.harness;
        const acknowledged = new Set<number>();
        let sent = 0;
        for (let count = 0; count < kills; count += 1) {
          const fresh = Array.from({ length: deliveriesPerRun }, () => (sent += 1));
          // The sender repeats what was not acknowledged, and some of what was.
          const repeated = Array.from({ length: sent }, (_, index) => index + 1).filter(
            (number) => number <= sent - deliveriesPerRun && !acknowledged.has(number),
          );
          const again = [...acknowledged].slice(-3);
          const after = 1 + (count % 4);
          const result = await run(command, [...repeated, ...again, ...fresh], { at, after });
          expect(result.killed).toBe(true);
          for (const number of result.acknowledged) acknowledged.add(number);
        }
        const last = Array.from({ length: sent }, (_, index) => index + 1).filter(
          (number) => !acknowledged.has(number),
        );
        const result = await run(command, last);
        expect(result).toEqual({ acknowledged: expect.any(Array), killed: false });
        for (const number of result.acknowledged) acknowledged.add(number);
        expect(acknowledged.size).toBe(sent);
        expect(await judge(store, acknowledged)).toEqual({
          lost: [],
          withoutEffect: [],
          repeated: [],
          reordered: [],
          damaged: [],
        });
      },
    );
  });
}
