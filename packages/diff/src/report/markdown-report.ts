import type { Location } from 'countersign';
import { markdown, markdownCode } from 'countersign/kit';
import {
  adviseVersion,
  describeImpact,
  describeStep,
  reasonOf,
  uniqueEffects,
} from './describe-report.ts';
import {
  countConsumers,
  describeUsers,
  groupByKind,
  groupChanges,
  isRenaming,
} from './group-changes.ts';
import type { DiffReport, LocatedContractChange } from './report.ts';

/** The most lines that the comment has before its details, which are folded. */
const maxLines = 60;
/** The most rows of the list of renamed exports that are not folded. */
const maxRenamed = 12;
/** The most characters of a message in a row of the table. */
const maxMessage = 240;

/**
 * Formats a report as GitHub Markdown for a comment on a pull request: a count for each consumer, one table with the
 * breaking changes, and the renamed exports. At most 60 lines come before the details, which are folded.
 */
export function toMarkdown(report: DiffReport): string {
  const { changes } = report;
  if (changes.length === 0) return '### Contract: nothing changed\n';
  const { breaking, compatible, documentation } = groupChanges(report);
  const renamed = breaking.filter(isRenaming);
  const rows = rowsOf(breaking.filter((change) => !isRenaming(change)));
  const renamings = renamed.map(toRenaming);
  const head = [
    titleOf(breaking.length),
    '',
    ...(breaking.length === 0 ? [] : [...countLines(report), '']),
  ];
  const shownRenamings = renamings.slice(0, maxRenamed);
  const list =
    shownRenamings.length === 0 ? [] : ['', '**Renamed in code**', '', ...shownRenamings];
  const advice = ['', adviseVersion(report, code)];
  // Two lines of the table's head, and an empty one before the details.
  const room = maxLines - head.length - list.length - advice.length - 3;
  const shownRows = rows.slice(0, room);
  const [hiddenRows, hiddenRenamings] = [rows.slice(room), renamings.slice(maxRenamed)];
  return `${[
    ...head,
    ...tableOf(shownRows),
    ...list,
    ...advice,
    ...folded(`${hiddenRows.length} more rows of breaking changes`, tableOf(hiddenRows)),
    ...folded(`${hiddenRenamings.length} more renamed exports`, hiddenRenamings),
    ...folded('What the breaking changes mean, and what to do', meaningsOf(breaking)),
    ...folded('All names of the breaking changes', namesOf(breaking)),
    ...folded(`${compatible.length} compatible`, tableOf(rowsOf(compatible))),
    ...folded(`${documentation.length} of documentation only`, tableOf(rowsOf(documentation))),
    ...folded('Versions of the packages', packagesOf(report)),
  ].join('\n')}\n`;
}

function titleOf(breaking: number): string {
  if (breaking === 0) return '### Contract: no breaking changes';
  return `### Contract: ${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`;
}

function countLines({ changes }: DiffReport): readonly string[] {
  const { callers, receivers, code: compiled } = countConsumers(changes);
  return [
    '| Deployed callers | Deployed receivers | Only code that upgrades |',
    '| --- | --- | --- |',
    `| ${callers} | ${receivers} | ${compiled} |`,
  ];
}

function tableOf(rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  return ['| Whom it breaks | Change | Before | After |', '| --- | --- | --- | --- |', ...rows];
}

/** Returns a row for the changes of one kind that read the same. */
function rowsOf(changes: readonly LocatedContractChange[]): readonly string[] {
  return groupByKind(changes).flatMap(({ alike }) => alike.map(toRow));
}

/** The most names that a line about a row lists. */
const maxNames = 50;

/** Returns all names of the rows that show only the first of their changes or users, or the beginning of a message. */
function namesOf(changes: readonly LocatedContractChange[]): readonly string[] {
  return groupByKind(changes).flatMap(({ alike }) =>
    alike.flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const users = [...new Set(group.flatMap(({ usedBy }) => usedBy))];
      const isShortened = first.message.length > maxMessage;
      const lines = [
        ...(isShortened ? [`  - ${text(first.message)}`] : []),
        ...(group.length > 1 ? [`  - ${listed(group.map(({ subject }) => subject))}`] : []),
        ...(users.length > 1 && describeUsers(group, false) !== undefined
          ? [`  - concerns ${listed(users)}`]
          : []),
      ];
      return lines.length === 0
        ? []
        : [`- ${code(first.code)}: **${text(first.subject)}**`, ...lines];
    }),
  );
}

function listed(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, maxNames).map(text);
  const more = unique.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function toRow(changes: readonly LocatedContractChange[]): string {
  const [first] = changes;
  if (first === undefined) return '';
  const { subject, message, otherSide, where, side, code: name, answer } = first;
  const more = changes.length === 1 ? '' : ` and ${changes.length - 1} more`;
  const users = describeUsers(changes, false);
  const cause = answer === undefined ? '' : ` It follows from the answer to ${code(answer)}.`;
  const shown = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
  const what = `**${text(subject)}**${more}: ${text(shown)}${cause} ${code(name)}${users === undefined ? '' : `, ${text(users)}`}`;
  const [before, after] = side === 'base' ? [where, otherSide] : [otherSide, where];
  return `| ${whomOf(first)} | ${cell(what)} | ${placeOf(before)} | ${placeOf(after)} |`;
}

function placeOf(where: Location | undefined): string {
  return where === undefined ? '–' : cell(code(`${where.file}:${where.line}`));
}

/** Names those whom a change breaks. */
function whomOf({ effects, undecided, override, breaking }: LocatedContractChange): string {
  if (override !== undefined) return `${override.severity}, by the configuration`;
  if (!breaking) return 'nobody';
  const deployed = new Set(
    effects.flatMap(({ role, deployed: impact }) =>
      impact === 'breaks' ? [role === 'notification' ? 'receivers' : 'callers'] : [],
    ),
  );
  if (undecided === true) return `not decided (${[...deployed].join(' and ') || 'code'})`;
  return deployed.size === 0 ? 'code' : `**${[...deployed].join(' and ')}**`;
}

function toRenaming(change: LocatedContractChange): string {
  const { subject, message, where } = change;
  return `- **${text(subject)}**: ${text(message)} ${code(`${where.file}:${where.line}`)}`;
}

/** Returns what each kind of breaking changes means, for whom, and what has to be done. */
function meaningsOf(changes: readonly LocatedContractChange[]): readonly string[] {
  return groupByKind(changes).flatMap(({ first, count }) => {
    if (first.override !== undefined)
      return [`- ${code(first.code)}, ${count}: ${text(first.override.reason)}`];
    const others = count === 1 ? '' : ` and ${count - 1} more`;
    return [
      `- ${code(first.code)}: **${text(first.subject)}**${others}`,
      ...uniqueEffects(first.effects).map(({ who, effect }) => {
        const impact = describeImpact(effect, first.undecided);
        const shown = impact.startsWith('breaking') ? `**${impact}**` : impact;
        const migrate = effect.migrate === undefined ? '' : ` → ${text(effect.migrate)}`;
        return `  - ${who}, ${shown}: ${text(reasonOf(effect, first.undecided))}${migrate}`;
      }),
    ];
  });
}

function packagesOf({ packages }: DiffReport): readonly string[] {
  if (packages.length === 0) return [];
  const rows = packages.map(({ package: name, level, version }) => {
    const step = version === undefined ? level : `${level}, ${describeStep(version, code)}`;
    return `| ${code(name)} | ${step} |`;
  });
  return ['| Package | Version |', '| --- | --- |', ...rows];
}

function folded(summary: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return ['', `<details><summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}

/** Escapes what would end a cell of a table. */
function cell(value: string): string {
  return value.replaceAll(/(?<!\\)\|/gu, String.raw`\|`).replaceAll('\n', ' ');
}

function text(value: string): string {
  return markdown(value).text;
}

function code(value: string): string {
  return markdownCode(value).text;
}
