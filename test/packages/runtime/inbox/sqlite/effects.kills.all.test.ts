import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { spawnKilled, type Kill } from '../spawn-killed.ts';
import { openKilled } from './open-killed.ts';

/** The number of events that each process gets. */
const eventsPerRun = 100;

const kills = Number(process.env['INBOX_GROUP_KILLS'] ?? 30);

interface Run {
  readonly acknowledged: readonly number[];
  readonly killed: boolean;
  /** The largest number of effects of one transaction. */
  readonly together: number;
}

async function run(
  command: readonly string[],
  numbers: readonly number[],
  kill?: Kill,
): Promise<Run> {
  const child = spawnKilled([...command, JSON.stringify(numbers)], kill);
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the process failed: ${errors}`);
  const printed = (name: string): readonly number[] =>
    output
      .split('\n')
      .filter((line) => line.startsWith(`${name} `))
      .flatMap((line) => line.split(' ').slice(1).map(Number));
  return {
    acknowledged: printed('acknowledged'),
    killed: signal === 'SIGKILL',
    together: Math.max(0, ...printed('together')),
  };
}

// The first is passed after each savepoint and before the commit, the second before the worker knows the commit.
describe.each(['handle:in-transaction', 'handle:after-completion'] as const)(
  `${kills} kills at %s`,
  (at) => {
    test(
      'lose and repeat none of the effects that share a transaction',
      { timeout: 170_000 },
      async () => {
        const { harness, command, check } = await openKilled('grouped-process.fixture.ts');
        await using _ = harness;
        const database = new DatabaseSync(command.at(-1) ?? '');
        database.exec(
          `CREATE TABLE parents (id INTEGER PRIMARY KEY);
         CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`,
        );
        database.close();
        const acknowledged = new Set<number>();
        const together: number[] = [];
        let sent = 0;
        for (let count = 0; count < kills; count += 1) {
          const numbers = Array.from({ length: eventsPerRun }, () => (sent += 1));
          // Another place in a transaction each time.
          const after = 1 + ((count * 37) % (eventsPerRun - 1));
          const result = await run(command, numbers, { at, after });
          expect(result.killed).toBe(true);
          together.push(result.together);
          for (const number of result.acknowledged) acknowledged.add(number);
        }
        const all = Array.from({ length: sent }, (_value, index) => index + 1);
        const last = await run(command, all);
        expect(last.killed).toBe(false);
        // Otherwise, the test shows nothing about transactions that effects share.
        expect(together.filter((size) => size > 4).length).toBeGreaterThan(kills / 3);
        const effects = (await harness.effects()).map(Number);
        expect({
          lost: [...acknowledged].filter((number) => !effects.includes(number)),
          repeated: effects.filter((number, index) => effects.indexOf(number) !== index),
          effects: effects.length,
          damaged: check?.() ?? [],
        }).toEqual({ lost: [], repeated: [], effects: sent, damaged: [] });
      },
    );
  },
);
