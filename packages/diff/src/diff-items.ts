import type { Pointer } from 'countersign';
import { isSameJson } from 'countersign/companion/values';
import { changesAt, type ContractChange, type CreateChange, type Role } from './change.ts';
import { formatChange } from './format-value.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/** Two corresponding items, before and after a change. */
export type ItemPair<T> = readonly [base: T, head: T];

/** Pairs the items of two lists by a key, and returns the added and removed items, each in the order of its list. */
export function pairBy<T>(
  base: readonly T[],
  head: readonly T[],
  keyOf: (item: T) => string,
): {
  readonly pairs: readonly ItemPair<T>[];
  readonly added: readonly T[];
  readonly removed: readonly T[];
} {
  const before = new Map(base.map((item) => [keyOf(item), item]));
  const after = new Set(head.map(keyOf));
  return {
    pairs: head.flatMap((item) => {
      const old = before.get(keyOf(item));
      return old === undefined ? [] : [[old, item] as const];
    }),
    added: head.filter((item) => !before.has(keyOf(item))),
    removed: base.filter((item) => !after.has(keyOf(item))),
  };
}

/** How the items of a list are recognized and reported. */
export interface ItemKind<T> {
  readonly keyOf: (item: T) => string;
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
    yield changesAt(item.pointer, subjectOf(item), rolesOf(item))(codes[0], 'It was added.');
  for (const item of removed)
    yield changesAt(
      item.pointer,
      subjectOf(item),
      rolesOf(item),
      'base',
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
