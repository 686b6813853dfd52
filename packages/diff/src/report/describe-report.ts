import { type Paint, printable } from 'countersign/companion/command';
import type { Effect } from '../change.ts';
import {
  type DiffReport,
  groupChanges,
  type LocatedContractChange,
  type PackageVersion,
} from './report.ts';

/**
 * Formats a report for a terminal, with breaking changes first. Changes of documentation are only counted, unless `all`
 * is set.
 */
export function describeReport(report: DiffReport, paint: Paint, all: boolean): string {
  if (report.changes.length === 0) return 'nothing changed\n';
  const { breaking, compatible, documentation } = groupChanges(report);
  const blocks = [
    ...breaking.map((change) => describeChange(change, paint('red', 'breaking'), paint)),
    ...compatible.map((change) => describeChange(change, paint('green', 'compatible'), paint)),
    ...(all ? documentation : []).map((change) =>
      describeChange(change, paint('dim', 'documentation'), paint),
    ),
  ];
  const hidden = all || documentation.length === 0 ? '' : ' (--verbose shows them)';
  const counts = `${breaking.length} breaking, ${compatible.length} compatible, ${documentation.length} of documentation only${hidden}`;
  return `${[...blocks, `${counts}\n${describeVersions(report, paint)}`].join('\n\n')}\n`;
}

function describeChange(change: LocatedContractChange, label: string, paint: Paint): string {
  const { where, subject, message, effects, side, code, answer } = change;
  const before = side === 'base' ? ' (before)' : '';
  const place = paint('dim', `${printable(where.file)}:${where.line}${before}`);
  return [
    `${label}  ${paint('bold', printable(subject))}  ${paint('dim', code)}  ${place}`,
    `  ${printable(message)}${answer === undefined ? '' : ` It follows from the answer to \`${printable(answer)}\`.`}`,
    ...uniqueEffects(effects).flatMap(({ who, effect }) => {
      const line = `  ${who}, ${describeImpact(effect)}: ${effect.why}`;
      return effect.migrate === undefined ? [line] : [line, `    → ${effect.migrate}`];
    }),
  ].join('\n');
}

/** Describes whether an effect breaks deployed integrations, integrations that upgrade, or none. */
export function describeImpact({ deployed, upgrade }: Effect): string {
  if (deployed === 'breaks')
    return upgrade === 'breaks' ? 'breaking now and on upgrade' : 'breaking now';
  return upgrade === 'breaks' ? 'breaking on upgrade' : 'compatible';
}

/** The affected users of each role. */
const roleNames: Readonly<Record<Effect['role'], string>> = {
  request: 'callers',
  response: 'callers',
  notification: 'receivers',
  type: 'users of the type',
};

/** Merges effects that differ only in their role. Names the direction where callers have different effects. */
export function uniqueEffects(
  effects: readonly Effect[],
): readonly { readonly who: string; readonly effect: Effect }[] {
  const groups = Map.groupBy(effects, (effect) => JSON.stringify({ ...effect, role: '' }));
  const direction = new Map<Effect['role'], string>([
    ['request', 'callers in requests'],
    ['response', 'callers in responses'],
  ]);
  return Array.from(groups.values()).flatMap((alike, _, all) => {
    const isDirected =
      all.filter((group) => group.some(({ role }) => direction.has(role))).length > 1;
    const nameOf = (role: Effect['role']): string =>
      (isDirected ? direction.get(role) : undefined) ?? roleNames[role];
    const who = [...new Set(alike.map(({ role }) => nameOf(role)))].join(' and ');
    return alike.slice(0, 1).map((effect) => ({ who, effect }));
  });
}

function describeVersions(report: DiffReport, paint: Paint): string {
  const { packages } = report;
  const width = Math.max(0, ...packages.map((verdict) => verdict.package.length));
  const colors = { major: 'red', minor: 'yellow', patch: 'green', none: 'dim' } as const;
  const isOnDisk = packages.some(({ version }) => version !== undefined);
  const lines = packages.map((verdict) => {
    const level = paint(colors[verdict.level], isOnDisk ? verdict.level.padEnd(5) : verdict.level);
    const versions =
      verdict.version === undefined ? '' : `  ${printable(describeStep(verdict.version))}`;
    return `  ${verdict.package.padEnd(width)}  ${level}${versions}`;
  });
  return [...lines, printable(adviseVersion(report))].join('\n');
}

/** Describes the versions of a package on disk, such as `0.1.0 → 0.2.0`. */
export function describeStep(
  { current, required }: PackageVersion,
  write: (version: string) => string = (version) => version,
): string {
  if (current === undefined) return `new, starts at ${write(required)}`;
  return current === required ? write(current) : `${write(current)} → ${write(required)}`;
}

/**
 * Describes which version the changes require.
 * @param write writes a version, such as in a code span
 */
export function adviseVersion(
  { version: { base, head, required }, level, packages }: DiffReport,
  write: (version: string) => string = (version) => version,
): string {
  if (packages.some(({ version }) => version !== undefined)) {
    return level === 'none'
      ? 'The versions of the packages can stay.'
      : 'Each package must have the version shown or a later one.';
  }
  if (level === 'none') return `The version ${write(base)} can stay.`;
  return `The version must be ${write(required)} or later. It was ${write(base)} and is ${write(head)}.`;
}
