import { setTimeout as delay } from 'node:timers/promises';
import { maxAlertDelayMs } from './alert.ts';
import { runWithin } from './attempt.ts';
import { createRetry } from './retry.ts';
import { InboxError } from './inbox-error.ts';
import type { AlertReference, InboxStore } from './store.ts';
import type { FailedEvent } from './worker-options.ts';

/** Milliseconds after which a call of `onDeadLetter` has failed. */
const alertTimeoutMs = 30_000;

/** Milliseconds for which no other process calls `onDeadLetter` for the same dead letter. */
export const alertLeaseMs = 60_000;

/** Milliseconds between two searches for alerts that other processes did not give. */
const searchIntervalMs = 1000;

/** Milliseconds between two alerts that are given later: many at once would be more than a person can use. */
const minDistanceMs = 100;

/** The number of first alerts in progress above which further ones are given later. */
const maxFirstAlerts = 10;

/** Returns the delay after so many failed calls. There is no last one. */
const nextDelay = createRetry(
  { firstDelayMs: 1000, maxDelayMs: maxAlertDelayMs, attempts: Number.MAX_SAFE_INTEGER },
  () => Math.random(),
);

/** Calls `onDeadLetter` for each dead letter of a store, until it succeeds. */
export interface Alerts {
  /** Returns whether a first alert can be given at once. Otherwise, it is given as those that others did not give. */
  hasRoom(): boolean;
  /** Gives the first alert about a dead letter. No handler waits for it. */
  give(alert: AlertReference, letter: FailedEvent): void;
  /** Waits no longer for calls in progress. Their alerts are given again after their leases. */
  abort(): void;
  /** Gives no further alerts, and waits for the calls in progress. */
  stop(): Promise<void>;
}

/**
 * Starts to give the alerts about dead letters that were not given yet: by a process that was killed, by a call that
 * failed, or because no worker had `onDeadLetter`. One at a time, and at most ten in a second.
 */
export function startAlerts(
  store: Pick<InboxStore<never, never>, 'claimAlert' | 'settleAlert'>,
  onDeadLetter: (letter: FailedEvent) => unknown,
  report: (error: unknown) => void,
): Alerts {
  const aborted = new AbortController();
  const stopped = new AbortController();
  const firsts = new Set<Promise<void>>();

  /** Calls `onDeadLetter` and records the outcome. Never rejects. */
  async function give(alert: AlertReference, letter: FailedEvent): Promise<void> {
    const { signal } = aborted;
    try {
      let outcome: 'given' | { retryAfterMs: number } = 'given';
      try {
        await runWithin(alertTimeoutMs, signal, async () => await onDeadLetter(letter));
      } catch (cause) {
        if (signal.aborted) return;
        report(cause);
        outcome = { retryAfterMs: nextDelay(alert.attempt) ?? maxAlertDelayMs };
      }
      await store.settleAlert(alert, outcome);
    } catch (cause) {
      report(cause);
    }
  }

  /** Gives one alert. Returns false if none is due. */
  async function giveNext(): Promise<boolean> {
    const alert = await store.claimAlert(alertLeaseMs);
    if (alert === undefined) return false;
    const { event, reference } = alert;
    const error = new InboxError('dead-letter', event.error ?? 'The event is a dead letter');
    await give(reference, { event, error });
    return true;
  }

  async function run(): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      const hadAlert = await giveNext().catch((cause: unknown) => {
        report(cause);
        return false;
      });
      const pauseMs = hadAlert ? minDistanceMs : searchIntervalMs;
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    hasRoom: () => firsts.size < maxFirstAlerts,
    give(alert, letter) {
      const first = give(alert, letter).finally(() => firsts.delete(first));
      firsts.add(first);
    },
    abort: () => aborted.abort(),
    async stop() {
      stopped.abort();
      await Promise.all([running, ...firsts]);
    },
  };
}
