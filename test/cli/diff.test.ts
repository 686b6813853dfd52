import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createProject, openapi, type Project } from './project.ts';

const run = promisify(execFile);
const required = openapi.replace('required: true', 'required: true, description: <img src=x> `id`');
const broken = openapi.replace(
  'parameters:\n',
  'parameters:\n        - { name: shelf, in: query, required: true, schema: { type: string } }\n',
);

async function git(project: Project, ...argumentList: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  const { stdout } = await run('git', [...identity, ...argumentList], { cwd: project.folder });
  return stdout;
}

/** A repository with a contract that was changed since its tag `v1`. */
async function createRepository(): Promise<Project> {
  const project = await createProject();
  await git(project, 'init', '--quiet', '--initial-branch=main');
  await git(project, 'add', '.');
  await git(project, 'commit', '--quiet', '--message=Keep books');
  await git(project, 'tag', 'v1');
  await writeFile(join(project.folder, 'openapi.yaml'), broken);
  return project;
}

test('compares the work tree with a revision and says whom the change breaks, and where', async () => {
  const project = await createRepository();
  const { code, out } = await project.countersign('diff', 'v1');
  expect(out).toContain(
    'breaking  call getBook (GET /books/{id}), query parameter shelf  required-parameter-added  openapi.yaml:10',
  );
  expect(out).toContain('callers, broken today and on upgrade: Calls without it are refused');
  expect(out).toContain('→ Give the parameter.');
  expect(out).toContain('@books/titles  major');
  expect(out).toContain('version 1.2.0 has to become 2.0.0 or later; it says 1.2.0');
  expect(code).toBe(0);
});

test('leaves index and work tree of the repository alone', async () => {
  const project = await createRepository();
  const before = await git(project, 'status', '--porcelain');
  await project.countersign('diff', 'v1');
  expect(await git(project, 'status', '--porcelain')).toBe(before);
});

test.each([
  [['diff', 'v1', '--fail-on', 'breaking'], 1],
  [['diff', 'v1', '--fail-on', 'any'], 1],
  [['diff', 'v1', 'v1', '--fail-on', 'any'], 0],
  [['diff', 'v1', '--fail-on', 'something'], 2],
  [['diff'], 2],
] as const)('%j ends with %d', async (parameters, expected) => {
  const project = await createRepository();
  expect((await project.countersign(...parameters)).code).toBe(expected);
});

test('gives machines all of it', async () => {
  const project = await createRepository();
  const { out } = await project.countersign('diff', 'v1', '--json');
  expect(JSON.parse(out)).toMatchObject({
    command: 'diff',
    ok: true,
    results: [
      {
        breaking: 1,
        level: 'major',
        version: { base: '1.2.0', head: '1.2.0', least: '2.0.0' },
        packages: [{ target: 'titles', package: '@books/titles', level: 'major' }],
        changes: [
          {
            code: 'required-parameter-added',
            breaking: true,
            side: 'head',
            where: { file: 'openapi.yaml', line: 10 },
            effects: [{ role: 'request', deployed: 'breaks', upgrade: 'breaks' }],
          },
        ],
      },
    ],
  });
});

test('writes a comment in which text of the contract is text', async () => {
  const project = await createRepository();
  const hostile = openapi.replace(
    'title: { type: string }',
    '"</details><script>": { type: string }',
  );
  await writeFile(join(project.folder, 'hostile.yaml'), hostile);
  const { out } = await project.countersign('diff', 'openapi.yaml', 'hostile.yaml', '--markdown');
  expect(out).toMatch(/^### Contract: \d breaking changes\n/u);
  expect(out.replaceAll(/`[^`]*`/gu, '')).not.toContain('<script>');
});

test('compares two documents without a configuration', async () => {
  const project = await createRepository();
  const folder = join(project.folder, 'elsewhere');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'old.yaml'), openapi);
  await writeFile(join(folder, 'new.yaml'), required);
  const { code, out } = await project.countersign(
    'diff',
    'elsewhere/old.yaml',
    'elsewhere/new.yaml',
  );
  expect(out).toContain('0 breaking, 0 compatible, 1 of words only');
  expect(code).toBe(0);
});

test('compares with a folder that has the files of the configuration', async () => {
  const project = await createRepository();
  const folder = join(project.folder, 'release');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.yaml'), openapi);
  const { out } = await project.countersign('diff', 'release');
  expect(out).toContain('required-parameter-added');
});

test('writes a changeset that names each package and what its users have to do', async () => {
  const project = await createRepository();
  const { out } = await project.countersign('diff', 'v1', '--changeset', '.changeset');
  const path = /(\S+contract-[0-9a-f]{8}\.md) written/u.exec(out)?.[1] ?? '';
  expect(await readFile(join(project.folder, path), 'utf8')).toBe(
    [
      '---',
      '"@books/titles": major',
      '---',
      '',
      String.raw`- **Breaking.** call getBook (GET /books/\{id\}), query parameter shelf: It is new and has to be there. Give the parameter.`,
      '',
    ].join('\n'),
  );
});

test.each([
  [['diff', 'v9'], '`v9` is no revision of this repository, and no file or folder.'],
  [['diff', '--', '--upload-pack=x'], 'is no revision of this repository'],
  [['diff', '.git'], '`.git` has no openapi.yaml.'],
] as const)('%j is refused with the reason', async (parameters, message) => {
  const project = await createRepository();
  const { code, error } = await project.countersign(...parameters);
  expect(error).toContain(message);
  expect(code).toBe(1);
});

test('shows the errors of a side that cannot be compared', async () => {
  const project = await createRepository();
  await writeFile(
    join(project.folder, 'flawed.yaml'),
    openapi.replace('type: object', "$ref: '#/components/schemas/Nowhere'"),
  );
  const { code, out, error } = await project.countersign('diff', 'flawed.yaml', 'openapi.yaml');
  expect(out).toContain('The base has errors and cannot be compared.');
  expect(error).toContain('flawed.yaml');
  expect(code).toBe(1);
});
