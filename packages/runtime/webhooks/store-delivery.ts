import type { Catalogue } from './catalogue.ts';
import { withinOr } from './deadline.ts';
import type { Delivery } from './delivery.ts';
import type { Ending } from './ending.ts';
import type { InboxDelivery } from './inbox.ts';
import { createPacking } from './inbox-delivery.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Opened } from './opened-delivery.ts';
import { checkFunctions, type Bounds, type StoringOptions } from './options.ts';
import { nameOfReceiver } from './receiver-name.ts';
import { WebhookError, invalid } from './webhook-error.ts';

/** Options that belong to a worker where a receiver has an inbox. */
const ofWorker = [
  'on',
  'otherwise',
  'onInvalid',
  'deviations',
  'replayStore',
  'leaseMs',
  'handlerTimeoutMs',
  'numbers',
];

/**
 * Creates the function that stores authentic deliveries, valid or not. They are acknowledged only after that.
 * @throws WebhookError `invalid-option` for options that belong to a worker
 */
export function createStoring(
  catalogue: Catalogue,
  options: StoringOptions<never>,
  { storeTimeoutMs }: Bounds,
): (opened: Opened, delivery: Delivery) => MaybePromise<Ending> {
  const { inbox, stored = {}, orderBy, identifyBy } = options;
  const foreign = ofWorker.find((name) => Object.hasOwn(options, name));
  if (foreign !== undefined)
    throw invalid(`\`${foreign}\` is an option of the worker, not of a receiver with \`inbox\``);
  checkFunctions({
    'inbox.receive': inbox.receive,
    ...(orderBy && { orderBy }),
    ...(identifyBy && { identifyBy }),
  });
  const pack = createPacking(catalogue, nameOfReceiver(catalogue, options), stored, options);
  const store = async (
    packed: InboxDelivery,
    opened: Opened,
    kinds: readonly (string | null)[],
  ): Promise<Ending> => {
    try {
      const { status } = await inbox.receive(packed);
      if (status === 'duplicate') return { reason: status, kinds };
      // A thin adapter may return something else, whose meaning is unclear.
      if (status !== 'stored')
        throw new WebhookError('unknown-status', 'The inbox must return `stored` or `duplicate`.');
      const { refusal } = opened;
      if (refusal === undefined) return { reason: 'stored', kinds };
      return {
        reason: refusal.reason === 'invalid' ? 'stored' : 'stored-malformed',
        detail: refusal.detail ?? refusal.reason,
        kinds,
      };
    } catch (error) {
      return { reason: 'store-failed', kinds, error };
    }
  };
  return async (opened, delivery) => {
    const kinds =
      opened.refusal === undefined
        ? opened.identification.events.map(({ name }) => name)
        : (opened.refusal.kinds ?? []);
    const packed = await pack(opened, delivery);
    return await withinOr(store(packed, opened, kinds), storeTimeoutMs, delivery, {
      reason: 'store-failed',
      detail: 'out-of-time',
      kinds,
    });
  };
}
