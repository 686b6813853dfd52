import { createFailureWarnings } from '../base/failure-warnings.ts';
import { createOutcomes } from './outcome.ts';
import type { AdapterName } from './authentication.ts';
import type { Receive } from './receiver.ts';
import { isWebhookError } from './webhook-error.ts';

/**
 * Defers the creation of a receiver until the first delivery. Builds that evaluate modules then need no secrets. A
 * delivery whose receiver cannot be created is answered with 500 and reported as a process warning, and the next one
 * tries again.
 */
export function deferReceiver(create: () => Receive): Receive {
  const warn = createFailureWarnings();
  let receive: Receive | undefined;
  let adapter: AdapterName | undefined;
  const receiveDeferred: Receive = async (request) => {
    try {
      if (receive === undefined) (receive = create()).admit?.(adapter);
    } catch (error) {
      warn({
        code: 'COUNTERSIGN_RECEIVER_FAILED',
        message: 'The receiver of webhooks could not be created',
        // The messages of this class contain no secret.
        help: isWebhookError(error) ? error.message : 'Its options could not be created.',
        error,
      });
      return createOutcomes({}, [])['handler-failed'];
    }
    return await receive(request);
  };
  receiveDeferred.admit = (name) => {
    adapter = name;
  };
  return receiveDeferred;
}
