import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { asyncapi, openapi } from '../select/library.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, writeTree } from '../output/tree.ts';
import { createProject } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const contract = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };

interface Library {
  readonly folder: string;
  configure(...configs: readonly Partial<Config>[]): Promise<void>;
}

async function createLibrary(...configs: readonly Partial<Config>[]): Promise<Library> {
  const textOf = (list: readonly Partial<Config>[]): string =>
    JSON.stringify(list.map((config) => ({ contract, targets: ['contract'], ...config })));
  const { folder } = await createProject({
    'openapi.yaml': openapi,
    'asyncapi.yaml': asyncapi,
    'package.json': '{ "type": "module" }',
    'library.json': textOf(configs),
  });
  return {
    folder,
    configure: (...list) => writeFile(join(folder, 'library.json'), textOf(list)),
  };
}

const parameters = (...words: readonly string[]): readonly string[] => [
  ...words,
  '--config',
  'library.json',
];

describe('several contracts of one configuration', () => {
  it('are generated each with its own scope, layout, choice and output, and only where something changed', async () => {
    const books = { scope: '@books', output: 'generated', include: { tags: ['books'] } };
    const desk = { layout: 'folder', output: 'src/generated', exclude: { events: ['*'] } } as const;
    const { folder, configure } = await createLibrary(books, desk);
    const first = await runInProcess(folder, parameters('generate'));
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^generated: \d+ files written/mu);
    expect(first.out).toMatch(/^src\/generated: \d+ files written/mu);
    const manifest = await readFile(join(folder, 'generated/contract/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ name: '@books/contract' });
    const index = await readFile(join(folder, 'src/generated/contract/index.ts'), 'utf8');
    expect(index).toContain('export interface Fine ');
    expect(index).not.toContain('returned');

    const second = await runInProcess(folder, parameters('generate'));
    expect(second.out).toBe('generated: up to date\nsrc/generated: up to date\n');

    const before = await readTree(join(folder, 'generated'));
    await configure(books, { ...desk, include: { tags: ['fines'] } });
    const third = await runInProcess(folder, parameters('generate'));
    expect(third.out).toMatch(/^updated {2}src\/generated\/contract\/index\.ts /mu);
    expect(index).toContain('export interface Book ');
    const fines = await readFile(join(folder, 'src/generated/contract/index.ts'), 'utf8');
    expect(fines).toContain('export interface Fine ');
    expect(fines).not.toContain('export interface Book ');
    expect(third.out).toContain('generated: up to date\n');
    expect(await readTree(join(folder, 'generated'))).toEqual(before);
    expect((await runInProcess(folder, parameters('check'))).code).toBe(0);
  });

  it('are distinguished by scope, or by output where there is none', async () => {
    const { folder } = await createLibrary(
      { scope: '@books', output: 'generated' },
      { layout: 'folder', output: 'src/generated' },
    );
    const lost = await runInProcess(folder, parameters('scaffold', 'express', 'app'));
    expect(lost.error).toContain('Select one with --scope: @books, src/generated.');
    const refused = await runInProcess(
      folder,
      parameters('scaffold', 'express', 'app', '--scope', 'src/generated'),
    );
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("targets: ['contract', 'webhooks', 'webhooks-express'],");
  });
});

describe("code in an application's folder", () => {
  it('tells what it imports that the application does not list, until it does', async () => {
    const targets = ['contract', 'webhooks', 'webhooks-express'];
    const { folder } = await createLibrary({ layout: 'folder', output: 'src/generated', targets });
    const { out } = await runInProcess(folder, parameters('generate'));
    expect(out).toMatch(
      /the application does not list packages that the code needs; run npm install 'express@\^4/u,
    );
    // Types are needed to compile only.
    expect(out).not.toMatch(/run npm install (?!--).*@types/u);
    expect(out).toContain(
      "run npm install --save-dev '@types/express@^5.0.0' '@types/node@>=18'\n",
    );
    await writeFile(join(folder, 'pnpm-lock.yaml'), '');
    await writeFile(join(folder, 'asyncapi.yaml'), `${asyncapi}# Again.\n`);
    expect((await runInProcess(folder, parameters('generate'))).out).toMatch(
      /run pnpm add 'express@/u,
    );
    const devDependencies = {
      '@types/express': '5.0.0',
      '@types/node': '22.0.0',
      express: '5.0.0',
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ devDependencies }));
    await writeFile(join(folder, 'asyncapi.yaml'), `${asyncapi}# Once more.\n`);
    const listed = await runInProcess(folder, parameters('generate'));
    expect(listed.code).toBe(0);
    expect(listed.out).not.toContain('does not list');
  });
});

describe('an entry that names nothing', () => {
  it('is reported with a suggestion, and does not prevent generation', async () => {
    const { folder } = await createLibrary({
      scope: '@books',
      output: 'generated',
      exclude: { tags: ['finess'] },
    });
    const { code, error } = await runInProcess(folder, parameters('generate'));
    expect(code).toBe(0);
    expect(error).toContain('`exclude.tags[0]`: the contract has no tag "finess".');
    expect(error).toContain('Did you mean "fines"?');
  });
});

it('shows places of diagnostics relative to the working directory', async () => {
  const folder = await temporaryFolder();
  const document = {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0', 'x-countersign': 1 },
    paths: { '/a': { get: { 'x-repeatable': 'maybe', responses: { 200: { description: 'A' } } } } },
  };
  await writeTree(folder, {
    'api/openapi.json': JSON.stringify(document),
    'api/countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.json' },
      scope: '@shop',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const config = 'countersign.config.json';
  const fromAbove = await runInProcess(folder, ['generate', '--config', `api/${config}`]);
  expect(fromAbove.error).toMatch(/^error\[invalid-extension\] api\/openapi\.json:1:\d+\n/u);
  const inside = await runInProcess(join(folder, 'api'), ['generate', '--config', config]);
  expect(inside.error).toMatch(/^error\[invalid-extension\] openapi\.json:1:\d+\n/u);
});
