import type { Pointer } from 'countersign';
import { isSameJson } from 'countersign/companion/values';
import { changesAt, type ContractChange, type CreateChange, type Role } from './change.ts';
import { formatChange } from './format-value.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/** Two corresponding items, before and after a change. */
export type ItemPair<T> = readonly [base: T, head: T];

/** The result of pairing two lists: the added and the removed items are in the order of their lists. */
export interface Pairs<T> {
  readonly pairs: readonly ItemPair<T>[];
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/** Pairs the items of two lists by a key. Items of one list with the same key are paired in their order. */
export function pairBy<T>(
  base: readonly T[],
  head: readonly T[],
  keyOf: (item: T) => string | undefined,
): Pairs<T> {
  const before = Map.groupBy(base, keyOf);
  const paired = new Set<T>();
  const pairs: ItemPair<T>[] = [];
  const added: T[] = [];
  for (const item of head) {
    const key = keyOf(item);
    const old = key === undefined ? undefined : before.get(key)?.shift();
    if (old === undefined) added.push(item);
    else {
      paired.add(old);
      pairs.push([old, item]);
    }
  }
  return { pairs, added, removed: base.filter((item) => !paired.has(item)) };
}

/** Pairs the items of two lists by the first key, what is left by the next one, and so on. */
export function pairByEach<T>(
  base: readonly T[],
  head: readonly T[],
  keys: readonly ((item: T) => string | undefined)[],
): Pairs<T> {
  let result: Pairs<T> = { pairs: [], added: head, removed: base };
  for (const keyOf of keys) {
    const next = pairBy(result.removed, result.added, keyOf);
    result = { ...next, pairs: [...result.pairs, ...next.pairs] };
  }
  return result;
}

/** How the items of a list are recognized and reported. */
export interface ItemKind<T> {
  readonly keyOf: (item: T) => string | undefined;
  readonly subjectOf: (item: T) => string;
  readonly rolesOf: (item: T) => Iterable<Role>;
  readonly codes: readonly [added: ChangeCode, removed: ChangeCode];
}

/** Yields the added and removed items of two lists. Returns the items that both lists have. */
export function* diffItems<T extends { readonly pointer: Pointer }>(
  base: readonly T[],
  head: readonly T[],
  { keyOf, subjectOf, rolesOf, codes }: ItemKind<T>,
): Generator<ContractChange, readonly ItemPair<T>[]> {
  const { pairs, added, removed } = pairBy(base, head, keyOf);
  for (const item of added)
    yield changesAt(
      { pointer: item.pointer },
      subjectOf(item),
      rolesOf(item),
    )(codes[0], 'It was added.');
  for (const item of removed)
    yield changesAt(
      { pointer: item.pointer, side: 'base' },
      subjectOf(item),
      rolesOf(item),
    )(codes[1], 'It was removed.');
  return pairs;
}

/** The code of a change, what changed, and its value before and after. */
export type ValueChange = readonly [code: ChangeCode, what: string, was: unknown, is: unknown];

/** Yields a change for each value that differs. */
export function* diffValues(
  create: CreateChange,
  values: readonly ValueChange[],
): Generator<ContractChange> {
  for (const [code, what, was, is] of values)
    if (!isSameJson(was, is)) yield create(code, formatChange(what, was, is));
}
