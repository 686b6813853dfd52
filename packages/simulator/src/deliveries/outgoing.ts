import type { DeliveryFault } from '../faults.ts';
import type { ServedNotification } from '../service.ts';
import type { Header } from '../sending/secret-places.ts';
import type { Payload } from './payload.ts';

/** A delivery as it will be sent, without its authentication. */
export interface Outgoing {
  readonly id: string;
  readonly notification: ServedNotification;
  /** The path and query below the receiver's base address. */
  readonly path: string;
  /** Headers beside those of the contract. */
  readonly headers: readonly Header[];
  readonly payload: Payload;
  /** The payload of later attempts, where a fault made that of the first invalid. */
  readonly corrected?: Payload;
  readonly faults: readonly DeliveryFault[];
  /** Whether the same event was sent before, by `x-dedupe-by`. */
  readonly isRepeated?: boolean;
  readonly run?: string;
}
