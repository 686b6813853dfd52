import type { Json, JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';

/** A JSON Schema 2020-12 whose references are all `#/$defs/<Schema.name>`. */
export type JsonSchema = boolean | JsonObject;

/** The members that all parts of a contract have: a location, the cited sections of the source document, and notes. */
export interface ContractNode {
  readonly pointer: Pointer;
  /** `x-source`, always as a list; empty where the contract cites nothing. */
  readonly source: readonly string[];
  /** `x-note`, as a list: remarks of the contract's authors, which the source document does not contain. */
  readonly notes?: readonly string[];
}

/**
 * A runtime expression such as `$request.body#/parcel/state`, and the schema that its value must satisfy. The schema
 * `false` demands that there is no value.
 */
export interface Condition {
  readonly expression: string;
  readonly schema: JsonSchema;
  /** Set where a delivery without the value satisfies the condition too. */
  readonly optional?: true;
  /** The id of the ledger entry whose settled answer wrote the condition. */
  readonly settledBy?: string;
  /** A text that the pattern of the schema matches, for deliveries without an example. */
  readonly sample?: string;
}

/** Conditions that must all hold. */
export type Conditions = readonly Condition[];

/** An entry of `x-variants`: another wire format of the same value, and how it is converted to the canonical form. */
export interface Variant extends ContractNode {
  readonly kind: 'variant';
  readonly name: string;
  /** The name of the derived schema of a complete body in this wire format. */
  readonly schema: string;
  readonly when: Conditions;
  /** JSON Pointer of the array whose elements are one value each; absent where the body is one value. */
  readonly each?: string;
  /** JSON Pointer of the value, or of each element, in the canonical form. */
  readonly as?: string;
  /** Maps member names in this wire format to names in the canonical form, inside the element. */
  readonly rename: Readonly<Record<string, string>>;
}
export interface EnumerationMember {
  /** The key in the const object; an identifier, unique in the enumeration. */
  readonly name: string;
  readonly value: string | number;
  readonly description?: string;
}
export interface Enumeration {
  /** The JSON type of all values. Where `open`, any value of this type is valid. */
  readonly base: 'string' | 'integer' | 'number';
  /** Whether values that are not listed are accepted (`x-extensible-enum`). */
  readonly open: boolean;
  readonly members: readonly EnumerationMember[];
}

/** A named schema. Inline bodies and payloads get a name too, so that they have a type and a validator. */
export interface Schema extends ContractNode {
  readonly kind: 'schema';
  /** The name in the contract; unique. */
  readonly name: string;
  /** The identifier of its type; unique. */
  readonly typeName: string;
  /** The module of its type and its validator; left out where one module has those of all schemas. */
  readonly module?: string;
  /**
   * Set for a schema that no call, notification or message has, directly or by reference: it has a type, and a validator
   * only on request.
   */
  readonly isUnused?: true;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /**
   * `component`: named by the contract. `inline`: written in place and named after its location.
   * `variant`: another wire format of `variantOf`, derived from `x-variants`.
   * `wire`: the union of a schema and its variants. `request`: `variantOf` as it is sent to the contract's owner,
   * derived where `readOnly` or `writeOnly` members make it differ.
   */
  readonly origin: 'component' | 'inline' | 'variant' | 'wire' | 'request';
  /** The schema that this one is derived from. */
  readonly variantOf?: string;
  /** The schema in JSON Schema 2020-12, including annotations and `x-` keys. */
  readonly definition: JsonSchema;
  /** Names of the schemas that it refers to directly, each once, in order of appearance. */
  readonly references: readonly string[];
  /** Set where the schema is an enumeration of scalars. */
  readonly enumeration?: Enumeration;
  /** Other wire formats of the same value, in the author's order; empty for most schemas. */
  readonly variants: readonly Variant[];
  readonly examples: readonly Json[];
}

/** An object with the schemas of a contract, such as the contract itself. */
export interface WithSchemas {
  readonly schemas: readonly Schema[];
}
