import type { Claim, InboxStore, Receipt, ReceivedEvent } from '@countersign/runtime/inbox';

/** A store on fresh data, with a table of effects and a clock that the test sets. */
export interface StoreHarness<Scope, Result> extends AsyncDisposable {
  readonly store: InboxStore<Scope, Result>;
  readonly clock: { now: number };
  /** Opens the same data as another process would. */
  another(): InboxStore<Scope, Result>;
  /** Returns a handler that writes one row of effect. */
  effect(value: string): (scope: Scope) => Promise<Result>;
  /** Returns a handler that writes one row of effect and then fails in the same transaction. */
  failingEffect(value: string, error: Error): (scope: Scope) => Promise<Result>;
  /** Makes the stored headers of a receipt unreadable, as another program could. */
  damage(receiptId: string): Promise<void>;
  /** Returns a handler without effect. */
  readonly none: (scope: Scope) => Promise<Result>;
  /** Applies a version of the schema that only this test has. */
  addVersion(): Promise<void>;
  /** Reads the rows of effect in the order of their transactions. */
  effects(): Promise<readonly string[]>;
}

/** Opens a store on fresh data. */
export type OpenHarness<Scope, Result> = () => Promise<StoreHarness<Scope, Result>>;

let receipts = 0;

/** Returns a receipt with the given events. Its body is its number. */
export function receipt(...events: readonly ReceivedEvent[]): Receipt {
  receipts += 1;
  return {
    id: `receipt${receipts}`,
    receivedAt: 1000,
    method: 'POST',
    target: `/hooks?number=${receipts}`,
    headers: [['x-number', String(receipts)]],
    body: Buffer.from(String(receipts)),
    events,
  };
}

/** Claims with the usual lease. */
export async function claim<Scope, Result>(
  store: InboxStore<Scope, Result>,
  limit = 10,
): Promise<readonly Claim[]> {
  return await store.claim({ owner: 'worker', maxEvents: limit, leaseMs: 20_000 });
}

/** Claims exactly one event. */
export async function claimOne<Scope, Result>(store: InboxStore<Scope, Result>): Promise<Claim> {
  const [only, ...furtherClaims] = await claim(store, 1);
  if (only === undefined || furtherClaims.length > 0) throw new Error('expected one claim');
  return only;
}

/** Returns the SQL of versions of the schema that only tests have. */
export function testVersions(count: number): readonly string[] {
  return [
    'ALTER TABLE inbox_events ADD COLUMN priority INTEGER NOT NULL DEFAULT 0',
    'CREATE TABLE inbox_third (id INTEGER)',
  ].slice(0, count);
}
