/**
 * Receives deliveries: bounds, authentication, replay protection, dispatch to handlers, an inbox or an engine, and the
 * response.
 * This is the entry of the part, which exports what receivers use.
 */

import {
  type NumberMode,
  type WarnOfFailure,
  createFailureWarnings,
  credentialHeaders,
} from '../base/index.ts';
import type { AnsweringCatalogue } from './answers.ts';
import {
  type AdapterName,
  type Authentication,
  type ForAdapters,
  type Verdict,
  refusalOf,
  secretSegmentsOf,
} from './authentication.ts';
import {
  type BodyFault,
  type Catalogue,
  Delivery,
  ContextOfDelivery,
  type DeliveryContext,
  type DeliveryInbox,
  type Ending,
  type EventKeys,
  type Forward,
  type Handler,
  type IncomingRequest,
  type InvalidAnswer,
  type InvalidDelivery,
  type Kinds,
  type Labelled,
  type MaybePromise,
  type Outcome,
  type ParseRules,
  type Read,
  type Reason,
  type ReceivedEvent,
  type Responses,
  type Route,
  type Stored,
  type StoredDelivery,
  type StoredParts,
  type UnidentifiedEvent,
  WebhookError,
  assertHeaderName,
  createOutcomes,
  findRoute,
  invalid,
  isPromise,
  isWebhookError,
  joinedSegments,
  mapMaybePromise,
  parseQuery,
  pathSegments,
  splitTarget,
  withoutSegments,
} from './contract.ts';
import {
  type Identification,
  type Identified,
  type Refused,
  createOrderKey,
  deliveryKey,
  digest,
  identify,
  isEncoded,
  isRefused,
  parseBody,
  refuse,
  replayKey,
} from './identify.ts';

export {
  type FailureDescription,
  type NumberMode,
  type PublicUrl,
  describeFailure,
} from '../base/index.ts';
export {
  allOf,
  anyOf,
  atPublicUrl,
  type Authentication,
  type SecretFailure,
  type SecretPlace,
  sharedSecret,
  unauthenticated,
  type Verdict,
  verifiedBy,
  withHeader,
} from './authentication.ts';
export {
  type AmbiguousEvent,
  type BodyFault,
  type Catalogue,
  type CatalogueFields,
  type Check,
  choose,
  type Decision,
  type DecisionNode,
  type DeliveredRequest,
  type DeliveryContent,
  type DeliveryContext,
  type DeliveryInbox,
  type Event,
  type EventKeys,
  type Field,
  type FieldShape,
  type Form,
  type FormCheck,
  type Forward,
  type Handler,
  type HeaderLookup,
  type IncomingRequest,
  type InvalidAnswer,
  type InvalidDelivery,
  type InvalidReason,
  type Kind,
  type KindFields,
  type Label,
  type MaybePromise,
  type Next,
  type NormalizationNode,
  type NumbersAsText,
  type Outcome,
  type Read,
  type Reason,
  type ReceivedEvent,
  type Rejection,
  type Replacement,
  type Representation,
  type Responses,
  type Route,
  type RouteSegment,
  type Stored,
  type StoredDelivery,
  type StoredParts,
  type TraceContext,
  type UnidentifiedEvent,
  type ValueType,
  type Violation,
  type Waiting,
  WebhookError,
  type WebhookErrorCode,
} from './contract.ts';
export { readFields, selectRepresentations } from './identify.ts';

/** The record of a completed delivery, for logs and metrics. It contains no data of the delivery itself. */
export interface DeliveryRecord {
  /** The id of the delivery, equal to `DeliveryContext.id`. */
  readonly id: string;
  readonly reason: Reason;
  /** The HTTP status of the response. */
  readonly status: number;
  /**
   * A short code that details the reason. With `handled` or `unidentified`, `unconfirmed` means that the handlers
   * succeeded but the replay store did not record it. The same delivery can then be handled again. `unreleased` means
   * that the store did not release a claim, which expires with its lease. `deviating` means that at least one of its events
   * violates its schema and was passed to a handler of `deviations`; with that option, a code such as `not-chosen` states
   * why an invalid delivery was not.
   */
  readonly detail?: string;
  /** The kinds of its events, one for each; `null` for an event that matches no kind. */
  readonly kinds: readonly (string | null)[];
  /** Milliseconds from receiving the request to this record. */
  readonly durationMs: number;
  /** The error that a function of the application threw, or that prevents the receiver from working. */
  readonly error?: unknown;
  /**
   * Set in the second record of a delivery that ran out of time; it reports the final result of its handlers. Its
   * status is the one that was sent.
   */
  readonly late?: true;
}

/** The options of every receiver, for any contract. Numbers must be above 0 and below 2 ** 31. */
export interface ReceiverOptions<Numbers extends NumberMode = NumberMode> extends ReceiverNames {
  /** Authenticates each delivery. No handler is called before it has succeeded. */
  readonly authenticate: Authentication;
  /**
   * The path that the receiver is mounted at, without a secret in the path; labels match the rest of the path after it.
   * Without it, a label matches the end of any path.
   */
  readonly mount?: string;
  /** The accepted HTTP methods. Default: those of the contract; POST and PUT if it declares none. */
  readonly methods?: readonly string[];
  /** Maximum size of a body in bytes. Default: 1,048,576 (1 MiB). */
  readonly maxBodyBytes?: number;
  /** Milliseconds within which the body must arrive. Default: 10,000. */
  readonly readTimeoutMs?: number;
  /** Milliseconds within which `authenticate` must finish. Default: 5,000. */
  readonly authenticationTimeoutMs?: number;
  /**
   * Milliseconds within which the inbox or `forward` must store a delivery, or the replay store must finish all claims of
   * one, and afterwards their confirmation or release. Default: 5,000.
   */
  readonly storeTimeoutMs?: number;
  /** Milliseconds within which all handlers of a delivery must finish. Default: 10,000. */
  readonly handlerTimeoutMs?: number;
  /** Whether bodies are checked for duplicate keys, prototype keys, depth and inexact numbers. Default: true. */
  readonly strict?: boolean;
  /**
   * What happens to a number that no double represents exactly: `refuse` passes the body to `onInvalid`, `text` delivers
   * the number as text. `text` requires `strict`. Default: `refuse`.
   */
  readonly numbers?: Numbers;
  /** Maximum nesting depth of objects and arrays. Default: 64. */
  readonly maxDepth?: number;
  /** Overrides of the default responses. */
  readonly responses?: Responses;
  /**
   * Kinds whose deliveries are handed over although they violate their schemas. `handOver` of the generated entry
   * `deviations` creates it. Default: none.
   */
  readonly deviations?: Deviations | undefined;
  /** For receivers without handlers; see `StoringOptions`. */
  readonly inbox?: undefined;
  readonly forward?: undefined;
  /**
   * Recognizes deliveries that were handled before. Receivers with different names can share it, see `name` and `tenant`.
   * Default: a store in the memory of this process.
   */
  readonly replayStore?: ReplayStore;
  /**
   * Milliseconds for which a delivery claims its events in the replay store. After that, an equal delivery is handled
   * even while the first is still running, so `leaseMs` must be longer than `handlerTimeoutMs`. Default: 300,000 (5
   * minutes).
   */
  readonly leaseMs?: number;
  /**
   * Observes deliveries. Called when a delivery has ended, and again for a delivery that ran out of time, when its
   * handlers are done. Nothing waits for what it returns.
   * Without it, a failure is reported as a process warning, once for each cause, with the class, the code and the first
   * frame of the error. Its own failure is reported in the same way, and does not change the response.
   */
  readonly onEvent?: (record: DeliveryRecord) => unknown;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Options that a receiver which stores deliveries does not have, because they are handled elsewhere. */
type OfHandling =
  | 'inbox'
  | 'forward'
  | 'deviations'
  | 'replayStore'
  | 'leaseMs'
  | 'handlerTimeoutMs'
  | 'numbers';

/** Where authentic deliveries are stored: in an inbox, or on an engine. */
export type Storage =
  | { readonly inbox: DeliveryInbox; readonly forward?: undefined }
  | { readonly forward: Forward; readonly inbox?: undefined };

/**
 * The options of a receiver that stores authentic deliveries, valid or not, and acknowledges them. A worker or a consumer
 * handles them.
 */
export type StoringOptions<E = unknown> = CommonStoringOptions<E> & Storage;

/** The options of a receiver that stores deliveries, wherever that is. */
export interface CommonStoringOptions<E = unknown>
  extends Omit<ReceiverOptions, OfHandling>, EventKeys<E> {
  /**
   * The parts of a request that are stored beside method, path, body, and the headers and query parameters that the
   * contract reads. Do not name credentials.
   */
  readonly stored?: StoredParts;
  readonly on?: undefined;
  readonly otherwise?: undefined;
  readonly onInvalid?: undefined;
  readonly deviations?: undefined;
  readonly replayStore?: undefined;
  readonly leaseMs?: undefined;
  readonly handlerTimeoutMs?: undefined;
  readonly numbers?: undefined;
}

/** Handles deliveries without a handler in `on`. */
export type Otherwise<E> =
  | Handler<UnidentifiedEvent>
  /** Handles authentic deliveries that match no kind, and every kind without a handler. */
  | { readonly rest: Handler<UnidentifiedEvent | E> };

/**
 * Handles authentic deliveries that violate the contract. The delivery is acknowledged only if it returns one of the
 * two texts of `InvalidAnswer` in time. Otherwise, the delivery is refused, with status 422 by default.
 */
export type OnInvalid<Kind extends string = string, E = unknown> = (
  delivery: InvalidDelivery<Kind, E>,
  context: DeliveryContext,
) => MaybePromise<InvalidAnswer | undefined> | MaybePromise<void>;

/** The handlers of a receiver. */
export interface Reactions {
  /** Handlers by the name of a kind or of a union of kinds. */
  readonly on: Readonly<Record<string, Handler<never> | undefined>>;
  readonly otherwise: Otherwise<never>;
  readonly onInvalid: OnInvalid<never, never>;
}

/**
 * Returns the lookup of handlers by name; `null` is the name for deliveries that match no kind.
 * @throws WebhookError `invalid-option` if a handler has an unknown name or is missing
 */
export function assignHandlers<H extends (event: never, context: never) => unknown>(
  catalogue: Catalogue,
  {
    on,
    otherwise,
  }: {
    readonly on: Readonly<Record<string, H | undefined>>;
    readonly otherwise: H | { readonly rest: H };
  },
): (name: string | null) => H {
  const rest = typeof otherwise === 'function' ? undefined : otherwise?.rest;
  const unidentified = rest ?? (otherwise as H);
  if (typeof on !== 'object' || on === null) throw invalid('`on` must be an object');
  // A misspelled name is the reason why another one has no handler.
  const names = checkNames(catalogue, 'on', on);
  checkFunctions({ otherwise: unidentified });
  const handlers = new Map<string | null, H | undefined>();
  for (const name of names) {
    const handler = (Object.hasOwn(on, name) ? on[name] : undefined) ?? rest;
    checkFunctions({ [`on.${name}`]: handler });
    handlers.set(name, handler);
  }
  return (name) => handlers.get(name) ?? unidentified;
}

/**
 * Checks the names in an option, and returns all that it can have: those of kinds and of unions of kinds.
 * @throws WebhookError `invalid-option` for a name that the contract does not have
 */
export function checkNames(
  { kinds, unions }: Catalogue,
  option: string,
  value: Readonly<Record<string, object | undefined>> = {},
): readonly string[] {
  const names = [...kinds.keys(), ...unions.values()];
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalid(`\`${option}\` names ${unknown}, which is not a kind of the contract`);
  return names;
}

/** The numeric options with their defaults. */
const defaults = {
  maxBodyBytes: 1_048_576,
  readTimeoutMs: 10_000,
  authenticationTimeoutMs: 5000,
  storeTimeoutMs: 5000,
  handlerTimeoutMs: 10_000,
  maxDepth: 64,
  leaseMs: 300_000,
};

/** The limits of a receiver, in bytes, milliseconds and levels. */
type Bounds = Readonly<typeof defaults>;

/**
 * Returns all limits, with defaults.
 * @throws WebhookError `invalid-option` for one that is not above 0 and below 2 ** 31, because timers with longer delays
 * fire at once, and for a `leaseMs` that is not longer than `handlerTimeoutMs`
 */
export function toBounds(options: {
  readonly [name in keyof Bounds]?: number | undefined;
}): Bounds {
  const bounds = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Bounds)[]) {
    bounds[name] = options[name] ?? defaults[name];
    if (!(Number.isFinite(bounds[name]) && bounds[name] > 0 && bounds[name] < 2 ** 31))
      throw invalid(`\`${name}\` must be a number above 0 and below 2 ** 31`);
  }
  if (bounds.leaseMs <= bounds.handlerTimeoutMs)
    throw invalid(
      '`leaseMs` must be longer than `handlerTimeoutMs`, or an event can run twice at once',
    );
  return bounds;
}

/**
 * Asserts that every member is a function.
 * @throws WebhookError `invalid-option`, naming the first member that is not
 */
export function checkFunctions(members: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(members))
    if (typeof member !== 'function')
      throw invalid(`\`${name}\` ${member === undefined ? 'is missing' : 'must be a function'}`);
}

/**
 * Remembers which events were handled. An event counts as handled once it is confirmed. Until then, a delivery holds a
 * claim on the event's key. Of two equal deliveries at the same time, one is handled and the other is answered with
 * `in-progress`. Keys are the name of the receiver and a digest.
 *
 * `owner` identifies the delivery that makes a call. A delivery can outlive its lease, and another delivery can then
 * claim the key. Therefore `confirm` and `release` must not change the claim of another owner.
 */
export interface ReplayStore {
  /**
   * Claims a key for `leaseMs` milliseconds and returns `claimed`. Returns `seen` if the key was confirmed before, and
   * `busy` if another owner holds it. With any other result, the delivery is refused as `store-failed`.
   *
   * `formerKey` is the key that receivers without names stored for the event. A store with such keys returns `seen` if
   * this key was confirmed, and `busy` if another owner holds it. Nothing claims it any more.
   */
  readonly claim: (
    key: string,
    leaseMs: number,
    owner: string,
    formerKey?: string,
  ) => MaybePromise<'claimed' | 'seen' | 'busy'>;
  /** Records that the event was handled, unless another owner holds the key. */
  readonly confirm: (key: string, owner: string) => MaybePromise<unknown>;
  /** Removes the claim of this owner, if it still holds the key: the event was not handled. */
  readonly release: (key: string, owner: string) => MaybePromise<unknown>;
}

/** The options of `createMemoryReplayStore`. */
export interface MemoryReplayStoreOptions {
  /**
   * The minimum number of newest confirmed keys to remember. There can be up to twice as many; the oldest are dropped
   * first. Default: 10,000.
   */
  readonly minKeys?: number;
  /** Milliseconds for which a confirmed key is remembered. Default: 86,400,000 (one day). */
  readonly timeToLiveMs?: number;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Creates a replay store in memory, for a single process.
 * @throws WebhookError `invalid-option` for a number or time that is out of range
 */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { minKeys = 10_000, timeToLiveMs = 86_400_000, clock = () => Date.now() } = options;
  if (
    !(
      Number.isInteger(minKeys) &&
      minKeys > 0 &&
      typeof timeToLiveMs === 'number' &&
      timeToLiveMs > 0
    )
  )
    throw invalid('`minKeys` and `timeToLiveMs` must be numbers above 0');
  /** The claims, in the order of their creation. */
  const claims = new Map<string, { readonly owner: string; readonly until: number }>();
  // The expiry times of confirmed keys, in two generations: finding the oldest key of a single Map means passing over
  // all deleted entries.
  let seen = new Map<string, number>();
  let seenBefore = seen;
  return {
    claim(key, leaseMs, owner) {
      const now = clock();
      for (const [claimed, claim] of claims) {
        if (claim.until > now) break;
        claims.delete(claimed);
      }
      if ((seen.get(key) ?? seenBefore.get(key) ?? 0) > now) return 'seen';
      // An expired claim can still exist behind one with a longer lease.
      if ((claims.get(key)?.until ?? 0) > now) return 'busy';
      claims.set(key, { owner, until: now + leaseMs });
      return 'claimed';
    },
    confirm(key, owner) {
      const now = clock();
      const claim = claims.get(key);
      if (claim !== undefined && claim.owner !== owner && claim.until > now) return;
      claims.delete(key);
      if (seen.size >= minKeys) {
        seenBefore = seen;
        seen = new Map();
      }
      seen.set(key, now + timeToLiveMs);
    },
    release(key, owner) {
      if (claims.get(key)?.owner === owner) claims.delete(key);
    },
  };
}

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

/** The reason why an authentic delivery is not handled as its kind. */
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
  /** The text of the body; empty if it is not UTF-8, or encoded. */
  readonly text: string;
  /** The parsed body; `undefined` for a body without a safe or unique value. */
  readonly data: unknown;
}

/** The result of work that did not finish in time. */
export const timedOut: unique symbol = Symbol('timed out');

/**
 * Returns the result of the work, or `timedOut` after the given milliseconds. A later failure of the work is ignored here.
 */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    Promise.resolve(work).then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
    afterMostWork(() => {
      if (!isOver) timer = setTimeout(resolve, milliseconds, timedOut);
    });
  });
}

/**
 * Returns the result of work that never rejects, or `instead` if it does not finish in time. The work then continues,
 * and its result is dropped.
 */
function withinOr<T, L>(
  work: MaybePromise<T>,
  milliseconds: number,
  delivery: Delivery,
  instead: L,
): MaybePromise<T | L> {
  if (!isPromise(work)) return work;
  return within(work, milliseconds).then((done) => {
    if (done !== timedOut) return done;
    delivery.request.waitUntil?.(work);
    return instead;
  });
}

/**
 * Calls a function when most work has finished, such as reading a body that has arrived: a timer for each would cost
 * more. Deliveries do not share a timer, because some platforms end the timers of a request with it.
 */
function afterMostWork(action: () => void): void {
  // Only Node and platforms that imitate it have it.
  const { setImmediate } = globalThis as {
    readonly setImmediate?: (action: () => void) => unknown;
  };
  if (setImmediate === undefined) afterMicrotasks(8, action);
  else setImmediate(action);
}

function afterMicrotasks(count: number, action: () => void): void {
  if (count === 0) action();
  else queueMicrotask(() => afterMicrotasks(count - 1, action));
}

/** Why the body could not be read. */
interface Unread {
  readonly reason: Reason;
  readonly error?: unknown;
}

/** Checks the method and size of a delivery, and reads its body. Returns `undefined` on success. Never rejects. */
function readDelivery(
  delivery: Delivery,
  methods: ReadonlySet<string>,
  bounds: Bounds,
): MaybePromise<Unread | undefined> {
  const { request } = delivery;
  const { maxBodyBytes } = bounds;
  if (!methods.has(request.method)) return { reason: 'wrong-method' };
  for (const length of request.headers('content-length'))
    if (Number(length) > maxBodyBytes) return { reason: 'too-large' };
  try {
    const body = request.read(maxBodyBytes, delivery);
    return isPromise(body) ? waitFor(body, delivery, bounds) : take(body, delivery, bounds);
  } catch (error) {
    return toUnread(error);
  }
}

async function waitFor(
  reading: Promise<Uint8Array>,
  delivery: Delivery,
  bounds: Bounds,
): Promise<Unread | undefined> {
  try {
    const body = await within(reading, bounds.readTimeoutMs);
    if (body !== timedOut) return take(body, delivery, bounds);
    delivery.end();
    return { reason: 'too-slow' };
  } catch (error) {
    return toUnread(error);
  }
}

function take(body: Uint8Array, delivery: Delivery, { maxBodyBytes }: Bounds): Unread | undefined {
  if (body.length > maxBodyBytes) return { reason: 'too-large' };
  delivery.body = body;
  return undefined;
}

function toUnread(error: unknown): Unread {
  if (!isWebhookError(error)) return { reason: 'unreadable' };
  if (error.code === 'too-large') return { reason: 'too-large' };
  return { reason: error.code === 'body-consumed' ? 'body-consumed' : 'unreadable', error };
}

/**
 * Returns the rules of options.
 * @throws WebhookError `invalid-option`
 */
export function toRules(
  options: Pick<ReceiverOptions, 'strict' | 'numbers' | 'mount'> & Pick<OpeningRules, 'deviations'>,
  { maxDepth }: Pick<Bounds, 'maxDepth'>,
): OpeningRules {
  const { strict = true, numbers = 'refuse', mount, deviations } = options;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (deviations && !deviations.reopen) throw invalid('`deviations` requires `handOver(…)`');
  if (numbers !== 'refuse' && !(numbers === 'text' && strict))
    throw invalid('`numbers` must be "refuse" or "text"; "text" requires `strict`');
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- callers without types
  const mounted = mount === undefined ? undefined : pathSegments(String(mount));
  if (mount !== undefined && mounted === undefined) throw invalid('`mount` is not a valid path');
  return { ...options, strict, numbers, mounted, maxDepth };
}

/** Parses, identifies and validates a delivery. Sets its target and its parameters. Never throws. */
export function openDelivery(
  catalogue: Catalogue,
  delivery: Delivery,
  rules: OpeningRules,
): Opened {
  delivery.target = withoutSegments(splitTarget(delivery.request.target), delivery.secretSegments);
  if (isEncoded(delivery.headers)) return unreadable({ reason: 'encoded-body' }, 'encoding', '');
  const route = findLabel(catalogue.routes, delivery, rules.mounted);
  const label = route?.label;
  if (label !== undefined) delivery.parameters = label.parameters;
  const { fields, select } = catalogue;
  const parsed =
    fields === undefined
      ? parseBody(delivery.body, rules)
      : fields.read(catalogue, fields.kinds, delivery, label?.kinds, rules);
  const selected = select === undefined ? catalogue : select(catalogue, delivery);
  if (parsed.fault !== undefined) {
    const { fault: detail, text = '' } = parsed;
    return unreadable({ reason: 'malformed-body', detail }, detail, text);
  }
  const { text, exact: data } = parsed;
  const identification =
    route === undefined
      ? refuse('path', [], [{ pointer: '', keyword: 'path', message: notOnePath }])
      : identify(selected, delivery, label?.kinds, parsed, rules.numbers);
  if (!isRefused(identification)) return { identification };
  const { reason: detail, kinds } = identification.invalid;
  const refusal: Refusal =
    route === undefined ? { reason: 'malformed-path' } : { reason: 'invalid', detail, kinds };
  const refused: RefusedDelivery = { identification, text, data, refusal };
  return rules.deviations?.reopen(selected, delivery, rules, refused) ?? refused;
}

/**
 * Returns the label of a delivery, if it has one. Returns `undefined` for a path that servers could resolve
 * differently. If a label is appended to a URL with a trailing slash, the path has an empty segment between them, and
 * only there.
 */
function findLabel(
  routes: readonly Route[],
  { path, method }: Delivery,
  mounted: readonly string[] | undefined,
): { readonly label: Labelled | undefined } | undefined {
  const segments = pathSegments(path);
  if (segments !== undefined) return { label: findRoute(routes, segments, method, mounted) };
  const joined = joinedSegments(path);
  if (joined === undefined) return undefined;
  const { before, behind } = joined;
  if (mounted !== undefined && before.join('/') !== mounted.join('/')) return undefined;
  const label = findRoute(routes, [...before, ...behind], method, before);
  return label && { label };
}

/** Returns a delivery whose body cannot be read, or not safely. */
function unreadable(
  refusal: Refusal,
  keyword: BodyFault | 'encoding',
  text: string,
): RefusedDelivery {
  const reason = keyword === 'encoding' || keyword === 'not-utf-8' ? 'encoding' : 'body';
  const message = bodyMessages.get(keyword) ?? notStrict;
  const identification = refuse(reason, [], [{ pointer: '', keyword, message }]);
  return { identification, text, data: undefined, refusal };
}

const bodyMessages: ReadonlyMap<string, string> = new Map([
  ['encoding', 'must have no content encoding'],
  ['not-utf-8', 'must be UTF-8'],
  ['not-json', 'must be JSON'],
]);
const notStrict = 'must have unique member names and few levels';
const notOnePath = 'must have a path that all servers resolve alike';

/** Creates the delivery that `onInvalid` gets. */
export function toInvalidDelivery({
  identification,
  text,
  data,
}: {
  readonly identification: Refused;
  readonly text: string;
  readonly data: unknown;
}): InvalidDelivery {
  const events = identification.events.map((event) => ({
    index: event.index,
    event: toEvent(event, identification.form),
  }));
  return { ...identification.invalid, text, data, events };
}

/** Creates the event that a handler gets. */
export function toEvent({ name, kinds, data, bySchema }: Identified, form: string): object {
  const ambiguous = kinds.length > 1;
  return {
    kind: name,
    ambiguous,
    ...(ambiguous && { kinds }),
    form,
    ...(bySchema && { recognizedBy: 'schema' }),
    data,
  };
}

/** The names that distinguish a receiver from others with the same replay store or inbox. */
interface ReceiverNames {
  /**
   * Names the receiver in the keys of its replay store or inbox: equal events of receivers with different names are
   * different. Default: the name of the generated package and the title of the contract, as `receiverName` has it. Set it
   * to that default before one of the two changes, or deliveries from before the change are handled again.
   */
  readonly name?: string | undefined;
  /**
   * Names the tenant whose deliveries the receiver gets, if receivers of one contract share a replay store or an inbox.
   * Each tenant needs another name. Default: none.
   */
  readonly tenant?: string | undefined;
}

/**
 * Returns the name that begins every key of a receiver.
 * @throws WebhookError `invalid-option` for a name or a tenant that is empty, or that could end at another place
 */
export function nameOfReceiver(
  catalogue: Pick<Catalogue, 'name'>,
  { name = catalogue.name, tenant }: ReceiverNames,
): string {
  assertPart('name', name);
  if (name.includes('#')) throw invalid('`name` must be a text without `#`');
  if (tenant === undefined) return name;
  assertPart('tenant', tenant);
  return `${name}#${tenant}`;
}

/** Asserts that a part has an end: two different pairs of a name and a key never make one text. */
function assertPart(option: keyof ReceiverNames, value: unknown): void {
  // Also the text of a tenant that is not set, which all tenants would share.
  const isUnset = value === 'undefined' || value === 'null' || value === '[object Object]';
  if (typeof value !== 'string' || isUnset || !/^[^\s\p{C}]{1,200}$/u.test(value))
    throw invalid(
      `\`${option}\` must be a text of 1 to 200 characters, without spaces and control characters`,
    );
}

/** Returns the key of a receiver: its name, which has no space, and the key of the event. */
function keyOfReceiver(receiver: string, key: string): string {
  return `${receiver} ${key}`;
}

/**
 * The header under which a receiver stores its name in an inbox, for the worker that identifies the delivery again. No
 * sender can write it: it is not the name of a header.
 */
export const receiverHeader = ':receiver';

/** Reads a key that the application sets. */
const wholeValue: readonly Read[] = [{ body: [] }];

/** Returns the order key that the contract declares for a value of a kind, without the name of the receiver. */
async function orderKeyOf(
  catalogue: Catalogue,
  kind: string,
  delivery: Delivery,
  data: unknown,
): Promise<string | undefined> {
  return await createOrderKey(catalogue.kinds.get(kind)?.orderedBy ?? [], delivery, data);
}

/**
 * Returns the identity with which an inbox stores a value of a kind that violates the contract. It differs from that of
 * the valid value, and depends on the bytes, so that no copy with other members can take the place of the original.
 */
async function refusedKey(
  catalogue: Catalogue,
  kind: string,
  delivery: Delivery,
  data: unknown,
): Promise<string | undefined> {
  const dedupeBy = catalogue.kinds.get(kind)?.dedupeBy ?? [];
  const reads = [...dedupeBy, 'raw'] as const;
  return dedupeBy.length === 0 ? undefined : await deliveryKey('refused', reads, delivery, data);
}

/**
 * Returns the order key and the identity of a receiver's event, and those that receivers without names stored.
 * @param receiver the name of the receiver; `undefined` for a delivery that a receiver without a name stored
 */
function toKeys(
  receiver: string | undefined,
  orderKey: string | undefined,
  identity: string | undefined,
): ReceivedEvent {
  if (receiver === undefined)
    return {
      ...(orderKey !== undefined && { orderKey }),
      ...(identity !== undefined && { identity }),
    };
  return {
    ...(orderKey !== undefined && {
      orderKey: keyOfReceiver(receiver, orderKey),
      formerOrderKey: orderKey,
    }),
    ...(identity !== undefined && {
      identity: keyOfReceiver(receiver, identity),
      formerIdentity: identity,
    }),
  };
}

/** Returns the kind, the order key and the identity with which an inbox stores an event. */
export async function keysOf(
  catalogue: Catalogue,
  identified: Identified,
  form: string,
  delivery: Delivery,
  { orderBy, identifyBy }: EventKeys<never>,
  receiver: string | undefined,
): Promise<ReceivedEvent> {
  const { name, kinds, data } = identified;
  const event = toEvent(identified, form) as never;
  const [first = ''] = kinds;
  const key = await (orderBy
    ? createOrderKey(wholeValue, delivery, orderBy(event))
    : orderKeyOf(catalogue, first, delivery, data));
  const identity = await (identifyBy
    ? deliveryKey(name ?? '', wholeValue, delivery, identifyBy(event))
    : replayKey(catalogue, identified, delivery));
  return {
    ...(name !== null && { kind: name }),
    ...toKeys(receiver, key, identity),
  };
}

/**
 * Returns the id of an event, from its identity. Without one, no other event can be the same, so it has its delivery's id.
 * @param single whether it is the only event of its delivery
 */
async function idOf(
  { identity }: ReceivedEvent,
  index: number,
  single: boolean,
  delivery: Delivery,
): Promise<string> {
  if (identity !== undefined) return await toId(identity);
  return single ? delivery.id : `${delivery.id}-${index}`;
}

/** Returns an id of 43 characters that are allowed in URLs and in the identifiers of queues. */
async function toId(text: string): Promise<string> {
  return (await digest(text)).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

/** Returns the id of a delivery. */
async function idOfAll(
  events: readonly (ReceivedEvent & { readonly id: string })[],
  delivery: Delivery,
): Promise<string> {
  const [first, ...others] = events;
  if (first !== undefined && others.length === 0) return first.id;
  const isSame = events.every(({ identity }) => identity !== undefined);
  return isSame ? await toId(events.map(({ id }) => id).join(' ')) : delivery.id;
}

/**
 * Creates the function that returns the stored form of a delivery.
 * @param receiver the name of the receiver
 */
function createPacking(
  catalogue: Catalogue,
  receiver: string,
  stored: StoredParts,
  keys: EventKeys<never>,
): (opened: Opened, delivery: Delivery) => Promise<StoredDelivery> {
  const reads = readsOf(catalogue);
  // The consumer has to know that a body is encoded.
  const headers = new Set(['content-encoding']);
  // It decides between representations.
  if (catalogue.select !== undefined) headers.add('content-type');
  for (const read of reads) if ('header' in read) headers.add(read.header);
  for (const name of stored.headers ?? []) {
    assertHeaderName(name, 'each of `stored.headers`');
    headers.add(name.toLowerCase());
  }
  for (const name of credentialHeaders) headers.delete(name);
  const query = new Set([
    ...reads.flatMap((read) => ('query' in read ? read.query : [])),
    ...queryFields(catalogue),
  ]);
  for (const name of stored.query ?? []) query.add(name);
  return async (opened, delivery) => {
    const received = await eventsOf(catalogue, receiver, opened, delivery, keys);
    const single = received.length === 1;
    const events = await Promise.all(
      received.map(async (event, index) => ({
        id: await idOf(event, index, single, delivery),
        ...event,
      })),
    );
    const orderKey = events[0]?.orderKey;
    const { refusal, identification } = opened;
    return {
      id: await idOfAll(events, delivery),
      receivedAt: delivery.receivedAt,
      method: delivery.method,
      target: toTarget(delivery, query),
      headers: [
        ...[...headers].flatMap((name) =>
          delivery.headers(name).map((value) => [name, value] as const),
        ),
        [receiverHeader, receiver],
      ],
      body: delivery.body,
      verdict: refusal === undefined ? 'valid' : refusal.reason,
      ...(identification.invalid && { rejection: identification.invalid }),
      ...(orderKey !== undefined &&
        events.every((event) => event.orderKey === orderKey) && { orderKey }),
      events,
    };
  };
}

/** Returns the locations outside the body that identification and keys read. */
function readsOf({ kinds, reads }: Catalogue): readonly Exclude<Read, string>[] {
  const ofKinds = [...kinds.values()].flatMap(({ dedupeBy = [], orderedBy = [] }) => [
    ...dedupeBy,
    ...orderedBy,
  ]);
  return [...reads, ...ofKinds].filter((read) => typeof read !== 'string');
}

/** Returns the names of the parameters of the query that are data. */
function queryFields({ fields }: Catalogue): readonly string[] {
  const inQuery = [...(fields?.kinds.values() ?? [])].filter((kind) => kind.in === 'query');
  return inQuery.flatMap((kind) =>
    Object.entries(kind.fields).flatMap(([name, { shape, spread }]) => [
      name,
      ...(spread ? Object.keys(shape.properties ?? {}) : []),
    ]),
  );
}

/** Returns the target with only the named query parameters, because others can be credentials. */
function toTarget({ path, query }: Delivery, names: ReadonlySet<string>): string {
  const kept = query.split('&').filter((pair) => {
    const [name] = parseQuery(pair).keys();
    // The members of an object can have names such as `holder[member]`.
    return name !== undefined && (names.has(name) || names.has(name.replace(/\[.*$/su, '')));
  });
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

async function eventsOf(
  catalogue: Catalogue,
  receiver: string,
  opened: Opened,
  delivery: Delivery,
  options: EventKeys<never>,
): Promise<readonly ReceivedEvent[]> {
  if (opened.refusal !== undefined) {
    const { kinds = [] } = opened.refusal;
    const identity =
      opened.data === undefined || options.identifyBy !== undefined
        ? undefined
        : await onlyOne(kinds, (kind) => refusedKey(catalogue, kind, delivery, opened.data));
    // If only members of the body are signed, an attacker who captured the delivery can make it invalid, and hold its place.
    const isPlaced =
      opened.data !== undefined && options.orderBy === undefined && !signsMembers(catalogue);
    const orderKey = isPlaced
      ? await onlyOne(kinds, (kind) => orderKeyOf(catalogue, kind, delivery, opened.data))
      : undefined;
    return [toKeys(receiver, orderKey, identity)];
  }
  const { events, form } = opened.identification;
  return await Promise.all(
    events.map((event) => keysOf(catalogue, event, form, delivery, options, receiver)),
  );
}

function signsMembers({ kinds }: Catalogue): boolean {
  return [...kinds.values()].some(({ signed }) => signed !== undefined);
}

/** Returns the key of a delivery that is not valid, if each of its possible kinds gives it the same one. */
async function onlyOne(
  kinds: readonly string[],
  keyOf: (kind: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [key, ...otherKeys] = new Set(await Promise.all(kinds.map(keyOf)));
  return otherKeys.length === 0 ? key : undefined;
}

/** Options of the worker or consumer that handles the deliveries which a receiver stores. */
const ofHandling = [
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
 * @throws WebhookError `invalid-option` for options that belong to a worker or a consumer, and for two places to store at
 */
function createStoring(
  catalogue: Catalogue,
  options: StoringOptions<never>,
  { storeTimeoutMs }: Bounds,
): (opened: Opened, delivery: Delivery) => MaybePromise<Ending> {
  const { inbox, forward, stored = {}, orderBy, identifyBy } = options;
  const [place, other] = forward === undefined ? ['inbox', 'worker'] : ['forward', 'consumer'];
  const foreign = ofHandling.find((name) => Object.hasOwn(options, name));
  if (foreign !== undefined)
    throw invalid(
      `\`${foreign}\` is an option of the ${other}, not of a receiver with \`${place}\``,
    );
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (inbox !== undefined && forward !== undefined)
    throw invalid('`inbox` and `forward` exclude each other');
  checkFunctions({
    ...(forward === undefined ? { 'inbox.receive': inbox.receive } : { forward }),
    ...(orderBy && { orderBy }),
    ...(identifyBy && { identifyBy }),
  });
  const pack = createPacking(catalogue, nameOfReceiver(catalogue, options), stored, options);
  const put = async (packed: StoredDelivery, delivery: Delivery): Promise<unknown> => {
    const result =
      forward === undefined ? await inbox.receive(packed) : await forward(packed, delivery.signal);
    if (result === undefined && forward !== undefined) return 'stored';
    // Callers without types return what their engine does, such as `null` for a job that it dropped.
    return (result as Stored | undefined | null)?.status;
  };
  const store = async (
    packed: StoredDelivery,
    opened: Opened,
    kinds: readonly (string | null)[],
    delivery: Delivery,
  ): Promise<Ending> => {
    try {
      const status = await put(packed, delivery);
      if (status === 'duplicate') return { reason: status, kinds };
      // A thin adapter may return something else, whose meaning is unclear.
      if (status !== 'stored')
        throw new WebhookError(
          'unknown-status',
          `\`${place}\` must return the status \`stored\` or \`duplicate\`.`,
        );
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
    const storing = store(packed, opened, kinds, delivery);
    const ending = await withinOr(storing, storeTimeoutMs, delivery, timedOut);
    if (ending !== timedOut) return ending;
    delivery.end();
    return { reason: 'store-failed', detail: 'out-of-time', kinds };
  };
}

/** An event with its handler, and the key by which duplicates are recognized. */
interface Task {
  readonly event: unknown;
  readonly context: DeliveryContext;
  readonly handler: Handler<never>;
  readonly key: MaybePromise<string> | undefined;
}

/** The events of a delivery to handle, and the keys that were claimed for them. */
interface Work {
  readonly tasks: readonly Task[];
  readonly keys: readonly string[];
}

/** The reason why no event of a delivery is handled now. */
type Unclaimed =
  | { readonly reason: 'duplicate' }
  /** With an error if the store failed to release the claims made so far. */
  | { readonly reason: 'in-progress'; readonly detail?: 'unreleased'; readonly error?: unknown }
  | { readonly reason: 'store-failed'; readonly error: unknown };

/** The error of a handler or of a call of the replay store. */
interface Failure {
  readonly error: unknown;
}

/**
 * Claims all events of a delivery that were not handled before. Never rejects. If the time for the delivery ends before
 * all claims are made, releases the claims made so far.
 * @param receiver the name that begins each key
 */
function claimAll(
  store: ReplayStore,
  receiver: string,
  leaseMs: number,
  tasks: readonly Task[],
  delivery: Delivery,
): MaybePromise<Work | Unclaimed> {
  const open: Task[] = [];
  const keys: string[] = [];
  /** The same keys, if one delivery can contain the same event twice. */
  const deliveryKeys = tasks.length > 1 ? new Set<string>() : undefined;
  const giveUp = (unclaimed: Unclaimed): MaybePromise<Unclaimed> =>
    mapMaybePromise(settleAll(store, 'release', keys, delivery), (fault) =>
      fault === undefined || unclaimed.reason !== 'in-progress'
        ? unclaimed
        : { ...unclaimed, ...fault, detail: 'unreleased' },
    );
  const failed = (error: unknown): MaybePromise<Unclaimed> =>
    giveUp({ reason: 'store-failed', error });
  const claim = (task: Task, formerKey: string | undefined): MaybePromise<boolean> => {
    if (formerKey === undefined) {
      open.push(task);
      return true;
    }
    const key = keyOfReceiver(receiver, formerKey);
    if (deliveryKeys?.has(key) === true) return true;
    return mapMaybePromise(store.claim(key, leaseMs, delivery.id, formerKey), (state) => {
      if (state === 'busy') return false;
      if (state === 'seen') return true;
      // A thin adapter may return `null`, `'OK'` or `true`, whose meaning is unclear.
      if (state !== 'claimed')
        throw new WebhookError(
          'unknown-claim',
          'The replay store must return claimed, seen or busy for a claim.',
        );
      keys.push(key);
      deliveryKeys?.add(key);
      open.push(task);
      return true;
    });
  };
  const claimFrom = (first: number): MaybePromise<Work | Unclaimed> => {
    for (let index = first; index < tasks.length; index++) {
      const task = tasks[index] as Task;
      const isFree = mapMaybePromise(task.key, (key) => claim(task, key));
      if (isPromise(isFree))
        return isFree
          .then((free) =>
            free && !delivery.isOver ? claimFrom(index + 1) : giveUp({ reason: 'in-progress' }),
          )
          .catch(failed);
      if (!isFree) return giveUp({ reason: 'in-progress' });
    }
    return open.length === 0 && tasks.length > 0 ? { reason: 'duplicate' } : { tasks: open, keys };
  };
  try {
    return claimFrom(0);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Runs the handlers in order, and returns the first failure. Never rejects. A running handler always continues to its
 * end. Once the time for the delivery is over, no further handler starts.
 */
function runAll(
  tasks: readonly Task[],
  delivery: Delivery,
  first = 0,
): MaybePromise<Failure | undefined> {
  try {
    for (let index = first; index < tasks.length; index++) {
      const { handler, event, context } = tasks[index] as Task;
      if (delivery.isOver) throw new Error('The time ended before this event.');
      const done = handler(event as never, context);
      if (isPromise(done))
        return Promise.resolve(done).then(
          () => runAll(tasks, delivery, index + 1),
          (error: unknown): Failure => ({ error }),
        );
    }
  } catch (error) {
    return { error };
  }
  return undefined;
}

/** Confirms or releases every claim of a delivery, and returns the first failure. Never rejects. */
function settleAll(
  store: ReplayStore,
  method: 'confirm' | 'release',
  keys: readonly string[],
  delivery: Delivery,
): MaybePromise<Failure | undefined> {
  let failure: Failure | undefined;
  const waiting: PromiseLike<unknown>[] = [];
  for (const key of keys) {
    try {
      const settled = store[method](key, delivery.id);
      if (isPromise(settled)) waiting.push(settled);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (waiting.length === 0) return failure;
  return Promise.allSettled(waiting).then((all) => {
    const failed = all.find((result) => result.status === 'rejected');
    return failure ?? (failed && { error: failed.reason as unknown });
  });
}

/** Calls the handlers of deliveries, each event once. */
class Dispatcher {
  readonly #catalogue: Catalogue;
  readonly #options: Reactions;
  readonly #handlerOf: (name: string | null) => Handler<never>;
  readonly #bounds: Bounds;
  readonly #store: ReplayStore;
  readonly #name: string;
  readonly #onLate: (delivery: Delivery, ending: Ending) => void;

  /**
   * @param onLate is called when the handlers of a delivery that ran out of time are done
   * @throws WebhookError for options that are missing or out of range
   */
  constructor(
    catalogue: Catalogue,
    options: ReceiverOptions & Reactions,
    bounds: Bounds,
    onLate: (delivery: Delivery, ending: Ending) => void,
  ) {
    const { clock = () => Date.now(), onInvalid } = options;
    const store = options.replayStore ?? createMemoryReplayStore({ clock });
    const { claim, confirm, release } = store;
    checkFunctions({ onInvalid, claim, confirm, release });
    this.#handlerOf = assignHandlers(catalogue, options);
    this.#catalogue = catalogue;
    this.#options = options;
    this.#bounds = bounds;
    this.#store = store;
    this.#name = nameOfReceiver(catalogue, options);
    this.#onLate = onLate;
  }

  /** Handles an authentic delivery. */
  handle(opened: Opened, delivery: Delivery): MaybePromise<Ending> {
    if (opened.refusal === undefined) return this.#dispatch(opened.identification, delivery);
    return this.#refuse(opened, delivery);
  }

  /** Passes a delivery to `onInvalid`, and ends it as `refusal` unless `onInvalid` takes responsibility. */
  #refuse(opened: RefusedDelivery, delivery: Delivery): MaybePromise<Ending> {
    const { identification, refusal } = opened;
    const { kinds } = identification.invalid;
    const { onInvalid } = this.#options;
    let answer: unknown;
    const task: Task = {
      event: toInvalidDelivery(opened),
      context: new ContextOfDelivery(0, 1, delivery),
      handler: (event, context) =>
        mapMaybePromise<unknown, void>(onInvalid(event, context), (decision) => {
          answer = decision;
        }),
      key: undefined,
    };
    const detail = 'onInvalid';
    const finish = (failure: Failure | undefined): MaybePromise<Ending> => {
      if (failure !== undefined) return { reason: 'handler-failed', detail, kinds, ...failure };
      if (answer === 'accept') return { reason: 'accepted', detail: answer, kinds };
      // An answer that came too late starts no handler: the sender sends the delivery again.
      if (answer !== 'dispatch-valid' || delivery.isOver) return refusal;
      return mapMaybePromise(this.#dispatch(identification, delivery), (ending) =>
        ending.reason === 'handled'
          ? { detail: 'dispatch-valid', ...ending, reason: 'accepted' }
          : ending,
      );
    };
    return this.#inTime([task], finish, delivery, { detail, kinds });
  }

  #dispatch({ events, form, count }: Identification, delivery: Delivery): MaybePromise<Ending> {
    const kinds = events.map(({ name }) => name);
    const tasks = events.map((event): Task => ({
      event: toEvent(event, form),
      context: new ContextOfDelivery(event.index, count, delivery),
      handler: event.handler ?? this.#handlerOf(event.name),
      key: replayKey(this.#catalogue, event, delivery),
    }));
    if (tasks.every(({ key }) => key === undefined))
      return this.#run({ tasks, keys: noKeys }, kinds, delivery);
    const claiming = claimAll(this.#store, this.#name, this.#bounds.leaseMs, tasks, delivery);
    return mapMaybePromise(
      withinOr(claiming, this.#bounds.storeTimeoutMs, delivery, timedOut),
      (work): MaybePromise<Ending> => {
        if (work !== timedOut)
          return 'reason' in work ? { ...work, kinds } : this.#run(work, kinds, delivery);
        // Claims that succeed from now on are released at once.
        delivery.end();
        return { reason: 'store-failed', detail: 'out-of-time', kinds };
      },
    );
  }

  #run({ tasks, keys }: Work, kinds: Kinds, delivery: Delivery): MaybePromise<Ending> {
    const finish = (failure: Failure | undefined): MaybePromise<Ending> =>
      this.#finish(failure, keys, kinds, delivery);
    return this.#inTime(tasks, finish, delivery, { kinds });
  }

  /**
   * Confirms or releases the claims in the store. A failure of the store does not change the response: the work is
   * done, and with another response the sender would repeat it. A claim that cannot be released expires with its lease.
   */
  #finish(
    failure: Failure | undefined,
    keys: readonly string[],
    kinds: Kinds,
    delivery: Delivery,
  ): MaybePromise<Ending> {
    const handled = kinds.includes(null) ? 'unidentified' : 'handled';
    const [method, reason, detail] =
      failure === undefined
        ? (['confirm', handled, 'unconfirmed'] as const)
        : (['release', 'handler-failed', 'unreleased'] as const);
    const settling = keys.length > 0 ? settleAll(this.#store, method, keys, delivery) : undefined;
    return mapMaybePromise(
      withinOr(settling, this.#bounds.storeTimeoutMs, delivery, {}),
      (fault): Ending =>
        fault === undefined && failure === undefined
          ? { reason, kinds }
          : { ...(fault && { ...fault, detail }), ...failure, reason, kinds },
    );
  }

  /**
   * Runs the handlers and calls `finish` if they end in time. If not, ends the delivery as `out-of-time`. When the
   * handlers are done, calls `finish` and records the delivery once more with `late`.
   */
  #inTime(
    tasks: readonly Task[],
    finish: (failure: Failure | undefined) => MaybePromise<Ending>,
    delivery: Delivery,
    outcome: Partial<Ending>,
  ): MaybePromise<Ending> {
    const running = runAll(tasks, delivery);
    if (!isPromise(running)) return finish(running);
    return within(running, this.#bounds.handlerTimeoutMs).then((done) => {
      if (done !== timedOut) return finish(done);
      delivery.end();
      const recorded = running.then(finish).then((ending) => {
        this.#onLate(delivery, ending);
      });
      delivery.request.waitUntil?.(recorded);
      return { reason: 'out-of-time', ...outcome };
    });
  }
}

const noKeys: readonly string[] = [];

/** Maximum number of kinds that a warning names. A delivery can have thousands of events. */
const maxKinds = 5;

/** Warns if a delivery ended because a function or the setup of the application failed. */
function warnOfFailure(warn: WarnOfFailure, ending: Ending, status: number): void {
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

/** Warns that other code had read the body of a delivery, and names the fix. */
function warnOfConsumedBody(warn: WarnOfFailure, { error }: Ending): void {
  warn({
    code: 'COUNTERSIGN_BODY_CONSUMED',
    message: 'A delivery could not be received',
    // The messages of this class contain no data.
    help: isWebhookError(error) ? error.message : '',
  });
}

/** Warns that `onEvent` failed. */
function warnOfListener(warn: WarnOfFailure, error: unknown): void {
  warn({
    code: 'COUNTERSIGN_LISTENER_FAILED',
    message: '`onEvent` failed',
    help: 'The record of a delivery is lost. The response to the delivery does not change.',
    error,
  });
}

/** Returns the code of a warning and its message; `undefined` if nothing failed. */
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

/** Receives a request from an adapter and returns the response to send. Never rejects. */
export interface Receive extends ForAdapters {
  (request: IncomingRequest): Promise<Outcome>;
}

/** The options of a receiver, with handlers, or with a place to store deliveries. */
type AnyReceiverOptions = (ReceiverOptions & Reactions) | StoringOptions<never>;

function isStoring(options: AnyReceiverOptions): options is StoringOptions<never> {
  return options.inbox !== undefined || options.forward !== undefined;
}

/**
 * Creates the receiver of a contract's notifications.
 * @throws WebhookError for options that are missing or out of range
 */
export function createReceiver(
  catalogue: AnsweringCatalogue,
  options: AnyReceiverOptions,
): Receive {
  return new Receiver(catalogue, options).receive;
}

class Receiver {
  readonly #catalogue: AnsweringCatalogue;
  readonly #options: AnyReceiverOptions;
  readonly #outcomes: Readonly<Record<Reason, Outcome>>;
  readonly #methods: ReadonlySet<string>;
  readonly #bounds: Bounds;
  readonly #rules: OpeningRules;
  readonly #clock: () => number;
  readonly #warn: WarnOfFailure = createFailureWarnings();
  /** Handles or stores an authentic delivery. */
  readonly #take: (opened: Opened, delivery: Delivery) => MaybePromise<Ending>;

  constructor(catalogue: AnsweringCatalogue, options: AnyReceiverOptions) {
    const {
      authenticate,
      methods = catalogue.methods,
      clock = () => Date.now(),
      onEvent,
    } = options;
    checkFunctions({ authenticate, clock });
    if (onEvent !== undefined) checkFunctions({ onEvent });
    const bounds = toBounds(options);
    if (!isStoring(options)) {
      const dispatcher = new Dispatcher(catalogue, options, bounds, (delivery, ending) =>
        this.#record(delivery, this.#outcomes['out-of-time'], { ...ending, late: true }),
      );
      this.#take = (opened, delivery) => dispatcher.handle(opened, delivery);
      this.#rules = toRules(options, bounds);
    } else {
      this.#take = createStoring(catalogue, options, bounds);
      // Numbers as text keep the keys of each event. The consumer decides what happens to such a number.
      const { strict = true } = options;
      this.#rules = toRules({ ...options, numbers: strict ? 'text' : 'refuse' }, bounds);
    }
    this.receive.admit = authenticate.admit;
    this.#outcomes = createOutcomes(options.responses ?? {}, methods);
    this.#methods = new Set(methods);
    this.#bounds = bounds;
    this.#catalogue = catalogue;
    this.#options = options;
    this.#clock = clock;
  }

  readonly receive: Receive = async (request) => {
    const delivery = new Delivery(request, this.#clock());
    let ending: Ending;
    try {
      const handling = this.#handle(delivery);
      ending = isPromise(handling) ? await handling : handling;
    } catch (error) {
      ending = { reason: 'handler-failed', detail: 'unexpected', error };
    }
    const outcome = this.#catalogue.answer?.(ending, delivery) ?? this.#outcomes[ending.reason];
    this.#record(delivery, outcome, ending);
    return outcome;
  };

  #handle(delivery: Delivery): MaybePromise<Ending> {
    return mapMaybePromise(
      readDelivery(delivery, this.#methods, this.#bounds),
      (unread) =>
        unread ??
        mapMaybePromise(
          this.#authenticate(delivery),
          (refusal) =>
            refusal ?? this.#take(openDelivery(this.#catalogue, delivery, this.#rules), delivery),
        ),
    );
  }

  /** Authenticates a delivery. Returns `undefined` if it is authentic. */
  #authenticate(delivery: Delivery): MaybePromise<Ending | undefined> {
    const { request, body } = delivery;
    const { method, target: url, headers, connection } = request;
    try {
      const verdict = this.#options.authenticate({ method, url, headers, body, connection });
      const decide = (result: boolean | Verdict): Ending | undefined => {
        delivery.secretSegments = secretSegmentsOf(result);
        return toRefusal(result, headers);
      };
      if (!isPromise(verdict)) return decide(verdict);
      const refusal = Promise.resolve(verdict).then(decide, toFailure);
      return withinOr(refusal, this.#bounds.authenticationTimeoutMs, delivery, {
        reason: 'out-of-time',
        detail: 'authenticate',
      });
    } catch (error) {
      return toFailure(error);
    }
  }

  #record(delivery: Delivery, { status }: Outcome, ending: Ending): void {
    const { onEvent } = this.#options;
    if (ending.reason === 'body-consumed') warnOfConsumedBody(this.#warn, ending);
    if (onEvent === undefined) {
      warnOfFailure(this.#warn, ending, status);
      return;
    }
    // A listener that fails does not change the response.
    const fail = (error: unknown): void => {
      warnOfListener(this.#warn, error);
      warnOfFailure(this.#warn, ending, status);
    };
    try {
      const durationMs = this.#clock() - delivery.receivedAt;
      const heard: unknown = onEvent({
        kinds: [],
        ...delivery.note,
        ...ending,
        id: delivery.id,
        status,
        durationMs,
      });
      if (isPromise(heard)) Promise.resolve(heard).catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}

function toRefusal(
  verdict: boolean | Verdict,
  headers: IncomingRequest['headers'],
): Ending | undefined {
  const detail = refusalOf(verdict);
  if (detail === undefined) return undefined;
  // The sender can have encoded the body after it signed it.
  const isMismatch = detail === 'signature-mismatch' && isEncoded(headers);
  return { reason: 'unauthentic', detail: isMismatch ? 'encoded-signature-mismatch' : detail };
}

function toFailure(error: unknown): Ending {
  return { reason: 'authentication-failed', error };
}

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
