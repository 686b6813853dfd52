import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, openapi } from '../../cli/project.ts';
import { serveDocuments } from './document-server.ts';

const hook = join(import.meta.dirname, '../../cli/record-modules.fixture.ts');

test('pull loads what compares contracts only if it has replaced one', async () => {
  await using server = await serveDocuments({ '/api.yaml': openapi });
  const { folder, run } = await createProject({});
  const pull = async (...parameters: readonly string[]): Promise<readonly string[]> => {
    const { code, error } = await run(['pull', ...parameters, '--allow-private'], {
      node: ['--import', hook],
    });
    expect(code, error).toBe(0);
    const urls: readonly string[] = JSON.parse(
      await readFile(join(folder, 'loaded-modules.json'), 'utf8'),
    );
    return urls.filter((url) =>
      /\/packages\/diff\/|compare-documents|\/contract\/lower\//u.test(url),
    );
  };
  expect(await pull(`${server.origin}/api.yaml`)).toEqual([]);
  expect(await pull()).toEqual([]);
  server.answers['/api.yaml'] = openapi.replace(/version: .*/u, 'version: 9.0.0');
  expect((await pull()).length).toBeGreaterThan(9);
});
