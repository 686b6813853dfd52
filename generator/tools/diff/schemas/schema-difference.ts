import type { JsonSchema } from '../../../schema/model.ts';
import type { SchemaIndex } from '../../../schema/references.ts';
import type { Pointer } from '../../../json/pointer.ts';
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
