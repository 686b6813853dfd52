import { expect, test } from 'vitest';
import { createInbox, type InboxDelivery } from '@countersign/runtime/inbox';
import { openSqlite } from './sqlite/sqlite-harness.ts';

const delivery: InboxDelivery = {
  method: 'POST',
  target: '/hooks',
  headers: [
    ['X-Kind', 'shipped'],
    ['Authorization', 'Bearer secret'],
    ['cookie', 'session=secret'],
  ],
  body: Buffer.from('{}'),
  events: [{ identity: 'one' }],
};

test('a repetition is a duplicate', async () => {
  await using harness = await openSqlite();
  const inbox = createInbox({ store: harness.store });
  const first = await inbox.receive(delivery);
  expect(first.status).toBe('stored');
  expect(await inbox.receive(delivery)).toMatchObject({
    status: 'duplicate',
    events: [{ status: 'duplicate', id: `${first.receiptId}-0` }],
  });
  expect(await inbox.receive({ ...delivery, events: [{ identity: 'one' }, {}] })).toMatchObject({
    status: 'stored',
  });
});

test('headers with credentials are not stored', async () => {
  await using harness = await openSqlite();
  const { receiptId } = await createInbox({ store: harness.store }).receive(delivery);
  expect((await harness.store.reveal(`${receiptId}-0`, 'ana'))?.headers).toEqual([
    ['X-Kind', 'shipped'],
  ]);
});

test('a full backlog refuses deliveries', async () => {
  await using harness = await openSqlite();
  const inbox = createInbox({ store: harness.store, maxBacklogEvents: 1 });
  await inbox.receive(delivery);
  await expect(inbox.receive({ ...delivery, events: [{}] })).rejects.toMatchObject({
    code: 'backlog-full',
  });
});

test('a delivery without an event is refused', async () => {
  await using harness = await openSqlite();
  await expect(
    createInbox({ store: harness.store }).receive({ ...delivery, events: [] }),
  ).rejects.toMatchObject({ code: 'invalid-option' });
});

test('an invalid maximum backlog is refused', async () => {
  await using harness = await openSqlite();
  for (const maxBacklogEvents of [0, 1.5, Number.NaN])
    expect(() => createInbox({ store: harness.store, maxBacklogEvents })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
});
