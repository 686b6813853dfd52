import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printOpenapiTypes } from '../../../generator/targets/openapi-types/print-types.ts';
import { targetNames } from '../../../generator/targets/registry.ts';
import { createProject, openapi, type Project, type Run } from '../../cli/project.ts';
import { readTree, writeTree } from '../../output/tree.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { repository } from '../emit-project.ts';

const library = {
  openapi: '3.1.1',
  info: { title: 'Library', version: '1.0.0' },
  servers: [{ url: 'https://library.example' }],
  paths: { '/': { get: { operationId: 'read', responses: { 200: { description: 'Read.' } } } } },
};

test('a document that takes too long is one error, and the next one is printed', async () => {
  const operation = { responses: { 200: { description: 'Read.' } } };
  const paths = Array.from({ length: 1000 }, (_, shelf) => [`/${shelf}`, { get: operation }]);
  const long = await readOpenapi({ ...library, paths: Object.fromEntries(paths) });
  await expect(printOpenapiTypes(long, 1)).rejects.toMatchObject({
    name: 'TargetError',
    pointer: 'openapi#',
    message: 'openapi-typescript cannot print the OpenAPI document (it takes longer than 0.001 s).',
  });
  const contract = await readOpenapi(library);
  expect((await printOpenapiTypes(contract)).text).toContain('export interface operations');
});

test('extensions beside statuses and paths are no statuses and paths', async () => {
  const responses = { 200: { description: 'Read.' }, 'x-cache': { description: 'Cached.' } };
  const paths = { '/': { get: { operationId: 'read', responses } }, 'x-more': { get: {} } };
  const { text } = await printOpenapiTypes(await readOpenapi({ ...library, paths }));
  expect(text).toContain('200: {');
  expect(text).not.toMatch(/x-(?:cache|more)/u);
});

const manifest = JSON.parse(await readFile(join(repository, 'generator/package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
};

const webhook = `webhooks:
  lent:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: Received. } }
`;

describe('a project without openapi-typescript', () => {
  const hook = join(import.meta.dirname, '../../cli/hide-packages.fixture.ts');
  const generate = async (
    hidden: string,
    targets: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<Run & Pick<Project, 'folder'>> => {
    const config = { contract: { openapi: 'openapi.yaml' }, scope: '@books', output: 'generated' };
    const project = await createProject({ 'openapi.yaml': openapi + webhook });
    await writeTree(project.folder, {
      ...files,
      'all.json': JSON.stringify({ ...config, targets }),
    });
    const environment = { HIDDEN_PACKAGES: hidden };
    const node = ['--import', hook];
    const run = await project.run(['generate', '--config', 'all.json'], { node, environment });
    return { ...run, folder: project.folder };
  };

  const range = manifest.peerDependencies['openapi-typescript'];
  const command = `\`npm install --save-dev openapi-typescript@${range} typescript@^5.9.3\``;

  test('makes only the target openapi-types fail, which names what to install', async () => {
    const { code, error, folder } = await generate('openapi-typescript', targetNames);
    expect(code).toBe(1);
    expect(error.match(/error\[/gu)).toHaveLength(1);
    expect(error).toContain('error[target-failed] openapi.yaml:1:1\n');
    const text = error.replaceAll(/\s+/gu, ' ');
    expect(text).toContain(
      `The target "openapi-types" failed: openapi-typescript, which writes these types, is not installed: run ${command}.`,
    );
    expect(text).toContain('Install what the message names, or leave the target out.');

    const files = { 'yarn.lock': '__metadata:\n  version: 8\n' };
    const ofYarn = await generate('openapi-typescript', ['openapi-types'], files);
    expect(ofYarn.error.replaceAll(/\s+/gu, ' ')).toContain(
      'run `yarn add --dev openapi-typescript@',
    );
    expect(Object.keys(await readTree(folder))).not.toContain('generated/.manifest.json');
  });

  test('generates everything else', async () => {
    const otherTargets = targetNames.filter((name) => name !== 'openapi-types');
    const { code, error, folder } = await generate('openapi-typescript,typescript', otherTargets);
    expect({ code, error }).toMatchObject({ code: 0 });
    const files = Object.keys(await readTree(join(folder, 'generated')));
    expect(otherTargets).toContain('reference');
    for (const name of otherTargets) {
      const file = name === 'reference' ? 'reference/index.html' : `${name}/package.json`;
      expect(files).toContain(file);
    }
  });

  test.each([
    ['typescript', 'TypeScript 5, which openapi-typescript needs, is not installed'],
    ['typescript=ts7', 'openapi-typescript needs TypeScript 5, and TypeScript 7.0.2 is installed'],
  ])('names the TypeScript that it needs: %s', async (hidden, message) => {
    const { code, error } = await generate(hidden, ['openapi-types']);
    expect(code).toBe(1);
    expect(error.replaceAll(/\s+/gu, ' ')).toContain(`${message}: run ${command}.`);
  });
});

test('openapi-typescript is an optional peer of the toolkit', () => {
  expect(manifest.peerDependenciesMeta).toEqual({ 'openapi-typescript': { optional: true } });
  expect(manifest).not.toHaveProperty('dependencies.openapi-typescript');
  expect(manifest).not.toHaveProperty('dependencies.typescript');
});

test('a run is not up to date if the versions of the printing packages have changed', async () => {
  const { openapiTypesTarget } = await import('../../../generator/targets/openapi-types/target.ts');
  const names = await Promise.all(
    openapiTypesTarget.fingerprint.map(
      async (path) => (JSON.parse(await readFile(path, 'utf8')) as { readonly name: string }).name,
    ),
  );
  expect(names).toEqual(['openapi-typescript', 'typescript']);
});
