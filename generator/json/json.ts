/** A JSON value. Everything that crosses a stage of the pipeline is made of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object whose members may be absent. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** Tells an object from an array, a scalar and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
