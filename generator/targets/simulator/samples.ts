import type { Json } from '../../json/json.ts';

/** Returns valid values of a schema by its name; none if none could be made. */
export type Samples = (schema: string) => readonly Json[];
