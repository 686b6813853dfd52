import { boolean, list, oneOf, type SettingCheck } from '../../diagnostics/setting-checks.ts';
import { runtimeEntries } from '../package/runtime-package.ts';
import { type EngineName, engines, inboxStores, type InboxStoreName } from './inbox-stores.ts';

/** The stores that receivers in several processes can share, to recognize what was delivered before. */
const replayStores = ['sqlite', 'postgres', 'redis'] as const;

/** The libraries that an inbox can report its work to. */
const telemetries = ['open-telemetry'] as const;

/** The options of the target `webhooks`. */
export interface ReceiverOptions {
  /**
   * The stores of inboxes that applications use. With at least one, the package has the entry `worker`, and the runtime has
   * the inbox. Default: none.
   */
  readonly inbox?: readonly InboxStoreName[];
  /**
   * The engines to which receivers forward deliveries; `other` is one for which the application writes `forward`. With at least
   * one, the package has the entry `consumer`. Default: none.
   */
  readonly forward?: readonly EngineName[];
  /** The replay stores that the runtime has, besides that in memory. Default: none. */
  readonly replayStores?: readonly (typeof replayStores)[number][];
  /**
   * Whether the package has the entry `deviations`, whose `handOver` passes deliveries of chosen kinds that violate their
   * schema to a handler. It has a table of all places of numbers. Default: false.
   */
  readonly deviations?: boolean;
  /** What inboxes report their work to. Default: nothing. */
  readonly telemetry?: readonly (typeof telemetries)[number][];
  /**
   * Other parts of the runtime that applications import themselves, such as `webhooks/client-certificate` if the contract
   * does not state that senders have one. Default: none.
   */
  readonly runtime?: readonly (typeof runtimeEntries)[number][];
}

/** The checks of the options of the target `webhooks`. */
export const receiverOptions: Readonly<Record<keyof ReceiverOptions, SettingCheck>> = {
  inbox: list(oneOf(...inboxStores)),
  forward: list(oneOf(...engines)),
  replayStores: list(oneOf(...replayStores)),
  deviations: boolean,
  telemetry: list(oneOf(...telemetries)),
  runtime: list(oneOf(...runtimeEntries)),
};

/** Returns whether options of the target `webhooks` ask for the entry `deviations`. */
export function hasDeviations(options: object | undefined): boolean {
  return options !== undefined && Reflect.get(options, 'deviations') === true;
}

/** Returns the parts of the runtime that options of the target `webhooks` ask for. */
export function runtimeOfReceiver({
  inbox = [],
  forward = [],
  replayStores: stores = [],
  telemetry = [],
  runtime = [],
}: ReceiverOptions): readonly (typeof runtimeEntries)[number][] {
  return [
    ...(inbox.length === 0 ? [] : (['inbox'] as const)),
    ...inbox.map((store) => `inbox/${store}` as const),
    ...(forward.length === 0 ? [] : (['webhooks/serialize'] as const)),
    ...forward.flatMap((engine) => (engine === 'other' ? [] : (`webhooks/${engine}` as const))),
    ...stores.map((store) => `inbox/replay/${store}` as const),
    ...(telemetry.length === 0 ? [] : (['inbox/telemetry'] as const)),
    ...runtime,
  ];
}
