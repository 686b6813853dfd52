import type { JsonObject } from '../json/json.ts';

/** The drafts of JSON Schema in which schemas of the toolkit itself are written. */
export type SchemaDraft = 'draft-07' | '2020-12';

/** A schema that belongs to the toolkit and not to a contract. It is compiled when the toolkit is built. */
export interface OwnSchema {
  /** The base name of the compiled module; unique. */
  readonly name: string;
  readonly draft: SchemaDraft;
  /** Returns the schema. It is called only if it is not compiled yet. */
  readonly schema: () => JsonObject;
  /** References to the parts of the schema that values are checked against; `#` is the schema itself. */
  readonly parts: readonly string[];
}
