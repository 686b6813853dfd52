import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Tree, writeTree } from '../../output/tree.ts';
import { createProject, openapi, type Project } from '../../cli/project.ts';

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
    'breaking  operation getBook (GET /books/{id}), query parameter shelf  required-parameter-added  openapi.yaml:10',
  );
  expect(out).toContain('callers, breaking now and on upgrade: Calls without it are refused');
  expect(out).toContain('→ Pass the parameter.');
  expect(out).toContain('@books/titles  major');
  expect(out).toContain(
    'The version must be 2.0.0 or later. It was 1.2.0 and is 1.2.0, which is too low.',
  );
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
        version: { base: '1.2.0', head: '1.2.0', required: '2.0.0' },
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
  expect(out).toContain('0 breaking, 0 compatible, 1 of documentation only');
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
  const config = join(project.folder, 'countersign.config.mjs');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace('targets:', "version: 'changesets',\n  targets:"));
  const none = await project.countersign('diff', 'v1', '--changeset', '.changeset');
  expect(none.out).toMatch(/\nno changeset, because no package on disk needs a new version\n$/u);
  await project.countersign('generate');
  const { out } = await project.countersign('diff', 'v1', '--changeset', '.changeset');
  const path = /(\S+contract-[0-9a-f]{8}\.md) written/u.exec(out)?.[1] ?? '';
  expect(await readFile(join(project.folder, path), 'utf8')).toBe(
    [
      '---',
      '"@books/titles": major',
      '---',
      '',
      String.raw`- **Breaking.** operation getBook (GET /books/\{id\}), query parameter shelf: It was added and is required. Pass the parameter.`,
      '',
    ].join('\n'),
  );
});

test('names only targets that generate a package, whether they are on disk or not', async () => {
  const page = `export const page = {
  name: 'page',
  requires: [],
  fingerprint: [import.meta.filename],
  *emit(contract) {
    yield { path: 'page/index.html', text: '<p>', from: [contract.info.pointer] };
  },
};
`;
  const project = await createRepository();
  const config = join(project.folder, 'countersign.config.mjs');
  const text = (await readFile(config, 'utf8')).replace(
    'targets:',
    "version: 'changesets',\n  targets:",
  );
  await writeFile(join(project.folder, 'page.mjs'), page);
  await writeFile(
    config,
    `import { page } from './page.mjs';\n${text.replace('[titles]', "[titles, page, 'reference']")}`,
  );
  const namesOf = async (...options: readonly string[]): Promise<readonly string[]> => {
    const { out } = await project.countersign('diff', 'v1', '--json', ...options);
    const { results } = JSON.parse(out) as {
      results: readonly [{ packages: readonly { package: string }[]; changeset?: string }];
    };
    const [{ packages, changeset }] = results;
    if (changeset !== undefined) {
      const [, front = ''] = (await readFile(join(project.folder, changeset), 'utf8')).split(
        '---\n',
      );
      expect(front).toBe('"@books/titles": major\n');
    }
    return packages.map((entry) => entry.package);
  };
  expect(await namesOf('--changeset', '.changeset')).toEqual(['@books/titles']);
  await project.countersign('generate');
  expect(await namesOf('--changeset', '.changeset')).toEqual(['@books/titles']);
  await writeFile(config, text.replace('[titles]', "['reference']"));
  expect(await namesOf()).toEqual([]);
});

describe('a revision of a repository that is not trusted', () => {
  const referring = openapi.replace(
    "{ $ref: '#/components/schemas/Book' }",
    "{ $ref: 'schemas/Book.yaml' }",
  );
  const book = 'type: object\nrequired: [title]\nproperties:\n  title: { type: string }\n';

  /** A repository with these files and links in its tag `v1`, and valid ones in the work tree. */
  async function createReferring(files: Tree, links: Tree = {}): Promise<Project> {
    const project = await createProject({ 'openapi.yaml': referring, ...files });
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(project.folder, path)), { recursive: true });
      await symlink(target, join(project.folder, path));
    }
    await git(project, 'init', '--quiet', '--initial-branch=main');
    await git(project, 'add', '.');
    await git(project, 'commit', '--quiet', '--message=Keep books');
    await git(project, 'tag', 'v1');
    for (const path of Object.keys(links)) await rm(join(project.folder, path));
    await writeTree(project.folder, { 'openapi.yaml': referring, 'schemas/Book.yaml': book });
    return project;
  }

  test('runs no filter of it', async () => {
    const project = await createReferring({
      'schemas/Book.yaml': book,
      '.gitattributes': '*.yaml filter=marking\n',
    });
    const marker = join(project.folder, 'marker');
    await git(project, 'config', 'filter.marking.smudge', `touch '${marker}' && cat`);
    await git(project, 'config', 'filter.marking.process', `touch '${marker}'`);
    await git(project, 'config', 'filter.marking.required', 'true');
    const { code, out } = await project.countersign('diff', 'v1');
    expect({ code, out }).toEqual({ code: 0, out: 'nothing changed\n' });
    expect(existsSync(marker)).toBe(false);
  });

  test('reads files as they were committed: empty, large, and with every kind of name', async () => {
    const name = 'Büch "1"\ttab.yaml';
    const project = await createReferring({
      'openapi.yaml': referring.replace('schemas/Book.yaml', encodeURI(`schemas/${name}`)),
      [`schemas/${name}`]: `# ${'x'.repeat(1_000_000)}\r\n${book}`,
      'schemas/empty.yaml': '',
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`schemas/other/${index}.yaml`, `${index}\n`]),
      ),
    });
    const { out, error } = await project.countersign('diff', 'v1', 'v1');
    expect({ out, error }).toEqual({ out: 'nothing changed\n', error: '' });
  });

  test.each([
    ['out of the repository', { 'schemas/Book.yaml': '/etc/hostname' }],
    ['to another file', { 'schemas/Book.yaml': '../openapi.yaml' }],
    ['in place of a folder', { schemas: '.' }],
  ])('follows no link %s', async (_, links) => {
    const project = await createReferring({}, links);
    const { code, out } = await project.countersign('diff', 'v1');
    const [link = ''] = Object.keys(links);
    expect(out).toContain(
      `The base has errors and cannot be compared. The revision has links: \`${link}\`.`,
    );
    expect(out).toContain('Check the revision out with `git worktree add`');
    expect(code).toBe(1);
  });

  test('refuses a link in place of a document, and a submodule in place of its folder', async () => {
    const project = await createReferring({ 'schemas/Book.yaml': book });
    await rm(join(project.folder, 'openapi.yaml'));
    await symlink('schemas/Book.yaml', join(project.folder, 'openapi.yaml'));
    await git(project, 'commit', '--quiet', '--all', '--message=Link');
    const linked = await project.countersign('diff', 'HEAD', 'v1');
    expect(linked.error).toContain(
      '`HEAD` does not have `openapi.yaml` as a file. In a revision, `diff` does not follow',
    );
    expect(linked.code).toBe(1);

    const head = (await git(project, 'rev-parse', 'HEAD')).trim();
    await git(project, 'update-index', '--add', '--cacheinfo', `160000,${head},api`);
    await git(project, 'commit', '--quiet', '--message=Submodule');
    const config = join(project.folder, 'countersign.config.mjs');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace("'openapi.yaml'", "'./api/openapi.yaml'"));
    const { code, error } = await project.countersign('diff', 'HEAD', 'v1');
    expect(error).toContain('`HEAD` does not have `./api/openapi.yaml` as a file.');
    expect(code).toBe(1);
  });

  test('refuses a tree with a path that leaves the folder', async () => {
    const project = await createReferring({ 'schemas/Book.yaml': book });
    const blob = (await git(project, 'rev-parse', 'v1:openapi.yaml')).trim();
    // Neither `git add` nor `git mktree` writes such a tree.
    const entry = (mode: string, name: string, object: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]);
    const write = async (bytes: Buffer): Promise<string> => {
      const path = join(project.folder, '.git/forged');
      await writeFile(path, bytes);
      return (await git(project, 'hash-object', '--literally', '-t', 'tree', '-w', path)).trim();
    };
    const inner = await write(entry('100644', 'escaped.yaml', blob));
    const outer = await write(
      Buffer.concat([entry('40000', '..', inner), entry('100644', 'openapi.yaml', blob)]),
    );
    const commit = (await git(project, 'commit-tree', '-m', 'Forged', outer)).trim();
    const { code, error } = await project.countersign('diff', commit);
    expect(error).toContain('The revision has a path that leaves its folder: `../escaped.yaml`.');
    expect(code).toBe(1);
  });
});

test.each([
  [['diff', 'v9'], '`v9` is neither a revision of this repository nor a file or folder.'],
  [['diff', '--', '--upload-pack=x'], 'is neither a revision of this repository'],
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
