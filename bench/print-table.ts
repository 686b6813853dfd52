import { execFileSync } from 'node:child_process';
import { availableParallelism, totalmem } from 'node:os';

/** A row of a table: its name, and a cell for each column. */
export type Row = readonly [name: string, cells: Readonly<Record<string, string | number>>];

/** Prints a table in Markdown below its title, with the commit and the machine. All rows have the columns of the first. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0]?.[1] ?? {});
  const lines = [
    ['', ...columns],
    ['', ...columns].map(() => '---'),
    ...rows.map(([name, cells]) => [name, ...columns.map((column) => String(cells[column] ?? ''))]),
  ];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  console.log(`${title}\n\n${measuredAt()}\n\n${table}\n`);
}

/** Returns one line that says at which commit, when, and on which machine figures are measured. */
export function measuredAt(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const machine = `Node ${process.versions.node}, ${availableParallelism()} processors, ${memory} GB`;
  return `Measured at ${commit()} on ${day}: ${machine}.`;
}

function commit(): string {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    const changes = git('status', '--porcelain') === '' ? '' : ' with changes';
    return `\`${git('rev-parse', '--short=8', 'HEAD')}\`${changes}`;
  } catch {
    return 'an unknown commit';
  }
}
