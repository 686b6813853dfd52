import type { NormalizationNode } from './normalization.ts';
import type { Decision, Read, Readable } from './decision.ts';
import type { KindFields } from './fields.ts';
import type { ParsedBody, ParseRules } from './parse-body.ts';
import type { Route } from './routes.ts';

/** A violation of the contract by a body. Its texts come from the contract, and contain no value of the body. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the body as it was received; empty for the whole body. */
  readonly pointer: string;
  /** The violated keyword of JSON Schema, or a keyword of the receiver, such as `kind` or `form`. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
  /** The index of the event that it concerns, where the body has an array of events. */
  readonly index?: number;
}

/** Maximum number of violations of a delivery that are listed. Further ones are not; the verdict does not depend on it. */
export const maxViolations = 100;

/** The compiled validation of a body. Neither function throws. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  /** Returns the first violations, at most a fixed number. */
  readonly violations: (value: unknown) => readonly Violation[];
}

/** A kind of event. */
export interface Kind {
  /** Validates a body in the canonical format. */
  readonly check: Check;
  /** The values that have another form on the wire. They are converted before anything else. */
  readonly normalization?: readonly NormalizationNode[];
  /**
   * What a signature in the body covers. Left out where there is none. An attacker who captured a delivery can change
   * everything else in the body.
   */
  readonly signed?: SignedMembers;
  /** The values that identify duplicates. Without any, no two events count as duplicates. */
  readonly dedupeBy?: readonly Read[];
  /** The values that give an event its order key. Without any, an inbox keeps no order. */
  readonly orderedBy?: readonly Read[];
}

/** The members that a signature in the body covers. */
interface SignedMembers {
  /** The path to the array whose elements have the signatures; left out where the body has one. */
  readonly each?: readonly string[];
  /** The paths of the members in the canonical format. */
  readonly members: readonly (readonly string[])[];
}

/** The compiled validation of a body in a wire variant, as one payload. */
export interface FormCheck extends Check {
  /** The kinds with this payload; left out where all kinds of the variant have it. */
  readonly kinds?: readonly string[];
}

/** A wire variant: another wire format of the same payload. */
export interface Form {
  /** The name in the contract. */
  readonly name: string;
  /** The kinds that can be sent in this variant. */
  readonly kinds: readonly string[];
  /** Path to an array with one value in each element; absent where the body is a single value. */
  readonly each?: readonly string[];
  /** Path to the location of a value in the canonical format. */
  readonly as: readonly string[];
  /**
   * Members of a value that are signed with it, so that a member of the same name beside the array must not stand for
   * one that an element lacks. Left out where nothing is signed.
   */
  readonly signed?: readonly string[];
  /** Member names of this variant, mapped to those of the canonical format. */
  readonly rename: ReadonlyMap<string, string>;
  /** Validates the whole body in this variant, each as another payload. An element is validated as those of its kinds. */
  readonly checks: readonly FormCheck[];
}

/** The contract as a receiver reads it, precomputed by the generator. */
export interface Catalogue {
  /** The default of the receiver's option `name`. */
  readonly name: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  /**
   * Names of the unions of kinds that a body alone may not distinguish. The key is the names of the kinds, joined with
   * a space.
   */
  readonly unions: ReadonlyMap<string, string>;
  /** Ordered from the most to the least specific. */
  readonly routes: readonly Route[];
  /** The HTTP methods of all notifications. */
  readonly methods: readonly string[];
  /** The values that decisions read; nodes refer to them by index. */
  readonly reads: readonly Read[];
  /** Determines which kinds a value in the canonical format can have. */
  readonly kindOf: Decision;
  /**
   * Determines the kinds as which a value of no kind is refused, because it resembles them. Left out where each value
   * of no kind is only unknown.
   */
  readonly resembles?: Decision;
  /**
   * The kinds that their schema decides, where only such kinds remain and exactly one of their schemas accepts the value.
   * Left out where there are none.
   */
  readonly bySchema?: ReadonlySet<string>;
  readonly forms: ReadonlyMap<string, Form>;
  /** Determines which wire variants a body can have. No variant means the canonical format. */
  readonly formOf: Decision;
  /** How the kinds are written that are not JSON. Without it, all are, and bundles have no code for others. */
  readonly fields?: CatalogueFields;
}

/** The kinds that are written as a form or a query, and the function that reads them: `readFields`. */
export interface CatalogueFields {
  readonly kinds: ReadonlyMap<string, KindFields>;
  readonly read: (
    catalogue: Catalogue,
    fields: ReadonlyMap<string, KindFields>,
    from: Readable,
    label: readonly string[] | undefined,
    rules: ParseRules,
  ) => ParsedBody;
}
