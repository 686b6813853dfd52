import { spawnSync } from 'node:child_process';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutputError } from '../../generator/emit/output-error.ts';
import { writeUserFiles } from '../../generator/output/user-files.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { readTree, type Tree, withoutLeftovers, writeTree } from './tree.ts';

const fixture = join(import.meta.dirname, 'user-files.fixture.ts');

/** Lets a run be killed ahead of each operation on the disk; answers with how many there are. */
async function killAtEveryStep(
  before: Tree,
  changes: object,
  look: (folder: string, step: number) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step += 1) {
    const folder = await temporaryFolder();
    await writeTree(folder, before);
    const parameters = [fixture, folder, String(step), JSON.stringify(changes)];
    const { status, signal, stderr } = spawnSync(process.execPath, parameters);
    if (status === 0) return step - 1;
    expect(signal, String(stderr)).toBe('SIGKILL');
    await look(folder, step);
  }
}

describe('a writer that is killed', () => {
  it('leaves each file old or new, and the same changes complete it: at every step', async () => {
    const before: Tree = { 'src/webhooks.ts': 'old\n', 'src/other.ts': 'mine\n' };
    const after: Tree = {
      ...before,
      'src/webhooks.ts': 'new\n',
      'src/handlers/one.ts': 'one\n',
      'src/handlers/two.ts': 'two\n',
    };
    const creates = ['one', 'two'].map((name) => ({
      path: `src/handlers/${name}.ts`,
      text: `${name}\n`,
    }));
    const edits = [{ path: 'src/webhooks.ts', before: 'old\n', after: 'new\n' }];
    const seen = new Set<number>();
    const steps = await killAtEveryStep(before, { creates, edits }, async (folder, step) => {
      const tree = withoutLeftovers(await readTree(folder));
      for (const [path, text] of Object.entries(tree))
        expect([before[path], after[path]], `${path} at step ${step}`).toContain(text);
      expect(Object.keys(tree)).toEqual(expect.arrayContaining(Object.keys(before)));
      // The edit comes last, because it can refer to the new files.
      const isEdited = tree['src/webhooks.ts'] === after['src/webhooks.ts'];
      if (isEdited) expect(tree).toEqual(after);
      seen.add(Object.keys(tree).length + Number(isEdited));
      await writeUserFiles(folder, {
        creates: creates.filter(({ path }) => tree[path] === undefined),
        edits: isEdited ? [] : edits,
      });
      expect(await readTree(folder), `completed after step ${step}`).toEqual(after);
    });
    expect(steps).toBeGreaterThan(20);
    // Nothing, one new file, both, and the edit: were one not seen, the test would show less than it says.
    expect(seen.size).toBe(4);
  });
});

describe('writing into a folder of the user', () => {
  const edit = { path: 'src/webhooks.ts', before: 'old\n', after: 'old\nnew\n' };
  const creates = [
    { path: 'src/handlers/one.ts', text: 'one\n' },
    { path: 'src/handlers/two.ts', text: 'two\n' },
  ];
  const refusal = (folder: string, changes: Parameters<typeof writeUserFiles>[1]) =>
    writeUserFiles(folder, changes).then(
      () => undefined,
      ({ code, message }: OutputError) => `${code}: ${message.replaceAll(folder, '')}`,
    );

  it('keeps what a file may be used for', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'src/webhooks.ts': 'old\n' });
    await chmod(join(folder, 'src/webhooks.ts'), 0o750);
    await writeUserFiles(folder, { creates: [], edits: [edit] });
    expect((await stat(join(folder, 'src/webhooks.ts'))).mode & 0o777).toBe(0o750);
    expect(await readTree(folder)).toEqual({ 'src/webhooks.ts': 'old\nnew\n' });
  });

  it('writes nothing where a file was changed since it was read', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'src/webhooks.ts': 'changed\n' });
    expect(await refusal(folder, { creates, edits: [edit] })).toBe(
      'not-writable: Cannot write /src/webhooks.ts: it was changed since it was read. Nothing was written.',
    );
    expect(await readTree(folder)).toEqual({ 'src/webhooks.ts': 'changed\n' });
  });

  it('restores an edited file where a later step fails', async () => {
    const folder = await temporaryFolder();
    const before = { 'src/webhooks.ts': 'old\n', 'src/other.ts': 'changed\n' };
    await writeTree(folder, before);
    await chmod(join(folder, 'src/webhooks.ts'), 0o750);
    const second = { path: 'src/other.ts', before: 'as it was read\n', after: 'new\n' };
    expect(await refusal(folder, { creates, edits: [edit, second] })).toBe(
      'not-writable: Cannot write /src/other.ts: it was changed since it was read. Nothing was written.',
    );
    expect(await readTree(folder)).toEqual(before);
    expect((await stat(join(folder, 'src/webhooks.ts'))).mode & 0o777).toBe(0o750);
  });

  it('overwrites no file that has come in the meantime, and undoes what it did before', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'src/webhooks.ts': 'old\n', 'src/handlers/two.ts': 'mine\n' });
    expect(await refusal(folder, { creates, edits: [edit] })).toBe(
      'occupied: Cannot write /src/handlers/two.ts: it already exists. Nothing was written.',
    );
    expect(await readTree(folder)).toEqual({
      'src/handlers/two.ts': 'mine\n',
      'src/webhooks.ts': 'old\n',
    });
  });

  it('writes through no link that leads out of the folder', async () => {
    const folder = await temporaryFolder();
    const elsewhere = await temporaryFolder();
    await mkdir(join(folder, 'src'));
    await symlink(elsewhere, join(folder, 'src/handlers'));
    await expect(writeUserFiles(folder, { creates, edits: [] })).rejects.toMatchObject({
      code: 'escaping-path',
      message: expect.stringContaining(`${join(folder, 'src/handlers')} leads to ${elsewhere} `),
    });
    expect(await readTree(elsewhere)).toEqual({});
  });

  it('refuses paths that leave the folder', async () => {
    const folder = await temporaryFolder();
    const changes = { creates: [{ path: '../out.ts', text: '' }], edits: [] };
    await expect(writeUserFiles(folder, changes)).rejects.toMatchObject({
      code: 'escaping-path',
    });
  });
});
