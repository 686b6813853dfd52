import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { quote } from '../diagnostics/quote.ts';
import { createMatcher } from './pattern.ts';
import type { Selection } from './selection.ts';
import type { Unit } from './units.ts';

/** An entry of a selection that matches no unit, with the text of its diagnostic. */
export interface UnmatchedEntry {
  readonly member: 'include' | 'exclude';
  readonly entry: string;
  readonly message: string;
  readonly help: string | undefined;
}

/** The units of a contract that match a selection. */
export interface Match {
  readonly kept: ReadonlySet<Unit>;
  /** The units that `exclude` removes. */
  readonly excluded: ReadonlySet<Unit>;
  /** The entries that match no unit. */
  readonly unmatched: readonly UnmatchedEntry[];
}

/** A member of a selection, such as `tags`. */
type Selector = keyof Selection;

/** The singular noun for each selector. */
const nouns: Readonly<Record<Selector, string>> = {
  paths: 'path',
  tags: 'tag',
  operations: 'operation',
  events: 'event',
};
const selectors = ['paths', 'tags', 'operations', 'events'] as const;

/**
 * Returns the units that `include` names, or all units without `include`, except those that `exclude` names. A callback
 * is included if one of its owners is named, and excluded if all of them are named.
 */
export function matchUnits(
  units: readonly Unit[],
  include: Selection | undefined,
  exclude: Selection | undefined,
): Match {
  const unmatched: UnmatchedEntry[] = [];
  const find = (selection: Selection, member: UnmatchedEntry['member']): ReadonlySet<Unit> => {
    const selected = new Set<Unit>();
    for (const selector of selectors) {
      for (const [index, entry] of (selection[selector] ?? []).entries()) {
        const named = unitsNamed(units, selector, entry);
        for (const unit of named) selected.add(unit);
        if (named.length > 0) continue;
        const message = `\`${member}.${selector}[${index}]\`: the contract has no ${nouns[selector]} ${quote(entry)}.`;
        unmatched.push({ member, entry, message, help: suggest(units, selector, entry) });
      }
    }
    return selected;
  };
  const included = include === undefined ? new Set(units) : find(include, 'include');
  const named = exclude === undefined ? new Set<Unit>() : find(exclude, 'exclude');
  const ownersOf = ({ callback }: Unit): readonly Unit[] => callback?.owners ?? [];
  const excluded = new Set(
    units.filter((unit) => {
      const owners = ownersOf(unit);
      return named.has(unit) || (owners.length > 0 && owners.every((owner) => named.has(owner)));
    }),
  );
  const kept = units.filter(
    (unit) =>
      !excluded.has(unit) && [unit, ...ownersOf(unit)].some((candidate) => included.has(candidate)),
  );
  return { kept: new Set(kept), excluded, unmatched };
}

function unitsNamed(units: readonly Unit[], selector: Selector, entry: string): readonly Unit[] {
  const matches = createMatcher(entry, selector === 'paths');
  return units.filter((unit) => namesFor(unit, selector).some(matches));
}

/** Returns the names of a unit that the entries of a selector are matched with. */
function namesFor({ kind, names, path, tags }: Unit, selector: Selector): readonly string[] {
  if (selector === 'paths') return path === undefined ? [] : [path];
  if (selector === 'tags') return tags;
  return selector === (kind === 'operation' ? 'operations' : 'events') ? names : [];
}

/** Returns what an entry that matches nothing may have been meant to be. */
function suggest(units: readonly Unit[], selector: Selector, entry: string): string | undefined {
  const other = selectors.find((candidate) => unitsNamed(units, candidate, entry).length > 0);
  if (other !== undefined) return `${quote(entry)} names something under \`${other}\`.`;
  const names = [...new Set(units.flatMap((unit) => namesFor(unit, selector)))];
  // Of a pattern, only the text before the first `*` is compared.
  const star = entry.indexOf('*');
  const similar = star < 0 ? names : names.map((name) => name.slice(0, star) + entry.slice(star));
  const suggestion = didYouMean(entry, similar);
  if (suggestion !== undefined || names.length > 10) return suggestion;
  if (names.length === 0) return `The contract has no ${selector}.`;
  return `The contract has ${names.map(quote).join(', ')}.`;
}
