import { createBuiltIn } from '../built-in.ts';
import {
  type ReceiverOptions,
  receiverOptions,
  runtimeOfReceiver,
} from '../printing/receiver-options.ts';
import type { Target } from '../target.ts';

/** The target for the webhooks package, which authenticates, identifies and validates notifications. */
export const webhooksTarget: Target<ReceiverOptions> = createBuiltIn<ReceiverOptions>({
  name: 'webhooks',
  requires: ['contract'],
  templates: ['package', 'webhooks'],
  options: receiverOptions,
  runtimeEntries: runtimeOfReceiver,
  async *emit(contract, context) {
    // Options are checked by each run, also if nothing has changed.
    const { emitWebhooks } = await import('./emit-webhooks.ts');
    yield* emitWebhooks(contract, context);
  },
});
