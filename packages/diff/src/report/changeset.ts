import { createHash } from 'node:crypto';
import { markdown } from 'countersign/companion/printing';
import { incrementAt, isDocumentationOnly } from './levels.ts';
import type { DiffReport } from './report.ts';

/** A file for `@changesets/cli`: the version bump of each package, and the text of the changelog. */
export interface Changeset {
  /** The file name; it has a hash of the text, so that the same changes have the same file. */
  readonly fileName: string;
  readonly text: string;
}

/**
 * Creates the changeset of a report. It increments the versions on disk as the report requires: before 1.0.0, a breaking
 * change is `minor`. A package that is not generated yet needs no increment. Returns `undefined` if no package needs a
 * new version.
 */
export function toChangeset(report: DiffReport): Changeset | undefined {
  const versions = report.packages.flatMap(({ package: name, level, version }) =>
    level === 'none' || version?.current === undefined
      ? []
      : [`${JSON.stringify(name)}: ${incrementAt(version.current, level)}`],
  );
  if (versions.length === 0) return undefined;
  const changes = report.changes.filter((change) => !isDocumentationOnly(change));
  const items = changes.map(({ subject, message, breaking, effects }) => {
    const migrations = new Set(effects.flatMap(({ migrate }) => migrate ?? []));
    const label = breaking ? '**Breaking.** ' : '';
    return `- ${label}${line(`${subject}: ${message}`)}${[...migrations].map((migration) => ` ${line(migration)}`).join('')}`;
  });
  const content = items.length === 0 ? 'The documentation changed.' : items.join('\n');
  const text = ['---', ...versions, '---', '', content, ''].join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { fileName: `contract-${hash}.md`, text };
}

function line(text: string): string {
  return markdown(text).text;
}
