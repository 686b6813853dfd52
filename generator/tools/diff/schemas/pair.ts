import type { Json, JsonObject } from '../../../json/json.ts';
import type { SchemaChangeCode } from '../verdicts/schema.ts';
import type { SchemaDifference } from './schema-difference.ts';

export type Steps = readonly (string | number)[];

/** Two corresponding subschemas, and functions that create their differences. */
export interface Pair {
  readonly base: JsonObject;
  readonly head: JsonObject;
  /** Creates a difference at a keyword. It is located in the base if only the base has the keyword. */
  say(
    code: SchemaChangeCode,
    message: string,
    ...keyword: readonly (string | number)[]
  ): SchemaDifference;
  /**
   * Compares two nested subschemas. `steps` are the paths to them; `member` is the name of the value that they
   * describe.
   */
  into(
    base: Json | undefined,
    head: Json | undefined,
    steps: { readonly base: Steps; readonly head: Steps; readonly member?: string },
  ): Iterable<SchemaDifference>;
}
