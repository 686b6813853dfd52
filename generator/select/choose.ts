import type { Selection } from './selection.ts';
import { createMatcher } from './pattern.ts';
import type { Unit } from './units.ts';

/** The chosen units of a contract. */
export interface Choice {
  readonly kept: ReadonlySet<Unit>;
  /** The units that `exclude` removes. */
  readonly excluded: ReadonlySet<Unit>;
  /** The entries that match no unit. */
  readonly unmatched: readonly UnmatchedEntry[];
}

/** An entry of a selection that matches no unit. */
export interface UnmatchedEntry {
  /** The member of the configuration, such as `include.tags[1]`. */
  readonly member: string;
  readonly entry: string;
  readonly selector: Selector;
  /** The selectors under which the entry would match. */
  readonly elsewhere: readonly Selector[];
}

/** A member of a selection, such as `tags`. */
export type Selector = keyof Selection;

const selectors: readonly Selector[] = ['paths', 'tags', 'operations', 'events'];

/**
 * Chooses the units that `include` names, or all units without `include`, except those that `exclude` names. A callback
 * is included if one of its owners is named, and excluded if all of them are named.
 */
export function choose(
  units: readonly Unit[],
  include: Selection | undefined,
  exclude: Selection | undefined,
): Choice {
  const wanted = include === undefined ? undefined : find(units, include, 'include');
  const unwanted = exclude === undefined ? undefined : find(units, exclude, 'exclude');
  const excluded = new Set(
    units.filter((unit) => {
      const named = (one: Unit): boolean => unwanted?.found.has(one) === true;
      return named(unit) || (unit.owners.length > 0 && unit.owners.every(named));
    }),
  );
  const kept = units.filter((unit) => {
    const named = (one: Unit): boolean => wanted?.found.has(one) !== false;
    return (named(unit) || unit.owners.some(named)) && !excluded.has(unit);
  });
  return {
    kept: new Set(kept),
    excluded,
    unmatched: [...(wanted?.unmatched ?? []), ...(unwanted?.unmatched ?? [])],
  };
}

/** Returns the names of a unit that the entries of a selector are matched with. */
export function namesFor({ kind, names, path, tags }: Unit, selector: Selector): readonly string[] {
  if (selector === 'paths') return path === undefined ? [] : [path];
  if (selector === 'tags') return tags;
  return selector === (kind === 'operation' ? 'operations' : 'events') ? names : [];
}

function find(
  units: readonly Unit[],
  selection: Selection,
  member: string,
): { readonly found: ReadonlySet<Unit>; readonly unmatched: readonly UnmatchedEntry[] } {
  const found = new Set<Unit>();
  const unmatched: UnmatchedEntry[] = [];
  for (const selector of selectors) {
    for (const [index, entry] of (selection[selector] ?? []).entries()) {
      const named = unitsNamed(units, selector, entry);
      for (const unit of named) found.add(unit);
      if (named.length > 0) continue;
      const elsewhere = selectors.filter((other) => unitsNamed(units, other, entry).length > 0);
      unmatched.push({ member: `${member}.${selector}[${index}]`, entry, selector, elsewhere });
    }
  }
  return { found, unmatched };
}

function unitsNamed(units: readonly Unit[], selector: Selector, entry: string): readonly Unit[] {
  const matches = createMatcher(entry, selector === 'paths');
  return units.filter((unit) => namesFor(unit, selector).some(matches));
}
