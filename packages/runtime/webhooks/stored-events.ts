import type { NumberMode } from '../base/index.ts';
import {
  type Catalogue,
  Delivery,
  ContextOfDelivery,
  type EventKeys,
  type Handler,
  type HeaderLookup,
  type InvalidAnswer,
  type InvalidDelivery,
  type MaybePromise,
  type Rejection,
  type Replacement,
  WebhookError,
  invalid as invalidOption,
  isWebhookError,
} from './contract.ts';
import type { Identified } from './identify.ts';
import {
  type Deviations,
  type Opened,
  type OpeningRules,
  type ReceiverOptions,
  type Refusal,
  assignHandlers,
  checkFunctions,
  checkNames,
  keysOf,
  openDelivery,
  receiverHeader,
  toBounds,
  toEvent,
  toInvalidDelivery,
  toRules,
} from './receiver.ts';

/** An event of a stored delivery. */
export interface StoredEvent {
  /** The id of the event. */
  readonly id: string;
  /** The id of its delivery. */
  readonly receiptId: string;
  /** Its index among the events of its delivery. */
  readonly position: number;
  /** The number of events of its delivery. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** What its receiver knows of the event. */
  readonly kind?: string | undefined;
  readonly orderKey?: string | undefined;
  readonly identity?: string | undefined;
  /** Whether it was identified after it was stored, instead of by its receiver. It is then not identified again. */
  readonly identified?: boolean;
}

/** One attempt to handle an event. */
export interface Attempt {
  /** Aborted at the time limit, when another process has the event, and when this one stops without waiting. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Lets the event be tried again at a time, instead of after the usual delay. The attempt counts. It throws:
   * nothing that the handler has written with the store of an inbox takes effect.
   * @param reason what operators see; without personal data
   */
  readonly retryAt: (at: Date, reason: string) => never;
  /**
   * Makes the event a dead letter at once. It throws: nothing that the handler has written with the store of an inbox
   * takes effect.
   * @param reason what operators see; without personal data
   */
  readonly deadLetter: (reason: string) => never;
}

/** An attempt of the worker of an inbox. */
export interface WorkerAttempt extends Attempt {
  /** Completes the event. It throws: nothing that the handler has written with the store takes effect. */
  readonly completeWithoutEffect: () => never;
  /** Lets the attempt take at least so many milliseconds from now. Throws the reason of `signal` if it is aborted. */
  readonly extendTimeout: (attemptTimeoutMs: number) => void;
}

/** A stored delivery, for the handler of its event. Printing or serializing it does not expose the delivery. */
export interface StoredContext extends Pick<ContextOfStored, keyof ContextOfStored>, Attempt {}

/** The context of the handlers of an inbox's worker. */
export interface EventContext extends StoredContext, WorkerAttempt {}

/** Gives a handler the delivery of its event. Printing or serializing it does not expose the delivery. */
class ContextOfStored extends ContextOfDelivery {
  /** The order key of the event, which begins with the name of the receiver. `undefined` for an event without one. */
  readonly orderKey: string | undefined;
  readonly #id: string;
  readonly #signal: AbortSignal;

  constructor(
    index: number,
    count: number,
    delivery: Delivery,
    stored: StoredEvent,
    signal: AbortSignal,
  ) {
    super(index, count, delivery);
    this.orderKey = stored.orderKey;
    this.#id = stored.id;
    this.#signal = signal;
  }

  /** The id of the event, equal over all attempts: the idempotency key for effects elsewhere. */
  override get id(): string {
    return this.#id;
  }

  /** Aborted at the time limit, when another process has the event, and when this one stops without waiting. */
  override get signal(): AbortSignal {
    return this.#signal;
  }
}

/**
 * Handles one event. An error lets it be tried again later, unless the handler decides something else with its context,
 * such as `deadLetter`. `Scope` is what is added to the context, and `Result` is the effect that the store of an inbox
 * takes.
 */
export type EventHandler<E, Scope, Result> = (
  event: E,
  context: StoredContext & Scope,
) => MaybePromise<Result>;

/** The event that a handler of a receiver gets. */
export type EventOf<H> = H extends Handler<infer E> ? E : never;

/**
 * Handles authentic deliveries that violate the contract, also those that are not JSON. It completes the event where it
 * returns one of the texts of `InvalidAnswer`, or `{ accept }` with an effect. With any other result, the event is a
 * dead letter at once.
 */
export type OnInvalidStored<Kind extends string, E, Scope, Result> = (
  delivery: InvalidDelivery<Kind, E>,
  context: StoredContext & Scope,
) => MaybePromise<InvalidAnswer | { readonly accept: Result } | undefined> | MaybePromise<void>;

/** How stored deliveries are parsed and identified. */
export type EventRules<Numbers extends NumberMode = NumberMode> = Pick<
  ReceiverOptions<Numbers>,
  'mount' | 'strict' | 'numbers' | 'maxDepth'
>;

/** The handlers of stored events. */
export interface StoredReactions<Scope, Result> {
  /** Handlers by the name of a kind or of a union of kinds. */
  readonly on: Readonly<Record<string, EventHandler<never, Scope, Result> | undefined>>;
  readonly otherwise:
    | EventHandler<never, Scope, Result>
    | { readonly rest: EventHandler<never, Scope, Result> };
  readonly onInvalid: OnInvalidStored<never, never, Scope, Result>;
  /**
   * Kinds whose deliveries are handed over although they violate their schemas. `handOver` of the generated entry
   * `deviations` creates it. Not with `orderBy` or `identifyBy`, because these can read any member.
   */
  readonly deviations?: Deviations<StoredContext & Scope, Result> | undefined;
  /** What differs by the kind of an event; its names are those of `on`. The inbox reads the values. */
  readonly kinds?: Readonly<Record<string, object | undefined>>;
}

/** Returns whether an error of a handler remains in every further attempt. */
export function isPermanent(error: unknown): boolean {
  return (
    isWebhookError(error) && (error.code === 'invalid-delivery' || error.code === 'changed-events')
  );
}

/**
 * Creates the one dispatcher of stored deliveries, for the worker of an inbox and for a consumer. It parses, identifies and validates the delivery
 * again. It returns the results of the handlers that it called, and rejects with the first error.
 *
 * Where a delivery was stored as one event without a kind, or as one event although it contains several, no handler is
 * called: it returns the events of the delivery, which then take the place of the one.
 * @throws WebhookError `invalid-option`
 */
export function createDispatcher<Scope extends object, Result>(
  catalogue: Catalogue,
  options: EventRules & EventKeys<never> & StoredReactions<Scope, Result>,
): (stored: StoredEvent, context: Attempt & Scope) => Promise<readonly Result[] | Replacement> {
  const { onInvalid, orderBy, identifyBy } = options;
  const handlerOf = assignHandlers(catalogue, options);
  checkNames(catalogue, 'kinds', options.kinds);
  checkFunctions({
    onInvalid,
    ...(orderBy && { orderBy }),
    ...(identifyBy && { identifyBy }),
  });
  if (options.deviations !== undefined && (orderBy ?? identifyBy) !== undefined)
    throw invalidOption(
      '`deviations` excludes `orderBy` and `identifyBy`, which can read any member',
    );
  // The options of workers and consumers are here too: their `leaseMs` is another one than the receiver's.
  const { maxDepth } = options;
  const deliveries = new StoredDeliveries(catalogue, toRules(options, toBounds({ maxDepth })));
  const handler = new Dispatcher(catalogue, options, handlerOf, deliveries);
  return async (stored, attempt) => await handler.handle(stored, attempt);
}

/** How deliveries are read, and the functions that handle them. */
type DispatchOptions<Scope, Result> = EventRules &
  EventKeys<never> &
  StoredReactions<Scope, Result>;

/** Returns the handler of a kind. */
type HandlerOf<Scope, Result> = (name: string | null) => EventHandler<never, Scope, Result>;

/** Calls the handlers of stored events by their kinds. */
class Dispatcher<Scope extends object, Result> {
  readonly #catalogue: Catalogue;
  readonly #options: DispatchOptions<Scope, Result>;
  readonly #handlerOf: HandlerOf<Scope, Result>;
  readonly #deliveries: StoredDeliveries;

  constructor(
    catalogue: Catalogue,
    options: DispatchOptions<Scope, Result>,
    handlerOf: HandlerOf<Scope, Result>,
    deliveries: StoredDeliveries,
  ) {
    this.#catalogue = catalogue;
    this.#options = options;
    this.#handlerOf = handlerOf;
    this.#deliveries = deliveries;
  }

  async handle(
    stored: StoredEvent,
    attempt: Attempt & Scope,
  ): Promise<readonly Result[] | Replacement> {
    const { position, count } = stored;
    const delivery = this.#deliveries.open(stored);
    const { identification, refusal } = delivery.opened;
    // The event of a delivery with one event is all of it, also where this contract finds several in it.
    const isWhole = count === 1;
    if (!isWhole && identification.count !== count)
      throw new WebhookError(
        'changed-events',
        `The delivery was stored with ${count} events, and this contract finds ${identification.count} in it.`,
      );
    const contextOf = contextsOf(stored, delivery, attempt);
    const ofPosition = delivery.ofEach.get(position);
    const events = isWhole
      ? identification.events
      : ofPosition === undefined
        ? []
        : [copyOf(ofPosition)];
    const handleEvents = async (): Promise<readonly Result[] | Replacement> =>
      (await this.#replacementOf(stored, delivery)) ??
      (await this.#handleAll(events, identification.form, contextOf));
    if (refusal === undefined || (!isWhole && events.length > 0)) return await handleEvents();
    const invalid = delivery.toInvalid();
    const answer = await this.#answerTo(invalid, contextOf(position));
    if (answer === 'accept') return [];
    if (answer === 'dispatch-valid') return await handleEvents();
    if (typeof answer === 'object' && answer !== null && 'accept' in answer)
      return [answer.accept as Result];
    throw new WebhookError(
      'invalid-delivery',
      `The delivery violates the contract, and \`onInvalid\` did not accept it.${this.#refusedBy(refusal)}`,
      invalid && { rejection: toRejection(invalid) },
    );
  }

  /** Returns why a delivery was not handed over, where others are. */
  #refusedBy({ detail }: Refusal): string {
    if (this.#options.deviations === undefined || detail === undefined) return '';
    return ` It was not handed over: \`${detail}\`.`;
  }

  async #handleAll(
    events: readonly Identified[],
    form: string,
    contextOf: (index: number) => StoredContext & Scope,
  ): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const event of events) {
      const chosen = event.handler as EventHandler<never, Scope, Result> | undefined;
      const handle = chosen ?? this.#handlerOf(event.name);
      const result = await handle(toEvent(event, form) as never, contextOf(event.index));
      if (result !== undefined) results.push(result);
    }
    return results;
  }

  /** Returns what replaces a stored event, unless it is stored as what it is. */
  async #replacementOf(
    stored: StoredEvent,
    { opened, delivery }: OpenedDelivery,
  ): Promise<Replacement | undefined> {
    const { events: identified, form, count } = opened.identification;
    if (stored.count !== 1 || identified.length === 0) return undefined;
    // What was identified stays as it is: another version of the contract may have other keys.
    if (count === 1 && (stored.kind !== undefined || stored.identified === true)) return undefined;
    const [receiver] = delivery.headers(receiverHeader);
    const events = await Promise.all(
      identified.map(async (event) => ({
        position: event.index,
        ...(await keysOf(this.#catalogue, event, form, delivery, this.#options, receiver)),
      })),
    );
    const [first] = events;
    const isStored =
      count === 1 &&
      first?.kind === undefined &&
      first?.orderKey === stored.orderKey &&
      first?.identity === stored.identity;
    return isStored ? undefined : { replaceBy: { count, events } };
  }

  async #answerTo(
    invalid: InvalidDelivery | undefined,
    context: StoredContext & Scope,
  ): Promise<unknown> {
    const { onInvalid } = this.#options;
    try {
      return await onInvalid(invalid as InvalidDelivery<never, never>, context);
    } catch (error) {
      addRejection(error, invalid);
      throw error;
    }
  }
}

/** Returns a function that creates the context of an event of a delivery, with the members of its attempt. */
function contextsOf<Scope extends object>(
  stored: StoredEvent,
  { opened, delivery }: OpenedDelivery,
  attempt: Attempt & Scope,
): (index: number) => StoredContext & Scope {
  const { signal, ...scope } = attempt;
  const { count } = opened.identification;
  return (index) => {
    const context = new ContextOfStored(index, count, delivery, stored, signal);
    return Object.assign(context, scope as unknown as Attempt & Scope);
  };
}

/** Adds to the decision of an `onInvalid` why it was called. Other errors can be shared by several deliveries. */
function addRejection(error: unknown, invalid: InvalidDelivery | undefined): void {
  const isDecision =
    error instanceof Error &&
    error.name === 'InboxError' &&
    'code' in error &&
    (error.code === 'dead-letter' || error.code === 'postponed');
  if (isDecision && invalid !== undefined)
    Object.defineProperty(error, 'rejection', { value: toRejection(invalid) });
}

/** Returns what an error says about an invalid delivery: nothing of its data. */
function toRejection({ reason, kinds, violations }: InvalidDelivery): Rejection {
  return { reason, kinds, violations };
}

/** A stored delivery that was parsed, identified and validated. */
export interface OpenedDelivery {
  readonly delivery: Delivery;
  readonly opened: Opened;
  /** The events by their indices in the delivery. */
  readonly ofEach: ReadonlyMap<number, Identified>;
  /** Returns what `onInvalid` gets; the same object for each event. */
  readonly toInvalid: () => InvalidDelivery | undefined;
}

interface SharedDelivery {
  /** The event for which the delivery was opened. */
  readonly stored: StoredEvent;
  readonly opened: OpenedDelivery;
}

/** Opens the deliveries of stored events. The events of one delivery share it, if an inbox gives them the same bytes. */
class StoredDeliveries {
  readonly #catalogue: Catalogue;
  readonly #rules: OpeningRules;
  /** Deliveries with several events, by their bytes. */
  readonly #shared = new WeakMap<Uint8Array, SharedDelivery>();

  constructor(catalogue: Catalogue, rules: OpeningRules) {
    this.#catalogue = catalogue;
    this.#rules = rules;
  }

  open(stored: StoredEvent): OpenedDelivery {
    if (stored.count === 1) return openStored(this.#catalogue, stored, this.#rules);
    const shared = this.#shared.get(stored.body);
    if (shared !== undefined && isOfDelivery(shared.stored, stored)) return shared.opened;
    const opened = openStored(this.#catalogue, stored, this.#rules);
    this.#shared.set(stored.body, { stored, opened });
    return opened;
  }
}

/** Parses, identifies and validates a stored delivery. Never throws. */
export function openStored(
  catalogue: Catalogue,
  stored: StoredEvent,
  rules: OpeningRules,
): OpenedDelivery {
  const delivery = toDelivery(stored);
  const opened = openDelivery(catalogue, delivery, rules);
  const ofEach = new Map(opened.identification.events.map((event) => [event.index, event]));
  let invalid: InvalidDelivery | undefined;
  const toInvalid = (): InvalidDelivery | undefined =>
    (invalid ??= opened.refusal === undefined ? undefined : toInvalidDelivery(opened));
  return { delivery, opened, ofEach, toInvalid };
}

/** Returns whether two stored events with the same bytes are of one delivery. */
function isOfDelivery(a: StoredEvent, b: StoredEvent): boolean {
  return (
    a.receiptId === b.receiptId &&
    a.receivedAt === b.receivedAt &&
    a.method === b.method &&
    a.target === b.target &&
    a.headers === b.headers
  );
}

/** Returns an event with its own data, so that what a handler changes does not reach other events and attempts. */
function copyOf(event: Identified): Identified {
  return { ...event, data: structuredClone(event.data) };
}

function toDelivery(stored: StoredEvent): Delivery {
  const headers = new Map<string, string[]>();
  for (const [name, value] of stored.headers) {
    const values = headers.get(name) ?? [];
    headers.set(name, values);
    values.push(value);
  }
  const lookup: HeaderLookup = (name) => headers.get(name) ?? [];
  const { method, target, body } = stored;
  const request = { method, target, headers: lookup, read: () => body };
  const delivery = new Delivery(request, stored.receivedAt, stored.receiptId);
  delivery.body = body;
  return delivery;
}
