import type { Json, JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';

/** A JSON Schema 2020-12 whose references are all `#/$defs/<Schema.name>`. */
export type JsonSchema = boolean | JsonObject;

/** What every part of a contract has: its place, and the sections of the source document that state it. */
export interface ContractNode {
  readonly pointer: Pointer;
  /** `x-source`, always as a list; empty where the contract cites nothing. */
  readonly source: readonly string[];
}

/** A runtime expression such as `$request.body#/parcel/state`; a schema it must match; `false`: it must be absent. */
export interface Condition {
  readonly expression: string;
  readonly schema: JsonSchema;
}

/** Conditions that must all hold. */
export type Conditions = readonly Condition[];

/** `x-variants`: another form in which the same value travels, and how it becomes the canonical one. */
export interface Variant extends ContractNode {
  readonly kind: 'variant';
  readonly name: string;
  /** The name of the derived schema of one whole body in this form. */
  readonly schema: string;
  readonly when: Conditions;
  /** JSON Pointer of the array with one value an element; left out where the body holds one value. */
  readonly each?: string;
  /** JSON Pointer at which the value (or each element) stands in the canonical form. */
  readonly as?: string;
  /** Member names in this form to names in the canonical form, inside the element. */
  readonly rename: Readonly<Record<string, string>>;
}
export interface EnumerationMember {
  /** The key in the const object; an identifier, unique in the enumeration. */
  readonly name: string;
  readonly value: string | number;
  readonly description?: string;
}
export interface Enumeration {
  /** The JSON type that every value has; a value that no member lists passes as it where `open`. */
  readonly base: 'string' | 'integer' | 'number';
  /** Whether values that are not listed are accepted (`x-extensible-enum`). */
  readonly open: boolean;
  readonly members: readonly EnumerationMember[];
}

/** A named schema. Inline bodies and payloads get a name too, so that a type and a validator can be asked for. */
export interface Schema extends ContractNode {
  readonly kind: 'schema';
  /** The name in the contract; unique. */
  readonly name: string;
  /** The identifier of its type; unique. */
  readonly typeName: string;
  /** The base name of its files, kebab-case; unique on file systems that fold case. */
  readonly fileName: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /**
   * `component`: named by the contract. `inline`: written in place, named after where it stands.
   * `variant`: another wire form of `variantOf`, derived from `x-variants`. `wire`: the union of a schema and its variants.
   */
  readonly origin: 'component' | 'inline' | 'variant' | 'wire';
  /** The canonical schema, where this one is a variant or a wire union. */
  readonly variantOf?: string;
  /** The schema in the one dialect; annotations and `x-` keys stay in it. */
  readonly definition: JsonSchema;
  /** Names of the schemas it refers to directly, each once, in order of appearance. */
  readonly references: readonly string[];
  /** Set where the schema is an enumeration of scalars. */
  readonly enumeration?: Enumeration;
  /** Other wire forms of the same value, in the author's order; empty for most schemas. */
  readonly variants: readonly Variant[];
  readonly examples: readonly Json[];
}

/** What holds the schemas of a contract, such as the contract. */
export interface WithSchemas {
  readonly schemas: readonly Schema[];
}
