// A store in a file of SQLite, for one machine.

import { setTimeout as delay } from 'node:timers/promises';
import { sqliteDatabase } from '../sqlite-module.ts';
import { checkContent, checkLease, deleteInParts, isReplacement } from '../rows.ts';
import {
  type Claim,
  type EventFilter,
  type InboxOperations,
  type InboxStore,
  passFailpoint,
  PayloadCache,
} from '../store.ts';
import { referenceOf } from './claims.ts';
import { readSettings, type SqliteStoreOptions } from './database.ts';
import { type Commit, Effects } from './effects.ts';
import type { Act } from './operate.ts';
import { Writer } from './writer.ts';

export type { SqliteStoreOptions } from './database.ts';
export { commit, type Commit } from './effects.ts';

/** What a handler gets from this store beside its event: nothing. It returns `commit(…)` for effects. */
export type SqliteScope = object;

/** What a handler returns: the effect of its event, if it has one on the database of the inbox. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a handler without `return` is one without effect
export type SqliteResult = Commit | undefined | void;

/** A store in one SQLite file. */
export type SqliteStore = InboxStore<SqliteScope, SqliteResult>;

/** How far a clock can be set back without consequences, such as by NTP. */
const clockToleranceMs = 5000;

/**
 * Opens an inbox in a SQLite file, and creates the file if it does not exist. A thread writes receipts in groups, and
 * answers after the disk has them. Problems with the file are reported by the first operation.
 * @throws InboxError `unsafe-durability`, `invalid-option`; `unsupported-platform` where Node has no `node:sqlite`
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const settings = readSettings(path, options);
  sqliteDatabase();
  const { clock = () => Date.now() } = options;
  const writer = new Writer(settings);
  const effects = new Effects(settings, writer);
  const context: StoreContext = { writer, effects, clock };
  // Each method can be used without the store, which applications copy with `...store` to replace some.
  return {
    ...createReceivingMethods(context),
    ...createClaimingMethods(context),
    ...createOperatingMethods(context),
    complete: (claim, handle) => complete(context, claim, handle),
    claimAlert: async (leaseMs) => await writer.call('claimAlert', clock(), leaseMs),
    async settleAlert(alert, outcome) {
      const at = outcome === 'given' ? undefined : clock() + outcome.retryAfterMs;
      await writer.call('settleAlert', alert, at);
    },
    async close() {
      await writer.close();
      effects.close();
    },
  };
}

/** What the methods of one store share. */
interface StoreContext {
  readonly writer: Writer;
  readonly effects: Effects;
  readonly clock: () => number;
}

function createReceivingMethods({
  writer,
}: StoreContext): Pick<SqliteStore, 'receive' | 'tryToStore' | 'onStored'> {
  const listeners = new Set<() => void>();
  return {
    async receive(receipt, { maxBacklogEvents } = {}) {
      const events = await writer.call(
        'receive',
        // The copy is exact: a view of a larger buffer would be cloned with all of it.
        { ...receipt, body: new Uint8Array(receipt.body) },
        maxBacklogEvents,
      );
      if (events.some(({ status }) => status === 'stored'))
        for (const listener of listeners) listener();
      return events;
    },
    tryToStore: async () => await writer.call('tryToStore'),
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function createClaimingMethods({
  writer,
  clock,
}: StoreContext): Pick<
  SqliteStore,
  'claim' | 'hasInterrupted' | 'extend' | 'fail' | 'bury' | 'release'
> {
  const payloads = new PayloadCache();
  let lastClaim = Infinity;
  return {
    async claim(request) {
      checkLease(request.leaseMs);
      const now = clock();
      // The first claim of a process cannot know what the clock was before.
      const setBack = lastClaim === Infinity || now < lastClaim - clockToleranceMs;
      lastClaim = now;
      if (setBack) await writer.call('correctClock', now);
      return await payloads.claim(request.maxEvents, (cachedReceipts) =>
        writer.call('claim', { ...request, now, cachedReceipts }),
      );
    },
    hasInterrupted: async (alone) => await writer.call('hasInterrupted', clock(), alone),
    async extend(claims, leaseMs) {
      checkLease(leaseMs);
      return await writer.call('extend', claims.map(referenceOf), clock() + leaseMs);
    },
    async fail(claim, failed) {
      const failure = { ...failed, now: clock() };
      const recorded = await writer.call('fail', referenceOf(claim), failure);
      return recorded ? 'recorded' : 'lost';
    },
    async bury(claim, { alertLeaseMs, ...failed }) {
      const now = clock();
      const alert = alertLeaseMs === undefined ? {} : { alertAt: now + alertLeaseMs };
      const failure = { ...failed, now, ...alert };
      const recorded = await writer.call('bury', referenceOf(claim), failure);
      return recorded ? 'recorded' : 'lost';
    },
    release: async (claims) => await writer.call('release', claims.map(referenceOf)),
  };
}

async function complete(
  { writer, effects, clock }: StoreContext,
  claim: Claim,
  handle: Parameters<SqliteStore['complete']>[1],
): Promise<'completed' | 'replaced' | 'lost'> {
  const result = await handle({});
  if (isReplacement(result)) {
    checkContent(result.replaceBy);
    const replaced = await writer.call('replace', referenceOf(claim), result.replaceBy);
    return replaced ? 'replaced' : 'lost';
  }
  const commits = [result].flat().filter((commit) => commit !== undefined);
  passFailpoint('handle:before-completion');
  const reference = referenceOf(claim);
  const completed =
    commits.length === 0
      ? await writer.call('complete', reference, clock())
      : await effects.apply(commits, reference, clock());
  passFailpoint('handle:after-completion');
  return completed ? 'completed' : 'lost';
}

function createOperatingMethods({ writer, clock }: StoreContext): InboxOperations {
  const actOf = (by: string): Act => ({ by, now: clock() });
  /** Changes the events of a filter in several transactions. */
  const change = async (
    action: 'retry' | 'replay' | 'discard',
    filter: EventFilter,
    by: string,
  ): Promise<number> => {
    let events = 0;
    let after: number | undefined = 0;
    while (after !== undefined) {
      const from: number = after;
      const part = await giveWay(() => writer.call(action, filter, actOf(by), from));
      events += part.events;
      after = part.last;
    }
    return events;
  };
  return {
    stats: async () => await writer.call('stats', clock()),
    list: async (filter = {}, page = {}) => await writer.call('list', filter, page),
    preview: async (action, filter) => await writer.call('preview', action, filter),
    get: async (id) => await writer.call('get', id),
    reveal: async (id, by) => await writer.call('reveal', id, actOf(by)),
    retry: (filter, by) => change('retry', filter, by),
    replay: (filter, by) => change('replay', filter, by),
    discard: (filter, by) => change('discard', filter, by),
    delete: (request, by) =>
      deleteInParts(request, (part) => giveWay(() => writer.call('delete', part, actOf(by)))),
    audit: async (pageSize = 100) => await writer.call('audit', pageSize),
    pruneAudit: async (request) => await giveWay(() => writer.call('pruneAudit', request)),
  };
}

/**
 * Runs a long transaction, then waits for as long as it took. Another process that writes looks for the lock from time
 * to time, and would seldom find it free otherwise.
 */
async function giveWay<Result>(run: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await run();
  await delay(Math.min(performance.now() - start, 1000));
  return result;
}
