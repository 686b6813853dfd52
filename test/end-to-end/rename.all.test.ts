import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companions } from '../../generator/companions.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { lowerAndCheck } from '../rules/lower-and-check.ts';
import { load } from '../../generator/load/load.ts';
import { frameworks } from '../../generator/targets/printing/frameworks.ts';
import { targetNames } from '../../generator/targets/registry.ts';
import { compileStrictly } from '../targets/strict-compile.ts';
import { rename, renameFile } from './rename-contract.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Texts of a folder by path relative to it, with `/`, without what is built or installed there. */
async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await readdir(folder, { recursive: true })) {
    const name = path.split(sep).join('/');
    // Another test may build meanwhile, and take away what was listed.
    if (/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(name)) continue;
    const file = join(folder, path);
    if ((await stat(file)).isFile()) texts.set(name, await readFile(file, 'utf8'));
  }
  return texts;
}

/** The part of a package's name before the slash. */
const scopeOrName = (name: string): string => name.split('/')[0] ?? name;

let folder: string;
let original: Contract;
let renamed: Contract;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-rename-'));
  const contract = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
  for (const [path, text] of await readTexts(join(root, 'spec'))) {
    if (!/\.(?:ya?ml|json)$/.test(path) || path.startsWith('overlays/')) continue;
    const file = renameFile(path, text);
    await mkdir(dirname(join(folder, 'spec', file.path)), { recursive: true });
    await writeFile(join(folder, 'spec', file.path), file.text);
  }
  await writeFile(
    join(folder, 'countersign.config.json'),
    JSON.stringify({
      contract,
      scope: '@renamed',
      output: 'generated',
      targets: targetNames,
    }),
  );
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@renamed'), { recursive: true });
  const peers = Object.values(frameworks).flatMap(({ peers: all = {} }) => Object.keys(all));
  for (const name of new Set(['@countersign', '@types', ...peers.map(scopeOrName)])) {
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of ['contract', 'runtime', 'webhooks']) {
    await symlink(join(folder, 'generated', name), join(modules, '@renamed', name));
  }
  original = (await lowerAndCheck(await load(contract, { folder: root }))).contract;
  renamed = (await lowerAndCheck(await load(contract, { folder }))).contract;
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('a contract with every name changed', () => {
  it('has as many schemas, operations, notifications and ledger entries as before, under other names', () => {
    const components = ({ schemas }: Contract): readonly string[] =>
      schemas.flatMap(({ origin, name }) => (origin === 'component' ? [name] : []));
    // Their order is that of their names.
    expect(components(renamed)).toEqual(components(original).map(rename).toSorted());
    expect(renamed.notifications.map(({ id }) => id)).toEqual(
      original.notifications.map(({ id }) => rename(id)),
    );
    expect(renamed.operations.map(({ id }) => id)).toEqual(
      original.operations.map(({ id }) => rename(id)),
    );
    expect(renamed.unstated.map(({ id }) => id)).toEqual(
      original.unstated.map(({ id }) => rename(id)),
    );
  });

  it('keeps every relation between its parts', () => {
    expect(
      renamed.notifications.map(({ ambiguousWith, identifiedBy }) => [
        ambiguousWith.map(rename),
        identifiedBy.length,
      ]),
    ).toEqual(
      original.notifications.map(({ ambiguousWith, identifiedBy }) => [
        ambiguousWith,
        identifiedBy.length,
      ]),
    );
    expect(renamed.unstated.map(({ usedBy }) => usedBy.length)).toEqual(
      original.unstated.map(({ usedBy }) => usedBy.length),
    );
  });

  it('generates, compiles under every flag, and its validators judge every example as before', async () => {
    await run(process.execPath, [join(root, 'generator/cli.ts'), 'generate'], { cwd: folder });
    for (const name of ['contract', 'client', 'webhooks']) {
      await compileStrictly(join(folder, 'generated', name), ['src'], {
        compiler: 'ts7',
        resolution: 'nodenext',
        from: 'source',
        withRuntimes: name !== 'contract',
      });
    }
    await compileStrictly(join(folder, 'generated'), ['webhooks-*/src'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
      withFrameworks: true,
    });
    const entry = join(folder, 'generated/contract/src/index.ts');
    const generated = (await import(pathToFileURL(entry).href)) as Record<
      string,
      (value: unknown) => boolean
    >;
    let judged = 0;
    for (const { payload, examples, invalidExamples } of renamed.notifications) {
      const wire = renamed.schemas.find(
        (schema) => schema.origin === 'wire' && schema.variantOf === payload,
      );
      const schema = wire ?? renamed.schemas.find(({ name }) => name === payload);
      const guard = generated[`is${schema?.typeName}`];
      expect(guard, `the guard of ${payload}`).toBeTypeOf('function');
      for (const example of examples) expect(guard?.(example.value), example.pointer).toBe(true);
      for (const example of invalidExamples)
        expect(guard?.(example.value), example.pointer).toBe(false);
      judged += examples.length + invalidExamples.length;
    }
    expect(judged).toBeGreaterThanOrEqual(original.notifications.length * 5);
  });

  it('leaves no name of this contract in what was generated, nor in the toolkit', async () => {
    const names = new Set(
      [
        ...original.schemas.flatMap(({ name }) => [name]),
        ...original.notifications.map(({ id }) => id),
        ...original.unstated.map(({ id }) => id),
        ...[
          ...JSON.stringify(
            original.schemas.map(({ definition }) => definition),
            (key, value: unknown) => (key === 'x-unstated' ? undefined : value),
          ).matchAll(/"(\w*[a-z][A-Z]\w*)":/g),
        ].map(([, name]) => name ?? ''),
        'Pix',
        'txid',
        'chave',
      ].filter((name) => name.length > 2 && !keywords.has(name)),
    );
    const packages = companions.map((row) => row.package.replace('@countersign/', 'packages/'));
    const folders = ['generator', 'templates', ...packages];
    const texts = await Promise.all(folders.map((folder) => readTexts(join(root, folder))));
    const sources = new Map(texts.flatMap((read) => [...read]));
    const words = new RegExp(`(?<![\\w-])(?:${[...names].join('|')})(?![\\w-])`, 'g');
    const occurrences = [...sources].flatMap(([path, text]) =>
      /\.(?:ts|hbs)$/.test(path)
        ? [...text.matchAll(words)].map(([word]) => `${path}: ${word}`)
        : [],
    );
    expect(occurrences).toEqual([]);
  });
});

/** Words of JSON Schema and of plain English that the contract uses as well. */
const keywords: ReadonlySet<string> = new Set([
  'customer',
  'charge',
  'Customer',
  'Charge',
  'Token',
  'Cashout',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalProperties',
]);
