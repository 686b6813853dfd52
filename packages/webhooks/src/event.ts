import type { Delivery } from './delivery.ts';
import type { HeaderLookup } from './request.ts';

/** A notification as a handler gets it. */
export interface Event<Kind extends string = string, Data = unknown, Form extends string = string> {
  readonly kind: Kind;
  readonly ambiguous: false;
  /** The form in which it travelled; `canonical` where it needed no change. */
  readonly form: Form;
  /** The canonical value. Members that the contract does not list are still there. */
  readonly data: Data;
}

/** A notification that can be of several kinds: nothing in it tells which. */
export interface AmbiguousEvent<
  Kind extends string = string,
  Kinds extends readonly string[] = readonly string[],
  Data = unknown,
  Form extends string = string,
> {
  readonly kind: Kind;
  readonly ambiguous: true;
  /** What it can be. */
  readonly kinds: Kinds;
  readonly form: Form;
  /** A valid value of at least one of the kinds. */
  readonly data: Data;
}

/** An authentic delivery that is none of the contract's kinds. */
export interface UnidentifiedEvent {
  readonly kind: null;
  readonly ambiguous: false;
  readonly form: string;
  readonly data: unknown;
}

/** Numbers that no double holds arrive as text. */
export type NumbersAsText<T> = T extends number
  ? T | string
  : T extends string
    ? // A text with a mark of its own would count as an object otherwise.
      T
    : T extends object
      ? { readonly [K in keyof T]: NumbersAsText<T[K]> }
      : T;

/** What a handler may know besides the event. Nothing that prints it shows the delivery. */
export class DeliveryContext {
  /** Which of the delivery's events this is, from 0. */
  readonly index: number;
  /** How many events the delivery holds. */
  readonly count: number;
  readonly #delivery: Delivery;

  constructor(index: number, count: number, delivery: Delivery) {
    this.index = index;
    this.count = count;
    this.#delivery = delivery;
  }

  /** Made by the receiver: the same for every event of one delivery, and in its record. */
  get id(): string {
    return this.#delivery.id;
  }

  get receivedAt(): Date {
    return new Date(this.#delivery.receivedAt);
  }

  /** The body as it travelled. */
  get body(): Uint8Array {
    return this.#delivery.body;
  }

  /** The request's headers; only what is signed can be trusted. */
  get headers(): HeaderLookup {
    return this.#delivery.headers;
  }

  /** The parameters of the label's path, decoded; not compared with anything in the body. */
  get parameters(): Readonly<Record<string, string>> {
    return this.#delivery.parameters;
  }

  /** Aborted once the time for this delivery is over. */
  get signal(): AbortSignal {
    return this.#delivery.signal;
  }
}

/** Why an authentic body is not accepted. */
export type InvalidReason =
  /** It breaks the schema of its kind. */
  | 'schema'
  /** It is of another kind than its label says. */
  | 'other-kind'
  /** Its form mixes two. */
  | 'form'
  /** Its label has several kinds, and it is none of them. */
  | 'no-kind';

/** An authentic delivery that is not what the contract says. */
export interface InvalidDelivery<Kind extends string = string> {
  readonly reason: InvalidReason;
  /** What it should be, or can be; empty where nothing tells. */
  readonly kinds: readonly Kind[];
  readonly violations: readonly {
    readonly pointer: string;
    readonly keyword: string;
    readonly message: string;
  }[];
  /** The body as JSON. */
  readonly data: unknown;
}

/** Does the work for one event. The delivery is acknowledged only after it has succeeded. */
export type Handler<E> = (event: E, context: DeliveryContext) => unknown;
