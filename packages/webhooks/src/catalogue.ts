import type { Decision, Read } from './decision.ts';
import type { Route } from './routes.ts';

/** One rule of the contract that a body breaks; text of the contract, never a value of the body. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the body as it was received; empty for the whole. */
  readonly pointer: string;
  /** The keyword of JSON Schema that refuses it, or a word of the receiver's own. */
  readonly keyword: string;
  /** What is wrong, in words that follow the name of the value. */
  readonly message: string;
}

/** How a body is validated; neither throws. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  readonly violations: (value: unknown) => readonly Violation[];
}

/** A kind of notification. */
export interface Kind {
  /** The body in its canonical form. */
  readonly check: Check;
  /** What makes two deliveries the same; left out or empty: nothing does. */
  readonly dedupeBy?: readonly Read[];
}

/** Another form in which bodies travel. */
export interface Form {
  /** The name in the contract. */
  readonly name: string;
  /** The kinds whose bodies have it. */
  readonly kinds: readonly string[];
  /** Members of the pointer to an array with one value an element; left out where the body is one value. */
  readonly each?: readonly string[];
  /** Members of the pointer to the place of a value in the canonical form. */
  readonly as: readonly string[];
  /** Member names in this form to names in the canonical form. */
  readonly rename: ReadonlyMap<string, string>;
  /** The whole body in this form. */
  readonly check: Check;
}

/** Everything a receiver knows of its contract, decided when it was generated. */
export interface Catalogue {
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Names of the unions of kinds that a body alone may not tell apart, by the kinds joined with a space. */
  readonly unions: ReadonlyMap<string, string>;
  /** The most particular first. */
  readonly routes: readonly Route[];
  /** Methods that any notification comes with. */
  readonly methods: readonly string[];
  readonly reads: readonly Read[];
  /** Decides for an element in canonical form which kinds it can be. */
  readonly kindOf: Decision;
  readonly forms: ReadonlyMap<string, Form>;
  /** Decides for a whole body which forms it can have; none is the canonical one. */
  readonly formOf: Decision;
}
