/** A JSON value that is neither an object nor an array. */
export type Scalar = string | number | boolean | null;

/** A JSON value. The stages of the pipeline exchange only such values. */
export type Json = Scalar | readonly Json[] | JsonObject;

/** A JSON object whose members may be absent. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** Returns whether a value is an object, and not an array, a scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value that is an object, and an empty object for any other value. */
export function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns an object without some of its members. */
export function withoutMembers(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)));
}

/**
 * Returns an object with one member, or an empty object if the value is `undefined`. Spread it into objects that omit
 * optional members.
 */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** Returns an object with some members of another. Those that it does not have are left out. */
export function pick<T extends object, K extends keyof T>(
  from: T,
  ...members: readonly K[]
): Pick<T, K> {
  const entries = members.flatMap((member) =>
    from[member] === undefined ? [] : [[member, from[member]] as const],
  );
  return Object.fromEntries(entries) as Pick<T, K>;
}

/** Returns the strings of a list. A single string is a list of one; any other value has none. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).filter((item) => typeof item === 'string');
}

/** Returns the texts of a remark or a list of remarks (`x-note`): a remark is a text, or an object with its `text`. */
export function notesIn(value: Json | undefined): readonly string[] {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.map(textOf).filter((text) => text !== undefined);
}

function textOf(remark: Json | undefined): string | undefined {
  const text = isJsonObject(remark) ? remark['text'] : remark;
  return typeof text === 'string' ? text : undefined;
}

/** Returns whether a value is a scalar. */
export function isScalar(value: Json | undefined): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
