import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import {
  canRecord,
  compileRecorder,
  recordProgram,
  writeAfterPowerLoss,
  type FileOperation,
  type Survival,
} from '../power-loss/power-loss.ts';

const program = join(import.meta.dirname, '../power-loss/receive.fixture.ts');
const sectorBytes = 512;

/** What can remain of the writes that were not synchronized. */
const survivals: Readonly<Record<string, (seed: string) => Survival>> = {
  'nothing that was not synchronized': () => () => 0,
  // A disk writes sectors in any order.
  'any sectors that were not synchronized': (seed) => {
    let count = 0;
    return ({ data }) => {
      const hash = createHash('sha256').update(`${seed} ${count}`).digest();
      count += 1;
      const isComplete = hash.readUInt8(0) < 128;
      return isComplete ? data.length : Math.floor(hash.readUInt8(1) / 32) * sectorBytes;
    };
  },
};

/** What is wrong after a power failure: every list is empty if nothing was lost. */
interface Damage {
  readonly lost: readonly string[];
  readonly withoutEffect: readonly string[];
  readonly repeated: readonly string[];
  readonly inconsistent: readonly string[];
  readonly integrity: string;
}

function reported(operations: readonly FileOperation[], file: string): readonly string[] {
  return operations
    .filter(({ type, name }) => type === 'write' && name === file)
    .map(({ data }) => data.toString().trim());
}

function judge(folder: string, done: readonly FileOperation[]): Damage {
  const database = new DatabaseSync(join(folder, 'inbox.db'));
  try {
    const list = (sql: string): readonly string[] =>
      database
        .prepare(sql)
        .all()
        .map(({ value }) => String(value));
    const [integrity = ''] = list('SELECT integrity_check AS value FROM pragma_integrity_check');
    const has = (table: string): boolean =>
      list(`SELECT name AS value FROM sqlite_schema WHERE name = '${table}'`).length > 0;
    const stored = new Set(
      has('inbox_events') ? list('SELECT identity AS value FROM inbox_events') : [],
    );
    const effects = has('effects') ? list('SELECT value FROM effects ORDER BY position') : [];
    const finished = has('inbox_events')
      ? list("SELECT identity AS value FROM inbox_events WHERE state = 'done'")
      : [];
    return {
      lost: reported(done, 'acknowledged').filter((number) => !stored.has(number)),
      withoutEffect: reported(done, 'completed').filter((number) => !effects.includes(number)),
      repeated: effects.filter((number, index) => effects.indexOf(number) !== index),
      inconsistent: [
        ...finished.filter((number) => !effects.includes(number)),
        ...effects.filter((number) => !finished.includes(number)),
      ],
      integrity,
    };
  } finally {
    database.close();
  }
}

const nothing: Damage = {
  lost: [],
  withoutEffect: [],
  repeated: [],
  inconsistent: [],
  integrity: 'ok',
};

/** Cuts the power of one run at many moments, and judges what is left each time. */
async function cutPower(
  synchronous: 'full' | 'off',
  deliveries: number,
  cuts: number,
  survival: (seed: string) => Survival,
): Promise<readonly Damage[]> {
  const parent = await temporaryFolder();
  const library = await compileRecorder(parent);
  const folder = join(parent, 'recorded');
  await mkdir(folder);
  const operations = await recordProgram(library, folder, program, [
    folder,
    String(deliveries),
    synchronous,
  ]);
  const first = operations.findIndex(({ name }) => name === 'acknowledged');
  const damages: Damage[] = [];
  for (let cut = 1; cut <= cuts; cut += 1) {
    const count = first + Math.ceil((cut / cuts) * (operations.length - first));
    const after = join(parent, `after-${cut}`);
    await writeAfterPowerLoss(operations, count, survival(`cut ${cut}`), after);
    damages.push(judge(after, operations.slice(0, count)));
    await rm(after, { recursive: true });
  }
  return damages;
}

/** Describes that a power failure at any of so many moments loses nothing. */
export function describePowerLoss(deliveries: number, cuts: number): void {
  test.skipIf(!canRecord).for(Object.entries(survivals))(
    `a power failure that leaves %s loses nothing at ${cuts} moments`,
    { timeout: 60_000 + cuts * 1000 },
    async ([, survival]) => {
      const damages = await cutPower('full', deliveries, cuts, survival);
      expect(damages).toHaveLength(cuts);
      for (const damage of damages) expect(damage).toEqual(nothing);
    },
  );

  test(
    'the same loses acknowledged deliveries without synchronization',
    { timeout: 120_000 },
    async () => {
      const survival = (): Survival => () => 0;
      const damages = await cutPower('off', deliveries, Math.min(cuts, 10), survival);
      expect(damages.filter(({ lost }) => lost.length > 0).length).toBeGreaterThan(0);
    },
  );
}
