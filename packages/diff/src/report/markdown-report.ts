import { markdown, markdownCode } from 'countersign/kit';
import { adviseVersion, describeImpact, describeStep, uniqueEffects } from './describe-report.ts';
import { type DiffReport, groupChanges, type LocatedContractChange } from './report.ts';

/** Formats a report as GitHub Markdown for a comment on a pull request. Compatible changes are folded. */
export function toMarkdown(report: DiffReport): string {
  const { changes, packages } = report;
  if (changes.length === 0) return '### Contract: nothing changed\n';
  const { breaking, compatible, documentation } = groupChanges(report);
  const title =
    breaking.length === 0
      ? '### Contract: no breaking changes'
      : `### Contract: ${breaking.length} breaking ${breaking.length === 1 ? 'change' : 'changes'}`;
  return `${[
    title,
    ...(breaking.length === 0 ? [] : [toItems(breaking)]),
    ...folded('compatible', compatible),
    ...folded('of documentation only', documentation),
    ...(packages.length === 0 ? [] : [toTable(report)]),
    adviseVersion(report, code),
  ].join('\n\n')}\n`;
}

function toItems(changes: readonly LocatedContractChange[]): string {
  return changes.map(toItem).join('\n');
}

function toItem(change: LocatedContractChange): string {
  const { subject, message, where, side, effects, code: name, answer } = change;
  const place = `${code(`${where.file}:${where.line}`)}${side === 'base' ? ', before' : ''}`;
  const lines = uniqueEffects(effects).map(({ who, effect }) => {
    const impact = describeImpact(effect);
    const shown = impact === 'compatible' ? impact : `**${impact}**`;
    const migrate = effect.migrate === undefined ? '' : ` → ${text(effect.migrate)}`;
    return `  - ${who}, ${shown}: ${text(effect.why)}${migrate}`;
  });
  const cause = answer === undefined ? '' : ` It follows from the answer to ${code(answer)}.`;
  return [
    `- **${text(subject)}** (${place}): ${text(message)}${cause} ${code(name)}`,
    ...lines,
  ].join('\n');
}

function toTable({ packages }: DiffReport): string {
  const rows = packages.map(({ package: name, level, version }) => {
    const step = version === undefined ? level : `${level}, ${describeStep(version, code)}`;
    return `| ${code(name)} | ${step} |`;
  });
  return ['| Package | Version |', '| --- | --- |', ...rows].join('\n');
}

function folded(what: string, changes: readonly LocatedContractChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const summary = `<summary>${changes.length} ${what}</summary>`;
  return [`<details>${summary}\n\n${toItems(changes)}\n\n</details>`];
}

function text(value: string): string {
  return markdown(value).text;
}

function code(value: string): string {
  return markdownCode(value).text;
}
