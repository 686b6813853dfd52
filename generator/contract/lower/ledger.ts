import type { Documents, PendingAction } from '../../documents/documents.ts';
import { type Json, textsIn, optional } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { takeNames, type NamingContext } from './take-names.ts';
import { choicesOf, unstatedEntries } from '../../documents/unstated-entries.ts';
import type { OrUnstated, Unstated } from '../contract.ts';
import { optionalTexts, type Cursor } from '../../json/cursor.ts';
import { toMemberName } from '../names.ts';

/**
 * The ledger: collects every `x-unstated` entry of both documents, resolves settled entries, and records where the
 * contract uses an entry.
 */
export class Ledger {
  readonly #entries = new Map<string, Cursor>();
  readonly #usedBy = new Map<string, Set<Pointer>>();
  readonly #answers = new Map<string, Set<Pointer>>();
  readonly #writers = new Map<Pointer, string>();
  readonly #pendingActions: ReadonlyMap<string, readonly PendingAction[]>;

  constructor(documents: Documents) {
    this.#pendingActions = Map.groupBy(documents.pendingActions ?? [], ({ id }) => id);
    for (const { id, at } of unstatedEntries(documents)) {
      if (!this.#entries.has(id)) this.#entries.set(id, at);
    }
    for (const [id, places] of documents.answerPlaces ?? []) {
      this.#answers.set(id, new Set(places));
      for (const place of places) this.#writers.set(place, id);
    }
  }

  /** Returns the id of the entry whose settled answer wrote a place, or an object or a list that contains it. */
  writerOf(pointer: Pointer): string | undefined {
    if (this.#writers.size === 0) return undefined;
    let place = pointer;
    while (place.includes('/')) {
      const id = this.#writers.get(place);
      if (id !== undefined) return id;
      place = place.slice(0, place.lastIndexOf('/')) as Pointer;
    }
    return undefined;
  }

  /** Returns whether there is an entry with an id. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /**
   * Returns the value itself. Where the value refers to an entry, returns the settled answer, or the reference if there
   * is none. Records the use of the entry.
   */
  settle<T>(at: Cursor): OrUnstated<T> | undefined {
    const id = at.text('unstated');
    if (id === undefined) return at.value as T | undefined;
    const answer = this.#settledValue(id);
    const places = answer === undefined ? this.#usedBy : this.#answers;
    places.set(id, (places.get(id) ?? new Set()).add(at.pointer));
    return answer === undefined ? { unstated: id } : (answer as T);
  }

  /**
   * Returns the ledger as data. Call it last: the uses of entries are complete only after everything else was lowered.
   */
  toUnstated(context: NamingContext): readonly Unstated[] {
    const entries = [...this.#entries];
    const names = takeNames(
      entries.map(([id, { pointer }]) => ({ id, pointer })),
      toMemberName,
      { kind: 'ledger entries', becomes: 'option' },
      context,
    );
    return entries.map(([id, at], index) => {
      const pending = this.#pendingActions.get(id) ?? [];
      const optionName = names[index] ?? '';
      return {
        kind: 'unstated',
        pointer: at.pointer,
        source: textsIn(at.valueIn('source')),
        id,
        optionName,
        question: at.text('question') ?? '',
        ...optional('remark', at.text('remark')),
        choices: choicesOf({ at }).map(({ name, value, meaning }) => ({ name, value, meaning })),
        ...optionalTexts(['assumed', 'settled'], at),
        ...(at.isTrue('documentation') ? { documentation: true } : {}),
        ...optional('risk', at.valueIn('risk') as Unstated['risk']),
        usedBy: [...(this.#usedBy.get(id) ?? [])],
        answers: [...(this.#answers.get(id) ?? [])],
        affects: [...new Set(pending.flatMap(({ targets }) => targets))],
      };
    });
  }

  #settledValue(id: string): Json | undefined {
    const at = this.#entries.get(id);
    const settled = at && at.text('settled');
    if (at === undefined || settled === undefined) return undefined;
    return choicesOf({ at }).find((choice) => choice.name === settled)?.value;
  }
}
