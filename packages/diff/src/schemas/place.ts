import type { JsonSchema, Pointer } from 'countersign';
import { escapeMember, toPointer } from 'countersign/companion/values';

/** The contract after the change (`head`), or before it. */
export type Side = 'base' | 'head';

/** A schema that applies to a value, with its place. */
export interface Part {
  readonly schema: JsonSchema;
  readonly at: Place;
  /** The name of the schema, if it is the whole of a named one. */
  readonly name?: string;
}

/** Where a schema or a keyword is, and which value it describes. */
export interface Place {
  readonly pointer: Pointer;
  /** The named schema that contains it, such as `schema Parcel`; empty if the contract does not name it. */
  readonly owner: string;
  /** The JSON Pointer of the described value within a value of the owner; `*` stands for any item or other member. */
  readonly path: string;
}

/** Returns the place of a keyword, or of a subschema for the same value. */
export function within(place: Place, ...keyword: readonly (string | number)[]): Place {
  return { ...place, pointer: toPointer(place.pointer, ...keyword) };
}

/** Returns the place of a subschema for a member or an item of the value. */
export function below(
  place: Place,
  member: string,
  ...keyword: readonly (string | number)[]
): Place {
  return { ...within(place, ...keyword), path: `${place.path}/${escapeMember(member)}` };
}
