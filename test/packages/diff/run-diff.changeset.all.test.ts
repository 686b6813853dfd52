import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { repository } from '../../targets/emit-project.ts';
import { createProject, openapi, type Project } from '../../cli/project.ts';
import { runInProcess } from '../../cli/run-in-process.ts';

const run = promisify(execFile);

const targets = ['contract', 'client', 'simulator', 'reference'] as const;
const packages = ['contract', 'client', 'simulator'] as const;
const broken = openapi.replace(
  'parameters:\n',
  'parameters:\n        - { name: shelf, in: query, required: true, schema: { type: string } }\n',
);
const grown = openapi.replace(
  '        title: { type: string }\n',
  '        title: { type: string }\n        pages: { type: integer }\n',
);
const settings = `{ contract: { openapi: 'openapi.yaml' }, scope: '@books', output: 'generated', targets: ${JSON.stringify(targets)}`;
const config = `export default ${settings}, version: 'changesets' };\n`;

/** A workspace of npm whose packages changesets releases, with the output of the contract and a commit. */
async function createWorkspace(tree: Record<string, string> = {}): Promise<Project> {
  const project = await createProject({
    'openapi.yaml': openapi.replace('1.2.0', '0.1.0'),
    'countersign.config.mjs': config,
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      workspaces: ['generated/*', 'toys/*'],
    }),
    '.gitignore': 'node_modules\n',
    '.changeset/config.json': JSON.stringify({
      changelog: '@changesets/cli/changelog',
      commit: false,
      access: 'public',
      baseBranch: 'main',
      updateInternalDependencies: 'patch',
    }),
    ...tree,
  });
  await mkdir(join(project.folder, 'node_modules/@changesets'), { recursive: true });
  await symlink(
    join(repository, 'node_modules/@changesets/cli'),
    join(project.folder, 'node_modules/@changesets/cli'),
    'junction',
  );
  await expectRun(project, 0, 'generate');
  await git(project, 'init', '--quiet', '--initial-branch=main');
  await commit(project);
  return project;
}

async function git(project: Project, ...parameters: readonly string[]): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  await run('git', [...identity, ...parameters], { cwd: project.folder });
}

async function commit(project: Project): Promise<void> {
  await git(project, 'add', '.');
  await git(project, 'commit', '--quiet', '--message=Change');
}

/** Runs a command, whose exit code must be the given one, and returns its output. */
async function expectRun(
  project: Project,
  code: number,
  ...parameters: readonly string[]
): Promise<string> {
  const result = await runInProcess(project.folder, parameters);
  expect(result.code, result.error + result.out).toBe(code);
  return result.out + result.error;
}

/** Runs `changeset version` of the installed `@changesets/cli`, which knows a workspace of npm by its lockfile. */
async function changesetVersion(project: Project): Promise<void> {
  const script = join(repository, 'node_modules/@changesets/cli/bin.js');
  const lockfile = join(project.folder, 'package-lock.json');
  const isOfNpm = !existsSync(join(project.folder, 'pnpm-workspace.yaml'));
  if (isOfNpm) await writeFile(lockfile, '{}');
  await run(process.execPath, [script, 'version'], { cwd: project.folder, timeout: 50_000 });
  if (isOfNpm) await rm(lockfile);
}

async function writeContract(project: Project, text: string): Promise<void> {
  await writeFile(join(project.folder, 'openapi.yaml'), text.replace('1.2.0', '0.1.0'));
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function readManifest(
  project: Project,
  target: string,
  output = 'generated',
): Promise<Manifest> {
  const path = join(project.folder, output, target, 'package.json');
  return JSON.parse(await readFile(path, 'utf8')) as Manifest;
}

/**
 * Returns the version of the package of each target, and fails if one requires another version of another one than that.
 */
async function readVersions(
  project: Project,
  output = 'generated',
  scope = '@books',
): Promise<Record<string, string>> {
  const manifests = await Promise.all(
    [...packages, 'runtime'].map(
      async (target) => [target, await readManifest(project, target, output)] as const,
    ),
  );
  const versions = Object.fromEntries(manifests.map(([target, { version }]) => [target, version]));
  let ranges = 0;
  for (const [target, { dependencies = {} }] of manifests) {
    for (const [name, range] of Object.entries(dependencies)) {
      if (!name.startsWith(`${scope}/`)) continue;
      ranges += 1;
      expect(range, `${target} requires ${name}`).toBe(versions[name.slice(scope.length + 1)]);
    }
  }
  expect(ranges).toBe(3);
  return Object.fromEntries(packages.map((target) => [target, versions[target] ?? '']));
}

async function editManifest(
  project: Project,
  target: string,
  edit: (text: string) => string,
): Promise<void> {
  const path = join(project.folder, 'generated', target, 'package.json');
  const text = await readFile(path, 'utf8');
  expect(edit(text)).not.toBe(text);
  await writeFile(path, edit(text));
}

test('a changeset is not written through a linked folder', async () => {
  const project = await createWorkspace();
  await writeContract(project, broken);
  const elsewhere = await temporaryFolder();
  await symlink(elsewhere, join(project.folder, 'notes'));
  const output = await expectRun(project, 1, 'diff', 'HEAD', '--changeset', 'notes');
  expect(output).toContain(`${join(project.folder, 'notes')} leads to ${elsewhere}`);
  expect(await readdir(elsewhere)).toEqual([]);
});

test('a release with changesets leaves nothing to generate, for a breaking change and then for another one', async () => {
  const project = await createWorkspace();
  expect(await readVersions(project)).toEqual({
    contract: '0.1.0',
    client: '0.1.0',
    simulator: '0.1.0',
  });

  await writeContract(project, broken);
  const out = await expectRun(project, 0, 'diff', 'HEAD', '--changeset', '.changeset');
  expect(out).toMatch(/@books\/contract +patch +0\.1\.0 → 0\.1\.1\n/u);
  expect(out).toMatch(/@books\/client +major +0\.1\.0 → 0\.2\.0\n/u);
  expect(out).toContain('Each package must have the version shown or a later one.');
  expect(out).toMatch(/contract-[0-9a-f]{8}\.md written\n$/u);
  await expectRun(project, 0, 'generate');
  await commit(project);
  await changesetVersion(project);
  const released = { contract: '0.1.1', client: '0.2.0', simulator: '0.2.0' };
  expect(await readVersions(project)).toEqual(released);
  const changelog = join(project.folder, 'generated/client/CHANGELOG.md');
  const text = await readFile(changelog, 'utf8');
  expect(text).toContain('## 0.2.0');

  // A run that repeats an earlier one has a record of it, which must not hide the new versions.
  expect(await expectRun(project, 0, 'check')).not.toContain('CHANGELOG');
  expect(await expectRun(project, 0, 'generate')).not.toContain('CHANGELOG');
  expect(await expectRun(project, 0, 'generate')).not.toContain('CHANGELOG');
  const { stdout: changed } = await run('git', ['diff', '--name-only'], { cwd: project.folder });
  expect(changed.split('\n')).not.toContain('generated/.manifest.json');
  expect(await readVersions(project)).toEqual(released);
  expect(await readFile(changelog, 'utf8')).toBe(text);
  await commit(project);

  // The next release starts from the versions on disk, not from that of the contract.
  await writeContract(project, grown.replace(openapi.slice(0, 20), broken.slice(0, 20)));
  await expectRun(project, 0, 'generate');
  expect(await readVersions(project)).toEqual(released);
  await expectRun(project, 0, 'diff', 'HEAD', '--changeset', '.changeset');
  await changesetVersion(project);
  await expectRun(project, 0, 'check');
  const next = await readVersions(project);
  expect(next['contract']).toBe('0.1.2');
  expect(await readFile(changelog, 'utf8')).toContain('## 0.2.0');
});

test('a release with changesets leaves nothing to generate where packages refer to each other by workspace:*', async () => {
  const project = await createWorkspace({
    'pnpm-workspace.yaml': 'packages: [generated/*, toys/*]\n',
  });
  await writeContract(project, broken);
  await expectRun(project, 0, 'diff', 'HEAD', '--changeset', '.changeset');
  await expectRun(project, 0, 'generate');
  await changesetVersion(project);
  const { version, dependencies } = await readManifest(project, 'client');
  expect(version).toBe('0.2.0');
  expect(dependencies?.['@books/contract']).toBe('workspace:*');
  await expectRun(project, 0, 'check');
});

test('a version that another tool writes is found, although nothing else has changed', async () => {
  const project = await createWorkspace();
  await expectRun(project, 0, 'generate');
  await editManifest(project, 'contract', (text) => text.replace('"0.1.0"', '"3.0.0"'));
  // The ranges of the dependants follow.
  expect(await expectRun(project, 1, 'check')).toContain('generated/client/package.json');
  const out = await expectRun(project, 0, 'generate');
  expect(out).not.toContain('edited');
  expect(await readVersions(project)).toEqual({
    contract: '3.0.0',
    client: '0.1.0',
    simulator: '0.1.0',
  });
  await expectRun(project, 0, 'check');
});

test('any other edit of a package.json is undone and reported as an edit', async () => {
  const project = await createWorkspace();
  await editManifest(project, 'client', (text) =>
    text.replace('"sideEffects": false', '"private": true'),
  );
  expect(await expectRun(project, 1, 'check')).toContain('edited by hand');
  await expectRun(project, 0, 'generate');
  expect(await readFile(join(project.folder, 'generated/client/package.json'), 'utf8')).toContain(
    '"sideEffects": false',
  );
});

test('a package.json without a semantic version is an error', async () => {
  const project = await createWorkspace();
  const path = join(project.folder, 'generated/contract/package.json');
  const text = await readFile(path, 'utf8');
  await writeContract(project, broken);
  const cases = [
    [text.replace('"0.1.0"', '"next"'), 'has the version "next"', 3],
    [text.replace('"0.1.0"', '"1.0.0-01"'), 'has the version "1.0.0-01"', 3],
    [text.replace('"0.1.0"', '7'), 'has no version', 3],
    [text.replace(/ {2}"version".*\n/u, ''), 'has no version', 1],
    [`<<<<<<< ours\n${text}`, 'is not a JSON object', 1],
  ] as const;
  for (const [edited, message, line] of cases) {
    await writeFile(path, edited);
    const out = await expectRun(project, 1, 'generate');
    expect(out).toContain('unknown-package-version');
    expect(out).toContain(message);
    expect(out).toContain(`generated/contract/package.json:${line}:`);
    expect(await readFile(path, 'utf8')).toBe(edited);
  }
  for (const command of [['check'], ['diff', 'HEAD', '--changeset', 'notes']])
    expect(await expectRun(project, 1, ...command)).toContain('unknown-package-version');
  expect(existsSync(join(project.folder, 'notes'))).toBe(false);
});

test('a deleted package.json is an error, because its version is lost', async () => {
  const project = await createWorkspace();
  await rm(join(project.folder, 'generated/client/package.json'));
  for (const command of ['check', 'generate']) {
    const out = await expectRun(project, 1, command);
    expect(out).toContain('"generated/client/package.json" is missing, and with it the version');
    expect(out).toContain('Restore the file from version control.');
  }
  await git(project, 'checkout', '--quiet', '--', 'generated/client/package.json');
  await expectRun(project, 0, 'check');
});

test('a new package starts at the version of the contract, and no changeset names it', async () => {
  const fewer = config.replace(',"simulator"', '');
  const project = await createWorkspace({ 'countersign.config.mjs': fewer });
  await editManifest(project, 'contract', (text) => text.replace('"0.1.0"', '"2.0.0"'));
  await expectRun(project, 0, 'generate');
  await commit(project);
  await writeFile(join(project.folder, 'countersign.config.mjs'), config);
  await writeContract(project, broken);
  const out = await expectRun(project, 0, 'diff', 'HEAD', '--changeset', '.changeset');
  expect(out).toMatch(/@books\/simulator +major +new, starts at 0\.1\.0\n/u);
  const [name = ''] = (await readdir(join(project.folder, '.changeset'))).filter((file) =>
    file.startsWith('contract-'),
  );
  const text = await readFile(join(project.folder, '.changeset', name), 'utf8');
  expect(text.split('---\n')[1]).toBe('"@books/contract": patch\n"@books/client": minor\n');
  await expectRun(project, 0, 'generate');
  expect(await readVersions(project)).toEqual({
    contract: '2.0.0',
    client: '0.1.0',
    simulator: '0.1.0',
  });
  await changesetVersion(project);
  await expectRun(project, 0, 'check');
});

test('two contracts of one repository have versions of their own', async () => {
  const toys = settings
    .replaceAll('generated', 'toys')
    .replace('@books', '@toys')
    .replace("'openapi.yaml'", "'toys.yaml'");
  const project = await createWorkspace({
    'countersign.config.mjs': `export default [${settings}, version: 'changesets' }, ${toys}, version: 'changesets' }];\n`,
    'toys.yaml': openapi.replace('1.2.0', '4.0.0'),
  });
  await writeFile(join(project.folder, 'toys.yaml'), broken.replace('1.2.0', '4.0.0'));
  await expectRun(project, 0, 'diff', 'HEAD', '--changeset', '.changeset');
  await expectRun(project, 0, 'generate');
  await changesetVersion(project);
  expect(await readVersions(project)).toEqual({
    contract: '0.1.0',
    client: '0.1.0',
    simulator: '0.1.0',
  });
  expect(await readVersions(project, 'toys', '@toys')).toEqual({
    contract: '4.0.1',
    client: '5.0.0',
    simulator: '5.0.0',
  });
  await expectRun(project, 0, 'check');
});

test.each([
  ['the contract', '', "from the contract's `info.version`"],
  ['the configuration', ", version: '1.0.0'", 'from the setting `version`'],
])('a changeset is refused where %s has the version', async (_, setting, message) => {
  const project = await createWorkspace({
    'countersign.config.mjs': `export default [${settings}, version: 'changesets' }, ${settings.replace("'generated'", "'other'")}${setting} }];\n`,
  });
  await writeContract(project, broken);
  const out = await expectRun(project, 1, 'diff', 'HEAD', '--changeset', 'notes');
  expect(out).toContain(message);
  expect(out).toContain("Set `version: 'changesets'`");
  expect(existsSync(join(project.folder, 'notes'))).toBe(false);
});

test.each([
  [
    "export default { contract: { openapi: 'openapi.yaml' }, output: 'src/api', layout: 'folder', targets: ['contract'] };\n",
    ['HEAD'],
    'generates none',
  ],
  [config, ['openapi.yaml', 'openapi.yaml'], 'two documents have none'],
])('a changeset is refused without packages, case %#', async (text, sides, message) => {
  const project = await createWorkspace({ 'countersign.config.mjs': text });
  await writeContract(project, broken);
  expect(await expectRun(project, 2, 'diff', ...sides, '--changeset', 'notes')).toContain(message);
  expect(existsSync(join(project.folder, 'notes'))).toBe(false);
});

test('a folder has no versions of packages', async () => {
  const project = await createProject({
    'countersign.config.mjs': `export default ${settings}, layout: 'folder', version: 'changesets' };\n`,
  });
  const out = await expectRun(project, 2, 'generate');
  expect(out).toContain('version: `changesets` requires packages');
});

test('a new package reports a version of the contract that npm does not accept', async () => {
  const project = await createWorkspace({
    'openapi.yaml': openapi.replace('1.2.0', "'2024-01-02'"),
  });
  expect((await readVersions(project))['client']).toBe('2024.1.2');
  expect(await expectRun(project, 0, 'check')).not.toContain('unusable-version');
  await rm(join(project.folder, 'generated'), { recursive: true });
  expect(await expectRun(project, 0, 'generate')).toContain('new packages start at 2024.1.2');
});
