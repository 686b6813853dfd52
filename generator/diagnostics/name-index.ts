/** How many names one search compares at most, so that many searches take no longer than there are names. */
const maxCompared = 32;

/** Longer names are compared with no other. */
export const maxNameLength = 200;

/** A name as it is compared, and its position in the list. */
interface Indexed {
  readonly key: string;
  readonly position: number;
}

/**
 * Names of a document that are searched for similar ones. Of many names, a search compares those that are next to it in
 * the order of their first and of their last letters: a name with a slip has the letters before it, or those after it.
 */
export class NameIndex {
  readonly #names: readonly string[];
  readonly #byStart: readonly Indexed[];
  readonly #byEnd: readonly Indexed[];

  constructor(names: Iterable<string>) {
    this.#names = [...names];
    const isLarge = this.#names.length > maxCompared;
    this.#byStart = isLarge ? inOrder(this.#names, (name) => name) : [];
    this.#byEnd = isLarge ? inOrder(this.#names, reversed) : [];
  }

  /** Returns the names to compare with a name, in the order of the list. */
  near(name: string): readonly string[] {
    if (this.#names.length <= maxCompared) return this.#names;
    const key = name.toLowerCase();
    const positions = new Set([
      ...around(this.#byStart, key),
      ...around(this.#byEnd, reversed(key)),
    ]);
    return [...positions].toSorted((a, b) => a - b).flatMap((at) => this.#names[at] ?? []);
  }
}

function inOrder(names: readonly string[], keyOf: (name: string) => string): readonly Indexed[] {
  return names
    .map((name, position) => ({
      key: keyOf(name.slice(0, maxNameLength).toLowerCase()),
      position,
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
}

/** Returns the positions of the names beside a key. */
function around(indexed: readonly Indexed[], key: string): readonly number[] {
  let [start, end] = [0, indexed.length];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if ((indexed[middle]?.key ?? '') < key) start = middle + 1;
    else end = middle;
  }
  const half = maxCompared / 4;
  return Array.from({ length: 2 * half }, (_, index) => indexed[start - half + index]).flatMap(
    (found) => found?.position ?? [],
  );
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}
