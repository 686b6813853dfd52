import { checkLease } from '../check-lease.ts';
import { PayloadCache } from '../payloads.ts';
import { writeRejection } from '../rejection.ts';
import type { Claim, InboxStore } from '../store.ts';
import { alertAssignments } from './alerts.ts';
import {
  changeClaimed,
  claimStatement,
  extendClaims,
  hasInterrupted,
  inOrderOfLocks,
  readClaim,
  type ClaimChange,
} from './claims.ts';
import { integerLiteral, optionalLiteral, textLiteral } from './encode-text.ts';
import type { StoreContext } from './store-context.ts';

/** The methods of a store that make, renew and return claims, or record failed attempts. */
export type ClaimingMethods = Pick<
  InboxStore<unknown, unknown>,
  'claim' | 'hasInterrupted' | 'extend' | 'fail' | 'bury' | 'release'
>;

/** Creates these methods. */
export function createClaimingMethods(context: StoreContext): ClaimingMethods {
  const { settings, runner, leases, sums } = context;
  const payloads = new PayloadCache();
  return {
    async claim(request) {
      checkLease(request.leaseMs);
      sums.countTransaction();
      const start = performance.now();
      const claims = await payloads.claim(request.maxEvents, async (cachedReceipts) => {
        const statement = claimStatement(settings, request, cachedReceipts);
        const rows = await runner.runStatement('volatile', statement);
        return rows.map(readClaim);
      });
      leases.keep(claims, start, request.leaseMs);
      return claims;
    },
    hasInterrupted: (alone) =>
      runner.inTransaction('read', (query) => hasInterrupted(query, settings, alone)),
    async extend(claims, leaseMs) {
      checkLease(leaseMs);
      const start = performance.now();
      const lost = await runner.inTransaction('volatile', (query) =>
        extendClaims(query, settings, claims, leaseMs),
      );
      leases.forget(claims);
      leases.keep(
        claims.filter(({ event }) => !lost.includes(event.id)),
        start,
        leaseMs,
      );
      return lost;
    },
    fail: (claim, { error, rejection, at }) =>
      recordAttempt(context, claim, {
        state: 'retry',
        assignments: `attempts = attempts + 1, ends = 0, error = ${textLiteral(error)},
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          retry_at = ${settings.now()} + ${integerLiteral(settings.delayUntil(at))}`,
        leaves: false,
      }),
    bury: (claim, { error, rejection, afterDeadLetter, alertLeaseMs }) =>
      recordAttempt(context, claim, {
        state: 'dead',
        assignments: `attempts = attempts + 1, error = ${textLiteral(error)}, retry_at = NULL,
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          finished_at = ${settings.now()}, ${alertAssignments(settings, alertLeaseMs)}`,
        leaves: afterDeadLetter === 'skip',
      }),
    release: (claims) =>
      runner.inTransaction('volatile', async (_, message) => {
        leases.forget(claims);
        for (const claim of inOrderOfLocks(claims))
          await changeClaimed(message, settings, claim, { state: 'released', leaves: false });
      }),
  };
}

async function recordAttempt(
  { settings, runner, leases }: StoreContext,
  claim: Claim,
  change: ClaimChange,
): Promise<'recorded' | 'lost'> {
  leases.forget([claim]);
  const changed = await runner.inTransaction('durable', (_, message) =>
    changeClaimed(message, settings, claim, change),
  );
  return changed ? 'recorded' : 'lost';
}
