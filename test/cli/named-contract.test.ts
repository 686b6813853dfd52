import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, writeTree } from '../output/tree.ts';
import { runInProcess } from './run-in-process.ts';

const openapi = `openapi: 3.1.1
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels: { get: { operationId: listParcels, responses: { '204': { description: None. } } } }
`;
const asyncapi = `{ "info": { "title": "Depots", "version": "1.0.0" }, "asyncapi": "3.0.0", "channels": {} }`;

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeTree(folder, { 'api/o.yaml': openapi, 'api/a.json': asyncapi });
});

describe('the files of a contract, without a configuration', () => {
  it('are generated into a folder: what the contract has, without its page', async () => {
    const { code, error } = await runInProcess(folder, ['generate', 'api/o.yaml', 'api/a.json']);
    expect(code, error).toBe(0);
    const paths = Object.keys(await readTree(folder));
    const targets = paths.flatMap((path) => /^generated\/([^/.]+)\//u.exec(path)?.[1] ?? []);
    expect([...new Set(targets)].toSorted()).toEqual(['client', 'contract', 'runtime']);
    expect(paths).not.toContain('generated/client/package.json');
    expect(paths.every((path) => /^(?:api|generated)\//u.test(path))).toBe(true);
  });

  it('give the page alone, also outside of the folder', async () => {
    const words = ['generate', 'o.yaml', '--output', '../site', '--target', 'reference'];
    const { code, out, error } = await runInProcess(`${folder}/api`, words);
    expect(code, error).toBe(0);
    expect(out).toContain('created  site/reference/index.html');
    const tree = await readTree(folder);
    const sitePaths = Object.keys(tree).filter(
      (path) => path.startsWith('site/') && !/\/\./u.test(path),
    );
    expect(sitePaths).toEqual(['site/reference/index.html']);
  });

  it('refer to files of the folder that is named, and of no other', async () => {
    await writeTree(folder, {
      'api/o.yaml': openapi.replace(/ get: .*$/mu, " $ref: '../shared/paths.yaml#/list' }"),
      'shared/paths.yaml':
        'list: { get: { operationId: listAll, responses: { 204: { description: None. } } } }\n',
    });
    const words = ['generate', 'api/o.yaml', '--target', 'contract'];
    const refused = await runInProcess(folder, words);
    expect(refused.error).toContain('escaping-reference');
    expect(refused.error).toContain('--contract-folder <dir>');
    for (const named of ['.', folder])
      expect(await runInProcess(folder, [...words, '--contract-folder', named])).toMatchObject({
        code: 0,
      });
    expect((await runInProcess(folder, [...words, '--contract-folder', 'api'])).code).toBe(1);
    expect(await runInProcess(folder, ['generate', '--contract-folder', '.'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('--contract-folder needs the files') as unknown,
    });
  });

  it('are linted and explained', async () => {
    const linted = await runInProcess(folder, ['lint', 'api/o.yaml', 'api/a.json']);
    expect(linted.error).toContain('redocly/operation-summary');
    expect(linted.error).toContain('o.yaml:4:');
    const words = [
      'explain',
      'listParcels',
      '--document',
      'api/o.yaml',
      '--document',
      'api/a.json',
    ];
    expect((await runInProcess(folder, words)).out).toContain('o.yaml:4');
  });

  it('keep what is in the output folder', async () => {
    await writeTree(folder, { 'generated/notes.md': 'mine\n' });
    await runInProcess(folder, ['generate', 'api/o.yaml', '--target', 'reference']);
    expect(await readTree(folder)).toMatchObject({ 'generated/notes.md': 'mine\n' });
  });
});

describe('are refused, and nothing is written', () => {
  it.each<[readonly string[], string]>([
    [['generate', 'api/o.yaml', 'api/o.yaml'], 'is a second OpenAPI document'],
    [['generate', 'https://example.com/o.yaml'], 'is an address'],
    [['generate', 'api/o.yaml', '--config', 'c.json'], 'or --config, not both'],
    [['lint', 'api/o.yaml', '--config', 'c.json'], 'or --config, not both'],
    [['generate', '--output', 'x'], '--output needs the files of a contract'],
    [['generate', '--target', 'client'], '--target needs the files of a contract'],
    [['generate', 'api/o.yaml', '--target', 'clint'], 'Did you mean "client"?'],
    [['generate', 'api/o.yaml', '--output', '.'], 'must be a separate folder'],
    [['generate', 'api/o.yaml', '--output', 'api'], 'which is not generated'],
  ])('%j', async (words, text) => {
    const before = await readTree(folder);
    const { code, error } = await runInProcess(folder, words);
    expect(error).toContain(text);
    expect(code).toBe(2);
    expect(await readTree(folder)).toEqual(before);
  });

  it('a file that does not exist, and one with errors', async () => {
    const missing = await runInProcess(folder, ['lint', 'api/p.yaml']);
    expect(missing).toMatchObject({
      code: 1,
      error: expect.stringContaining('There is no file "api/p.yaml"'),
    });
    await writeTree(folder, { 'api/broken.yaml': openapi.replace('3.1.1', '9.0.0') });
    const broken = await runInProcess(folder, ['generate', 'api/broken.yaml']);
    expect(broken).toMatchObject({ code: 1, error: expect.stringContaining('broken.yaml:1') });
    expect(Object.keys(await readTree(folder)).some((path) => path.startsWith('generated'))).toBe(
      false,
    );
  });
});
