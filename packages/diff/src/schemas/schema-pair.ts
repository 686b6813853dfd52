import type { JsonSchema, Pointer } from 'countersign';
import type { SchemaIndex, SchemaNode } from 'countersign/kit';
import type { ContractChange } from '../change.ts';
import type { SchemaChangeCode } from '../verdicts/schema.ts';

/** A schema of one of the two contracts, and its place. */
export interface SchemaSide {
  readonly definition: JsonSchema;
  readonly pointer: Pointer;
  /** The schemas that its references resolve to. */
  readonly schemas: SchemaIndex;
}

/** A difference between two schemas, without the roles that it affects. */
export interface SchemaDifference {
  readonly code: SchemaChangeCode;
  readonly side: ContractChange['side'];
  readonly pointer: Pointer;
  /** The JSON Pointer of the described value; `*` stands for any item or additional member. */
  readonly path: string;
  readonly message: string;
}

/** The path from a schema to a keyword or a subschema. */
export type SchemaPath = readonly (string | number)[];

/** Two corresponding subschemas, and functions that create their differences. */
export interface SchemaPair {
  readonly base: SchemaNode;
  readonly head: SchemaNode;
  /** Creates a difference at a keyword. It is located in the base if only the base has the keyword. */
  differ(code: SchemaChangeCode, message: string, ...at: SchemaPath): SchemaDifference;
  /** Creates the difference for a keyword whose value changed, with both values in its message. */
  differIn(code: SchemaChangeCode, keyword: string): SchemaDifference;
  /** Compares two subschemas. `member` is the name of the value that they describe, if it is another value. */
  compare(
    base: JsonSchema,
    head: JsonSchema,
    paths: { readonly base: SchemaPath; readonly head: SchemaPath; readonly member?: string },
  ): Iterable<SchemaDifference>;
}
