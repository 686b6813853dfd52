import type * as Client from '../../packages/runtime/client/client.ts';
import type * as Inbox from '../../packages/runtime/inbox/index.ts';
import type * as Signing from '../../packages/runtime/signing/index.ts';
import type * as Simulator from '../../packages/simulator/src/index.ts';
import type * as Webhooks from '../../packages/runtime/webhooks/receiver.ts';

/**
 * Whether each type is assignable to the other, with all members. The runtimes depend on none of one another, so each
 * declares what it needs.
 */
type Same<A, B> = [A, B] extends [B, A]
  ? [Required<A>, Required<B>] extends [Required<B>, Required<A>]
    ? true
    : false
  : false;

/** Compiled with everything else, never run: a type that two packages declare is the same in both. */
export const same: {
  readonly numberMode: Same<Client.NumberMode, Webhooks.NumberMode>;
  readonly signer: Same<Client.Signer, Signing.Signer>;
  readonly retry: Same<Client.RetryOptions, Simulator.RetryOptions>;
  readonly retryOfEvents: Same<Client.RetryOptions, Inbox.RetryOptions>;
  readonly publicUrl: Same<
    NonNullable<Simulator.DeliveryAuthentication['publicUrl']>,
    Webhooks.PublicUrl
  >;
  readonly check: Same<Simulator.Check, Webhooks.Check>;
} = {
  numberMode: true,
  signer: true,
  retry: true,
  retryOfEvents: true,
  publicUrl: true,
  check: true,
};

/** What two packages mean by the same name is not the same by chance. */
export const different: {
  readonly mode: Same<Client.NumberMode, 'refuse' | 'round'>;
  readonly retry: Same<Client.RetryOptions, Omit<Simulator.RetryOptions, 'jitter'>>;
} = { mode: false, retry: false };
