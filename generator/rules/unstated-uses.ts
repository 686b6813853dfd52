import type { Cursor } from '../json/cursor.ts';
import { referenceOf } from '../json/descend.ts';
import { isJsonObject, toObject, type Json } from '../json/json.ts';
import { answersOf, resolveVocabulary } from '../contract/vocabulary/vocabulary.ts';

/** A value of the vocabulary that refers to a ledger entry with `{ unstated: <id> }`. */
export interface UnstatedUse {
  readonly id: string;
  readonly at: Cursor;
  /** The reference to the schema that every choice of the entry has to match. */
  readonly reference: string;
}

/** Returns every `{ unstated: <id> }` in a value of the vocabulary. Follows a schema of the vocabulary. */
export function unstatedUses(schema: Json | undefined, at: Cursor): readonly UnstatedUse[] {
  const target = referenceOf(schema);
  if (target !== undefined) return unstatedUses(resolveVocabulary(target), at);
  if (!isJsonObject(schema)) return [];
  const { then, else: stated, properties, items } = schema;
  const reference = answersOf(schema);
  const id = isJsonObject(at.value) ? at.text('unstated') : undefined;
  if (reference !== undefined && id !== undefined) return [{ id, at, reference }];
  const inBranches = [then, stated].flatMap((branch) => unstatedUses(branch, at));
  const inMembers = Object.entries(toObject(properties)).flatMap(([name, member]) =>
    unstatedUses(member, at.child(name)),
  );
  const inItems = isJsonObject(items)
    ? at.items().flatMap((item) => unstatedUses(items, item))
    : [];
  return [...inBranches, ...inMembers, ...inItems];
}
