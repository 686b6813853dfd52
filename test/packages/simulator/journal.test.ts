import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeliveryEntry, Entry } from '../../../packages/simulator/src/entry.ts';
import type { EntryFilter, Journal } from '../../../packages/simulator/src/journal.ts';
import { createMemoryJournal } from '../../../packages/simulator/src/memory-journal.ts';
import { openSqliteJournal } from '../../../packages/simulator/src/sqlite-journal.ts';

const request = {
  method: 'POST',
  url: 'http://127.0.0.1/parcels?page=2',
  headers: [['x-a', '1']],
  body: { encoding: 'utf-8', text: '{"weight":"100%_é"}', size: 20 },
} as const;

const response = {
  status: 200,
  headers: [],
  body: { encoding: 'utf-8', text: 'thanks', size: 6 },
} as const;

const delivery: Omit<DeliveryEntry, 'id'> = {
  type: 'delivery',
  at: 1_000,
  delivery: 'd1',
  attempt: 1,
  kind: 'parcelSent',
  faults: [],
  request,
  response,
  durationMs: 1.5,
  isAcknowledged: true,
  violations: [],
};

/** Adds entries of all types, with the numbers 1 to 6. */
function fill(journal: Journal): void {
  journal.add(delivery);
  journal.add({ ...delivery, attempt: 2, isAcknowledged: false, run: 'r1' });
  journal.add({
    type: 'call',
    at: 2_000,
    operation: 'getParcel',
    request: { ...request, method: 'GET', body: { encoding: 'utf-8', text: '', size: 0 } },
    response,
    durationMs: 1,
    faults: [],
    steps: [],
  });
  journal.add({
    type: 'call',
    at: 2_000,
    request,
    response,
    durationMs: 1,
    faults: [],
    steps: [{ name: 'route', outcome: 'failed', message: 'No operation has this path.' }],
  });
  journal.add({
    type: 'step',
    at: 3_000,
    run: 'r1',
    workflow: 'shipping',
    state: 'started',
    message: 'The run begins.',
  });
  journal.add({
    type: 'step',
    at: 3_000,
    run: 'r1',
    workflow: 'shipping',
    step: 'wait',
    state: 'failed',
    message: 'No call arrived.',
  });
}

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'journal.db');
}

async function openTemporary(file?: string): Promise<Journal> {
  const journal = await openSqliteJournal(file ?? (await temporaryFile()));
  onTestFinished(() => journal.close());
  return journal;
}

describe.each([
  ['in memory', async () => await Promise.resolve(createMemoryJournal())],
  ['in a file', async () => await openTemporary()],
])('a journal %s', (_, open) => {
  it('numbers entries from 1 and returns them unchanged', async () => {
    const journal = await open();
    expect(journal.add(delivery)).toEqual({ ...delivery, id: 1 });
    expect(journal.add(delivery).id).toBe(2);
    expect(journal.get(1)).toEqual({ ...delivery, id: 1 });
    expect(journal.get(3)).toBeUndefined();
  });

  it.each<[EntryFilter, readonly number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ type: 'delivery' }, [1, 2]],
    [{ type: 'call' }, [3, 4]],
    [{ type: 'step' }, [5, 6]],
    [{ name: 'parcelSent' }, [1, 2]],
    [{ name: 'getParcel' }, [3]],
    [{ name: 'shipping' }, [5, 6]],
    [{ name: 'parcel' }, []],
    [{ outcome: 'ok' }, [1, 3, 5]],
    [{ outcome: 'failed' }, [2, 4, 6]],
    [{ outcome: 'failed', type: 'call' }, [4]],
    [{ run: 'r1' }, [2, 5, 6]],
    [{ run: 'r2' }, []],
    [{ text: 'page=2' }, [1, 2, 3, 4]],
    [{ text: '100%_é' }, [1, 2, 4]],
    [{ text: '100' }, [1, 2, 4]],
    [{ text: '1%é' }, []],
    [{ text: 'thanks', type: 'call' }, [3, 4]],
    [{ text: 'No call' }, [6]],
    [{ text: 'utf-8' }, []],
    [{ before: 3 }, [1, 2]],
    [{ after: 4 }, [5, 6]],
    [{ after: 1, before: 5, pageSize: 2 }, [3, 4]],
    [{ pageSize: 2 }, [5, 6]],
    [{ pageSize: 0 }, []],
    [{ pageSize: 100 }, [1, 2, 3, 4, 5, 6]],
  ])('lists and counts the entries that match %o', async (filter, ids) => {
    const journal = await open();
    fill(journal);
    expect(journal.list(filter).map(({ id }) => id)).toEqual(ids);
    expect(journal.count(filter)).toBe(ids.length);
  });

  it('passes new entries to subscribers until they end', async () => {
    const journal = await open();
    const seen: Entry[] = [];
    const end = journal.subscribe((entry) => {
      seen.push(entry);
      if (seen.length === 2) end();
    });
    const allIds: number[] = [];
    journal.subscribe(({ id }) => allIds.push(id));
    fill(journal);
    expect(seen).toEqual(journal.list({ before: 3 }));
    expect(allIds).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('numbers on after it was cleared', async () => {
    const journal = await open();
    fill(journal);
    journal.clear();
    expect(journal.list()).toEqual([]);
    expect(journal.add(delivery).id).toBe(7);
    expect(journal.count()).toBe(1);
  });
});

describe('a journal in memory', () => {
  it('keeps the newest entries', () => {
    const journal = createMemoryJournal(4);
    fill(journal);
    expect(journal.list().map(({ id }) => id)).toEqual([3, 4, 5, 6]);
    expect(journal.get(2)).toBeUndefined();
    journal.clear();
    fill(journal);
    expect(journal.list().map(({ id }) => id)).toEqual([9, 10, 11, 12]);
  });
});

describe('a journal in a file', () => {
  it('survives a restart', async () => {
    const file = await temporaryFile();
    const first = await openSqliteJournal(file);
    fill(first);
    const before = first.list();
    first.close();
    const second = await openTemporary(file);
    expect(second.list()).toEqual(before);
    expect(second.add(delivery).id).toBe(7);
  });

  it('survives a process that did not close it', async () => {
    const file = await temporaryFile();
    const first = await openTemporary(file);
    fill(first);
    const second = await openTemporary(file);
    expect(second.list()).toEqual(first.list());
  });

  it('can be read by its user only', async () => {
    const file = await temporaryFile();
    await writeFile(file, '', { mode: 0o644 });
    fill(await openTemporary(file));
    for (const name of [file, `${file}-wal`, `${file}-shm`])
      expect((await stat(name)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (file: string) => Promise<void>, RegExp]>([
    ['is text', (file) => writeFile(file, 'Notes of mine.\n'.repeat(100)), /is not a journal/u],
    ['is a short text', (file) => writeFile(file, 'a'), /is not a journal/u],
    [
      'is another database',
      async (file) => {
        const other = new DatabaseSync(file);
        other.exec('CREATE TABLE entry (id INTEGER); INSERT INTO entry VALUES (1)');
        other.close();
        await Promise.resolve();
      },
      /is not a journal/u,
    ],
    [
      'has a later schema',
      async (file) => {
        (await openSqliteJournal(file)).close();
        const later = new DatabaseSync(file);
        later.exec('PRAGMA user_version = 2');
        later.close();
      },
      /another version/u,
    ],
    [
      'is cut off',
      async (file) => {
        const journal = await openSqliteJournal(file);
        for (let count = 0; count < 50; count += 1) fill(journal);
        journal.close();
        await truncate(file, 20_000);
      },
      /is damaged/u,
    ],
  ])('refuses a file that %s, and does not change it', async (_, prepare, message) => {
    const file = await temporaryFile();
    await prepare(file);
    const before = await readFile(file);
    const opened = openSqliteJournal(file);
    await expect(opened).rejects.toMatchObject({ name: 'SimulatorError', code: 'journal' });
    await expect(opened).rejects.toThrow(message);
    expect(before.equals(await readFile(file))).toBe(true);
  });

  it('names a folder that does not exist', async () => {
    const file = path.join(await temporaryFile(), 'none', 'journal.db');
    await expect(openSqliteJournal(file)).rejects.toMatchObject({
      code: 'journal',
      message: `The journal ${file} cannot be opened (ENOENT).`,
    });
  });
});

describe('a journal in memory', () => {
  const large = {
    ...delivery,
    request: { ...request, body: { ...request.body, text: 'x'.repeat(50_000) } },
  };

  it('keeps the newest entries, bounded by their size', () => {
    const journal = createMemoryJournal(100, 1_000_000);
    for (let count = 0; count < 100; count += 1) journal.add(large);
    const ids = journal.list().map(({ id }) => id);
    expect(ids.at(-1)).toBe(100);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.length).toBeLessThan(15);
    for (let count = 0; count < 200; count += 1) journal.add(delivery);
    expect(journal.count()).toBe(100);
  });

  it('keeps the newest entry, however large it is', () => {
    const journal = createMemoryJournal(100, 10);
    journal.add(large);
    journal.add(large);
    expect(journal.list().map(({ id }) => id)).toEqual([2]);
    journal.clear();
    expect(journal.add(delivery).id).toBe(3);
  });
});

it('keeps a memory journal from reading entries outside of the requested part', () => {
  const count = 1000;
  const journal = createMemoryJournal(count);
  for (let index = 0; index < 2 * count; index += 1) journal.add(delivery);
  const iterate = vi.spyOn(Map.prototype, 'values');
  const get = vi.spyOn(Map.prototype, 'get');
  const windows = Array.from({ length: count / 10 }, (_, index) => count + 10 * index);
  const ids = windows.flatMap((after) =>
    journal.list({ after, before: after + 11 }).map(({ id }) => id),
  );
  const newest = journal.list({ pageSize: 3 }).map(({ id }) => id);
  const steps = iterate.mock.calls.length * count + get.mock.calls.length;
  vi.restoreAllMocks();
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => count + index + 1));
  expect(newest).toEqual([2 * count - 2, 2 * count - 1, 2 * count]);
  expect(steps).toBeLessThanOrEqual(2 * count);
});
