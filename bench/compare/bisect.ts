import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable, type Row } from '../print-table.ts';
import { chooseScenarios, type Comparison } from './compare.ts';
import { countRun } from './count-run.ts';
import { findSteps } from './find-steps.ts';
import type { Counts } from './read-counts.ts';
import { checkOut, cloneInto, fromSource, install, repository, run } from './revision.ts';

/** A figure is searched if it grew by more than the room of recorded figures, and a commit is named if it adds as much. */
const leastShare = 0.05;

/**
 * Prints the commits since a revision that made counted figures grow. They are found by bisection on the main line. The
 * commits are run from source, because builds would take longer than everything else. One that generates nothing is
 * passed over.
 */
export async function bisectCounts({
  revision,
  sections,
  operations,
}: Omit<Comparison, 'pairs'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const listed = run(
      'git',
      ['rev-list', '--first-parent', '--reverse', `${revision}..HEAD`],
      repository,
    );
    const base = run('git', ['rev-parse', revision], repository).trim();
    const commits = [base, ...listed.split('\n').filter((line) => line !== '')];
    const chosen = chooseScenarios(sections);
    // Each lockfile has a clone, because packages take long to install.
    const clones = new Map<string, string>();
    const cloneAt = (commit: string): string => {
      const lockfile = run('git', ['show', `${commit}:package-lock.json`], repository);
      const installed = clones.get(lockfile);
      const clone = installed ?? join(folder, `clone-${clones.size}`);
      if (installed === undefined) cloneInto(clone);
      checkOut(clone, commit);
      if (installed === undefined) install(clone);
      clones.set(lockfile, clone);
      return clone;
    };
    const known = new Map<number, readonly Counts[] | undefined>();
    const countsAt = (index: number): readonly Counts[] | undefined => {
      if (known.has(index)) return known.get(index);
      const commit = commits[index] ?? base;
      const runs = join(folder, `runs-${index}`);
      let counts: readonly Counts[] | undefined;
      try {
        const revision = fromSource(commit, cloneAt(commit));
        counts = chosen.map((scenario) =>
          countRun(revision, scenario.prepare(revision, runs, operations), false),
        );
      } catch (error) {
        console.error(`${commit} cannot be counted: ${String(error).slice(0, 300)}`);
      }
      rmSync(runs, { recursive: true, force: true });
      known.set(index, counts);
      console.error(`${known.size} commits were counted, the last is ${commit}.`);
      return counts;
    };
    const rows: Row[] = [];
    const [first, last] = [countsAt(0), countsAt(commits.length - 1)];
    for (const [place, scenario] of chosen.entries())
      for (const [name, figure] of Object.entries(last?.[place] ?? {})) {
        const before = first?.[place]?.[name];
        if (typeof figure !== 'number' || typeof before !== 'number') continue;
        const least = Math.max(1, before * leastShare);
        if (figure - before < least) continue;
        const figureAt = async (index: number): Promise<number | undefined> => {
          const value = countsAt(index)?.[place]?.[name];
          return typeof value === 'number' ? value : undefined;
        };
        rows.push([`${scenario.name}: ${name}`, cellsOf('all', before, figure, '')]);
        for (const step of await findSteps(commits.length, figureAt, least)) {
          const format = '--format=%h %s';
          const range = `${commits[step.from]}..${commits[step.to]}`;
          const subjects = run('git', ['log', format, '--first-parent', range], repository);
          rows.push(['', cellsOf('step', step.before, step.after, subjects.trim())]);
        }
      }
    if (rows.length === 0) console.log(`No counted figure grew since ${revision}.`);
    else printTable(`Counted figures that grew since ${revision}, and the commits`, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cellsOf(kind: string, before: number, after: number, commits: string): Row[1] {
  const subjects = commits.replaceAll('|', '/').split('\n');
  return { of: kind, before, after, 'in the commit': subjects.join('; ').slice(0, 300) };
}
