import type { Location } from '../diagnostics/diagnostic.ts';
import type { Generation, LocatedChange } from '../output/generation.ts';
import { count } from '../diagnostics/list-texts.ts';
import { packageManagers } from '../execution/package-managers.ts';
import type { ChangeKind } from '../output/change.ts';
import { manifestPath } from '../emit/output-path.ts';
import { shellWord } from '../execution/shell-word.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';

type PaintStyle = Parameters<Paint>[0];

/** What `generate` (`done`) and `check` (`found`) print for each kind of change. */
const words: Readonly<
  Record<ChangeKind, { readonly done: string; readonly state: string; readonly style: PaintStyle }>
> = {
  create: { done: 'created', state: 'missing', style: 'green' },
  update: { done: 'updated', state: 'out of date', style: 'yellow' },
  edited: { done: 'replaced an edited file', state: 'edited by hand', style: 'magenta' },
  remove: { done: 'removed', state: 'no longer generated', style: 'red' },
  orphan: { done: 'orphan: not changed', state: 'orphan: not generated', style: 'cyan' },
};

/** The number of changes that `generate` lists without `--verbose`. */
const maxShownChanges = 20;

/** The number of contract locations shown for a file. */
const maxShownLocations = 3;

/** Describes a run of `generate` as text for the terminal. */
export function describeGenerated(generation: Generation, paint: Paint, all: boolean): string {
  const { output, status, packages, lockfile, manager = 'npm' } = generation;
  const changes = worthShowing(generation.changes);
  const lines: string[] = [];
  const shown = all ? changes : changes.slice(0, maxShownChanges);
  for (const change of shown) lines.push(toLine(change, words[change.kind].done, output, paint));
  if (changes.length > shown.length) {
    lines.push(`… and ${changes.length - shown.length} more (--verbose shows all)`);
  }
  const writtenCount = changes.filter(({ kind }) => kind !== 'orphan' && kind !== 'remove').length;
  const removed = changes.filter(({ kind }) => kind === 'remove').length;
  lines.push(
    status === 'unchanged'
      ? `${output}: up to date`
      : `${output}: ${count(writtenCount, 'file')} written, ${removed} removed`,
  );
  const { added, removed: gone } = packages;
  const agrees = lockfile !== undefined && lockfile.problems.length === 0;
  if (added.length + gone.length > 0 && !agrees) {
    const names = [...added.map((name) => `+${name}`), ...gone.map((name) => `-${name}`)].join(' ');
    lines.push(
      paint('yellow', `packages changed (${names}); run \`${packageManagers[manager].install}\``),
    );
  }
  for (const { folder, version } of generation.runtime ?? []) {
    if (version === undefined) continue;
    const what = `the code of the toolkit in ${printable(folder)} has changed`;
    lines.push(
      paint(
        'yellow',
        `${what}, and its package is still ${printable(version)}: publish it with another version`,
      ),
    );
  }
  lines.push(...describeRanges(generation, paint));
  for (const command of describeMissing(generation)) {
    lines.push(
      paint('yellow', `the application does not list packages that the code needs; run ${command}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Describes the requirements of applications that a registry can answer with a package of somebody else. */
function describeRanges({ registryRanges = [] }: Generation, paint: Paint): readonly string[] {
  return registryRanges.map(({ file, name, range, instead }) =>
    paint(
      'yellow',
      printable(
        `${file}: ${name} is ${JSON.stringify(range)}, so a registry is asked if the generated package has another version; write ${JSON.stringify(instead)}`,
      ),
    ),
  );
}

/**
 * Returns the commands that install the packages which the application does not list; none if it lists all. Types are
 * development dependencies.
 */
export function describeMissing({ missing = [], manager = 'npm' }: Generation): readonly string[] {
  const isTypes = (required: string): boolean => required.startsWith('@types/');
  const { add, addDevelopment } = packageManagers[manager];
  const commands = [
    [add, missing.filter((required) => !isTypes(required))],
    [addDevelopment, missing.filter(isTypes)],
  ] as const;
  return commands
    .filter(([, required]) => required.length > 0)
    .map(([command, required]) => [command, ...required.map(shellWord)].join(' '));
}

/** Returns the command that makes packages dependencies of production; none if no package is to be moved. */
export function describeMove({
  developmentOnly = [],
  manager = 'npm',
}: Generation): readonly string[] {
  if (developmentOnly.length === 0) return [];
  const { moveToProduction } = packageManagers[manager];
  const names = developmentOnly.map((requirement) =>
    requirement.slice(0, requirement.lastIndexOf('@')),
  );
  if (moveToProduction === undefined)
    return [`move from devDependencies to dependencies in package.json: ${names.join(', ')}`];
  return [`${moveToProduction} ${developmentOnly.map(shellWord).join(' ')}`];
}

/** Describes the result of `check` as text for the terminal: every file, with the contract locations it comes from. */
export function describeChecked(generation: Generation, paint: Paint): string {
  const { output, lockfile } = generation;
  const changes = worthShowing(generation.changes);
  const lines = changes.map((change) => toLine(change, words[change.kind].state, output, paint));
  const problems = lockfile?.problems ?? [];
  for (const problem of problems) lines.push(`${paint('yellow', 'lockfile')}  ${problem}`);
  const orphans = changes.filter(({ kind }) => kind === 'orphan').length;
  if (changes.length === 0 && problems.length === 0) lines.push(`${output}: up to date`);
  if (changes.length > orphans) {
    const files = count(changes.length - orphans, 'file differs', 'files differ');
    lines.push(`${output}: ${files}; run \`countersign generate\``);
  }
  for (const { folder, before, after, age } of generation.runtime ?? []) {
    const place = `${output}/${printable(folder)}`;
    if (age === undefined)
      lines.push(`${place}: differs from the code that this toolkit, ${after}, writes`);
    else
      lines.push(`${place}: has code of countersign ${before}, ${age} than this toolkit, ${after}`);
    if (age === 'newer') lines.push(`${place}: install countersign ${before} before you generate`);
  }
  if (orphans > 0) {
    lines.push(
      `${output}: ${count(orphans, 'orphan')}; move files that you wrote, and delete the others`,
    );
  }
  if (problems.length > 0) {
    lines.push(`${lockfile?.file}: does not match the generated packages; run \`npm install\``);
  }
  lines.push(...describeRanges(generation, paint));
  return `${lines.join('\n')}\n`;
}

/** Leaves out the manifest, which changes with every other file, unless no other file changed. */
function worthShowing(changes: readonly LocatedChange[]): readonly LocatedChange[] {
  const contractChanges = changes.filter(({ path }) => path !== manifestPath);
  return contractChanges.some(({ kind }) => kind !== 'orphan') ? contractChanges : changes;
}

function toLine(
  { path, kind, where }: LocatedChange,
  word: string,
  output: string,
  paint: Paint,
): string {
  const from = where.length === 0 ? '' : paint('dim', `  from ${toPlaces(where)}`);
  return `${paint(words[kind].style, word)}  ${printable(`${output}/${path}`)}${from}`;
}

function toPlaces(where: readonly Location[]): string {
  const shown = where
    .slice(0, maxShownLocations)
    .map(({ file, line }) => `${printable(file)}:${line}`);
  const more = where.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
