import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import {
  createInbox,
  createWorker,
  encryptedStore,
  type FailedEvent,
  type InboxDelivery,
  type PayloadCipher,
} from '@countersign/runtime/inbox';
import { storeFolder } from '../../../output/store-folder.ts';
import { describeOperations } from './operations-conformance.ts';
import { openSqlite, type SqliteHarness } from './sqlite/sqlite-harness.ts';
import { describeStore } from './store-conformance.ts';
import { claimOne, receipt, type StoreHarness } from './store-harness.ts';

/** The example of the package's README. */
interface Example {
  aes256gcm(keys: ReadonlyMap<number, Uint8Array>, current: number): PayloadCipher;
}

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
let cipher: PayloadCipher;
let rotated: PayloadCipher;
let withoutOld: PayloadCipher;

beforeAll(async () => {
  const readme = await readFile(
    join(import.meta.dirname, '../../../../packages/runtime/inbox/README.md'),
    'utf8',
  );
  const [, example = ''] = readme.split('```ts\n// cipher\n');
  const folder = await mkdtemp(join(storeFolder(), 'countersign-cipher-'));
  try {
    const file = join(folder, 'cipher.ts');
    await writeFile(file, example.split('```', 1).join(''));
    const { aes256gcm } = (await import(/* @vite-ignore */ file)) as Example;
    cipher = aes256gcm(new Map([[1, oldKey]]), 1);
    rotated = aes256gcm(
      new Map([
        [1, oldKey],
        [2, newKey],
      ]),
      2,
    );
    withoutOld = aes256gcm(new Map([[2, newKey]]), 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function openEncrypted(): Promise<
  StoreHarness<object, Awaited<ReturnType<SqliteHarness['none']>>>
> {
  const harness = await openSqlite();
  return {
    ...harness,
    store: encryptedStore(harness.store, cipher),
    another: () => encryptedStore(harness.another(), cipher),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

describeStore('encrypted', openEncrypted);
describeOperations('encrypted', openEncrypted);

const delivery: InboxDelivery = {
  method: 'POST',
  target: '/hooks?name=Ana',
  headers: [['x-name', 'Ana']],
  body: Buffer.from('{"name":"Ana"}'),
  events: [{ kind: 'shipped' }],
};

test('neither the target, the headers nor the body is in the file', async () => {
  await using harness = await openSqlite();
  await createInbox({ store: encryptedStore(harness.store, cipher) }).receive(delivery);
  await harness.store.close();
  expect(await readFile(harness.path, 'latin1')).not.toContain('Ana');
  const plain = harness.another();
  const [stored] = (await plain.list()).events;
  expect(await plain.reveal(stored?.id ?? '', 'ana')).toMatchObject({
    target: 'countersign-encrypted/1',
    headers: [],
  });
});

test('after a rotation, old and new payloads are decrypted', async () => {
  await using harness = await openSqlite();
  const before = encryptedStore(harness.store, cipher);
  const after = encryptedStore(harness.store, rotated);
  const old = await createInbox({ store: before }).receive(delivery);
  const young = await createInbox({ store: after }).receive(delivery);
  for (const { receiptId } of [old, young])
    expect(await after.reveal(`${receiptId}-0`, 'ana')).toMatchObject({
      target: '/hooks?name=Ana',
      headers: [['x-name', 'Ana']],
      body: Uint8Array.from(delivery.body),
    });
  const onlyNew = encryptedStore(harness.store, withoutOld);
  expect(await onlyNew.reveal(`${young.receiptId}-0`, 'ana')).toBeDefined();
  await expect(onlyNew.reveal(`${old.receiptId}-0`, 'ana')).rejects.toMatchObject({
    code: 'decryption-failed',
  });
});

test('a payload of another receipt is not accepted', async () => {
  await using harness = await openSqlite();
  const store = encryptedStore(harness.store, cipher);
  await store.receive(receipt({ kind: 'first' }));
  await store.receive(receipt({ kind: 'second' }));
  edit(harness, 'UPDATE inbox_receipts SET body = (SELECT body FROM inbox_receipts LIMIT 1)');
  const [first, second] = (await store.list()).events;
  await expect(store.reveal(first?.id ?? '', 'ana')).resolves.toBeDefined();
  await expect(store.reveal(second?.id ?? '', 'ana')).rejects.toMatchObject({
    code: 'decryption-failed',
  });
});

test('an event that cannot be decrypted becomes a dead letter, and others are handled', async () => {
  await using harness = await openSqlite();
  const { clock } = harness;
  const store = encryptedStore(harness.store, cipher);
  await store.receive(receipt({ kind: 'corrupted' }));
  edit(harness, 'UPDATE inbox_receipts SET body = substr(body, 1, length(body) - 1)');
  for (const kind of ['second', 'third']) await store.receive(receipt({ kind }));
  const handled: (string | undefined)[] = [];
  const buried = Promise.withResolvers<FailedEvent>();
  const errors: unknown[] = [];
  const worker = createWorker({
    store,
    retry: { firstDelayMs: 0, attempts: 3 },
    clock: () => clock.now,
    handle: async ({ kind }) => {
      handled.push(kind);
    },
    onDeadLetter: buried.resolve,
    onError: (error) => errors.push(error),
  });
  expect(await buried.promise).toMatchObject({
    event: { kind: 'corrupted', headers: [], body: new Uint8Array() },
    error: { code: 'decryption-failed' },
  });
  await expect.poll(() => handled).toEqual(['second', 'third']);
  await worker.close();
  expect(errors).toEqual([]);
  expect((await store.list()).events).toMatchObject([
    { state: 'dead', attempts: 3, error: 'InboxError [decryption-failed]' },
    { state: 'done' },
    { state: 'done' },
  ]);
});

test('an alert about a dead letter has the decrypted payload, or none', async () => {
  await using harness = await openSqlite();
  const store = encryptedStore(harness.store, cipher);
  const secret = { ...receipt({ kind: 'first' }), body: Buffer.from('secret') };
  await store.receive(secret);
  await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'wait' });
  const alert = await store.claimAlert(1000);
  expect(Buffer.from(alert?.event.body ?? []).toString()).toBe('secret');
  edit(harness, 'UPDATE inbox_receipts SET body = substr(body, 1, length(body) - 1)');
  harness.clock.now += 1000;
  const damaged = await store.claimAlert(1000);
  expect(damaged?.event).toMatchObject({ kind: 'first', headers: [], body: new Uint8Array() });
  if (damaged === undefined) throw new Error('expected an alert');
  await store.settleAlert(damaged.reference, 'given');
  harness.clock.now += 3_600_000;
  expect(await store.claimAlert(1000)).toBeUndefined();
});

test('alerts about a limited kind have the payload, and a rejection without names of members', async () => {
  await using harness = await openSqlite();
  const { clock } = harness;
  const store = encryptedStore(harness.store, cipher);
  for (const text of ['one', 'two'])
    await store.receive({ ...receipt({ kind: 'paid' }), body: Buffer.from(text) });
  const violation = { pointer: '/ana', keyword: 'type', message: 'must be a text' };
  const rejection = { reason: 'schema', kinds: ['paid'], violations: [violation], omitted: 0 };
  const handled: string[] = [];
  const letters: FailedEvent[] = [];
  const worker = createWorker({
    store,
    clock: () => clock.now,
    pollIntervalMs: 5,
    kinds: { paid: { concurrency: 1, retry: { attempts: 1 } } },
    handle: ({ body }) => {
      handled.push(Buffer.from(body).toString());
      throw Object.assign(new Error('invalid'), { rejection });
    },
    onDeadLetter: (letter) => {
      letters.push(letter);
      if (letters.length <= 2) throw new Error('The pager does not answer');
    },
    onError: () => undefined,
  });
  await expect.poll(() => letters).toHaveLength(2);
  expect(handled).toEqual(['one', 'two']);
  expect(letters[0]?.event).toMatchObject({ state: 'dead', rejection });
  clock.now += 1000;
  await expect.poll(() => letters).toHaveLength(4);
  await worker.close();
  const stored = { ...rejection, violations: [{ ...violation, pointer: undefined }] };
  expect(
    letters
      .slice(2)
      .map(({ event }) => [Buffer.from(event.body).toString(), event.rejection] as const)
      .toSorted(([left], [right]) => left.localeCompare(right)),
  ).toEqual([
    ['one', stored],
    ['two', stored],
  ]);
});

test('a decryption that does not end fails before the lease does', async () => {
  await using harness = await openSqlite();
  await encryptedStore(harness.store, cipher).receive(receipt({}));
  const store = encryptedStore(harness.store, {
    ...cipher,
    decrypt: async () => await new Promise(() => undefined),
  });
  const [held] = await store.claim({ owner: 'worker', maxEvents: 1, leaseMs: 20 });
  if (held === undefined) throw new Error('expected a claim');
  await expect(store.complete(held, harness.none)).rejects.toMatchObject({
    code: 'decryption-failed',
    cause: { name: 'TimeLimitError' },
  });
  expect(await store.fail(held, { error: 'failed', at: 0 })).toBe('recorded');
});

test('a delivery that cannot be encrypted is not stored', async () => {
  await using harness = await openSqlite();
  const broken = encryptedStore(harness.store, {
    ...cipher,
    encrypt: () => {
      throw new Error('unavailable');
    },
  });
  await expect(createInbox({ store: broken }).receive(delivery)).rejects.toMatchObject({
    code: 'encryption-failed',
  });
  expect((await harness.store.stats()).depth).toBe(0);
});

test('a payload without encryption is refused, unless that is allowed', async () => {
  await using harness = await openSqlite();
  await createInbox({ store: harness.store }).receive(delivery);
  const strict = encryptedStore(harness.store, cipher);
  const held = await claimOne(strict);
  await expect(strict.complete(held, harness.none)).rejects.toMatchObject({
    code: 'decryption-failed',
  });
  await strict.release([held]);
  const lenient = encryptedStore(harness.store, { ...cipher, allowUnencrypted: true });
  const accepted = await claimOne(lenient);
  expect(accepted.event.target).toBe(delivery.target);
  expect(await lenient.complete(accepted, harness.none)).toBe('completed');
});

/** Changes the database as another program could. */
function edit({ path }: SqliteHarness, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
