import type { JsonSchema } from '../../../schema/model.ts';
import type { SchemaIndex } from '../../../schema/json-schema.ts';
import type { Pointer } from '../../../json/pointer.ts';
import type { ContractChange } from '../change.ts';
import type { SchemaChangeCode } from '../verdicts/schema.ts';

/** A schema of one of the two contracts, and where it stands. */
export interface SchemaSide {
  readonly definition: JsonSchema;
  readonly pointer: Pointer;
  /** What its references lead to. */
  readonly schemas: SchemaIndex;
}

/** A difference between two schemas, whoever uses them. */
export interface SchemaDifference {
  readonly code: SchemaChangeCode;
  readonly side: ContractChange['side'];
  readonly pointer: Pointer;
  /** JSON Pointer of the value that the schema is about; `*` stands for every element or member. */
  readonly path: string;
  readonly message: string;
}
