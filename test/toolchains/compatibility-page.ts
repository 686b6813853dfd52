import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { repository } from '../packaging/project.ts';

const page = join(repository, 'docs/compatibility.md');

/**
 * Expects a table of `docs/compatibility.md` to have these rows. Writes them instead if the environment variable
 * `COUNTERSIGN_WRITE` is set. The table is between two comments with its name.
 * @param rows the cells of each row, the heading first
 */
export async function expectTable(
  name: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/compatibility.md has no table ${name}.`);
  const before = text.slice(0, from + start.length);
  const table = `\n${format(rows)}\n`;
  if ((process.env['COUNTERSIGN_WRITE'] ?? '') !== '')
    await writeFile(page, before + table + text.slice(to));
  const current = await readFile(page, 'utf8');
  expect(current.slice(before.length, current.indexOf(end, before.length))).toBe(table);
}

/** Formats a table as oxfmt does. */
function format(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[], filler = ' '): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |\n`;
  return [line(head), line([], '-'), ...rows.slice(1).map((row) => line(row))].join('');
}
