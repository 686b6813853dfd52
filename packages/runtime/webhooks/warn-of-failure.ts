import type { Ending, Kinds } from './ending.ts';
import type { WarnOfFailure } from '../base/failure-warnings.ts';
import { isWebhookError } from './webhook-error.ts';

/** Maximum number of kinds that a warning names. A delivery can have thousands of events. */
const maxKinds = 5;

/** Warns where a delivery ended because a function or the setup of the application failed. */
export function warnOfFailure(warn: WarnOfFailure, ending: Ending, status: number): void {
  const failure = describeEnding(ending);
  if (failure === undefined) return;
  const [code, message] = failure;
  const sent =
    ending.late === true
      ? 'The delivery had already been answered, because its time was over.'
      : `The delivery was answered with ${status}.`;
  warn({
    code: `COUNTERSIGN_${code}`,
    message,
    help: `${sent} The option \`onEvent\` gets the error of every delivery. Without it, this warning is emitted once for each cause.`,
    error: ending.error,
  });
}

/** Warns that other code had read the body of a delivery, and states the fix. */
export function warnOfConsumedBody(warn: WarnOfFailure, { error }: Ending): void {
  warn({
    code: 'COUNTERSIGN_BODY_CONSUMED',
    message: 'A delivery could not be received',
    // The messages of this class contain no data.
    help: isWebhookError(error) ? error.message : '',
  });
}

/** Warns that `onEvent` failed. */
export function warnOfListener(warn: WarnOfFailure, error: unknown): void {
  warn({
    code: 'COUNTERSIGN_LISTENER_FAILED',
    message: '`onEvent` failed',
    help: 'The record of a delivery is lost. The response to the delivery does not change.',
    error,
  });
}

/** Returns the code of a warning and what failed; `undefined` where nothing did. */
function describeEnding({
  reason,
  detail,
  kinds = [],
}: Ending): readonly [code: string, message: string] | undefined {
  // Called only for failures: most deliveries have none.
  const subject = (): string => describeKinds(kinds);
  const handler = detail === 'onInvalid' ? '`onInvalid`' : 'A handler';
  if (detail === 'unconfirmed')
    return ['STORE_FAILED', `The replay store did not record that ${subject()} was handled`];
  switch (reason) {
    case 'handler-failed':
      return detail === 'unexpected'
        ? ['HANDLER_FAILED', 'The receiver failed']
        : ['HANDLER_FAILED', `${handler} failed for ${subject()}`];
    case 'authentication-failed':
      return ['AUTHENTICATION_FAILED', '`authenticate` failed'];
    case 'out-of-time':
      return detail === 'authenticate'
        ? ['OUT_OF_TIME', '`authenticate` did not finish in time']
        : ['OUT_OF_TIME', `${handler} did not finish in time for ${subject()}`];
    case 'in-progress':
      return detail === undefined
        ? undefined
        : ['STORE_FAILED', `The replay store did not release ${subject()}`];
    case 'store-failed':
      return detail === 'out-of-time'
        ? ['STORE_FAILED', `The store did not finish in time for ${subject()}`]
        : ['STORE_FAILED', `The store failed for ${subject()}`];
    default:
      return undefined;
  }
}

/** Names the kinds of a delivery, which are names of the contract. */
function describeKinds(kinds: Kinds): string {
  const names = [...new Set(kinds)].filter((kind) => kind !== null);
  if (names.length === 0) return 'a delivery of no kind';
  const rest = names.length > maxKinds ? ` and ${names.length - maxKinds} more` : '';
  return names.slice(0, maxKinds).join(', ') + rest;
}
