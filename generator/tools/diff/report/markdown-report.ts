import { markdown, markdownCode } from '../../../targets/escape.ts';
import { breakage, uniqueEffects } from './describe-report.ts';
import { isWordsOnly } from './levels.ts';
import type { DiffReport, LocatedContractChange } from './report.ts';

/** Formats a report as GitHub Markdown for a comment on a pull request. Compatible changes are folded. */
export function toMarkdown(report: DiffReport): string {
  const { changes, packages, version, level } = report;
  if (changes.length === 0) return '### Contract: nothing changed\n';
  const breaking = changes.filter((change) => change.breaking);
  const words = changes.filter((change) => !change.breaking && isWordsOnly(change));
  const others = changes.filter((change) => !change.breaking && !isWordsOnly(change));
  const title =
    breaking.length === 0
      ? '### Contract: nothing breaks'
      : `### Contract: ${breaking.length} breaking ${breaking.length === 1 ? 'change' : 'changes'}`;
  const advice =
    level === 'none'
      ? `The version can stay at ${code(version.base)}.`
      : `The version has to become ${code(version.least)} or later; the head says ${code(version.head)}.`;
  return `${[
    title,
    ...(breaking.length === 0 ? [] : [toList(breaking)]),
    ...(others.length === 0 ? [] : [folded(`${others.length} compatible`, toList(others))]),
    ...(words.length === 0 ? [] : [folded(`${words.length} of words only`, toList(words))]),
    ...(packages.length === 0 ? [] : [toTable(report)]),
    advice,
  ].join('\n\n')}\n`;
}

function toList(changes: readonly LocatedContractChange[]): string {
  return changes.map(toItem).join('\n');
}

function toItem({
  subject,
  message,
  where,
  side,
  effects,
  code: name,
}: LocatedContractChange): string {
  const gone = side === 'base' ? ', before' : '';
  const place = `${code(`${where.file}:${where.line}`)}${gone}`;
  const lines = uniqueEffects(effects).map(({ who, effect }) => {
    const breaks = breakage(effect);
    const what = breaks === undefined ? 'unharmed' : `**broken ${breaks}**`;
    const migrate = effect.migrate === undefined ? '' : ` → ${text(effect.migrate)}`;
    return `  - ${who}, ${what}: ${text(effect.why)}${migrate}`;
  });
  return [`- **${text(subject)}** (${place}): ${text(message)} ${code(name)}`, ...lines].join('\n');
}

function toTable({ packages }: DiffReport): string {
  const rows = packages.map((one) => `| ${code(one.package)} | ${one.level} |`);
  return ['| Package | Version |', '| --- | --- |', ...rows].join('\n');
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function text(value: string): string {
  return markdown(value).text;
}

function code(value: string): string {
  return markdownCode(value).text;
}
