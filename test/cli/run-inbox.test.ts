import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptedStore } from '@countersign/inbox';
import { run } from '../../generator/cli/run.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { createTestInbox, type TestInbox } from './inbox.ts';
import type { Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const inboxIn = async (folder: string, ...parameters: readonly string[]): Promise<Run> =>
  await runInProcess(folder, ['inbox', ...parameters, '--store', 'inbox.db']);

/** Runs the command with `--json`, and returns its document. */
async function dataOf(folder: string, ...parameters: readonly string[]): Promise<unknown> {
  const { code, out, error } = await inboxIn(folder, ...parameters, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out);
}

/** Runs the command at a terminal whose user answers. */
async function answering(
  folder: string,
  answer: string | undefined,
  ...parameters: readonly string[]
): Promise<Run & { readonly asked: readonly string[] }> {
  let out = '';
  let error = '';
  const asked: string[] = [];
  const code = await run(['inbox', ...parameters, '--store', 'inbox.db'], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    ask: async (prompt) => {
      asked.push(prompt);
      return answer;
    },
    out: (text) => void (out += text),
    error: (text) => void (error += text),
  });
  return { code, out, error, asked };
}

/** Creates an inbox with an event in each of several states. */
async function createMixed(): Promise<TestInbox> {
  const inbox = await createTestInbox();
  await inbox.receive('a', { kind: 'shipDocked', orderKey: 'gull' });
  await inbox.receive('b', { kind: 'shipDocked', orderKey: 'tern' });
  await inbox.receive('c', { kind: 'shipLeft' });
  await inbox.receive('d', { kind: 'shipLeft', orderKey: 'tern' });
  await inbox.receive('e', {});
  await inbox.work({ a: 'done', b: 'dead', c: 'retry' });
  return inbox;
}

async function states({ store }: TestInbox): Promise<Readonly<Record<string, string>>> {
  const { events } = await store.list();
  return Object.fromEntries(events.map(({ receiptId, state }) => [receiptId, state]));
}

describe('countersign inbox list', () => {
  let inbox: TestInbox;
  beforeAll(async () => {
    inbox = await createMixed();
  });
  afterAll(async () => await inbox[Symbol.asyncDispose]());

  it('prints one event in a line', async () => {
    expect(await inboxIn(inbox.folder, 'list')).toEqual({
      code: 0,
      error: '',
      out: [
        'a-0  done       2026-01-31T12:00:00.000Z  shipDocked  key gull',
        'b-0  dead       2026-01-31T12:00:00.000Z  shipDocked  key tern  1 failure  ShipError [E_BUSY]',
        'c-0  retry      2026-01-31T12:00:00.000Z  shipLeft  1 failure  ShipError [E_BUSY]',
        'd-0  waiting    2026-01-31T12:00:00.000Z  shipLeft  key tern',
        'e-0  ready      2026-01-31T12:00:00.000Z  -',
        '',
      ].join('\n'),
    });
  });

  it.each<[readonly string[], readonly string[]]>([
    [['--state', 'dead'], ['b']],
    [
      ['--kind', 'shipLeft'],
      ['c', 'd'],
    ],
    [
      ['--key', 'tern'],
      ['b', 'd'],
    ],
    [['--key', 'tern', '--state', 'waiting'], ['d']],
    [
      ['--id', 'a-0', 'e-0'],
      ['a', 'e'],
    ],
    [['c-0'], ['c']],
    [['--received-before', '2026-01-31T12:00:00Z'], []],
    [['--received-before', '2026-01-31T12:00:00.001Z', '--state', 'done'], ['a']],
    [['--received-before', '2026-02-01', '--limit', '1'], ['a']],
  ])('selects with %j', async (filters, receipts) => {
    const events = receipts.map((receiptId) => ({ receiptId }));
    const data = await dataOf(inbox.folder, 'list', ...filters);
    expect(data).toMatchObject({ command: 'inbox', action: 'list', ok: true, events });
    expect(data).toHaveProperty('events.length', receipts.length);
  });

  it('continues after a page', async () => {
    const first = await inboxIn(inbox.folder, 'list', '--limit', '4');
    expect(first.out).toMatch(/^d-0 .*\nmore: --after d-0\n$/mu);
    const second = await inboxIn(inbox.folder, 'list', '--limit', '4', '--after', 'd-0');
    expect(second.out).toMatch(/^e-0 [^\n]*\n$/u);
    expect((await inboxIn(inbox.folder, 'list', '--state', 'working')).out).toBe('no events\n');
  });
});

describe('countersign inbox show', () => {
  it('hides the payload until it is revealed, and records who revealed it', async () => {
    await using inbox = await createMixed();
    const hidden = await inboxIn(inbox.folder, 'show', 'b-0');
    expect(hidden.code).toBe(0);
    expect(hidden.out).toMatch(/^state +dead$/mu);
    expect(hidden.out).toContain('payload hidden: --reveal');
    expect(hidden.out).not.toContain('gull');
    expect(await dataOf(inbox.folder, 'show', 'b-0')).not.toHaveProperty('event.body');
    expect(await inbox.store.audit()).toEqual([]);

    const revealed = await inboxIn(inbox.folder, 'show', 'b-0', '--reveal', '--by', 'ana');
    expect(revealed.out).toContain(
      '\n\nPOST /hooks/ships\ncontent-type: application/json\n\n{"ship":"gull"}\n',
    );
    await inboxIn(inbox.folder, 'show', '--id', 'b-0', '--reveal');
    expect(await inbox.store.audit()).toMatchObject([
      { by: userInfo().username, action: 'reveal', eventId: 'b-0' },
      { by: 'ana', action: 'reveal', eventId: 'b-0' },
    ]);
    expect((await inboxIn(inbox.folder, 'audit')).out).toMatch(
      /^\S+Z {2}reveal {3}\S+ {2}b-0\n\S+Z {2}reveal {3}ana {2}b-0\n$/u,
    );
  });

  it('prints a body that is not text as Base64', async () => {
    await using inbox = await createTestInbox();
    await inbox.receive('a', {}, Buffer.of(0xff, 0x00, 0x1b));
    const { out } = await inboxIn(inbox.folder, 'show', 'a-0', '--reveal', '--by', 'ana');
    expect(out).toContain('3 bytes, as Base64: /wAb\n');
    expect(await dataOf(inbox.folder, 'show', 'a-0', '--reveal')).toMatchObject({
      event: { body: '/wAb', bodyEncoding: 'base64' },
    });
  });

  it('shows that a payload is encrypted by the application', async () => {
    await using inbox = await createTestInbox();
    const reversed = (bytes: Uint8Array): Uint8Array => bytes.toReversed();
    await encryptedStore(inbox.store, { encrypt: reversed, decrypt: reversed }).receive({
      id: 'a',
      receivedAt: 0,
      method: 'POST',
      target: '/hooks',
      headers: [],
      body: Buffer.from('{}'),
      events: [{}],
    });
    const { code, out } = await inboxIn(inbox.folder, 'show', 'a-0', '--reveal', '--by', 'ana');
    expect(code).toBe(0);
    expect(out).toContain('POST countersign-encrypted/1');
  });

  it('reports an event that there is not', async () => {
    await using inbox = await createTestInbox();
    for (const id of ['unknown', 'unknown-0']) {
      const { code, error } = await inboxIn(inbox.folder, 'show', id);
      expect({ code, error }).toEqual({
        code: 1,
        error: `countersign: There is no event "${id}".\n`,
      });
    }
    expect(await inbox.store.audit()).toEqual([]);
  });
});

describe('countersign inbox retry, replay and discard', () => {
  it('retry events by filter, and record who did it', async () => {
    await using inbox = await createMixed();
    const { code, out } = await inboxIn(inbox.folder, 'retry', '--state', 'dead', '--by', 'ana');
    expect({ code, out }).toEqual({ code: 0, out: '1 event to be handled again\n' });
    expect(await states(inbox)).toMatchObject({ a: 'done', b: 'ready', c: 'retry' });
    expect(await inbox.store.audit()).toMatchObject([
      { by: 'ana', action: 'retry', eventId: 'b-0' },
    ]);
  });

  it('replay handled events with --again only', async () => {
    await using inbox = await createMixed();
    const without = await inboxIn(inbox.folder, 'replay', '--kind', 'shipDocked');
    expect(without.out).toBe(
      '1 event to be handled again; --again includes those that were handled\n',
    );
    expect(await states(inbox)).toMatchObject({ a: 'done', b: 'ready' });
    expect(await dataOf(inbox.folder, 'replay', 'a-0', '--again', '--by', 'ben')).toEqual({
      command: 'inbox',
      action: 'replay',
      ok: true,
      changed: 1,
    });
    expect(await states(inbox)).toMatchObject({ a: 'ready' });
    expect(await inbox.store.audit()).toMatchObject([
      { by: 'ben', action: 'replay' },
      { by: userInfo().username, action: 'retry' },
    ]);
  });

  it('discard events, which frees their key', async () => {
    await using inbox = await createMixed();
    expect((await inboxIn(inbox.folder, 'discard', 'b-0')).out).toBe('1 event discarded\n');
    expect(await states(inbox)).toMatchObject({ b: 'discarded', d: 'ready' });
  });

  it('act on every event only with --all, and with --yes or an answer', async () => {
    await using inbox = await createMixed();
    const before = await states(inbox);
    for (const action of ['retry', 'replay', 'discard']) {
      const unfiltered = await inboxIn(inbox.folder, action);
      expect({ code: unfiltered.code, error: unfiltered.error }).toEqual({
        code: 2,
        error: expect.stringContaining('or all of them with --all'),
      });
      const unasked = await inboxIn(inbox.folder, action, '--all');
      expect({ code: unasked.code, error: unasked.error }).toEqual({
        code: 2,
        error: `countersign: Add --yes to ${action} every event. There is no terminal to confirm it.\n`,
      });
      for (const answer of ['', 'no', undefined]) {
        const refused = await answering(inbox.folder, answer, action, '--all');
        expect(refused).toMatchObject({ code: 1, error: 'countersign: Nothing was changed.\n' });
        expect(refused.asked).toHaveLength(1);
      }
    }
    expect(await states(inbox)).toEqual(before);
    expect(await inbox.store.audit()).toEqual([]);

    expect(await answering(inbox.folder, 'y', 'discard', '--all')).toMatchObject({
      code: 0,
      out: '4 events discarded\n',
    });
    expect((await inboxIn(inbox.folder, 'replay', '--all', '--again', '--yes')).out).toBe(
      '5 events to be handled again\n',
    );
  });
});

it('countersign inbox stats counts events', async () => {
  await using inbox = await createMixed();
  const { out } = await inboxIn(inbox.folder, 'stats');
  expect(out).toMatch(
    /^not finished {3}3\nto handle {6}2\noldest {9}[\d.]+ s old\nblocked keys {3}1\nfailed {9}2\nduplicates {5}0\ninterruptions {2}0\n {2}ready {8}1\n/u,
  );
  expect(await dataOf(inbox.folder, 'stats')).toMatchObject({
    stats: { depth: 3, failed: 2, byState: { done: 1, dead: 1 } },
  });
  await using empty = await createTestInbox();
  expect((await inboxIn(empty.folder, 'stats')).out).toContain('oldest         none\n');
});

it('text of the store that could control the terminal is replaced', async () => {
  await using inbox = await createTestInbox();
  const hostile = '\u001B]0;x\u0007\u009B31m\u202Ered\r\n\u200B';
  await inbox.receive(
    'a',
    { kind: hostile, orderKey: hostile, identity: hostile },
    Buffer.from(`first\n${hostile}`),
  );
  const [held] = await inbox.store.claim({ owner: 'test', limit: 1, leaseMs: 1000 });
  if (held === undefined) throw new Error('expected a claim');
  await inbox.store.bury(held, { error: hostile, after: 'wait' });
  await inbox.store.reveal('a-0', hostile);
  for (const parameters of [
    ['list'],
    ['show', 'a-0'],
    ['show', 'a-0', '--reveal', '--by', hostile],
    ['audit'],
    ['show', hostile],
  ])
    for (const format of [[], ['--json']]) {
      const { out, error } = await inboxIn(inbox.folder, ...parameters, ...format);
      expect(out + error).not.toBe('');
      expect(out + error).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  expect(await dataOf(inbox.folder, 'list')).toMatchObject({ events: [{ kind: hostile }] });
});

describe('countersign inbox refuses', () => {
  it.each<[readonly string[], string]>([
    [['list'], 'Give the file or the URL of the inbox with --store.'],
    [['lst', '--store', 'inbox.db'], 'There is no action "lst". Did you mean'],
    [
      ['list', '--store', 'inbox.db', '--state', 'died'],
      'There is no state "died". There are: ready,',
    ],
    [
      ['list', '--store', 'inbox.db', '--limit', '0'],
      '--limit requires a whole number from 1 to 10000',
    ],
    [['list', '--store', 'inbox.db', '--received-before', 'today'], 'ISO 8601'],
    [['list', '--store', 'inbox.db', '--received-before', '2026-13-01'], 'ISO 8601'],
    [['list', '--store', 'inbox.db', '--by', 'ana'], '`inbox list` does not take --by.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--limit', '1'], 'does not take --limit.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--again'], 'does not take --again.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--all'], 'Leave out the other filters.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--by', ' '], '--by must not be empty.'],
    [['stats', '--store', 'inbox.db', '--received-before', '2026-01-01'], '--received-before.'],
    [['stats', '--store', 'inbox.db', 'a-0'], 'does not take an event.'],
    [['show', '--store', 'inbox.db'], 'Give the identifier of one event'],
    [['show', '--store', 'inbox.db', 'a-0', '--id', 'b-0'], 'Give the identifier of one event'],
    [['list', '--store', 'postgres://127.0.0.1/inbox'], 'npm install pg'],
  ])('%j: 2', async (parameters, message) => {
    const { code, out, error } = await runInProcess('/', ['inbox', ...parameters]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
  });

  it('a file that does not exist, and creates none', async () => {
    const folder = await temporaryFolder();
    const { code, error } = await inboxIn(folder, 'stats');
    expect({ code, error }).toEqual({
      code: 1,
      error: 'countersign: "inbox.db" does not exist or cannot be read.\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['text', async (path) => await writeFile(path, 'no database')],
    ['an empty file', async (path) => await writeFile(path, '')],
    [
      'a folder',
      async (path) => {
        await mkdir(path);
      },
    ],
    [
      'another database',
      async (path) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE notes (text TEXT)');
        database.close();
      },
    ],
  ])('%s that is no inbox, and does not change it', async (_, create) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'inbox.db');
    await create(path);
    const before = await readFile(path).catch(() => undefined);
    const { code, error } = await inboxIn(folder, 'retry', '--all', '--yes');
    expect({ code, error }).toEqual({
      code: 1,
      error: 'countersign: "inbox.db" is not the file of an inbox.\n',
    });
    expect(await readFile(path).catch(() => undefined)).toEqual(before);
    expect(await readdir(folder)).toEqual(['inbox.db']);
  });

  it('an inbox of a version that is too new', async () => {
    await using inbox = await createTestInbox();
    const database = new DatabaseSync(join(inbox.folder, 'inbox.db'));
    database.exec('INSERT INTO inbox_schema VALUES (99, 0)');
    database.close();
    const { code, error } = await inboxIn(inbox.folder, 'stats');
    expect({ code, error }).toEqual({
      code: 1,
      error: expect.stringContaining('schema version 99'),
    });
  });
});
