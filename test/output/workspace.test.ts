import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findApplicationManager, findWorkspace } from '../../generator/output/workspace.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeTree } from './tree.ts';

const workspaces = { workspaces: ['generated/*'] };

async function find(files: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const folder = await temporaryFolder();
  const texts = Object.entries(files).map(([path, value]): readonly [string, string] => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await writeTree(folder, Object.fromEntries(texts));
  const workspace = await findWorkspace(join(folder, 'generated/client'));
  return workspace && `${workspace.manager}${workspace.hasProtocol ? ' with workspace:*' : ''}`;
}

it.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
  ['npm is the default', { 'package.json': workspaces }, 'npm'],
  [
    'pnpm by its file',
    { 'package.json': {}, 'pnpm-workspace.yaml': "packages: ['generated/*']\n" },
    'pnpm with workspace:*',
  ],
  [
    'pnpm in a folder further up',
    { 'pnpm-workspace.yaml': "packages:\n  - '**'\n  - '!apps/**'\n" },
    'pnpm with workspace:*',
  ],
  [
    'a file of pnpm that has only settings',
    { 'package.json': workspaces, 'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n' },
    'npm',
  ],
  [
    'a workspace of pnpm without the packages',
    { 'package.json': {}, 'pnpm-workspace.yaml': "packages: ['apps/*', '!generated/*']\n" },
    undefined,
  ],
  ['a file of pnpm that is not YAML', { 'pnpm-workspace.yaml': 'packages: [' }, undefined],
  [
    'Yarn 4 by its lockfile',
    { 'package.json': workspaces, 'yarn.lock': '# yarn\n\n__metadata:\n  version: 8\n' },
    'yarn with workspace:*',
  ],
  [
    'Yarn 4 by its settings',
    { 'package.json': workspaces, '.yarnrc.yml': 'nodeLinker: pnp\n' },
    'yarn with workspace:*',
  ],
  [
    'Yarn 1 by its lockfile',
    { 'package.json': workspaces, 'yarn.lock': '# yarn lockfile v1\n' },
    'yarn',
  ],
  [
    'Yarn 4 by its name',
    { 'package.json': { ...workspaces, packageManager: 'yarn@4.1.0+sha224.1' } },
    'yarn with workspace:*',
  ],
  [
    'Yarn 1 by its name',
    { 'package.json': { ...workspaces, packageManager: 'yarn@1.22.22' } },
    'yarn',
  ],
  ['Bun by its lockfile', { 'package.json': workspaces, 'bun.lock': '{}' }, 'bun with workspace:*'],
  [
    'Bun by its name',
    { 'package.json': { ...workspaces, packageManager: 'bun@1.4.5' } },
    'bun with workspace:*',
  ],
  [
    'Bun among the tools of developers',
    { 'package.json': { ...workspaces, devEngines: { packageManager: { name: 'bun' } } } },
    'bun with workspace:*',
  ],
  [
    'a name takes precedence over files',
    {
      'package.json': { ...workspaces, packageManager: 'npm@11.0.0' },
      'bun.lock': '{}',
      'pnpm-workspace.yaml': "packages: ['generated/*']\n",
    },
    'npm',
  ],
  [
    'npm takes precedence where lockfiles of several managers are left',
    { 'package.json': workspaces, 'package-lock.json': '{}', 'bun.lock': '{}' },
    'npm',
  ],
  [
    'workspaces as an object',
    { 'package.json': { workspaces: { packages: ['generated/*'] } } },
    'npm',
  ],
  ['no workspace', { 'package.json': { packageManager: 'pnpm@10.0.0' } }, undefined],
])('finds the package manager of a workspace: %s', async (_, files, expected) => {
  expect(await find(files)).toBe(expected);
});

it('knows which folders are packages of the workspace', async () => {
  const folder = await temporaryFolder();
  const manifest = JSON.stringify({ workspaces: ['generated/*', 'apps/*'] });
  await writeTree(folder, { 'package.json': manifest });
  const workspace = await findWorkspace(join(folder, 'generated/client'));
  const tell = (path: string): unknown => [
    workspace?.has(join(folder, path)),
    workspace?.contains(join(folder, path)),
  ];
  expect(['apps/receiver', 'tools/receiver', '../receiver'].map(tell)).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
});

it.each<[string, string, Readonly<Record<string, string>>]>([
  ['npm', 'nothing', {}],
  [
    'npm',
    'its lockfile, below a workspace of pnpm',
    { 'app/package-lock.json': '{}', 'pnpm-workspace.yaml': "packages: ['app']\n" },
  ],
  ['pnpm', 'its lockfile', { 'app/pnpm-lock.yaml': '' }],
  [
    'pnpm',
    'a workspace further up',
    { 'app/package.json': '{}', 'pnpm-workspace.yaml': "packages: ['app']\n" },
  ],
  ['yarn', 'its name', { 'package.json': '{ "packageManager": "yarn@4.1.0" }' }],
  [
    'bun',
    'its lockfile, beside a package.json that is not JSON',
    { 'app/package.json': '{', 'bun.lock': '' },
  ],
])('an application uses %s by %s', async (manager, _, files) => {
  const folder = await temporaryFolder();
  await writeTree(folder, files);
  expect(await findApplicationManager(join(folder, 'app/src/generated'))).toBe(manager);
});
