import type { Catalogue } from './catalogue.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryContext } from './event.ts';
import type { Identification, Refused } from './identify.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { NumberMode } from '../base/number-mode.ts';
import type { ParseRules } from './parse-body.ts';

/** How deliveries are parsed and identified. */
export interface OpeningRules extends ParseRules {
  readonly numbers: NumberMode;
  /** The segments of the path that the receiver is mounted at. */
  readonly mounted: readonly string[] | undefined;
  /** The kinds whose deliveries are handed over although they violate their schemas. */
  readonly deviations?: Pick<Deviations, 'reopen'> | undefined;
}

/** The kinds whose deliveries are handed over although they violate their schemas. `handOver` creates it. */
export interface Deviations<in Context = DeliveryContext, out Result = unknown> {
  readonly handlers: ReadonlyMap<string, (event: never, context: Context) => MaybePromise<Result>>;
  /** Returns a refused delivery as one that is handled, or, if it stays refused, as one whose detail says why. */
  readonly reopen: (
    catalogue: Catalogue,
    delivery: Delivery,
    rules: OpeningRules,
    refused: RefusedDelivery,
  ) => Opened;
}

/** Why an authentic delivery is not handled as what it should be. */
export interface Refusal {
  readonly reason: 'encoded-body' | 'malformed-body' | 'malformed-path' | 'invalid';
  readonly detail?: string;
  readonly kinds?: readonly string[];
}

/** A delivery that was parsed and identified. */
export type Opened =
  /** The delivery violates the contract. */
  RefusedDelivery | { readonly refusal?: undefined; readonly identification: Identification };

/** An authentic delivery that violates the contract, also one whose body is not JSON. */
export interface RefusedDelivery {
  readonly refusal: Refusal;
  readonly identification: Refused;
  /** The text of the body; empty where it is not UTF-8, or encoded. */
  readonly text: string;
  /** The parsed body; `undefined` for a body without a safe or unique value. */
  readonly data: unknown;
}
