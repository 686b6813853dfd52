import type { InboxStore } from '@countersign/runtime/inbox';
import { expect } from 'vitest';
import { claimOne } from './store-harness.ts';

/** The values of the columns of events that version 2 of the schema has, without that of their receipt. */
export const eventsOfVersion2 = {
  columns:
    'position, received_at, kind, state, retry_at, failed_at, attempts, claims, error, finished_at',
  rows: [
    `(0, 0, 'full', 'ready', NULL, NULL, 0, 0, NULL, NULL)`,
    `(1, 0, 'other', 'ready', NULL, NULL, 0, 0, NULL, NULL)`,
    `(2, 0, 'tried', 'retry', 1, 1, 1, 1, 'Error', NULL)`,
    `(3, 0, 'buried', 'dead', NULL, 1, 20, 20, 'Error', 1)`,
    `(4, 0, 'handled', 'done', NULL, NULL, 0, 1, NULL, 1)`,
  ],
} as const;

/** Checks that what version 2 of the schema has stored can be claimed by its kind, is alerted, and is retried. */
export async function checkMigrated<Scope, Result>(
  store: InboxStore<Scope, Result>,
  none: (scope: Scope) => Promise<Result>,
): Promise<void> {
  const { events } = await store.list();
  expect(events.map(({ kind, state, rejection }) => [kind, state, rejection])).toEqual([
    ['full', 'ready', undefined],
    ['other', 'ready', undefined],
    ['tried', 'retry', undefined],
    ['buried', 'dead', undefined],
    ['handled', 'done', undefined],
  ]);
  const claims = await store.claim({
    owner: 'worker',
    maxEvents: 10,
    leaseMs: 20_000,
    kinds: [{ kind: 'full', maxEvents: 0, minRetries: 0, maxRetries: 0 }],
  });
  expect(new Set(claims.map(({ event }) => event.kind))).toEqual(new Set(['other', 'tried']));
  const alert = await store.claimAlert(1000);
  expect(alert).toMatchObject({
    event: { kind: 'buried', error: 'Error' },
    reference: { token: 20, attempt: 1 },
  });
  if (alert === undefined) throw new Error('expected an alert');
  await store.settleAlert(alert.reference, 'given');
  for (const held of claims) expect(await store.complete(held, none)).toBe('completed');
  expect(await store.complete(await claimOne(store), none)).toBe('completed');
  expect(await store.retry({ state: 'dead' }, 'ana')).toBe(1);
  expect((await claimOne(store)).event).toMatchObject({ kind: 'buried', attempts: 0 });
}
