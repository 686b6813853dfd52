import type { AccountContext } from './account-context.ts';
import type { FailedCall } from './client-error.ts';
import type { ConnectionLimits } from './connection-context.ts';
import type { EncodedBody } from './encode-body.ts';
import type { Input, OperationData } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Authorizer, SecurityContext } from './security.ts';
import type { EveryRequestValue } from './service.ts';

/** The state that all attempts of a call share. */
export interface CallContext extends SecurityContext {
  readonly operation: OperationData;
  readonly account: AccountContext;
  /** The input, with the credentials of the account that the operation sends as input. */
  readonly input: Input;
  /** The input that the caller gave. */
  readonly givenInput: Input;
  readonly options: CallOptions;
  readonly limits: ConnectionLimits;
  readonly body: EncodedBody;
  /** The security schemes of the call, those that sign last. */
  readonly schemes: readonly Authorizer[];
  /** The parameters that the client generates for every attempt. */
  readonly values: readonly EveryRequestValue[];
  /** The generated values that a retry sends again, by name. */
  readonly kept: Map<string, string>;
  /** The base address of the call. */
  readonly address: string;
  /** The secrets to remove from errors. */
  readonly secrets: Set<string>;
  /** The known facts about the call so far. */
  readonly about: KnownFacts;
}

/** The known facts about a call, which are completed while it runs. */
export type KnownFacts = { -readonly [K in keyof FailedCall]: FailedCall[K] };
