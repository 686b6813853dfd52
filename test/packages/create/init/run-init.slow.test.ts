import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../generator/cli/run.ts';
import { parse } from 'yaml';
import {
  type PackageManager,
  packageManagerNames,
} from '../../../../generator/execution/package-managers.ts';
import { renderProject } from '../../../../packages/create/src/init/project-files.ts';
import { createProject } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { readTree, writeTree } from '../../../output/tree.ts';
import { repository } from '../../../targets/emit-project.ts';
import { linkPackages } from '../../../cli/linked-project.ts';
import { rendererFor } from '../../../../packages/create/src/templates.ts';

const execute = promisify(execFile);
const ownFiles = ['package.json', 'tsconfig.json', 'countersign.config.ts', 'README.md'];

/** Runs `init` for a user who answers its questions with these lines and then leaves. */
async function initAt(
  folder: string,
  lines: readonly (string | undefined)[],
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly said: string; readonly asked: readonly string[] }> {
  const answers = lines.values();
  const asked: string[] = [];
  let said = '';
  const code = await run(['init', ...flags], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    ask: async (prompt) => {
      asked.push(prompt);
      return answers.next().value;
    },
    out: (text) => void (said += text),
    error: (text) => void (said += text),
  });
  return { code, said, asked };
}

describe('a new project', () => {
  it('lints clean with another notification that is added as its README states', async () => {
    const folder = await temporaryFolder();
    expect((await runInProcess(folder, ['init', '--yes'])).code).toBe(0);
    const [line] = /x-identified-by: \{[^}]*: false \}/u.exec(
      await readFile(join(folder, 'README.md'), 'utf8'),
    ) ?? [''];
    expect(line).not.toBe('');
    const file = join(folder, 'api/asyncapi.yaml');
    const contract = await readFile(file, 'utf8');
    const withCancelled = (identification: string): string =>
      contract
        .replace(
          '\noperations:\n',
          `
  cancelled:
    address: /orders/cancelled
    messages: { orderCancelled: { $ref: '#/components/messages/orderCancelled' } }
operations:
  tellOrderCancelled:
    action: send
    channel: { $ref: '#/channels/cancelled' }
    bindings: { http: { method: POST, bindingVersion: 0.3.0 } }
    security: [{ $ref: '#/components/securitySchemes/webhookSignature' }]
`,
        )
        .replace(
          '\n  messages:\n',
          `
  messages:
    orderCancelled:
      headers: { type: object, required: [x-timestamp], properties: { x-timestamp: { type: string } } }
      payload:
        type: object
        required: [id, reason]
        properties: { id: { type: string }, reason: { type: string } }
      examples: [{ name: late, payload: { id: cancellation-7, reason: late } }]
      x-dedupe-by: [$request.body#/id]${identification}
`,
        );
    const scaffold = ['scaffold', '--missing', 'apps/receiver'];
    await writeFile(file, withCancelled(''));
    const open = await runInProcess(folder, ['lint', '--max-warnings', '0']);
    expect(open.code).not.toBe(0);
    expect(open.error).toContain('error[unanswered-ambiguity]');
    expect(open.error).toContain('x-identified-by: {"$request.body#/status":false}');
    expect((await runInProcess(folder, scaffold)).out).toContain('OrOrder');
    await writeFile(file, withCancelled(`\n      ${line}`));
    const stated = await runInProcess(folder, ['lint', '--max-warnings', '0']);
    expect(stated.code, stated.error).toBe(0);
    const { out } = await runInProcess(folder, scaffold);
    expect(out).toContain('function onOrderCancelled(');
    expect(out).not.toContain('OrOrder');
  });

  it('is up to date, lints clean, is formatted, and passes its tests at once', async () => {
    const folder = await temporaryFolder();
    const { code, out, error } = await runInProcess(folder, ['init', '--yes']);
    expect(code, error).toBe(0);
    expect(out).toMatch(
      /^created {2}api\/openapi\.yaml\n[^]*\nnext:\n {2}npm install\n {2}npm test\n$/u,
    );

    expect(await runInProcess(folder, ['check', '--quiet'])).toEqual({
      code: 0,
      out: '',
      error: '',
    });
    const linted = await runInProcess(folder, ['lint', '--max-warnings', '0']);
    expect(linted).toMatchObject({ code: 0, out: 'no findings, 1 finding excepted\n' });

    await linkPackages(folder, '@orders');
    for (const cwd of [folder, join(folder, 'apps/receiver')]) {
      const node = ['--conditions=countersign-source', '--test', '--test-reporter=tap'];
      const { stdout } = await execute(process.execPath, [...node, 'test/**/*.test.ts'], { cwd });
      expect(stdout).toContain('# fail 0\n');
      expect(stdout).not.toContain('# pass 0\n');
    }

    const oxfmt = join(repository, 'node_modules/oxfmt/bin/oxfmt');
    const projectPaths = ['api', 'apps', 'test', '.github', ...ownFiles];
    const style = ['--check', '-c', join(repository, '.oxfmtrc.json')];
    await execute(process.execPath, [oxfmt, ...style, ...projectPaths], { cwd: folder });
  });

  it('asks what no flag says, proposes by what was said before, and asks again for what cannot be', async () => {
    const folder = await temporaryFolder();
    const lines = ["L'été: bücher & mehr", '', 'expres', 'express'];
    const { code, said, asked } = await initAt(folder, lines, '--ci', 'gitlab', '--quiet');
    expect(code, said).toBe(0);
    expect(asked).toEqual([
      'What is the service called? [Orders] ',
      'What is the npm scope of its packages? [@l-ete-bucher-mehr] ',
      expect.stringMatching(
        /^Which framework receives its notifications\? node, express, .* \[node\] $/u,
      ),
      expect.stringMatching(/^Which framework receives its notifications\?/u),
    ]);
    expect(said).toContain('There is no framework "expres". Did you mean "express"?\n');
    const tree = await readTree(folder);
    expect(tree['.gitlab-ci.yml']).toContain('countersign check');
    expect(tree['apps/receiver/package.json']).toContain('"@l-ete-bucher-mehr/webhooks-express"');
    expect(tree['generated/contract/README.md']).toMatch(/L'été: bücher (?:\\?&|&amp;) mehr/u);
    expect(tree['generated/webhooks-express/package.json']).toBeDefined();
    expect(tree).not.toHaveProperty('.github/workflows/contract.yml');
  });

  it('goes into a folder that is made for it, and into a repository that has nothing yet', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'shop/.git/HEAD': 'ref: refs/heads/main\n' });
    const { code, out } = await runInProcess(folder, ['init', 'shop', '--yes', '--ci', 'none']);
    expect(code).toBe(0);
    expect(out).toContain('next:\n  cd shop\n  npm install\n  npm test\n');
    expect(await readdir(join(folder, 'shop'))).not.toContain('.github');
  });

  it('tells a machine what it has written', async () => {
    const folder = await temporaryFolder();
    const { out } = await runInProcess(folder, ['init', '--yes', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      command: 'init',
      ok: true,
      results: [
        {
          folder: '.',
          title: 'Orders',
          scope: '@orders',
          framework: 'node',
          ci: 'github',
          created: expect.arrayContaining(['countersign.config.ts', 'package.json']),
          receiver: 'apps/receiver',
        },
      ],
    });
  });
});

describe('nothing is written', () => {
  it('where something is in the way, which is listed', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, '.git'));
    for (const name of ['notes.md', 'a\nb']) await writeFile(join(folder, name), '');
    const before = await readTree(folder);
    expect(await runInProcess(folder, ['init', '--yes'])).toEqual({
      code: 1,
      out: '',
      error:
        'countersign: . is not empty: a\ufffdb, notes.md. Nothing was written. For an existing contract, give its files with --contract.\n',
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it('where the folder is a file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'shop'), 'a file\n');
    const { code, error } = await runInProcess(folder, ['init', 'shop', '--yes']);
    expect({ code, error }).toEqual({
      code: 1,
      error: 'countersign: shop cannot be read as a folder.\n',
    });
  });

  it('where the user leaves before the last answer', async () => {
    const folder = await temporaryFolder();
    const { code, said } = await initAt(folder, ['Orders', undefined]);
    expect({ code, said }).toEqual({ code: 1, said: '\ncountersign: Nothing was written.\n' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('where there is no terminal for questions and flags are missing: misuse', async () => {
    const { folder, countersign } = await createProject();
    const { code, out, error } = await countersign('init', 'new', '--ci', 'none');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toBe(
      'countersign: There is no terminal to ask questions at. Give --title, --scope, --framework, or --yes to accept the proposed answers.\n',
    );
    expect(await readdir(folder)).not.toContain('new');
  });

  it.each<[readonly string[], string]>([
    [['--framework', 'expres'], 'There is no framework "expres". Did you mean "express"?'],
    [['--ci', 'jenkins'], 'There is no ci "jenkins". There are: github, gitlab, none.'],
    [['--scope', 'acme'], 'The scope must be `@` and a lower-case name, such as @acme.'],
    [
      ['--scope', '@types'],
      'The scope @types has packages that the project needs. Choose another one, such as @acme.',
    ],
    [
      ['--scope', '@nestjs'],
      'The scope @nestjs has packages that the project needs. Choose another one, such as @acme.',
    ],
    [['--title', 'two\nlines'], 'The title must be one line of at most 100 characters.'],
  ])('where a flag says what cannot be, whatever else is proposed: %j', async (flags, text) => {
    const folder = await temporaryFolder();
    const { code, error } = await runInProcess(folder, ['init', '--yes', ...flags]);
    expect({ code, error }).toEqual({ code: 2, error: `countersign: ${text}\n` });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.each(packageManagerNames)(
  'the steps of CI are the recipe of the documentation: %s',
  (manager) => {
    it.each([
      ['github', '.github/workflows/contract.yml', 'github-actions'],
      ['gitlab', '.gitlab-ci.yml', 'gitlab'],
    ])('%s', async (ci, file, recipe) => {
      const answers = { title: 'Orders', scope: '@orders', framework: 'node', ci, manager };
      const render = await rendererFor('init');
      const files = await renderProject(answers, render, '^0.1.0');
      const name = manager === 'npm' ? `${recipe}.yml` : `${recipe}.${manager}.yml`;
      expect(files.find(({ path }) => path === file)?.text).toBe(
        await readFile(join(repository, 'docs/ci', name), 'utf8'),
      );
    });
  },
);

describe.each<[PackageManager, string, readonly string[]]>([
  ['pnpm', 'pnpm/12.1.0 npm/? node/v24.0.0 linux x64', ['pnpm install', 'pnpm run test']],
  ['yarn', 'yarn/4.9.0 npm/? node/v24.0.0 linux x64', ['yarn install', 'yarn run test']],
  ['bun', 'bun/1.4.5 npm/? node/v24.0.0 linux x64', ['bun install', 'bun run test']],
  ['npm', 'yarn/1.22.22 npm/? node/v24.0.0 linux x64', ['npm install', 'npm test']],
])('a project of %s', (manager, agent, next) => {
  it(`is what ${agent} gets, and generates the same the second time`, async () => {
    const folder = await temporaryFolder();
    const environment = { npm_config_user_agent: agent };
    const { code, out, error } = await runInProcess(folder, ['init', '--yes'], environment);
    expect(code, error).toBe(0);
    expect(out).toContain(`next:\n${next.map((command) => `  ${command}\n`).join('')}`);
    const tree = await readTree(folder);
    const range = manager === 'npm' ? '0.1.0' : 'workspace:*';
    expect(JSON.parse(tree['generated/client/package.json'] ?? '')).toMatchObject({
      dependencies: { '@orders/contract': range },
    });
    expect(JSON.parse(tree['apps/receiver/package.json'] ?? '')).toMatchObject({
      dependencies: {
        '@orders/webhooks-node': manager === 'npm' ? 'file:../../generated/webhooks-node' : range,
      },
    });
    expect(await runInProcess(folder, ['check', '--quiet'])).toMatchObject({ code: 0, out: '' });
    if (manager === 'npm') return;
    // The test of the project imports them.
    expect(JSON.parse(tree['package.json'] ?? '')).toMatchObject({
      devDependencies: { '@orders/client': range, '@orders/simulator': range },
    });
    // pnpm would resolve its own pin from the registry.
    expect(JSON.parse(tree['package.json'] ?? '').packageManager?.split('@')[0]).toBe(
      manager === 'pnpm' ? undefined : manager,
    );
    const config = join(folder, 'countersign.config.ts');
    const withInbox = `{ use: 'webhooks', inbox: ['postgres'] },`;
    await writeFile(
      config,
      (await readFile(config, 'utf8')).replace(/(?<=targets: \[[^\]]*)'webhooks',/u, withInbox),
    );
    expect(await runInProcess(folder, ['generate', '--quiet'])).toMatchObject({ code: 0 });
    const scaffold = ['scaffold', 'node', 'apps/stored', '--inbox', 'postgres'];
    const stored = await runInProcess(folder, scaffold);
    expect(stored.code, stored.error).toBe(0);
    expect(stored.out).toContain(`--wait\n  ${manager} run migrate\n  ${manager} run test\n`);
    const edited = [
      'package.json',
      'README.md',
      '.github/workflows/contract.yml',
      'api/asyncapi.yaml',
    ];
    const texts = Object.entries(await readTree(folder)).filter(
      ([path]) => edited.includes(path) || path.startsWith('apps/'),
    );
    expect(texts.map(([path]) => path)).toEqual(expect.arrayContaining(edited));
    for (const [path, text] of texts)
      expect(text, path).not.toMatch(/\bnp(?:m (?:run|start|test|ci)|x)\b/u);
    // Yarn finds the command of the workspace's root only there.
    expect(JSON.parse(tree['apps/receiver/package.json'] ?? '').scripts.simulate).toMatch(
      manager === 'yarn' ? /^yarn run --top-level countersign / : /^countersign /,
    );
  });
});

it('overrides the toolkit, which the simulator requires, with its tarball, where a manager needs it', async () => {
  const render = await rendererFor('init');
  const toolkit = { countersign: 'file:../countersign.tgz' };
  const textOf = async (manager: PackageManager, path: string): Promise<string> => {
    const answers = { title: 'Orders', scope: '@orders', framework: 'node', ci: 'none', manager };
    const files = await renderProject(answers, render, toolkit.countersign);
    return files.find((file) => file.path === path)?.text ?? '';
  };
  expect(JSON.parse(await textOf('npm', 'package.json'))).not.toHaveProperty('overrides');
  expect(JSON.parse(await textOf('yarn', 'package.json'))).toHaveProperty('resolutions', toolkit);
  expect(JSON.parse(await textOf('bun', 'package.json'))).toHaveProperty('overrides', toolkit);
  expect(parse(await textOf('pnpm', 'pnpm-workspace.yaml'))).toMatchObject({ overrides: toolkit });
  expect(JSON.parse(await textOf('pnpm', 'package.json'))).not.toHaveProperty('overrides');
});
