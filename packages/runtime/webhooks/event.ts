import type { Violation } from './catalogue.ts';
import type { Delivery } from './delivery.ts';
import type { HeaderLookup } from './request.ts';
import { queryValues } from './target.ts';

/** An event as its handler gets it. */
export interface Event<Kind extends string = string, Data = unknown, Form extends string = string> {
  readonly kind: Kind;
  readonly ambiguous: false;
  /** The wire variant in which it was sent, or `canonical`. */
  readonly form: Form;
  /**
   * `schema`: nothing that the contract states distinguishes the kind from others, and only its schema accepts the value.
   * Left out for any other event.
   */
  readonly recognizedBy?: 'schema';
  /** The value in the canonical format. It keeps members that the contract does not declare. */
  readonly data: Data;
}

/** An event that can be of several kinds, where the delivery does not show which. */
export interface AmbiguousEvent<
  Kind extends string = string,
  Kinds extends readonly string[] = readonly string[],
  Data = unknown,
  Form extends string = string,
> {
  readonly kind: Kind;
  readonly ambiguous: true;
  /** The kinds that it can be. */
  readonly kinds: Kinds;
  readonly form: Form;
  /** A value that is valid for at least one of the kinds. */
  readonly data: Data;
}

/** An authentic delivery that matches none of the contract's kinds. */
export interface UnidentifiedEvent {
  readonly kind: null;
  readonly ambiguous: false;
  readonly form: string;
  readonly data: unknown;
}

/** `T` with each number type widened by `string`: numbers that no double represents exactly arrive as text. */
export type NumbersAsText<T> = T extends number
  ? T | string
  : T extends string
    ? // A branded string type would otherwise match `object`.
      T
    : T extends object
      ? { readonly [K in keyof T]: NumbersAsText<T[K]> }
      : T;

/** The delivery of an event, for its handler. Printing or serializing it does not expose the delivery. */
export class DeliveryContext {
  /** The index of this event in the delivery, from 0. */
  readonly index: number;
  /** The number of events in the delivery. */
  readonly count: number;
  readonly #delivery: Delivery;

  constructor(index: number, count: number, delivery: Delivery) {
    this.index = index;
    this.count = count;
    this.#delivery = delivery;
  }

  /** An id that the receiver creates for the delivery. All its events and its `DeliveryRecord` have the same id. */
  get id(): string {
    return this.#delivery.id;
  }

  /** The time when the receiver got the request. */
  get receivedAt(): Date {
    return new Date(this.#delivery.receivedAt);
  }

  /** The raw bytes of the body. */
  get body(): Uint8Array {
    return this.#delivery.body;
  }

  /** The values of a request header by its lower-case name. Trust only headers that the signature covers. */
  get headers(): HeaderLookup {
    return this.#delivery.headers;
  }

  /** The parameters of the label's path, decoded. They are not compared with the body. */
  get parameters(): Readonly<Record<string, string>> {
    return this.#delivery.parameters;
  }

  /** The values of a parameter of the query, decoded. Trust only parameters that the signature covers. */
  get query(): (name: string) => readonly string[] {
    const { query } = this.#delivery;
    return (name) => queryValues(query, name);
  }

  /** Aborted when the time for this delivery is over. */
  get signal(): AbortSignal {
    return this.#delivery.signal;
  }
}

/** Why an authentic body is not valid. */
export type InvalidReason =
  /** It violates the schema of its kind or wire variant. */
  | 'schema'
  /** It is valid for a kind that its label does not have. */
  | 'other-kind'
  /** It matches several wire variants, or cannot be converted from its wire variant. */
  | 'form'
  /** Its label or wire variant has several kinds, and it matches none of them. */
  | 'no-kind'
  /**
   * It matches no kind: it contradicts what the contract states about the kinds that it resembles, such as an answer of
   * the ledger.
   */
  | 'contradiction'
  /** It has a number that no double represents exactly, and `numbers` is `refuse`; or a number too large for a double. */
  | 'number'
  /** It is not JSON, or fails the strict checks: a duplicate key, a prototype key, or too many levels. */
  | 'body'
  /** It has a content encoding, such as gzip, or is not UTF-8. */
  | 'encoding'
  /** Different servers could resolve the path of the request differently. */
  | 'path';

/** An authentic delivery that violates the contract. Nothing of it was claimed or handled before. */
export interface InvalidDelivery<Kind extends string = string, E = unknown> {
  readonly reason: InvalidReason;
  /** The kinds that it should have, or could have; empty where the delivery does not show any. */
  readonly kinds: readonly Kind[];
  /** The violations of the contract, at most the first 100, with JSON Pointers into the received body. */
  readonly violations: readonly Violation[];
  /** The text of the body; empty where it is not UTF-8 or has a content encoding. The context has its bytes. */
  readonly text: string;
  /**
   * The parsed JSON body. Numbers that no double represents exactly are texts, whatever `numbers` says. It is `undefined`
   * for the reasons `body` and `encoding`, because such a body has no safe or unique value.
   */
  readonly data: unknown;
  /**
   * The valid events among those of the body, with the index of each. It is empty where the body is one event. Their
   * handlers run only where `onInvalid` returns `dispatch-valid`.
   */
  readonly events: readonly { readonly index: number; readonly event: E }[];
}

/**
 * What `onInvalid` can return to have an invalid delivery acknowledged:
 *
 * - `accept`: the application has stored the delivery and takes responsibility for it.
 * - `dispatch-valid`: the application takes responsibility for what is invalid, and the handlers of the valid events run.
 */
export type InvalidAnswer = 'accept' | 'dispatch-valid';

/** Handles one event. The delivery is acknowledged only after the handler has returned or its promise has resolved. */
export type Handler<E> = (event: E, context: DeliveryContext) => unknown;
