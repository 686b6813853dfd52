import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type PackageManager,
  packageManagers,
} from '../../../generator/execution/package-managers.ts';
import { buildAll, packToolkit } from '../../packaging/project.ts';
import { expectTable } from '../compatibility-page.ts';
import {
  environmentOf,
  installTools,
  linkManagers,
  type Registry,
  runLine,
  startRegistry,
} from '../tools.ts';

interface Variant {
  readonly title: string;
  readonly manager: PackageManager;
  /** How the manager runs a command of a package that is not installed. */
  readonly start: string;
  /** How the manager runs Node, if packages are not in folders `node_modules`. */
  readonly node?: string;
  /** Changes the files of a new project. */
  readonly change?: (folder: string) => Promise<void>;
}

const variants: readonly Variant[] = [
  { title: 'npm', manager: 'npm', start: 'npx --yes countersign' },
  { title: titleOf('pnpm'), manager: 'pnpm', start: 'pnpm dlx countersign' },
  {
    title: `${titleOf('yarn')}, node-modules`,
    manager: 'yarn',
    start: 'yarn dlx countersign',
  },
  {
    title: `${titleOf('yarn')}, Plug'n'Play`,
    manager: 'yarn',
    start: 'yarn dlx countersign',
    node: 'yarn node',
    change: usePlugAndPlay,
  },
  { title: titleOf('bun'), manager: 'bun', start: 'bun x countersign' },
];

const sources = ['tarball', 'registry', 'workspace'] as const;
const passed = new Map<string, Set<(typeof sources)[number]>>(
  variants.map(({ title }) => [title, new Set()]),
);
let root: string;
let registry: Registry;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  await installTools();
  await buildAll();
  root = await mkdtemp(join(tmpdir(), 'countersign-managers-'));
  registry = await startRegistry(join(root, 'registry'));
  environment = environmentOf(registry, root);
  await linkManagers(root);
}, 600_000);

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

// The registry has no package of the toolkit yet: what a manager does not take from a tarball is missing.
describe('from the tarball, a new project installs, builds, receives and is up to date', () => {
  let team: string;

  beforeAll(async () => {
    team = join(root, 'team');
    await mkdir(team);
    await writeFile(join(team, 'package.json'), '{ "private": true }');
    const tarball = await packToolkit(join(team, 'tarballs'));
    await runStep(`npm install --save-dev ${tarball}`, team);
  }, 300_000);

  it.each(variants)(
    '$title',
    async ({ title, manager, change }) => {
      const folder = await mkdtemp(join(root, `${manager}-`));
      await runStep(`npx --no countersign init ${folder} --yes --manager ${manager}`, team);
      await change?.(folder);
      await receiveIn(folder, manager);
      passed.get(title)?.add('tarball');
    },
    600_000,
  );
});

describe('from a registry', () => {
  // Its name in the public registry does not belong to this project, so the package is private.
  beforeAll(async () => {
    const folder = join(root, 'toolkit');
    await packToolkit(root, folder);
    const shop = { folder, environment };
    await runLine('npm pkg delete private', shop);
    await runLine('npm publish', shop);
  }, 600_000);

  it('that has the toolkit, and nothing that is generated from this contract', async () => {
    const statusOf = async (name: string): Promise<number> =>
      (await fetch(`${registry.url}${name.replace('/', '%2f')}`)).status;
    expect(await statusOf('countersign')).toBe(200);
    expect(await statusOf('@instant-payment/contract')).toBe(404);
  });

  it.each(variants)(
    'an empty folder becomes a project that receives: $title',
    async ({ title, manager, start, node = 'node', change }) => {
      const folder = await mkdtemp(join(root, `${manager}-`));
      await runStep(`${start} init . --yes --manager ${manager}`, folder);
      await change?.(folder);
      await receiveIn(folder, manager);
      passed.get(title)?.add('registry');

      // The generated packages are in no registry, so each has the others from the workspace.
      const client = join(folder, 'generated/client');
      expect(await readFile(join(client, 'package.json'), 'utf8')).toContain(
        `"@orders/contract": "${manager === 'npm' ? '0.1.0' : 'workspace:*'}"`,
      );
      const code = "console.log(import.meta.resolve('@orders/contract'))";
      expect(await runStep(`${node} --input-type=module --eval "${code}"`, client)).toMatch(
        /\/generated\/contract\/dist\/index\.js$/mu,
      );
      await runStep(packageManagers[manager].run('typecheck'), folder);

      // Another application adds a package as its README states.
      const application = join(folder, 'apps/other');
      await mkdir(application);
      const manifest = join(application, 'package.json');
      await writeFile(manifest, '{ "name": "other", "version": "0.0.0", "private": true }');
      const readme = await readFile(join(folder, 'generated/webhooks-node/README.md'), 'utf8');
      // Around it are comments and the line that builds the package.
      const [, command = ''] = /```sh\n(?:#.*\n)*(.+)\n/u.exec(readme) ?? [];
      // npm has no protocol of workspaces: it gets folders, with the application that they are for.
      const [added, from, line, range] =
        manager === 'npm'
          ? [
              './generated/',
              folder,
              `${command} --workspace apps/other`,
              'file:../../generated/webhooks-node',
            ]
          : ['@orders/', application, command, 'workspace:*'];
      expect(command.startsWith(`${packageManagers[manager].add} ${added}`)).toBe(true);
      // npm adds packages to an application only once it has linked it.
      await runStep(packageManagers[manager].install, folder);
      await runStep(line, from);
      expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({
        dependencies: { '@orders/webhooks-node': range },
      });
      passed.get(title)?.add('workspace');
    },
    600_000,
  );
});

it('is what the page states', async () => {
  await expectTable('managers', [
    ['Package manager', 'Tarball', 'Registry', 'Workspace of generated packages'],
    ...variants.map(({ title }) => [
      title,
      ...sources.map((source) => (passed.get(title)?.has(source) === true ? 'ok' : 'fails')),
    ]),
  ]);
});

function titleOf(manager: PackageManager): string {
  return `${manager} ${packageManagers[manager].version}`;
}

/** Changes a project of Yarn as the page describes. */
async function usePlugAndPlay(folder: string): Promise<void> {
  const settings = join(folder, '.yarnrc.yml');
  const text = await readFile(settings, 'utf8');
  expect(text).toContain('nodeLinker: node-modules');
  await writeFile(settings, text.replace('node-modules', 'pnp'));
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as {
    readonly resolutions?: object;
    readonly devDependencies: object;
  };
  const typescript = '^5.9.3';
  const changed = {
    ...manifest,
    devDependencies: { ...manifest.devDependencies, typescript },
    resolutions: { ...manifest.resolutions, typescript },
  };
  await writeFile(path, JSON.stringify(changed));
}

/** Installs a new project, builds and tests it and its receiver, which gets every example, and checks it. */
async function receiveIn(folder: string, manager: PackageManager): Promise<void> {
  const { execute, install, run } = packageManagers[manager];
  for (const line of [install, run('test')]) await runStep(line, folder);
  expect(await runStep(`cd apps/receiver && ${run('test')}`, folder)).toMatch(/pass [1-9]/u);
  // Its script `simulate` and its README use the toolkit of the workspace.
  expect(await runStep(`cd apps/receiver && ${execute} countersign --version`, folder)).toMatch(
    /^\d+\.\d+\.\d+$/mu,
  );
  await runStep(run('check'), folder);
}

/** Runs a command line, and prints it with its duration and the end of what it printed. */
async function runStep(line: string, folder: string): Promise<string> {
  const start = performance.now();
  const printed = await runLine(line, { folder, environment });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.info(`$ ${line}  (${seconds} s)\n${printed.split('\n').slice(-4).join('\n')}`);
  return printed;
}
