import type { LoadedConfig } from 'countersign';
import { versionsOnDisk } from 'countersign/companion/contract';
import { CommandError } from 'countersign/companion/terminal';
import { createHash } from 'node:crypto';
import { markdown } from 'countersign/kit';
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

/**
 * Checks that every configuration with packages keeps their versions on disk, where `changeset version` writes them.
 * @throws CommandError `missing-setting` or `usage`
 */
export function assertReleasable({ configs, file }: LoadedConfig): void {
  const withPackages = configs.filter(({ layout }) => layout !== 'folder');
  if (withPackages.length === 0)
    throw new CommandError(
      'usage',
      `--changeset names packages, and ${file} generates none (\`layout: 'folder'\`).`,
    );
  const other = withPackages.find(({ version }) => version !== versionsOnDisk);
  if (other === undefined) return;
  const owner =
    other.version === undefined ? "the contract's `info.version`" : 'the setting `version`';
  throw new CommandError(
    'missing-setting',
    `Nothing was written: the packages in ${other.output} get their version from ${owner}, and \`countersign generate\` would undo what \`changeset version\` writes. Set \`version: '${versionsOnDisk}'\` in ${file} to keep the version of each package in its package.json. Otherwise, leave out --changeset, and raise ${owner} to the version that \`countersign diff\` reports.`,
  );
}
