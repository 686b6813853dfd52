import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';

let page = '';
let folder = '';
let before = '';
beforeEach(async () => {
  page = await readFile(join(repository, 'docs/guides/diff.md'), 'utf8');
  folder = await temporaryFolder();
  // The lines of the page are counted from its first line.
  [before = ''] = blocks('yaml');
  const [change = ''] = blocks('diff');
  const removed = linesOf(change, '-');
  const after = removed.reduce((text, line, index) => {
    expect(text.split(line)).toHaveLength(2);
    return text.replace(line, linesOf(change, '+')[index] ?? '');
  }, before);
  expect(removed).toHaveLength(2);
  await writeTree(folder, { 'old.yaml': before, 'new.yaml': after });
});

/** Returns the blocks of the page in a language. */
function blocks(language: string): readonly string[] {
  const fences = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gmu');
  return Array.from(page.matchAll(fences), ([, text = '']) => text);
}

/** Returns the lines of a change that were removed or added. */
function linesOf(change: string, sign: '-' | '+'): readonly string[] {
  return change.split('\n').flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []));
}

/** Returns the command lines that the page shows, with their outputs. */
function sessions(): readonly (readonly [line: string, shown: string])[] {
  return blocks('console').map((session) => {
    const [, line = '', shown = ''] = /^\$ npx countersign (.*)\n([^]*)$/u.exec(session) ?? [];
    return [line, shown];
  });
}

/** Runs a command line, and returns its output. */
async function outputOf(line: string): Promise<string> {
  const { code, out } = await runInProcess(folder, line.split(' '));
  expect(code).toBe(0);
  return out;
}

describe('the guide to comparing two documents', () => {
  it('shows what the command prints about webhooks and callbacks', async () => {
    const [[line, shown] = ['', '']] = sessions();
    expect(await outputOf(line)).toBe(shown);
  });

  it('shows a change that is not decided', async () => {
    const [, change = ''] = blocks('diff');
    const written = before.split('\n').filter((line) => line.includes('notifyAt: {'));
    expect(written).toHaveLength(1);
    const withLine = ([line = '']: readonly string[]): string =>
      before.split(written[0] ?? '').join(line);
    await writeTree(folder, {
      'old.yaml': withLine(linesOf(change, '-')),
      'new.yaml': withLine(linesOf(change, '+')),
    });
    const [, [line, shown] = ['', '']] = sessions();
    expect(await outputOf(line)).toBe(shown);
  });

  it('shows a severity of the configuration, and what the report prints of it', async () => {
    const [[config = ''], [entry = '']] = [blocks('ts'), blocks('text')];
    await writeTree(folder, { 'countersign.config.mjs': config, 'old/new.yaml': before });
    expect(entry.split('\n')).toHaveLength(4);
    const out = await outputOf('diff old');
    expect(out).toContain(`\n\n${entry}\n`);
    expect(out).toContain('1 breaking, 1 compatible');
  });

  it('shows the comment of a pull request', async () => {
    const [, comment = ''] = blocks('text');
    expect(comment).not.toBe('');
    const out = await outputOf('diff old.yaml new.yaml --markdown');
    expect(out.startsWith(`${comment}\n<details>`)).toBe(true);
  });

  it('states the exit code with --fail-on', async () => {
    const words = ['diff', 'old.yaml', 'new.yaml', '--fail-on', 'breaking'];
    expect(await runInProcess(folder, words)).toMatchObject({ code: 1 });
    const same = ['diff', 'old.yaml', 'old.yaml', '--fail-on', 'any'];
    expect(await runInProcess(folder, same)).toMatchObject({ code: 0 });
  });
});
