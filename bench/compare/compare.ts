import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost } from '../measure-command.ts';
import { printTable, type Row } from '../print-table.ts';
import { countRun, hasStrace } from './count-run.ts';
import { measureRun } from './measure-run.ts';
import { ratioInterval } from './ratio-interval.ts';
import type { Counts } from './read-counts.ts';
import { buildWorkingTree, checkOutBuilt, cloneInto, type Revision } from './revision.ts';
import { scenarios, type Scenario } from './scenarios.ts';

/** How much is compared. */
export interface Comparison {
  /** The revision that the code in this repository is compared with. */
  readonly revision: string;
  /** The sections to compare; all if there are none. */
  readonly sections: readonly string[];
  /** The number of operations that remain of GitHub's contracts. */
  readonly operations: number;
  /** The number of pairs of runs; 0 compares counts alone. */
  readonly pairs: number;
}

/** The wall time in milliseconds of a pair of runs from which on a scenario runs fewer pairs. */
const longPair = 20_000;
/** The least number of pairs whose smallest and greatest ratio include the median with more than 98 %. */
const longPairs = 7;

/** The sections that can be compared. */
export const comparedSections: readonly string[] = [
  ...new Set(scenarios.map(({ section }) => section)),
];

/** Compares the code in this repository with another revision, and prints tables. */
export function compareRevisions({ revision, sections, operations, pairs }: Comparison): void {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const clone = join(folder, 'clone');
    cloneInto(clone);
    const older = checkOutBuilt(clone, revision);
    const newer = buildWorkingTree();
    if (!hasStrace()) console.log('System calls are not counted, because there is no strace.\n');
    const chosen = chooseScenarios(sections);
    for (const scenario of chosen) {
      const count = (of: Revision, name: string): Counts =>
        countRun(of, scenario.prepare(of, join(folder, name), operations), hasStrace());
      printCounts(
        `Counted: ${scenario.name}`,
        revision,
        count(older, 'older'),
        count(newer, 'newer'),
      );
    }
    if (pairs === 0) return;
    const rows = chosen.map((scenario): Row => {
      const costs = measureInPairs(
        scenario,
        [older, newer],
        [join(folder, 'older'), join(folder, 'newer')],
        operations,
        pairs,
      );
      return [scenario.name, ratioCells(costs)];
    });
    printTable(
      `Times: × is the median ratio of the working tree to ${revision}, of pairs of runs in turn, and the interval of this median (order statistics)`,
      rows,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the scenarios of sections; all for no section. */
export function chooseScenarios(sections: readonly string[]): readonly Scenario[] {
  return scenarios.filter(({ section }) => sections.length === 0 || sections.includes(section));
}

type Pair = readonly [older: Cost, newer: Cost];

/** Runs both revisions alternately; every other pair begins with the newer one. */
function measureInPairs(
  scenario: Scenario,
  revisions: readonly [older: Revision, newer: Revision],
  folders: readonly [older: string, newer: string],
  operations: number,
  pairs: number,
): readonly Pair[] {
  const [older, newer] = revisions;
  const runs = [
    scenario.prepare(older, folders[0], operations),
    scenario.prepare(newer, folders[1], operations),
  ] as const;
  const costs: Pair[] = [];
  let count = pairs;
  while (costs.length < count) {
    const isNewerFirst = costs.length % 2 === 1;
    const first = isNewerFirst ? measureRun(newer, runs[1]) : measureRun(older, runs[0]);
    const second = isNewerFirst ? measureRun(older, runs[0]) : measureRun(newer, runs[1]);
    costs.push(isNewerFirst ? [second, first] : [first, second]);
    if (first.wallMilliseconds + second.wallMilliseconds > longPair)
      count = Math.min(count, longPairs);
  }
  return costs;
}

function ratioCells(pairs: readonly Pair[]): Row[1] {
  const cells = (name: string, of: (cost: Cost) => number): Row[1] => {
    const { median, low, high, confidence } = ratioInterval(
      pairs.map(([older, newer]) => of(newer) / of(older)),
    );
    return {
      [`${name} ×`]: median.toFixed(3),
      [`${name} interval`]: `${low.toFixed(3)} to ${high.toFixed(3)} (${Math.floor(100 * confidence)} %)`,
    };
  };
  return {
    ...cells('CPU', ({ cpuMilliseconds }) => cpuMilliseconds),
    ...cells('wall', ({ wallMilliseconds }) => wallMilliseconds),
    pairs: pairs.length,
  };
}

function printCounts(title: string, revision: string, older: Counts, newer: Counts): void {
  const names = new Set([...Object.keys(older), ...Object.keys(newer)]);
  printTable(
    title,
    Array.from(names)
      .filter((name) => countOf(older[name]) + countOf(newer[name]) > 0)
      .map((name): Row => [name, countCells(revision, older[name] ?? 0, newer[name] ?? 0)]),
  );
}

function countOf(figure: number | readonly string[] = 0): number {
  return typeof figure === 'number' ? figure : figure.length;
}

function countCells(
  revision: string,
  older: number | readonly string[],
  newer: number | readonly string[],
): Row[1] {
  const [before, after] = [countOf(older), countOf(newer)];
  const entries = (figure: number | readonly string[]): readonly string[] =>
    typeof figure === 'number' ? [] : figure;
  const [added, removed] = [
    entries(newer).filter((entry) => !entries(older).includes(entry)),
    entries(older).filter((entry) => !entries(newer).includes(entry)),
  ];
  return {
    [revision]: before,
    'working tree': after,
    '×': before === 0 || before === after ? '' : (after / before).toFixed(3),
    added: added.join(', '),
    removed: removed.join(', '),
  };
}
