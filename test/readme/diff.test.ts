import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';

let page = '';
let folder = '';
beforeEach(async () => {
  page = await readFile(join(repository, 'docs/guides/diff.md'), 'utf8');
  folder = await temporaryFolder();
  const [, before = ''] = /^```yaml\n# old\.yaml\n([^]*?)^```$/mu.exec(page) ?? [];
  const [, change = ''] = /^```diff\n([^]*?)^```$/mu.exec(page) ?? [];
  const lines = (sign: string): readonly string[] =>
    change.split('\n').flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []));
  const removed = lines('-');
  const after = removed.reduce((text, line, index) => {
    expect(text.split(line)).toHaveLength(2);
    return text.replace(line, lines('+')[index] ?? '');
  }, before);
  expect(removed).toHaveLength(2);
  // The lines of the page are counted from its first line.
  await writeTree(folder, {
    'old.yaml': `# old.yaml\n${before}`,
    'new.yaml': `# new.yaml\n${after}`,
  });
});

describe('the guide to comparing two documents', () => {
  it('shows what the command prints about webhooks and callbacks', async () => {
    const [, line = '', shown = ''] =
      /^```console\n\$ npx countersign (.*)\n([^]*?)^```$/mu.exec(page) ?? [];
    const { code, out } = await runInProcess(folder, line.split(' '));
    expect({ code, out }).toEqual({ code: 0, out: shown });
  });

  it('states the exit code with --fail-on', async () => {
    const words = ['diff', 'old.yaml', 'new.yaml', '--fail-on', 'breaking'];
    expect(await runInProcess(folder, words)).toMatchObject({ code: 1 });
    const same = ['diff', 'old.yaml', 'old.yaml', '--fail-on', 'any'];
    expect(await runInProcess(folder, same)).toMatchObject({ code: 0 });
  });
});
