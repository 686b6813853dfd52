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

/** An event, as an inbox stored it. */
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
  /** What the inbox knows of the event. */
  readonly kind?: string | undefined;
  readonly orderKey?: string | undefined;
  readonly identity?: string | undefined;
  /** Whether a worker has identified the event, instead of the receiver. It is then not identified again. */
  readonly identified?: boolean;
}

/** One attempt to handle an event. */
export interface Attempt {
  /** Aborted at the time limit, when the worker lost the event, and when it stops without waiting. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Lets the event be tried again at a time. */
  readonly retryAt: (at: Date, reason: string) => never;
  /** Makes the event a dead letter. */
  readonly deadLetter: (reason: string) => never;
  /** Completes the event. */
  readonly completeWithoutEffect: () => never;
  /** Lets the attempt take at least so many milliseconds from now. */
  readonly extendTimeout: (attemptTimeoutMs: number) => void;
}

/** A stored delivery, for the handler of its event. Printing or serializing it does not expose the delivery. */
export interface EventContext extends Pick<ContextOfAttempt, keyof ContextOfAttempt> {}

/** Gives a handler its attempt. Printing or serializing it does not expose the delivery. */
class ContextOfAttempt extends ContextOfDelivery implements Attempt {
  /** Stable over all attempts: the idempotency key for effects outside the store. */
  readonly eventId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Lets the event be tried again at a time, instead of after the usual delay. The attempt counts. It throws:
   * nothing that the handler has written with the store takes effect.
   * @param reason what operators see; without personal data
   */
  readonly retryAt: Attempt['retryAt'];
  /**
   * Makes the event a dead letter at once. It throws: nothing that the handler has written with the store takes effect.
   * @param reason what operators see; without personal data
   */
  readonly deadLetter: Attempt['deadLetter'];
  /** Completes the event. It throws: nothing that the handler has written with the store takes effect. */
  readonly completeWithoutEffect: Attempt['completeWithoutEffect'];
  /** Lets the attempt take at least so many milliseconds from now. Throws the reason of `signal` if it is aborted. */
  readonly extendTimeout: Attempt['extendTimeout'];
  readonly #signal: AbortSignal;

  constructor(
    index: number,
    count: number,
    delivery: Delivery,
    eventId: string,
    signal: AbortSignal,
    attempt: Omit<Attempt, 'signal'>,
  ) {
    super(index, count, delivery);
    this.eventId = eventId;
    this.attempt = attempt.attempt;
    this.retryAt = attempt.retryAt;
    this.deadLetter = attempt.deadLetter;
    this.completeWithoutEffect = attempt.completeWithoutEffect;
    this.extendTimeout = attempt.extendTimeout;
    this.#signal = signal;
  }

  /** Aborted at the time limit, when the worker lost the event, and when it stops without waiting. */
  override get signal(): AbortSignal {
    return this.#signal;
  }
}

/**
 * Handles one event. An error makes the worker try again later, unless the handler decides something else with its
 * context, such as `deadLetter`. `Scope` is what the store adds to the context, and `Result` is the effect that it
 * takes.
 */
export type EventHandler<E, Scope, Result> = (
  event: E,
  context: EventContext & Scope,
) => MaybePromise<Result>;

/** The event that a handler of a receiver gets. */
export type EventOf<H> = H extends Handler<infer E> ? E : never;

/**
 * Handles authentic deliveries that violate the contract, also those that are not JSON. It completes the event where it
 * returns one of the texts of `InvalidAnswer`, or `{ accept }` with an effect. With any other result, the event is a
 * dead letter at once.
 */
export type OnInvalidOfWorker<Kind extends string, E, Scope, Result> = (
  delivery: InvalidDelivery<Kind, E>,
  context: EventContext & Scope,
) => MaybePromise<InvalidAnswer | { readonly accept: Result } | undefined> | MaybePromise<void>;

/** How a worker parses and identifies deliveries. */
export type EventRules<Numbers extends NumberMode = NumberMode> = Pick<
  ReceiverOptions<Numbers>,
  'mount' | 'strict' | 'numbers' | 'maxDepth'
>;

/** The handlers of a worker. */
export interface WorkerReactions<Scope, Result> {
  /** Handlers by the name of a kind or of a union of kinds. */
  readonly on: Readonly<Record<string, EventHandler<never, Scope, Result> | undefined>>;
  readonly otherwise:
    | EventHandler<never, Scope, Result>
    | { readonly rest: EventHandler<never, Scope, Result> };
  readonly onInvalid: OnInvalidOfWorker<never, never, Scope, Result>;
  /**
   * Kinds whose deliveries are handed over although they violate their schemas. `handOver` of the generated entry
   * `deviations` creates it. Not with `orderBy` or `identifyBy`, because these can read any member.
   */
  readonly deviations?: Deviations<EventContext & Scope, Result> | undefined;
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
 * Creates the function that handles the stored events of a contract. It parses, identifies and validates the delivery
 * again. It returns the results of the handlers that it called, and rejects with the first error.
 *
 * Where a delivery was stored as one event without a kind, or as one event although it contains several, no handler is
 * called: it returns the events of the delivery, which the inbox then stores in place of the one.
 * @throws WebhookError `invalid-option`
 */
export function createEventHandler<Scope extends object, Result>(
  catalogue: Catalogue,
  options: EventRules & EventKeys<never> & WorkerReactions<Scope, Result>,
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
  // The options of the inbox's worker are here too: its `leaseMs` is another one than the receiver's.
  const { maxDepth } = options;
  const deliveries = new StoredDeliveries(catalogue, toRules(options, toBounds({ maxDepth })));
  const handler = new StoredEventHandler(catalogue, options, handlerOf, deliveries);
  return async (stored, attempt) => await handler.handle(stored, attempt);
}

/** The rules of a worker and its functions. */
type HandlerOptions<Scope, Result> = EventRules & EventKeys<never> & WorkerReactions<Scope, Result>;

/** Returns the handler of a kind. */
type HandlerOf<Scope, Result> = (name: string | null) => EventHandler<never, Scope, Result>;

/** Handles stored events by the handlers of their kinds. */
class StoredEventHandler<Scope extends object, Result> {
  readonly #catalogue: Catalogue;
  readonly #options: HandlerOptions<Scope, Result>;
  readonly #handlerOf: HandlerOf<Scope, Result>;
  readonly #deliveries: StoredDeliveries;

  constructor(
    catalogue: Catalogue,
    options: HandlerOptions<Scope, Result>,
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
    contextOf: (index: number) => EventContext & Scope,
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
    context: EventContext & Scope,
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

/** Returns a function that creates the context of an event of a delivery, with the members that an inbox adds. */
function contextsOf<Scope extends object>(
  { id }: StoredEvent,
  { opened, delivery }: OpenedDelivery,
  attempt: Attempt & Scope,
): (index: number) => EventContext & Scope {
  const { signal, ...scope } = attempt;
  const { count } = opened.identification;
  return (index) => {
    const context = new ContextOfAttempt(index, count, delivery, id, signal, attempt);
    return Object.assign(context, scope as unknown as Scope);
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
interface OpenedDelivery {
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

function openStored(
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
