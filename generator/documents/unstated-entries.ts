import type { Documents } from './documents.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { vocabularyPlaces } from './declared-vocabulary.ts';

/** An entry of the ledger, and its place. */
export interface UnstatedEntry {
  readonly id: string;
  readonly at: Cursor;
}

/** A choice of an entry, with its value. The value of a choice in the short form is its own name. */
export interface UnstatedChoice {
  readonly name: string;
  /** Where the value is written. */
  readonly pointer: Pointer;
  readonly value: Json;
  readonly meaning: string;
}

/** Returns every entry of the ledger in both documents, in order of appearance; an id may appear more than once. */
export function unstatedEntries(documents: Documents): readonly UnstatedEntry[] {
  return vocabularyPlaces(documents).flatMap((place) =>
    place
      .entries('x-unstated')
      .filter(([, at]) => isJsonObject(at.value))
      .map(([id, at]) => ({ id, at })),
  );
}

/** Returns the ids of the entries whose answers examples presume. Settling one removes the examples of other answers. */
export function presumedIds(documents: Documents): ReadonlySet<string> {
  const ids = vocabularyPlaces(documents).flatMap((place) =>
    place.entries('x-presumes').flatMap(([, answers]) => answers.entries().map(([id]) => id)),
  );
  return new Set(ids);
}

/** Returns whether the update of a choice's action is the answer itself: `{ unstated: <id> }`, with the id of its entry. */
export function isAnswerUpdate(update: Json | undefined, id: string): boolean {
  return isJsonObject(update) && update['unstated'] === id && Object.keys(update).length === 1;
}

/** Returns whether the actions of a choice write its value into the contract, so that it is complete only with one. */
export function insertsValue({ id, at }: UnstatedEntry, choice: string): boolean {
  const actions = at.child('choices').child(choice).items('actions');
  return actions.some((action) => isAnswerUpdate(action.valueIn('update'), id));
}

/** Returns the choices of an entry, in the author's order. */
export function choicesOf({ at }: Pick<UnstatedEntry, 'at'>): readonly UnstatedChoice[] {
  return at.entries('choices').map(([name, choice]) => {
    const short = choice.text();
    if (short !== undefined) return { name, pointer: choice.pointer, value: name, meaning: short };
    const { pointer, value = name } = choice.child('value');
    return { name, pointer, value, meaning: choice.text('meaning') ?? '' };
  });
}
