import { createHash } from 'node:crypto';
import { markdown } from '../../../targets/escape.ts';
import { isWordsOnly } from './levels.ts';
import type { DiffReport } from './report.ts';

/** A file of `@changesets/cli`: how each package grows, and what its users are told. */
export interface Changeset {
  /** Named after its content, so that the same changes give the same file. */
  readonly fileName: string;
  readonly text: string;
}

/** The changeset of a report; `undefined` where no package has to grow. */
export function toChangeset(report: DiffReport): Changeset | undefined {
  const grown = report.packages.flatMap(({ package: name, level }) =>
    level === 'none' ? [] : [`${JSON.stringify(name)}: ${level}`],
  );
  if (grown.length === 0) return undefined;
  const told = report.changes.filter((change) => !isWordsOnly(change));
  const items = told.map(({ subject, message, breaking, effects }) => {
    const migrations = new Set(effects.flatMap(({ migrate }) => migrate ?? []));
    const label = breaking ? '**Breaking.** ' : '';
    return `- ${label}${line(`${subject}: ${message}`)}${[...migrations].map((one) => ` ${line(one)}`).join('')}`;
  });
  const content = items.length === 0 ? 'Descriptions changed.' : items.join('\n');
  const text = ['---', ...grown, '---', '', content, ''].join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { fileName: `contract-${hash}.md`, text };
}

function line(text: string): string {
  return markdown(text).text;
}
