import { type Paint, printable } from '../../paint.ts';
import type { Effect } from '../change.ts';
import { isWordsOnly } from './levels.ts';
import type { DiffReport, LocatedContractChange } from './report.ts';

/** The affected users of each role, in words. */
export const people: Readonly<Record<Effect['role'], string>> = {
  request: 'callers',
  response: 'callers',
  notification: 'receivers',
  type: 'users of the type',
};

/** Describes what an effect breaks. Returns `undefined` if it breaks nothing. */
export function breakage({ deployed, upgrade }: Effect): string | undefined {
  if (deployed === 'breaks') return upgrade === 'breaks' ? 'today and on upgrade' : 'today';
  return upgrade === 'breaks' ? 'on upgrade' : undefined;
}

/**
 * Formats a report for a terminal, with breaking changes first. Changes of wording are only counted, unless `all` is
 * set.
 */
export function describeReport(report: DiffReport, paint: Paint, all: boolean): string {
  const { changes } = report;
  if (changes.length === 0) return 'nothing changed\n';
  const breaking = changes.filter((change) => change.breaking);
  const words = changes.filter((change) => !change.breaking && isWordsOnly(change));
  const others = changes.filter((change) => !change.breaking && !isWordsOnly(change));
  const blocks = [
    ...breaking.map((change) => describeChange(change, paint('red', 'breaking'), paint)),
    ...others.map((change) => describeChange(change, paint('green', 'compatible'), paint)),
    ...(all ? words : []).map((change) => describeChange(change, paint('dim', 'words'), paint)),
  ];
  const hidden = all || words.length === 0 ? '' : ' (--verbose shows them)';
  const counts = `${breaking.length} breaking, ${others.length} compatible, ${words.length} of words only${hidden}`;
  return `${[...blocks, `${counts}\n${describeVersions(report, paint)}`].join('\n\n')}\n`;
}

function describeChange(change: LocatedContractChange, label: string, paint: Paint): string {
  const { where, subject, message, effects, side, code } = change;
  const gone = side === 'base' ? ' (before)' : '';
  const place = paint('dim', `${printable(where.file)}:${where.line}${gone}`);
  return [
    `${label}  ${paint('bold', printable(subject))}  ${paint('dim', code)}  ${place}`,
    `  ${printable(message)}`,
    ...uniqueEffects(effects).flatMap(({ who, effect }) => {
      const breaks = breakage(effect);
      const what = breaks === undefined ? 'unharmed' : `broken ${breaks}`;
      const line = `  ${who}, ${what}: ${effect.why}`;
      return effect.migrate === undefined ? [line] : [line, `    → ${effect.migrate}`];
    }),
  ].join('\n');
}

/** Merges effects that differ only in their role. */
export function uniqueEffects(
  effects: readonly Effect[],
): readonly { readonly who: string; readonly effect: Effect }[] {
  const unique = new Map<string, { readonly names: Set<string>; readonly effect: Effect }>();
  for (const effect of effects) {
    const { role, ...rest } = effect;
    const key = JSON.stringify(rest);
    const known = unique.get(key) ?? { names: new Set(), effect };
    known.names.add(people[role]);
    unique.set(key, known);
  }
  return [...unique.values()].map(({ names, effect }) => ({
    who: [...names].join(' and '),
    effect,
  }));
}

function describeVersions({ packages, version, level }: DiffReport, paint: Paint): string {
  const width = Math.max(0, ...packages.map((one) => one.package.length));
  const lines = packages.map(
    (one) => `  ${one.package.padEnd(width)}  ${paint(colorOf(one.level), one.level)}`,
  );
  const { base, head, least } = version;
  const advice =
    level === 'none'
      ? `version ${base} can stay`
      : `version ${base} has to become ${least} or later; it says ${head}`;
  return [...lines, printable(advice)].join('\n');
}

function colorOf(level: DiffReport['level']): Parameters<Paint>[0] {
  return ({ major: 'red', minor: 'yellow', patch: 'green', none: 'dim' } as const)[level];
}
