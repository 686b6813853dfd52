import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptedStore } from '@countersign/runtime/inbox';
import { run } from '../../../generator/cli/run.ts';
import { displayWidth } from '../../../generator/diagnostics/display-width.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { createTestInbox, type TestInbox } from './stored-events.ts';
import type { Run } from '../../cli/project.ts';
import { runInProcess } from '../../cli/run-in-process.ts';

const inboxIn = async (folder: string, ...parameters: readonly string[]): Promise<Run> =>
  await runInProcess(folder, ['inbox', ...parameters, '--store', 'inbox.db']);

/** Runs the command with `--json`, and returns its document. */
async function dataOf(folder: string, ...parameters: readonly string[]): Promise<unknown> {
  const { code, out, error } = await inboxIn(folder, ...parameters, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out);
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

  it('prints one event in a line, newest first', async () => {
    expect(await inboxIn(inbox.folder, 'list')).toEqual({
      code: 0,
      error: '',
      out: [
        'e-0  ready      2026-01-31T12:00:00.000Z  -',
        'd-0  waiting    2026-01-31T12:00:00.000Z  shipLeft  key tern  waits for b-0 (dead)',
        'c-0  retry      2026-01-31T12:00:00.000Z  shipLeft  1 failure  ShipError [E_BUSY]',
        'b-0  dead       2026-01-31T12:00:00.000Z  shipDocked  key tern  1 failure  ShipError [E_BUSY]',
        'a-0  done       2026-01-31T12:00:00.000Z  shipDocked  key gull',
        '',
      ].join('\n'),
    });
  });

  it.each<[readonly string[], readonly string[]]>([
    [['--state', 'dead'], ['b']],
    [
      ['--kind', 'shipLeft'],
      ['d', 'c'],
    ],
    [
      ['--key', 'tern'],
      ['d', 'b'],
    ],
    [['--key', 'tern', '--state', 'waiting'], ['d']],
    [
      ['--id', 'a-0', '--id', 'e-0'],
      ['e', 'a'],
    ],
    [['c-0'], ['c']],
    [['--received-before', '2026-01-31T12:00:00Z'], []],
    [['--received-before', '2026-01-31T12:00:00.001Z', '--state', 'done'], ['a']],
    [['--received-before', '2026-02-01', '--page-size', '1'], ['e']],
    [['--received-after', '2026-01-31T12:00:00.001Z'], []],
    [['--received-after', '2026-01-31', '--state', 'done'], ['a']],
    [
      ['--failed-after', '2026-01-31T12:00:00Z'],
      ['c', 'b'],
    ],
    [['--failed-after', '2026-02-01'], []],
  ])('selects with %j', async (filters, receipts) => {
    const events = receipts.map((receiptId) => ({ receiptId }));
    const data = await dataOf(inbox.folder, 'list', ...filters);
    expect(data).toMatchObject({ command: 'inbox', action: 'list', ok: true, events });
    expect(data).toHaveProperty('events.length', receipts.length);
  });

  it('continues after a page', async () => {
    const first = await inboxIn(inbox.folder, 'list', '--page-size', '4');
    expect(first.out).toMatch(/^b-0 .*\nmore: --after \d+\n$/mu);
    const [, place = ''] = /--after (\d+)/u.exec(first.out) ?? [];
    for (const after of ['b-0', place]) {
      const second = await inboxIn(inbox.folder, 'list', '--page-size', '4', '--after', after);
      expect(second.out).toMatch(/^a-0 [^\n]*\n$/u);
    }
    const lost = await inboxIn(inbox.folder, 'list', '--after', 'unknown-0');
    expect(lost).toMatchObject({
      code: 1,
      error: expect.stringContaining('may have been deleted'),
    });
    expect((await inboxIn(inbox.folder, 'list', '--state', 'working')).out).toBe('no events\n');
  });
});

describe('countersign inbox shows why', () => {
  const rejection = {
    reason: 'schema',
    kinds: ['shipDocked', 'shipLeft'],
    violations: [
      { pointer: '/weight', keyword: 'type', message: 'must be integer' },
      { pointer: '', keyword: 'required', message: 'must have required property port' },
      { pointer: '/a', keyword: 'type', message: 'must be string' },
      { pointer: '/b', keyword: 'type', message: 'must be string' },
    ],
    omitted: 2,
  };

  async function createRejected(): Promise<TestInbox> {
    const inbox = await createTestInbox();
    await inbox.receive('a', { orderKey: 'tern' });
    await inbox.receive('b', { orderKey: 'tern' });
    const [held] = await inbox.store.claim({ owner: 'test', maxEvents: 1, leaseMs: 1000 });
    if (held === undefined) throw new Error('expected a claim');
    const error = 'WebhookError [invalid-delivery]';
    await inbox.store.bury(held, { error, rejection, afterDeadLetter: 'wait' });
    return inbox;
  }

  it('a delivery was rejected, and what waits behind it', async () => {
    await using inbox = await createRejected();
    expect((await inboxIn(inbox.folder, 'list', '--state', 'dead')).out).toBe(
      'a-0  dead       2026-01-31T12:00:00.000Z  shipDocked|shipLeft?  key tern  1 failure  ' +
        'WebhookError [invalid-delivery]  schema: /weight type, required, /a type, 3 more\n',
    );
    expect((await inboxIn(inbox.folder, 'show', 'a-0')).out).toBe(
      [
        'event          a-0',
        'state          dead',
        'could be       shipDocked, shipLeft',
        'key            tern',
        'received       2026-01-31T12:00:00.000Z',
        'failures       1',
        'interruptions  0',
        'last error     WebhookError [invalid-delivery]',
        'last failure   2026-01-31T12:00:00.000Z',
        'violates       schema',
        '               /weight must be integer (type)',
        '               the body must have required property port (required)',
        '               /a must be string (type)',
        '               /b must be string (type)',
        '               2 more',
        'waits for      an operator, who retries or discards it',
        'finished       2026-01-31T12:00:00.000Z',
        '',
        'payload hidden: --reveal shows it, and records who read it',
        '',
      ].join('\n'),
    );
    expect((await inboxIn(inbox.folder, 'show', 'b-0')).out).toContain(
      'waits for      a-0, a dead letter of its key: retry or discard it\n',
    );
    const blocker = { id: 'a-0', state: 'dead' };
    const [data, list] = [
      await dataOf(inbox.folder, 'show', 'b-0'),
      await dataOf(inbox.folder, 'list'),
    ];
    expect(data).toMatchObject({ event: { waitsFor: blocker } });
    expect(list).toMatchObject({ events: [{ waitsFor: blocker }, { rejection }] });
  });

  it('events wait, in each state', async () => {
    await using inbox = await createTestInbox();
    await inbox.receive('a', { orderKey: 'tern', kind: 'shipDocked' });
    await inbox.receive('b', { orderKey: 'tern' });
    const waitOf = async (id: string): Promise<string | undefined> =>
      /^waits for +(.*)$/mu.exec((await inboxIn(inbox.folder, 'show', id)).out)?.[1];
    expect(await waitOf('a-0')).toBe('a worker');
    expect(await waitOf('b-0')).toBe('a-0 (shipDocked) of its key, which is handled first');
    const [held] = await inbox.store.claim({ owner: 'test', maxEvents: 1, leaseMs: 1000 });
    expect(await waitOf('b-0')).toBe(
      'a-0 (shipDocked) of its key, which is in work, with a lease until 2026-01-31T12:00:01.000Z',
    );
    expect((await inboxIn(inbox.folder, 'show', 'a-0')).out).toContain(
      'lease until    2026-01-31T12:00:01.000Z\n',
    );
    if (held !== undefined) await inbox.store.release([held]);
    await inbox.work({ a: 'retry' });
    expect(await waitOf('a-0')).toBe('the time of its next attempt, 2026-01-31T12:01:00.000Z');
    expect(await waitOf('b-0')).toBe(
      'a-0 (shipDocked) of its key, which failed and is tried again at 2026-01-31T12:01:00.000Z',
    );
  });

  it('in lines that fit a terminal', async () => {
    await using inbox = await createRejected();
    await inbox.receive('c', { kind: '荷'.repeat(200) });
    let out = '';
    const print = async (columns: number): Promise<readonly string[]> => {
      out = '';
      await run(['inbox', 'list', '--store', 'inbox.db', '--no-color'], {
        folder: inbox.folder,
        environment: {},
        outIsTerminal: true,
        errorIsTerminal: true,
        columns,
        out: (text) => void (out += text),
        error: () => undefined,
      });
      return out.split('\n');
    };
    for (const columns of [10, 40, 80])
      for (const line of await print(columns))
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(out).toMatch(/^c-0 {2}ready {6} +\d+ d {2}荷+…\n/u);
    expect(out).toContain(
      '  1 failure  WebhookError [invalid-delivery]  schema: /weight type, req',
    );
  });

  it('but not the failures of an event that is handled by now', async () => {
    await using inbox = await createMixed();
    await inboxIn(inbox.folder, 'retry', 'b-0');
    await inbox.work({ b: 'done' });
    const { out } = await inboxIn(inbox.folder, 'list', 'b-0');
    expect(out).toBe('b-0  done       2026-01-31T12:00:00.000Z  shipDocked  key tern\n');
  });
});

describe('countersign inbox export', () => {
  it('writes one line of JSON for each event, newest first, without payloads', async () => {
    await using inbox = await createMixed();
    const { code, out, error } = await inboxIn(inbox.folder, 'export');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const lines = out.trimEnd().split('\n');
    const listed = (await dataOf(inbox.folder, 'list')) as { readonly events: readonly unknown[] };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed.events);
    expect(lines).toHaveLength(5);
    expect(out).not.toContain('gull"}');
    expect((await inboxIn(inbox.folder, 'export', '--kind', 'none')).out).toBe('');
    expect(await inbox.store.audit()).toEqual([]);
  });

  it('has payloads on purpose, with a warning, and records each of them', async () => {
    await using inbox = await createMixed();
    const parameters = ['export', '--key', 'tern', '--payloads', '--by', 'ana'];
    const { code, out, error } = await inboxIn(inbox.folder, ...parameters);
    expect({ code, error }).toEqual({
      code: 0,
      error:
        'countersign: The export has payloads, with personal data. The inbox records who reveals them.\n',
    });
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { id: 'd-0', body: '{"ship":"gull"}', bodyEncoding: 'utf8', waitsFor: { id: 'b-0' } },
      { id: 'b-0', body: '{"ship":"gull"}', target: '/hooks/ships' },
    ]);
    const audit = await inbox.store.audit();
    expect(audit.map(({ by, action, eventId }) => `${by} ${action} ${eventId}`).toSorted()).toEqual(
      ['ana reveal b-0', 'ana reveal d-0'],
    );
  });

  it('leaves out what is encrypted or damaged, and says so', async () => {
    await using inbox = await createTestInbox();
    const reversed = (bytes: Uint8Array): Uint8Array => bytes.toReversed();
    const encrypted = encryptedStore(inbox.store, { encrypt: reversed, decrypt: reversed });
    const sent = {
      receivedAt: 0,
      method: 'POST',
      target: '/hooks',
      headers: [],
      body: Buffer.from('{"secret":1}'),
      events: [{}],
    };
    await encrypted.receive({ ...sent, id: 'a' });
    await encrypted.receive({ ...sent, id: 'b' });
    await inbox.receive('c', {});
    const database = new DatabaseSync(join(inbox.folder, 'inbox.db'));
    database.exec("UPDATE inbox_receipts SET headers = '{bad' WHERE id = 'b'");
    database.close();
    const { code, out, error } = await inboxIn(inbox.folder, 'export', '--payloads', '--by', 'ana');
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { id: 'c-0', body: '{"ship":"gull"}' },
      { id: 'b-0', payloadWithheld: 'unreadable' },
      { id: 'a-0', payloadWithheld: 'encrypted' },
    ]);
    expect(lines[2]).not.toHaveProperty('body');
    expect(error).toContain(
      '1 event without payload: it is encrypted, and the command has no key.',
    );
    expect(error).toContain('1 event without payload: it is damaged.');
  });

  it('reads no further when its reader is gone, and waits for a slow one', async () => {
    await using inbox = await createTestInbox();
    const events = Array.from({ length: 1200 }, () => ({}));
    await inbox.store.receive({
      id: 'a',
      receivedAt: 0,
      method: 'POST',
      target: '/hooks',
      headers: [],
      body: Buffer.from('{}'),
      events,
    });
    const exported = async (parts: number): Promise<Run & { readonly writeCount: number }> => {
      let [out, error, writeCount] = ['', '', 0];
      const code = await run(['inbox', 'export', '--store', 'inbox.db'], {
        folder: inbox.folder,
        environment: {},
        outIsTerminal: false,
        errorIsTerminal: false,
        columns: 80,
        outIsReady: async () => writeCount < parts,
        out: (text) => {
          out += text;
          writeCount += 1;
        },
        error: (text) => void (error += text),
      });
      return { code, out, error, writeCount };
    };
    expect(await exported(1)).toMatchObject({ code: 0, error: '', writeCount: 1 });
    const all = await exported(Infinity);
    expect(all.writeCount).toBe(3);
    const ids = all.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(events.map((_, index) => `a-${events.length - 1 - index}`));
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
    const { code, out } = await inboxIn(
      inbox.folder,
      'retry',
      '--state',
      'dead',
      '--yes',
      '--by',
      'ana',
    );
    expect({ code, out }).toEqual({ code: 0, out: '1 event to be handled again\n' });
    expect(await states(inbox)).toMatchObject({ a: 'done', b: 'ready', c: 'retry' });
    expect(await inbox.store.audit()).toMatchObject([
      { by: 'ana', action: 'retry', eventId: 'b-0' },
    ]);
  });

  it('replay handled events with --again only', async () => {
    await using inbox = await createMixed();
    const without = await inboxIn(inbox.folder, 'replay', '--kind', 'shipDocked', '--yes');
    expect(without.out).toBe(
      '1 event to be handled again\nOnly --again includes events that were handled.\n',
    );
    expect(await states(inbox)).toMatchObject({ a: 'done', b: 'ready' });
    const preview = await inboxIn(inbox.folder, 'replay', '--kind', 'shipDocked', '--again');
    expect(preview.out).toContain('their effects are repeated.\nNothing was changed.');
    expect(await dataOf(inbox.folder, 'replay', 'a-0', '--again', '--by', 'ben')).toEqual({
      command: 'inbox',
      action: 'replay',
      ok: true,
      confirmed: true,
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

  it('show what they would change, and change nothing without --yes', async () => {
    await using inbox = await createMixed();
    const before = await states(inbox);
    const times = 'received from 2026-01-31T12:00:00.000Z to 2026-01-31T12:00:00.000Z';
    expect(await inboxIn(inbox.folder, 'retry', '--received-after', '2026-01-31')).toEqual({
      code: 0,
      error: '',
      out: [
        `2 events to retry, ${times}`,
        '  1  dead       shipDocked',
        '  1  retry      shipLeft',
        'Nothing was changed. Add --yes to retry them.',
        '',
      ].join('\n'),
    });
    expect((await inboxIn(inbox.folder, 'discard', '--state', 'dead')).out).toContain(
      'Nothing was changed. Add --yes to discard it.\n',
    );
    expect((await inboxIn(inbox.folder, 'discard', '--state', 'done')).out).toBe(
      'no events to discard\n',
    );
    expect(await dataOf(inbox.folder, 'replay', '--all', '--again')).toMatchObject({
      confirmed: false,
      changed: 0,
      preview: { events: 3, oldestReceivedAt: Date.parse('2026-01-31T12:00:00Z') },
    });
    expect(await inboxIn(inbox.folder, 'retry', '--state', 'dead', '--quiet')).toMatchObject({
      code: 2,
      error: expect.stringContaining('Add --yes to retry the events, or leave out --quiet.'),
    });
    expect(await states(inbox)).toEqual(before);
    expect(await inbox.store.audit()).toEqual([]);
  });

  it('act on every event only with --all and --yes', async () => {
    await using inbox = await createMixed();
    const before = await states(inbox);
    for (const action of ['retry', 'replay', 'discard']) {
      const unfiltered = await inboxIn(inbox.folder, action, '--yes');
      expect({ code: unfiltered.code, error: unfiltered.error }).toEqual({
        code: 2,
        error: expect.stringContaining('or all of them with --all'),
      });
      expect((await inboxIn(inbox.folder, action, '--all')).out).toContain('Nothing was changed.');
    }
    expect(await states(inbox)).toEqual(before);
    expect((await inboxIn(inbox.folder, 'discard', '--all', '--yes')).out).toBe(
      '4 events discarded\n',
    );
    expect((await inboxIn(inbox.folder, 'replay', '--all', '--again', '--yes')).out).toBe(
      // Discarded events are not among them.
      '1 event to be handled again\n',
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
  const [held] = await inbox.store.claim({ owner: 'test', maxEvents: 1, leaseMs: 1000 });
  if (held === undefined) throw new Error('expected a claim');
  const rejection = {
    reason: hostile,
    kinds: [hostile],
    violations: [{ pointer: hostile, keyword: hostile, message: hostile }],
    omitted: 0,
  };
  await inbox.store.bury(held, { error: hostile, rejection, afterDeadLetter: 'wait' });
  await inbox.receive('b', { orderKey: hostile });
  await inbox.store.reveal('a-0', hostile);
  for (const parameters of [
    ['list'],
    ['export'],
    ['export', '--payloads', '--by', hostile],
    ['retry', '--state', 'dead'],
    ['show', 'b-0'],
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
  expect(await dataOf(inbox.folder, 'list')).toMatchObject({
    events: [{ waitsFor: { kind: hostile } }, { kind: hostile, rejection }],
  });
});

describe('countersign inbox refuses', () => {
  it.each<[readonly string[], string]>([
    [['list'], 'Give the file or the URL of the inbox with --store.'],
    [['list', '--store', 'inbox.db', '--state', 'died'], 'Allowed choices are ready, waiting,'],
    [
      ['list', '--store', 'inbox.db', '--page-size', '0'],
      '--page-size requires a whole number from 1 to 10000',
    ],
    [['list', '--store', 'inbox.db', '--received-before', 'today'], 'ISO 8601'],
    [['list', '--store', 'inbox.db', '--received-before', '2026-13-01'], 'ISO 8601'],
    [['list', '--store', 'inbox.db', '--received-after', '2026-02-30'], '--received-after must be'],
    [['list', '--store', 'inbox.db', '--failed-after', '12:00'], '--failed-after must be'],
    [['list', '--store', 'inbox.db', '--payloads'], '`inbox list` does not take --payloads.'],
    [
      ['export', '--store', 'inbox.db', '--page-size', '1'],
      '`inbox export` does not take --page-size.',
    ],
    [['show', '--store', 'inbox.db', 'a-0', '--failed-after', '2026-01-01'], 'does not take'],
    [['list', '--store', 'inbox.db', '--by', 'ana'], '`inbox list` does not take --by.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--page-size', '1'], 'does not take --page-size.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--again'], 'does not take --again.'],
    [['retry', '--store', 'inbox.db', 'a-0', '--all'], 'Leave out the identifier.'],
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
  ])('%s that is not an inbox, and does not change it', async (_, create) => {
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

  it.each([1, 2])('an inbox of version %i, which it does not update', async (version) => {
    await using inbox = await createTestInbox();
    const database = new DatabaseSync(join(inbox.folder, 'inbox.db'));
    database.exec(
      `DELETE FROM inbox_schema WHERE version > ${version}; ALTER TABLE inbox_events DROP COLUMN rejection`,
    );
    const { code, error } = await inboxIn(inbox.folder, 'list');
    expect({ code, error }).toEqual({
      code: 1,
      error: expect.stringContaining(
        `schema version ${version}, and this program needs 3. Start its application`,
      ),
    });
    const versions = database.prepare('SELECT max(version) AS version FROM inbox_schema').all();
    database.close();
    expect(versions).toEqual([{ version }]);
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
