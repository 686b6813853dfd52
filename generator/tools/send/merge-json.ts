import { isJsonObject, type Json } from '../../json/json.ts';

/** A value with members replaced, at any depth; what is no object on both sides is replaced as a whole. */
export function mergeJson(value: Json | undefined, overrides: Json): Json {
  if (!isJsonObject(value) || !isJsonObject(overrides)) return overrides;
  const merged = Object.entries(overrides).flatMap(([name, member]) =>
    member === undefined
      ? []
      : [[name, mergeJson(Object.hasOwn(value, name) ? value[name] : undefined, member)] as const],
  );
  // Unlike assignment, this makes a member of `__proto__` as well.
  return Object.fromEntries([...Object.entries(value), ...merged]);
}
