import { checkLease } from '../check-lease.ts';
import { passFailpoint } from '../failpoint.ts';
import { PayloadCache } from '../payloads.ts';
import { checkContent, isReplacement } from '../replacement.ts';
import type { InboxStore } from '../store.ts';
import { referenceOf } from './claims.ts';
import type { Commit } from './commit.ts';
import { createEffects } from './effects.ts';
import { readSettings, type SqliteStoreOptions } from './options.ts';
import { startWriter } from './writer.ts';

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
 * @throws InboxError `unsafe-durability`, `invalid-option`
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const settings = readSettings(path, options);
  const { clock = Date.now } = options;
  const writer = startWriter(settings);
  const effects = createEffects(settings, writer);
  const payloads = new PayloadCache();
  const listeners = new Set<() => void>();
  let lastClaim = Infinity;

  return {
    async receive(receipt, { maxBacklog } = {}) {
      const events = await writer.call(
        'receive',
        // The copy is exact: a view of a larger buffer would be cloned with all of it.
        { ...receipt, body: new Uint8Array(receipt.body) },
        maxBacklog,
      );
      if (events.some(({ status }) => status === 'stored'))
        for (const listener of listeners) listener();
      return events;
    },
    async claim({ owner, limit, leaseMs }) {
      checkLease(leaseMs);
      const now = clock();
      // The first claim of a process cannot know what the clock was before.
      const setBack = lastClaim === Infinity || now < lastClaim - clockToleranceMs;
      lastClaim = now;
      if (setBack) await writer.call('correctClock', now);
      return await payloads.claim(limit, (known) =>
        writer.call('claim', { owner, limit, leaseMs, now, known }),
      );
    },
    async extend(claims, leaseMs) {
      checkLease(leaseMs);
      return await writer.call('extend', claims.map(referenceOf), clock() + leaseMs);
    },
    async complete(claim, handle) {
      const result = await handle({});
      if (isReplacement(result)) {
        checkContent(result.replaceBy);
        const replaced = await writer.call('replace', referenceOf(claim), result.replaceBy);
        return replaced ? 'replaced' : 'lost';
      }
      const commits = [result].flat().filter((one) => one !== undefined);
      passFailpoint('handle:before-completion');
      const reference = referenceOf(claim);
      const completed =
        commits.length === 0
          ? await writer.call('complete', reference, clock())
          : await effects.apply(commits, reference, clock());
      passFailpoint('handle:after-completion');
      return completed ? 'completed' : 'lost';
    },
    async fail(claim, { error, at }) {
      const failure = { error, at, now: clock() };
      const recorded = await writer.call('fail', referenceOf(claim), failure);
      return recorded ? 'recorded' : 'lost';
    },
    async bury(claim, { error, after }) {
      const failure = { error, after, now: clock() };
      const recorded = await writer.call('bury', referenceOf(claim), failure);
      return recorded ? 'recorded' : 'lost';
    },
    release: async (claims) => await writer.call('release', claims.map(referenceOf)),
    stats: async () => await writer.call('stats', clock()),
    list: async (filter = {}, { limit = 100, after } = {}) =>
      await writer.call('list', filter, limit, after),
    get: async (id) => await writer.call('get', id),
    reveal: async (id, by) => await writer.call('reveal', id, { by, now: clock() }),
    retry: async (filter, by) => await writer.call('retry', filter, { by, now: clock() }),
    replay: async (filter, by) => await writer.call('replay', filter, { by, now: clock() }),
    discard: async (filter, by) => await writer.call('discard', filter, { by, now: clock() }),
    delete: async (request, by) => await writer.call('delete', request, { by, now: clock() }),
    audit: async (limit = 100) => await writer.call('audit', limit),
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await writer.close();
      effects.close();
    },
  };
}
