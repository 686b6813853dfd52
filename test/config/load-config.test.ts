import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defineConfig } from '../../generator/config/config.ts';
import { ConfigError, type ConfigErrorCode } from '../../generator/diagnostics/config-error.ts';
import { loadConfig } from '../../generator/config/load-config.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';

const config = defineConfig({
  contract: { openapi: 'openapi.yaml' },
  scope: '@acme',
  output: 'generated',
  targets: ['contract'],
});
const json = JSON.stringify(config);

const refusal = (code: ConfigErrorCode, message: string): object =>
  expect.objectContaining({ name: 'ConfigError', code, message: expect.stringContaining(message) });

describe('the configuration file', () => {
  it.each([
    ['countersign.config.ts', `const config: object = ${json};\nexport default config;\n`],
    ['countersign.config.mts', `export default ${json} satisfies object;\n`],
    ['countersign.config.js', `export default ${json};\n`],
    ['countersign.config.mjs', `export default ${json};\n`],
    ['countersign.config.json', `\ufeff${json}`],
  ])('is found by its name: %s', async (name, text) => {
    const folder = await temporaryFolder();
    await writeTree(folder, { [name]: text, 'package.json': '{ "type": "module" }' });
    expect(await loadConfig(folder)).toEqual({
      file: join(folder, name),
      folder,
      configs: [config],
    });
  });

  it.each([
    ['countersign.config.json', (text: string) => text],
    ['countersign.config.js', (text: string) => `module.exports = ${text};\n`],
  ])('checks the options of its targets: %s', async (name, textOf) => {
    const folder = await temporaryFolder();
    const withOption = (value: string): string =>
      textOf(
        JSON.stringify({
          ...config,
          targets: ['contract', { use: 'client', nestedArrays: value }],
        }),
      );
    await writeTree(folder, {
      [name]: withOption('brackets'),
      'package.json': '{ "type": "commonjs" }',
    });
    const { configs } = await loadConfig(folder);
    expect(configs[0]?.targets).toEqual(['contract', { use: 'client', nestedArrays: 'brackets' }]);
    await writeFile(join(folder, name), withOption('bracket'));
    await expect(loadConfig(folder)).rejects.toMatchObject({
      problems: [
        { member: 'targets[1].nestedArrays', message: expect.stringContaining('must be') },
      ],
    });
  });

  it('can be named, and then paths are relative to it', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'api/mine.json': `[${json}]` });
    expect(await loadConfig(folder, 'api/mine.json')).toMatchObject({
      folder: join(folder, 'api'),
      configs: [config],
    });
  });

  it('is read anew after it changed', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'countersign.config.mjs');
    await writeFile(file, `export default ${json};\n`);
    await loadConfig(folder);
    await writeFile(file, `export default ${json.replace('@acme', '@other')};\n`);
    expect((await loadConfig(folder)).configs[0]?.scope).toBe('@other');
  });

  it.each<[name: string, text: string, line: number, column: number, message: RegExp]>([
    ['a.ts', 'const a: object = {\n  b: 1\n  c: 2 };\nexport default a;', 3, 3, /',' expected/u],
    ['a.mts', 'export default { b: 1 as };', 1, 26, /Type expected/u],
    ['a.js', 'export default { b: 1,\n', 2, 1, /'\}' expected/u],
    ['a.mjs', "const é = '→';\r\nexport default { é: '→' 1 };", 2, 25, /',' expected/u],
    [
      'a.json',
      '{\n  "b": 1,\n}',
      3,
      1,
      /^This is not valid JSON. Expected double-quoted property name\.$/u,
    ],
    ['a.json', '{ "b": [1,] }', 1, 11, /^This is not valid JSON. Unexpected token '\]'\.$/u],
    [
      'a.json',
      '\ufeff{ b: 1 }',
      1,
      3,
      /^This is not valid JSON. Expected property name or '\}'\.$/u,
    ],
    ['a.json', '', 1, 1, /^This is not valid JSON. Unexpected end of JSON input\.$/u],
    ['a.mjs', 'const a = 1;\nexport default { b: c };', 2, 21, /c is not defined/u],
  ])('says where %s does not load: %j', async (name, text, line, column, message) => {
    const folder = await temporaryFolder();
    await writeTree(folder, { [name]: text, 'package.json': '{ "type": "module" }' });
    const error: unknown = await loadConfig(folder, name).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unreadable', file: join(folder, name) });
    const problems = error instanceof ConfigError ? error.problems : [];
    expect(problems.map((problem) => `${problem.line}:${problem.column}`)).toEqual([
      `${line}:${column}`,
    ]);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.frame).toMatch(/^ {2}.*\n *\| *\^$/mu);
  });

  it('names no place for a syntax error of a module that the configuration imports', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'a.mjs': "import './b.mjs';", 'b.mjs': 'let {' });
    await expect(loadConfig(folder, 'a.mjs')).rejects.toMatchObject({
      problems: [{ member: '', message: expect.any(String) }],
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string | undefined, object]>([
    ['there is none', {}, undefined, refusal('not-found', 'countersign init')],
    [
      'the one named is not there',
      {},
      'a.json',
      refusal('not-found', 'does not exist or cannot be read.'),
    ],
    ['it is of another kind', { 'a.yaml': '' }, 'a.yaml', refusal('unreadable', '.json')],
    [
      'there are two',
      { 'countersign.config.mjs': '', 'countersign.config.json': '' },
      undefined,
      refusal('ambiguous', 'countersign.config.mjs and countersign.config.json'),
    ],
    ['it is not JSON', { 'a.json': '{,' }, 'a.json', refusal('unreadable', 'JSON')],
    ['it is not JavaScript', { 'a.mjs': 'export default {;' }, 'a.mjs', refusal('unreadable', '')],
    [
      'it throws',
      { 'a.mjs': 'throw new Error("no way")' },
      'a.mjs',
      refusal('unreadable', 'no way'),
    ],
    ['it throws no error', { 'a.mjs': 'throw "no way"' }, 'a.mjs', refusal('unreadable', 'no way')],
    [
      'it exports nothing',
      { 'a.mjs': 'export const x = 1' },
      'a.mjs',
      refusal('unreadable', 'default export'),
    ],
    [
      'it imports what is not there',
      { 'a.mjs': 'import "./b.mjs"' },
      'a.mjs',
      refusal('unreadable', 'b.mjs'),
    ],
    ['it says nothing', { 'a.json': '{}' }, 'a.json', refusal('invalid', 'scope: is missing')],
  ])('gives a clear error where %s', async (_, tree, name, expected) => {
    const folder = await temporaryFolder();
    await writeTree(folder, tree);
    const error: unknown = await loadConfig(folder, name).catch((reason: unknown) => reason);
    expect(error).toEqual(expected);
    expect(error instanceof ConfigError && error.file.startsWith(folder)).toBe(true);
  });
});

it.each([
  ['ts', 'no type', '{}'],
  ['js', 'no type', '{}'],
  ['ts', 'the type CommonJS', '{ "type": "commonjs" }'],
  ['js', 'the type CommonJS', '{ "type": "commonjs" }'],
])(
  'reads an ES module without a warning: .%s in a project of %s',
  async (extension, _, manifest) => {
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'package.json': manifest,
      [`scope.${extension}`]: `export const config = ${json};\n`,
      [`countersign.config.${extension}`]: `import { config } from './scope.${extension}';\nexport default config;\n`,
    });
    const script = join(import.meta.dirname, 'write-config.ts');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, folder]);
    expect([JSON.parse(stdout), stderr]).toEqual([[config], '']);
  },
);

it('reads CommonJS that assigns its exports', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'package.json': '{}',
    'countersign.config.js': `module.exports = ${json};\n`,
  });
  expect((await loadConfig(folder)).configs).toEqual([config]);
});
