import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, systemDisk } from '../../generator/output/disk.ts';
import { lock } from '../../generator/output/lock.ts';
import type { OutputErrorCode } from '../../generator/emit/output-error.ts';
import type { Change } from '../../generator/output/change.ts';
import { recover, reconcile } from '../../generator/output/reconcile.ts';
import { type Step, systemError, watchDisk } from './failing-disk.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { readTree, toFiles, type Tree, writeTree } from './tree.ts';

const tree: Tree = {
  'contract/package.json': '{}\n',
  'contract/src/index.ts': '// @generated\nexport {};\n',
  'README.md': '# Read me\n',
};

const write = (folder: string, files: Tree): Promise<readonly Change[]> =>
  reconcile(toFiles(files), { folder, mode: 'write' });

async function check(folder: string, files: Tree): Promise<readonly string[]> {
  const changes = await reconcile(toFiles(files), { folder, mode: 'check' });
  return changes.map(({ kind, path }) => `${kind} ${path}`);
}

const refusal = (code: OutputErrorCode): object =>
  expect.objectContaining({ name: 'OutputError', code });

describe('reconcile', () => {
  it('writes a tree and its manifest, and then has nothing to do', async () => {
    const folder = join(await temporaryFolder(), 'generated');
    const changes = await write(folder, tree);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'create .manifest.json',
      'create README.md',
      'create contract/package.json',
      'create contract/src/index.ts',
    ]);
    const { '.manifest.json': manifest = '', ...rest } = await readTree(folder);
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
    expect(Object.keys(JSON.parse(manifest).sha256)).toEqual(Object.keys(tree).toSorted());
    expect(await check(folder, tree)).toEqual([]);
  });

  it('touches only what changed', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const before = await stat(join(folder, 'README.md'), { bigint: true });
    await write(folder, { ...tree, 'contract/package.json': '{ "version": "2.0.0" }\n' });
    const after = await stat(join(folder, 'README.md'), { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([
      before.ino,
      before.mtimeNs,
      before.ctimeNs,
    ]);
    expect(await readFile(join(folder, 'contract/package.json'), 'utf8')).toContain('2.0.0');
  });

  it('does not touch the disk where nothing changed', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const steps: Step[] = [];
    const disk = watchDisk((step) => steps.push(step));
    await reconcile(toFiles(tree), { folder, mode: 'write', disk });
    const looking = new Set(['lstat', 'readdir', 'readFile', 'realpath']);
    expect(steps.filter(({ operation }) => !looking.has(operation))).toEqual([]);
  });

  it('writes the same manifest for the same files in any order', async () => {
    const root = await temporaryFolder();
    await write(join(root, 'a'), tree);
    await write(join(root, 'b'), Object.fromEntries(Object.entries(tree).toReversed()));
    expect(await readTree(join(root, 'a'))).toEqual(await readTree(join(root, 'b')));
  });

  it('keeps files whose names are members of every object', async () => {
    const folder = await temporaryFolder();
    const names = { ['__proto__']: 'a\n', constructor: 'b\n', '1': 'c\n' };
    await write(folder, names);
    expect(await check(folder, names)).toEqual([]);
    expect(await check(folder, {})).toEqual([
      'update .manifest.json',
      'remove 1',
      'remove __proto__',
      'remove constructor',
    ]);
  });

  it('tells a missing, an out-of-date, a hand-edited, an obsolete and a foreign file from one another', async () => {
    const folder = await temporaryFolder();
    await write(folder, { ...tree, 'contract/obsolete.txt': 'x\n', 'missing.txt': 'x\n' });
    await rm(join(folder, 'missing.txt'));
    await writeTree(folder, {
      'contract/src/index.ts': 'mine\n',
      'contract/foreign.txt': 'mine\n',
    });
    const next = { ...tree, 'missing.txt': 'x\n', 'README.md': '# Read me again\n' };
    expect(await check(folder, next)).toEqual([
      'update .manifest.json',
      'update README.md',
      'orphan contract/foreign.txt',
      'remove contract/obsolete.txt',
      'edited contract/src/index.ts',
      'create missing.txt',
    ]);

    await write(folder, next);
    expect(await check(folder, next)).toEqual(['orphan contract/foreign.txt']);
    expect(await readFile(join(folder, 'contract/foreign.txt'), 'utf8')).toBe('mine\n');
  });

  it('names the places of the contract that a change comes from', async () => {
    const folder = await temporaryFolder();
    await write(folder, { 'a.txt': 'old\n' });
    const files = [{ path: 'a.txt', text: 'new\n', from: ['asyncapi#/channels/a'] as const }];
    const changes = await reconcile(files, { folder, mode: 'check' });
    expect(changes.find(({ path }) => path === 'a.txt')?.from).toEqual(['asyncapi#/channels/a']);
  });

  it('writes nothing in check', async () => {
    const root = await temporaryFolder();
    const folder = join(root, 'generated');
    await check(folder, tree);
    expect(await readTree(root)).toEqual({});
    await write(folder, tree);
    await writeTree(folder, { 'README.md': 'mine\n' });
    const before = await readTree(folder);
    await check(folder, {});
    expect(await readTree(folder)).toEqual(before);
  });

  it('stores the journal and its folders on the disk before it moves the first file', async () => {
    const folder = await temporaryFolder();
    await write(folder, { 'a.txt': 'one\n' });
    const steps: string[] = [];
    const note = (path: string, step: string): void => {
      steps.push(`${step} ${relative(folder, path).replace(/^\.staging-\w+/u, 'staging')}`.trim());
    };
    const disk: Disk = {
      ...systemDisk,
      rename(from, to) {
        note(to, 'move to');
        systemDisk.rename(from, to);
      },
      writeFile(path, text, options) {
        if (options?.flush === true) note(path, 'store');
        systemDisk.writeFile(path, text, options);
      },
      syncFolder: (path) => note(path, 'sync'),
      unlink(path) {
        note(path, 'remove');
        systemDisk.unlink(path);
      },
    };
    await reconcile(toFiles({ 'a.txt': 'two\n' }), { folder, mode: 'write', disk });
    expect(steps).toEqual([
      'store staging/journal.json.draft',
      'move to staging/journal.json',
      'sync staging',
      'sync',
      'move to staging/old/a.txt',
      'move to a.txt',
      'move to staging/old/.manifest.json',
      'move to .manifest.json',
      'sync',
      'remove staging/journal.json',
    ]);
  });

  it('removes the folders that removing files has emptied, and no other', async () => {
    const folder = await temporaryFolder();
    await write(folder, { ...tree, 'client/src/deep/index.txt': 'x\n', 'client/a.txt': 'x\n' });
    await mkdir(join(folder, 'contract/empty'));
    await write(folder, tree);
    await expect(stat(join(folder, 'client'))).rejects.toThrow('ENOENT');
    expect((await stat(join(folder, 'contract/empty'))).isDirectory()).toBe(true);
  });

  it('leaves what build tools put there: neither listed, nor an orphan, nor removed', async () => {
    const folder = await temporaryFolder();
    await write(folder, { ...tree, 'client/index.txt': 'x\n' });
    const built = {
      'contract/dist/index.js': 'x',
      'contract/node_modules/a/index.js': 'x',
      'contract/tsconfig.tsbuildinfo': 'x',
      'client/dist/index.js': 'x',
    };
    await writeTree(folder, built);
    expect(await check(folder, { ...tree, 'client/index.txt': 'x\n' })).toEqual([]);
    await write(folder, tree);
    expect(await readTree(folder)).toMatchObject(built);
  });

  it('replaces a file by a folder and a folder by a file', async () => {
    const folder = await temporaryFolder();
    await write(folder, { a: 'file\n', 'b/c': 'file\n' });
    await write(folder, { 'a/c': 'file\n', b: 'file\n' });
    expect(await readTree(folder)).toMatchObject({ 'a/c': 'file\n', b: 'file\n' });
  });

  it('does not take a checkout with CRLF for an edit', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    for (const [path, text] of Object.entries(await readTree(folder))) {
      await writeFile(join(folder, path), text.replaceAll('\n', '\r\n'));
    }
    expect(await check(folder, tree)).toEqual([]);
    const crlf = await readTree(folder);
    await write(folder, tree);
    expect(await readTree(folder)).toEqual(crlf);
  });

  it('takes a lone carriage return for an edit', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    await writeFile(join(folder, 'README.md'), '# Read me\r');
    expect(await check(folder, tree)).toEqual(['edited README.md']);
  });

  it('restores a lost manifest beside a whole tree', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const completeTree = await readTree(folder);
    await rm(join(folder, '.manifest.json'));
    expect(await check(folder, tree)).toEqual(['create .manifest.json']);
    await write(folder, tree);
    expect(await readTree(folder)).toEqual(completeTree);
  });

  it('repairs a tree that a merge has filled with its marks, the manifest included', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const completeTree = await readTree(folder);
    for (const [path, text] of Object.entries(completeTree)) {
      await writeFile(join(folder, path), `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`);
    }
    await write(folder, tree);
    expect(await readTree(folder)).toEqual(completeTree);
  });

  it('overwrites no file that it has not written, and then writes nothing at all', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'README.md': 'by hand\n', src: 'by hand\n' });
    for (const files of [tree, { 'src/index.txt': 'x\n', 'other.txt': 'x\n' }]) {
      await expect(write(folder, files)).rejects.toEqual(refusal('occupied'));
    }
    expect(await readTree(folder)).toEqual({ 'README.md': 'by hand\n', src: 'by hand\n' });
    expect(await check(folder, tree)).toContain('orphan README.md');
  });
});

describe('a symbolic link', () => {
  it('in place of a folder is not written through', async () => {
    const root = await temporaryFolder();
    const [folder, outside] = [join(root, 'generated'), join(root, 'outside')];
    await write(folder, tree);
    await rename(join(folder, 'contract'), outside);
    await symlink(outside, join(folder, 'contract'));
    const before = await readTree(outside);
    await expect(write(folder, { ...tree, 'contract/package.json': '2\n' })).rejects.toEqual(
      refusal('escaping-path'),
    );
    expect(await readTree(outside)).toEqual(before);
  });

  it('in place of a folder is not removed through', async () => {
    const root = await temporaryFolder();
    const [folder, outside] = [join(root, 'generated'), join(root, 'outside')];
    await write(folder, tree);
    await rename(join(folder, 'contract'), outside);
    await symlink(outside, join(folder, 'contract'));
    await write(folder, { 'README.md': '# Read me\n' });
    expect(Object.keys(await readTree(outside))).toEqual(['package.json', 'src/index.ts']);
    expect(await check(folder, { 'README.md': '# Read me\n' })).toEqual(['orphan contract']);
  });

  it('in place of a file is replaced, and what it leads to stays as it is', async () => {
    const root = await temporaryFolder();
    const [folder, outside] = [join(root, 'generated'), join(root, 'outside.txt')];
    await write(folder, tree);
    await writeFile(outside, 'outside\n');
    await rm(join(folder, 'README.md'));
    await symlink(outside, join(folder, 'README.md'));
    expect(await check(folder, tree)).toEqual(['edited README.md']);
    await write(folder, tree);
    expect(await readTree(folder)).toMatchObject(tree);
    expect(await readFile(outside, 'utf8')).toBe('outside\n');
  });

  it.each([['generated'], ['link/generated']])(
    'that leads %s out of the folder of the configuration is refused',
    async (output) => {
      const root = await temporaryFolder();
      await mkdir(join(root, 'project'));
      await mkdir(join(root, 'outside'));
      await symlink(join(root, 'outside'), join(root, 'project', output.split('/')[0] ?? ''));
      const within = join(root, 'project');
      const options = { folder: join(within, output), within, mode: 'write' } as const;
      await expect(reconcile(toFiles(tree), options)).rejects.toEqual(refusal('escaping-path'));
      await expect(recover(options)).rejects.toEqual(refusal('escaping-path'));
      expect(await readTree(join(root, 'outside'))).toEqual({});
    },
  );
});

describe('a disk that refuses', () => {
  it.each<[string, OutputErrorCode]>([
    ['ENOSPC', 'no-space'],
    ['EDQUOT', 'no-space'],
    ['EROFS', 'not-writable'],
    ['EACCES', 'not-writable'],
    ['EIO', 'not-writable'],
  ])(
    'with %s at any step gives %s and leaves the old tree or the new one',
    async (system, code) => {
      const root = await temporaryFolder();
      const next = { ...tree, 'README.md': '# Again\n', 'client/new.txt': 'x\n' };
      const drop = Object.fromEntries(
        Object.entries(next).filter(([path]) => !path.includes('src')),
      );
      const folder = join(root, 'generated');
      await write(folder, tree);
      const before = await readTree(folder);
      const changing = new Set(['mkdir', 'rename', 'writeFile', 'syncFolder']);
      let failed = 0;
      for (let fatal = 1; ; fatal += 1) {
        let count = 0;
        const disk = watchDisk(({ operation, path }) => {
          if (changing.has(operation)) count += 1;
          if (count === fatal && changing.has(operation)) throw systemError(system, path);
        });
        const run = reconcile(toFiles(drop), { folder, mode: 'write', disk });
        const error: unknown = await run.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (count < fatal) break;
        if (error !== undefined) {
          expect(error, `${system} at change ${fatal}`).toEqual(refusal(code));
          failed += 1;
          expect(await readTree(folder), `${system} at change ${fatal}`).toEqual(before);
        } else {
          expect(await check(folder, drop)).toEqual([]);
          await write(folder, tree);
        }
      }
      expect(failed).toBeGreaterThan(10);
    },
  );

  it('that also refuses to undo leaves a folder that says `interrupted`, and the next run repairs it', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    let renames = 0;
    const disk = watchDisk(({ operation, path }) => {
      if (operation === 'rename') renames += 1;
      if (renames > 4 && operation === 'rename') throw systemError('EIO', path);
    });
    const next = { 'README.md': 'again\n', 'contract/package.json': '2\n' };
    await expect(reconcile(toFiles(next), { folder, mode: 'write', disk })).rejects.toEqual(
      refusal('interrupted'),
    );
    await expect(reconcile(toFiles(next), { folder, mode: 'check', waitMs: 0 })).rejects.toEqual(
      refusal('interrupted'),
    );
    await write(folder, next);
    expect(await check(folder, next)).toEqual([]);
  });

  it('because a file is in place of the folder gives a clear error', async () => {
    const folder = join(await temporaryFolder(), 'generated');
    await writeFile(folder, 'a file\n');
    await expect(write(folder, tree)).rejects.toEqual(refusal('not-writable'));
    expect(await readFile(folder, 'utf8')).toBe('a file\n');
  });
});

describe('what a killed run has left', () => {
  it('is undone where what was staged is damaged', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const before = await readTree(folder);
    await writeTree(join(folder, '.staging-0123456789abcdef'), {
      'new/README.md': 'half of',
      'journal.json': JSON.stringify({
        format: 2,
        removes: ['contract/package.json'],
        writes: ['README.md'],
      }),
    });
    await recover({ folder });
    expect(await readTree(folder)).toEqual(before);
  });

  it('is not guessed at where its journal cannot be read', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    await writeTree(join(folder, '.staging-0123456789abcdef'), { 'journal.json': '{' });
    await expect(recover({ folder })).rejects.toEqual(refusal('interrupted'));
  });

  it.each([
    [{ removes: ['../outside.txt'], writes: [] }],
    [{ removes: [], writes: ['../outside.txt'] }],
    [{ removes: ['/tmp/outside.txt'], writes: [] }],
    [{ removes: ['a/../../outside.txt'], writes: [] }],
  ])('is not followed out of the folder: a journal with %j', async (journal) => {
    const root = await temporaryFolder();
    const folder = join(root, 'generated');
    await write(folder, tree);
    await writeTree(root, { 'outside.txt': 'outside\n' });
    await writeTree(join(folder, '.staging-0123456789abcdef'), {
      'journal.json': JSON.stringify({ format: 2, ...journal }),
    });
    await expect(recover({ folder })).rejects.toEqual(refusal('interrupted'));
    expect(await readFile(join(root, 'outside.txt'), 'utf8')).toBe('outside\n');
  });
});

describe('two runs at once', () => {
  it('in many processes leave one whole tree, and every one of them succeeds or says `locked`', async () => {
    const folder = await temporaryFolder();
    const script = join(import.meta.dirname, 'reconcile-until-killed.fixture.ts');
    const trees = Array.from({ length: 6 }, (_, run) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (__, file) => [
          `package-${file % 4}/${file}.txt`,
          `run ${run}\n`,
        ]),
      ),
    );
    const runs = trees.map((files) =>
      spawn(process.execPath, [script, folder, '0', JSON.stringify(files)]),
    );
    const ends = await Promise.all(runs.map((run) => once(run, 'exit')));
    expect(ends.filter(([code]) => code === 0).length).toBeGreaterThan(0);
    const { '.manifest.json': _, ...result } = await readTree(folder);
    expect(new Set(Object.values(result)).size, 'runs whose files are in the tree').toBe(1);
    expect(Object.keys(result)).toHaveLength(20);
    expect(await check(folder, result)).toEqual([]);
  });

  it('make the second wait, and fail with a clear error when the first does not end', async () => {
    const folder = await temporaryFolder();
    await write(folder, tree);
    const release = await lock(folder, 0, systemDisk);
    const next = toFiles({ ...tree, 'README.md': 'again\n' });
    await expect(reconcile(next, { folder, mode: 'write', waitMs: 50 })).rejects.toEqual(
      refusal('locked'),
    );
    const waiting = reconcile(next, { folder, mode: 'write' });
    release();
    await waiting;
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('again\n');
  });

  it('hold a folder one at a time', async () => {
    const folder = await temporaryFolder();
    let holders = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const release = await lock(folder, 20_000, systemDisk);
        holders += 1;
        most = Math.max(most, holders);
        await new Promise((resolve) => setTimeout(resolve, 5));
        holders -= 1;
        release();
      }),
    );
    expect(most).toBe(1);
    expect(await readTree(folder)).toEqual({});
  });

  it('do not wait for the claim of a process that is gone, and remove it', async () => {
    const folder = await temporaryFolder();
    const run = spawn(process.execPath, ['-e', '']);
    await once(run, 'exit');
    const release = await lock(folder, 0, systemDisk);
    const [mine = ''] = Object.keys(await readTree(folder));
    release();
    const theirs = mine.replace(`-${process.pid}-`, `-${run.pid}-`);
    await writeTree(folder, { [theirs]: '' });
    (await lock(folder, 0, systemDisk))();
    expect(await readTree(folder)).toEqual({});
  });

  it('on two machines respect a fresh claim and not an old one', async () => {
    const folder = await temporaryFolder();
    const claim = join(folder, '.lock-00000000-1-1-0123456789abcdef');
    await writeFile(claim, '');
    await expect(lock(folder, 0, systemDisk)).rejects.toEqual(refusal('locked'));
    const { utimes } = await import('node:fs/promises');
    await utimes(claim, 0, 0);
    (await lock(folder, 0, systemDisk))();
    expect(await readTree(folder)).toEqual({});
  });
});
