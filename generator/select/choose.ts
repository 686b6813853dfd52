import type { Selection } from './selection.ts';
import { createMatcher } from './pattern.ts';
import type { Unit } from './units.ts';

/** What of a contract is chosen. */
export interface Choice {
  readonly kept: ReadonlySet<Unit>;
  /** What was named as unwanted. */
  readonly excluded: ReadonlySet<Unit>;
  /** Entries that name nothing of the contract. */
  readonly unmatched: readonly UnmatchedEntry[];
}

/** An entry of a selection that names nothing. */
export interface UnmatchedEntry {
  /** Its place in the configuration, such as `include.tags[1]`. */
  readonly member: string;
  readonly entry: string;
  readonly selector: Selector;
  /** The selectors under which it would name something. */
  readonly elsewhere: readonly Selector[];
}

/** What units are chosen by. */
export type Selector = keyof Selection;

const selectors: readonly Selector[] = ['paths', 'tags', 'operations', 'events'];

/** What is included, or everything where nothing says what is, callbacks with their operations; without what is excluded. */
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

/** What a unit is called where it is looked for by a selector. */
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
