import type { Json as DataJson } from '@countersign/simulator';
import type { Json } from '../../json/json.ts';

/** Returns valid values of a schema by its name; none if none could be made. */
export type Samples = (schema: string) => readonly Json[];

/**
 * Returns a JSON value as the simulator types it. The types differ only in whether a member can be `undefined`, which
 * no value of a contract is.
 */
export function toData(value: Json): DataJson {
  return value as DataJson;
}
