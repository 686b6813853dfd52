import {
  createWorker,
  InboxError,
  type InboxHandler,
  type InboxStore,
} from '@countersign/runtime/inbox';
import { describe, expect, test } from 'vitest';
import { receipt, type StoreHarness } from './store-harness.ts';

/** A way in which a handler fails, and what is stored about it. */
export interface HandlerFailure<Scope, Result> {
  readonly cause: string;
  readonly error: string;
  readonly handle: (scope: Scope) => Promise<Result>;
}

/** Returns the failures that every store has to count. */
export function commonFailures<Scope, Result>(
  other: () => InboxStore<unknown, unknown>,
): readonly HandlerFailure<Scope, Result>[] {
  return [
    {
      cause: 'a second inbox that fails',
      error: 'InboxError [store-failed]',
      handle: async () => {
        await other().receive(receipt({}));
        throw new Error('the second inbox must fail');
      },
    },
    {
      cause: 'a second inbox that is closed',
      error: 'InboxError [closed]',
      handle: async () => {
        await other().close();
        await other().stats();
        throw new Error('the second inbox must fail');
      },
    },
  ];
}

/** Tests that a failure of each kind is counted, and that the event is a dead letter after its last attempt. */
export function describeFailures<
  Scope,
  Result,
  Harness extends StoreHarness<Scope, Result> = StoreHarness<Scope, Result>,
>(
  name: string,
  open: () => Promise<Harness>,
  failures: (harness: Harness) => Promise<readonly HandlerFailure<Scope, Result>[]>,
  causes: readonly string[],
): void {
  describe(`${name}: a failure that a handler causes is counted`, () => {
    test.each(causes)('%s', async (cause) => {
      await using harness = await open();
      const failure = (await failures(harness)).find((failure) => failure.cause === cause);
      if (failure === undefined) throw new Error('expected this cause');
      await harness.store.receive(receipt({ kind: 'first', orderKey: 'a' }));
      await harness.store.receive(receipt({ kind: 'second', orderKey: 'a' }));
      const { runs, errors } = await workUntilDead(harness, (_, scope) => failure.handle(scope));
      expect(runs).toBe(3);
      expect(errors).toEqual([]);
      expect((await harness.store.list()).events).toMatchObject([
        { kind: 'first', state: 'dead', attempts: 3, interruptions: 0, error: failure.error },
        { kind: 'second', state: 'waiting', attempts: 0 },
      ]);
      expect(await harness.effects()).toEqual([]);
    });
  });
}

/** Handles events until one is dead. Returns how often the handler ran, and what the worker reported. */
async function workUntilDead<Scope, Result>(
  { store, clock }: StoreHarness<Scope, Result>,
  handle: InboxHandler<Scope, Result>,
): Promise<{ runs: number; errors: readonly unknown[] }> {
  const dead = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  let runs = 0;
  const worker = createWorker<Scope, Result>({
    store,
    retry: { firstDelayMs: 0, attempts: 3 },
    clock: () => clock.now,
    pollIntervalMs: 5,
    handle: (event, context) => {
      runs += 1;
      // A failure that is not counted would be repeated without end.
      if (runs > 10) dead.reject(new Error('the handler ran too often'));
      return handle(event, context);
    },
    onEvent: () => undefined,
    onDeadLetter: () => dead.resolve(),
    onError: (error) => errors.push(error),
  });
  try {
    await dead.promise;
  } finally {
    await worker.close();
  }
  return { runs, errors };
}

/** An error with the code of a failing store. */
export function storeFailure(): InboxError {
  return new InboxError('store-failed', 'another store failed');
}
