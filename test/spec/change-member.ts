import { isJsonObject, type Json } from '../../generator/json/json.ts';

/** Replaces the member at a position, counted from 0 through nested objects, or removes it. */
export function changeMember(value: Json, place: number, other: Json | undefined): Json {
  let left = place;
  const visit = (here: Json): Json => {
    if (Array.isArray(here)) return (here as readonly Json[]).map(visit);
    if (!isJsonObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).flatMap(([name, member = null]) => {
        left -= 1;
        if (left !== -1) return [[name, visit(member)]];
        return other === undefined ? [] : [[name, other]];
      }),
    );
  };
  return visit(value);
}
