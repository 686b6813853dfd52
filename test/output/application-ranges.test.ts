import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRegistryRanges } from '../../generator/output/application-ranges.ts';
import { findWorkspace } from '../../generator/output/workspace.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeTree } from './tree.ts';

async function find(
  files: Readonly<Record<string, object | string>>,
): Promise<readonly (readonly [file: string, name: string, range: string, instead: string])[]> {
  const folder = await temporaryFolder();
  const all = {
    'package.json': { workspaces: ['generated/*', 'apps/**', '!apps/old'] },
    'generated/client/package.json': { name: '@shop/client', version: '2.0.0' },
    'generated/webhooks/package.json': {
      name: '@shop/webhooks',
      version: '2.0.0',
      dependencies: { '@shop/client': '2.0.0' },
    },
    ...files,
  };
  const texts = Object.entries(all).map(([path, value]): [string, string] => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await writeTree(folder, Object.fromEntries(texts));
  const output = join(folder, 'generated');
  const workspace = await findWorkspace(join(output, 'client'));
  if (workspace === undefined) return [];
  const ranges = await findRegistryRanges(output, workspace);
  return ranges.map(({ file, name, range, instead }) => [
    file.slice(folder.length + 1).replaceAll('\\', '/'),
    name,
    range,
    instead,
  ]);
}

const client = (range: string): object => ({ dependencies: { '@shop/client': range } });

it('finds the ranges of generated packages in all applications of a workspace', async () => {
  expect(
    await find({
      'package.json': {
        workspaces: ['generated/*', 'apps/**', '!apps/old'],
        devDependencies: { '@shop/webhooks': '*', typescript: '^7.0.0' },
      },
      'apps/a/package.json': client('^1.0.0'),
      'apps/deep/b/package.json': { optionalDependencies: { '@shop/client': 'latest' } },
      'apps/c/package.json': client('npm:other@2.0.0'),
      'apps/d/package.json': client('file:../../generated/client'),
      'apps/e/package.json': client('link:../../generated/client'),
      'apps/old/package.json': client('^1.0.0'),
      'apps/a/node_modules/x/package.json': client('^1.0.0'),
      'elsewhere/package.json': client('^1.0.0'),
    }),
  ).toEqual([
    ['package.json', '@shop/webhooks', '*', 'file:generated/webhooks'],
    ['apps/a/package.json', '@shop/client', '^1.0.0', 'file:../../generated/client'],
    ['apps/c/package.json', '@shop/client', 'npm:other@2.0.0', 'file:../../generated/client'],
    ['apps/deep/b/package.json', '@shop/client', 'latest', 'file:../../../generated/client'],
  ]);
});

it('names the protocol of a workspace that has one', async () => {
  const files = {
    'pnpm-workspace.yaml': "packages: ['generated/*', 'apps/*']\n",
    'apps/a/package.json': client('^2.0.0'),
    'apps/b/package.json': client('workspace:^'),
  };
  expect(await find(files)).toEqual([
    ['apps/a/package.json', '@shop/client', '^2.0.0', 'workspace:*'],
  ]);
});

it('leaves out packages that are published, whose names their owner has', async () => {
  const published = { name: '@shop/client', version: '2.0.0', publishConfig: { access: 'public' } };
  const files = {
    'generated/client/package.json': published,
    'apps/a/package.json': client('^1.0.0'),
  };
  expect(await find(files)).toEqual([]);
});
