import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from '../targets/emit-project.ts';

/** A use of a command on the page of the commands: how it is called, and what it prints. */
export interface Shown {
  readonly command: readonly string[];
  readonly output: string;
}

/** Returns all uses of a command on the page of the commands, in order. */
export async function shownOf(name: string): Promise<readonly Shown[]> {
  const page = await readFile(join(repository, 'docs/commands.md'), 'utf8');
  const blocks = page.matchAll(/^```console\n\$ npx countersign (.*)\n([^]*?)^```$/gmu);
  return Array.from(blocks, ([, line = '', output = '']) => ({
    command: words(line),
    output,
  })).filter(({ command }) => command[0] === name);
}

/** The words of a command line; those in single quotes are one. */
function words(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|(\S+)/gu),
    ([, quoted, plain = '']) => quoted ?? plain,
  );
}

/** A copy of what this repository generates from, with nothing else in it. */
export async function copyContract(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['spec', 'package.json', 'countersign.config.ts'])
    await cp(join(repository, name), join(folder, name), { recursive: true });
  return folder;
}

/** What was printed is as it is shown; `…` in a line of its own stands for lines that are left out. */
export function expectShown(printed: string, shown: string): void {
  // A line of a diff that is empty in the file begins with a space, which no editor leaves on a page.
  const lines = printed.replaceAll(/^ $/gmu, '');
  const parts = shown.split(/^…\n/mu);
  expect(shown).not.toBe('');
  if (parts.length === 1) {
    expect(lines).toBe(shown);
    return;
  }
  const [first = '', last = ''] = [parts.at(0), parts.at(-1)];
  expect([lines.slice(0, first.length), lines.slice(lines.length - last.length)]).toEqual([
    first,
    last,
  ]);
  let from = 0;
  for (const part of parts) {
    const at = lines.indexOf(part, from);
    expect(at, `${lines}\nhas, in its order,\n${part}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
}
