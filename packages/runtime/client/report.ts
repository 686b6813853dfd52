import type { ClientEvent } from './events.ts';
import { createFailureWarnings, type WarnOfFailure } from '../base/failure-warnings.ts';
import type { ConnectionOptions } from './options.ts';

/**
 * Creates the function that passes events to `onEvent`. Failures that a call does not throw are reported as process
 * warnings where there is no `onEvent`. The function never throws.
 */
export function createReport(onEvent: ConnectionOptions['onEvent']): (event: ClientEvent) => void {
  const warn = createFailureWarnings();
  if (onEvent === undefined) return (event) => warnOfEvent(warn, event);
  return (event) => {
    // A listener that fails must not fail the call.
    const fail = (error: unknown): void => {
      warn({
        code: 'COUNTERSIGN_LISTENER_FAILED',
        message: '`onEvent` failed',
        help: 'The event is lost. The call continues.',
        error,
      });
      warnOfEvent(warn, event);
    };
    try {
      const heard: unknown = onEvent(event);
      if (heard instanceof Promise) heard.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Reports what the caller of an operation does not learn otherwise. */
function warnOfEvent(warn: WarnOfFailure, event: ClientEvent): void {
  if (event.type === 'token-store-failure')
    warn({
      code: 'COUNTERSIGN_TOKEN_STORE_FAILED',
      message: `\`${event.action}\` of the token store failed`,
      help: `The client continues without the store. ${replaced}`,
      error: event.cause,
    });
  else if (event.type === 'invalid-response')
    warn({
      code: 'COUNTERSIGN_INVALID_RESPONSE',
      message: `A response to ${event.operation} with the status ${event.status} violates its schema`,
      help: `The call continued, because \`invalidResponse\` is \`report\`. ${replaced}`,
      error: event.cause,
    });
}

const replaced =
  'The option `onEvent` gets each error. Without it, this warning is emitted once for each cause.';
