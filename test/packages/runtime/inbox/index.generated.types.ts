import { createInbox } from '@countersign/runtime/inbox';
import { commit, sqliteStore, type Commit } from '@countersign/runtime/inbox/sqlite';
import {
  createMemoryReplayStore,
  createWebhooks,
  unauthenticated,
} from '@instant-payment/webhooks';
import { handOver } from '@instant-payment/webhooks/deviations';
import { createWorker, type EventContext } from '@instant-payment/webhooks/worker';

const inbox = createInbox({ store: sqliteStore('inbox.db') });
const authenticate = unauthenticated();
const ignore = (): undefined => undefined;
const effect = (): Commit => commit(() => undefined);

/** Compiled with everything else, never run. */
export function use(): void {
  createWebhooks({ authenticate, inbox, orderBy: ({ kind }) => kind ?? undefined });
  createWebhooks({ authenticate, on: {}, otherwise: { rest: ignore }, onInvalid: ignore });
  createWorker({
    inbox,
    on: { cashoutStageTwo: ({ data }) => (data.Pix.Status === 1 ? effect() : undefined) },
    otherwise: { rest: async ({ kind }, { id }) => void `${kind} ${id}` },
    onInvalid: () => ({ accept: effect() }),
    concurrency: 4,
    kinds: {
      cashoutStageTwo: { concurrency: 1, attemptTimeoutMs: 1000, retry: { attempts: 2 } },
      customer: { retry: { firstDelayMs: 1, factor: 2, maxDelayMs: 10, jitter: 0 } },
    },
  });
  createWorker({
    inbox,
    on: {
      cashoutStageOne: (_, { retryAt }) => retryAt(new Date(), 'The bank is closed'),
      cashoutStageTwo: ({ data }, context) =>
        data.Pix.Status === 1 ? effect() : context.deadLetter('The account is closed'),
      customer: async (_, { completeWithoutEffect, extendTimeout }) => {
        extendTimeout(1000);
        await Promise.resolve();
        completeWithoutEffect();
      },
    },
    otherwise: { rest: ignore },
    onInvalid: (_, { deadLetter }) => deadLetter('The sender no longer exists'),
  });
}

/** What deviates is `unknown`, for its own handler. */
export function useDeviations(): void {
  createWebhooks({
    authenticate,
    on: {},
    otherwise: { rest: ignore },
    onInvalid: ({ kinds, reason }) => {
      const [kind = 'customer'] = kinds;
      return reason === 'schema' && kind === 'charge' ? 'accept' : undefined;
    },
    deviations: handOver({
      customer: ({ kind, data, violations: [first] }, { id }) => {
        const name: 'customer' = kind;
        // @ts-expect-error: the data has no type
        return [name, data.protocolId, first?.message, id];
      },
    }),
  });
  const reactions = { on: {}, otherwise: { rest: ignore }, onInvalid: ignore };
  createWorker({
    inbox,
    ...reactions,
    deviations: handOver({
      // A worker cannot know the type of the context before that of its options.
      cashoutStageOneOrCashoutStageTwo: ({ kinds }, { id, deadLetter }: EventContext) =>
        kinds.length > 1 ? effect() : deadLetter(id),
    }),
  });
  // @ts-expect-error: not a kind
  handOver({ sale: ignore });
  const deviations = handOver({ customer: () => 'x' });
  // @ts-expect-error: a worker hands deliveries over
  createWebhooks({ authenticate, inbox, deviations });
  // @ts-expect-error: the effect of a handler is that of the store
  createWorker({ inbox, ...reactions, deviations });
  createWebhooks({
    authenticate,
    ...reactions,
    // @ts-expect-error: the contract has no such kind
    onInvalid: ({ kinds: [kind] }) => (kind === 'sale' ? 'accept' : undefined),
  });
  const dead = handOver({ customer: (_, { deadLetter }: EventContext) => deadLetter('x') });
  // @ts-expect-error: a receiver has no dead letters
  createWebhooks({ authenticate, ...reactions, deviations: dead });
}

/** Each line below an `@ts-expect-error` has to be an error. */
export function misuse(): void {
  // @ts-expect-error: a receiver authenticates
  createWebhooks({ inbox });
  // @ts-expect-error: the handlers belong to the worker
  createWebhooks({ authenticate, inbox, on: {}, otherwise: { rest: ignore }, onInvalid: ignore });
  // @ts-expect-error: the handlers belong to the worker
  createWebhooks({ authenticate, inbox, onInvalid: ignore });
  // @ts-expect-error: the inbox recognizes duplicates
  createWebhooks({ authenticate, inbox, replayStore: createMemoryReplayStore() });
  // @ts-expect-error: the worker has a time limit for each attempt
  createWebhooks({ authenticate, inbox, handlerTimeoutMs: 1000 });
  // @ts-expect-error: the inbox has the leases
  createWebhooks({ authenticate, inbox, leaseMs: 1000 });
  // @ts-expect-error: a worker handles every kind
  createWorker({ inbox, on: {}, otherwise: ignore, onInvalid: ignore });
  // @ts-expect-error: a worker handles invalid deliveries
  createWorker({ inbox, on: {}, otherwise: { rest: ignore } });
  createWorker({
    inbox,
    // @ts-expect-error: the store takes only what `commit` returns
    on: { customer: () => 'done' },
    otherwise: { rest: ignore },
    onInvalid: ignore,
  });
  createWorker({
    inbox,
    on: {
      // @ts-expect-error: a time is a Date, and not a delay
      cashoutStageOne: (_, { retryAt }) => retryAt(5000, 'The bank is closed'),
      // @ts-expect-error: operators see a reason
      cashoutStageTwo: (_, { deadLetter }) => deadLetter(),
      // @ts-expect-error: a decision is a call
      customer: (_, { completeWithoutEffect }) => completeWithoutEffect,
    },
    otherwise: { rest: ignore },
    onInvalid: ignore,
  });
  const reactions = { inbox, on: {}, otherwise: { rest: ignore }, onInvalid: ignore };
  createWorker({
    ...reactions,
    // @ts-expect-error: the contract has no such kind
    kinds: { cashout: { concurrency: 1 } },
  });
  createWorker({
    ...reactions,
    // @ts-expect-error: the limits of a kind have no such name
    kinds: { customer: { timeoutMs: 1000 } },
  });
}
