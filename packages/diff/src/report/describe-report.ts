import { type Paint, printable } from 'countersign/companion/terminal';
import { type Effect, isBreaking } from '../change.ts';
import {
  countConsumers,
  describeUsers,
  groupByKind,
  groupChanges,
  type Kind,
} from './group-changes.ts';
import type { DiffReport, LocatedContractChange, PackageVersion } from './report.ts';

/** The number of places that equal changes list, unless all are wanted. */
const maxPlaces = 3;
/** The number of different changes that a group of compatible changes lists, unless all are wanted. */
const maxCompatible = 10;

/**
 * Formats a report for a terminal, with the worst changes first. What changes of one kind mean is told once. Changes of
 * documentation are only counted, and of many equal changes the first are listed, unless `all` is set.
 */
export function describeReport(report: DiffReport, paint: Paint, all: boolean): string {
  if (report.changes.length === 0) return 'nothing changed\n';
  const { breaking, compatible, documentation } = groupChanges(report);
  const describeAll = (
    changes: readonly LocatedContractChange[],
    label: string,
  ): readonly string[] => groupByKind(changes).map((kind) => describeKind(kind, label, paint, all));
  const blocks = [
    ...describeAll(breaking, paint('red', 'breaking')),
    ...describeAll(compatible, paint('green', 'compatible')),
    ...(all ? describeAll(documentation, paint('dim', 'documentation')) : []),
  ];
  const hidden = all || documentation.length === 0 ? '' : ' (--verbose shows them)';
  const counts = `${breaking.length} breaking, ${compatible.length} compatible, ${documentation.length} of documentation only${hidden}`;
  const consumers = breaking.length === 0 ? '' : `\n${describeConsumers(report)}`;
  return `${[...blocks, `${counts}${consumers}\n${describeVersions(report, paint)}`].join('\n\n')}\n`;
}

/** Describes the number of breaking changes for each consumer. */
function describeConsumers({ changes }: DiffReport): string {
  const { callers, receivers, code } = countConsumers(changes);
  return `breaking for deployed callers: ${callers}, for deployed receivers: ${receivers}, only for code that upgrades: ${code}`;
}

function describeKind(
  { first, count, alike }: Kind,
  label: string,
  paint: Paint,
  all: boolean,
): string {
  const open = first.undecided === true ? ' (not decided)' : '';
  const meaning = describeEffects(first);
  const [single] = alike;
  const [only] = single ?? [];
  if (alike.length === 1 && single?.length === 1 && only !== undefined)
    return [
      `${label}${open}  ${paint('bold', printable(only.subject))}  ${paint('dim', only.code)}  ${placeOf(only, paint)}`,
      `  ${messageOf(only)}`,
      ...usersOf(single, all),
      ...meaning,
    ].join('\n');
  const isListed = all || first.breaking;
  const listed = isListed ? alike : alike.slice(0, maxCompatible);
  const more = alike.slice(listed.length).flat().length;
  return [
    `${label}${open}  ${paint('bold', first.code)}  ${count} times`,
    ...meaning,
    ...listed.flatMap((changes) => describeAlike(changes, paint, all)),
    ...(more === 0 ? [] : [`  and ${more} more (--verbose shows them)`]),
  ].join('\n');
}

/** Describes changes that read the same, in one line if there is one of them. */
function describeAlike(
  changes: readonly LocatedContractChange[],
  paint: Paint,
  all: boolean,
): readonly string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const users = describeUsers(changes, all);
  const used = users === undefined ? '' : `  (${printable(users)})`;
  const placed = (change: LocatedContractChange): string =>
    `${paint('bold', printable(change.subject))}  ${placeOf(change, paint)}`;
  if (changes.length === 1) return [`  ${placed(first)}  ${messageOf(first)}${used}`];
  const listed = all ? changes : changes.slice(0, maxPlaces);
  const more = changes.length - listed.length;
  return [
    `  ${messageOf(first)}${used}`,
    ...listed.map((change) => `    ${placed(change)}`),
    ...(more === 0 ? [] : [`    and ${more} more (--verbose shows them)`]),
  ];
}

function usersOf(changes: readonly LocatedContractChange[], all: boolean): readonly string[] {
  const users = describeUsers(changes, all);
  return users === undefined ? [] : [`  ${printable(users)}`];
}

function messageOf({ message, answer }: LocatedContractChange): string {
  const cause =
    answer === undefined ? '' : ` It follows from the answer to \`${printable(answer)}\`.`;
  return `${printable(message)}${cause}`;
}

function placeOf({ where, side }: LocatedContractChange, paint: Paint): string {
  const before = side === 'base' ? ' (before)' : '';
  return paint('dim', `${printable(where.file)}:${where.line}${before}`);
}

function describeEffects({
  effects,
  undecided,
  override,
}: LocatedContractChange): readonly string[] {
  if (override !== undefined)
    return [`  ${override.severity} by the configuration: ${printable(override.reason)}`];
  return uniqueEffects(effects).flatMap(({ who, effect }) => {
    const line = `  ${who}, ${describeImpact(effect, undecided)}: ${reasonOf(effect, undecided)}`;
    return effect.migrate === undefined ? [line] : [line, `    → ${effect.migrate}`];
  });
}

/**
 * Returns the reason for an effect. A change that is not decided counts as breaking, although both schemas may accept the
 * same values.
 */
export function reasonOf(effect: Effect, undecided = false): string {
  return undecided && isBreaking({ effects: [effect] })
    ? 'No value was found that only one of the two schemas accepts, but there can be one.'
    : effect.why;
}

/** Describes whether an effect breaks deployed integrations, integrations that upgrade, or none, if that is decided. */
export function describeImpact(effect: Effect, undecided = false): string {
  const { deployed, upgrade } = effect;
  if (undecided && isBreaking({ effects: [effect] })) return 'not decided';
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
  if (required === undefined)
    return `The changes are ${level}. The version ${write(base)} is no semantic version, so no next version follows from it. It is ${write(head)} now.`;
  const judgement = isAtLeast(head, required) ? 'which is enough' : 'which is too low';
  return `The version must be ${write(required)} or later. It was ${write(base)} and is ${write(head)}, ${judgement}.`;
}

/** Returns whether a version is a required one, which has three numbers, or a later one. */
function isAtLeast(version: string, required: string): boolean {
  const numbersOf = (text: string): readonly number[] =>
    (text.split(/[-+]/u, 1)[0] ?? '').split('.').map(Number);
  const [own, least] = [numbersOf(version), numbersOf(required)];
  for (const [position, number] of least.entries()) {
    const other = own[position] ?? 0;
    if (other !== number) return other > number;
  }
  // A prerelease precedes its release.
  return !/^[^+]*-/u.test(version);
}
