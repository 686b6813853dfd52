import { ClientError, factsOf, type FailedCall } from './client-error.ts';
import type { KnownFacts } from './call-context.ts';
import type { ClientEvent, EventDetails } from './events.ts';
import type { OperationData } from './operation.ts';
import { redactError } from './redact.ts';

/** Reports the events of one call. */
export interface CallReport {
  /** The number of the current attempt, from 1. */
  attempt: number;
  /** Reports an event of the call. */
  readonly event: (details: EventDetails) => void;
  /** Reports a failure. Returns it with the known facts about the call, and without secrets. */
  readonly failure: (error: ClientError) => ClientError;
}

/** Creates the report of a call. */
export function createCallReport(
  { id, method, path }: OperationData,
  about: KnownFacts,
  secrets: ReadonlySet<string>,
  report: (event: ClientEvent) => void,
): CallReport {
  const created: CallReport = {
    attempt: 1,
    event(details) {
      const { attempt } = created;
      report({ operation: id, method, path, attempt, requestId: about.requestId, ...details });
    },
    failure(error) {
      const failure = redactFailure(error, secrets, about);
      const { code, status } = failure;
      created.event({ type: 'failure', code, status });
      return failure;
    },
  };
  return created;
}

/** Returns the failure with the known facts about the call, and without secrets in a cause from outside the client. */
function redactFailure(
  error: ClientError,
  secrets: ReadonlySet<string>,
  about: FailedCall,
): ClientError {
  const facts = factsOf(error);
  const cause = foreignCauses.has(error.code) ? redactError(error.cause, secrets) : error.cause;
  return new ClientError(error.code, error.message, {
    ...facts,
    // Where a token request for this call failed, the error names the token operation.
    operation: facts.operation ?? about.operation,
    status: facts.status ?? about.status,
    requestId: facts.requestId ?? about.requestId,
    cause,
  });
}

/** Codes of errors whose causes come from outside the client, and can quote the request. */
const foreignCauses: ReadonlySet<string> = new Set([
  'aborted',
  'network',
  'function-failed',
  'invalid-input',
]);
