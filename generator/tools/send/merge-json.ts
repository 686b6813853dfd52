import { isJsonObject, type Json } from '../../json/json.ts';

/** Merges overrides into a value, member by member at any depth. Replaces values that are not objects on both sides. */
export function mergeJson(value: Json | undefined, overrides: Json): Json {
  if (!isJsonObject(value) || !isJsonObject(overrides)) return overrides;
  const merged = Object.entries(overrides).flatMap(([name, member]) =>
    member === undefined
      ? []
      : [[name, mergeJson(Object.hasOwn(value, name) ? value[name] : undefined, member)] as const],
  );
  // Unlike an assignment, `Object.fromEntries` also defines a member named `__proto__`.
  return Object.fromEntries([...Object.entries(value), ...merged]);
}
