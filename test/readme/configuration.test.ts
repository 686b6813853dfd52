import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkConfig } from '../../generator/config/check-config.ts';
import { generate } from '../../generator/generate.ts';
import { loadConfig } from '../../generator/config/load-config.ts';
import { asyncapi, openapi } from '../select/library.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, writeTree } from '../output/tree.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function readPage(path: string): Promise<string> {
  return await readFile(join(root, path), 'utf8');
}

/** What each configuration of the page makes, and what it does not. */
const shown: readonly {
  readonly about: string;
  readonly has: readonly string[];
  readonly lacks: RegExp;
}[] = [
  {
    about: 'a part of a contract',
    has: [
      'generated/contract/src/index.ts',
      'generated/client/src/operations.ts',
      'generated/webhooks/src/events.ts',
    ],
    lacks: /fine|add-book|shelf|closed/u,
  },
  {
    about: 'publishing',
    has: ['generated/client/package.json'],
    lacks: /generated\/webhooks/u,
  },
  {
    about: 'layout',
    has: ['src/generated/contract/index.ts', 'src/generated/webhooks-express/index.ts'],
    lacks: /package\.json|tsconfig|\.d\.ts$|^generated/u,
  },
  {
    about: 'types of formats',
    has: ['src/generated/contract/formats.ts'],
    lacks: /client/u,
  },
  {
    about: 'severities of changes',
    has: ['generated/client/package.json'],
    lacks: /generated\/webhooks/u,
  },
  {
    about: 'several contracts',
    has: [
      'generated/library/client/package.json',
      'apps/desk/src/generated/webhooks/index.ts',
      'apps/desk/src/generated/contract/index.ts',
    ],
    lacks: /generated\/library\/webhooks|desk.*package\.json/u,
  },
];

describe('the page about the configuration', async () => {
  const page = await readPage('docs/configuration.md');
  const blocks = Array.from(
    page.matchAll(/```ts\n(export default [^]*?)```/gu),
    ([, block]) => block,
  );

  test('shows as many configurations as are tried here', () => {
    expect(blocks).toHaveLength(shown.length);
  });

  test.for(shown)('shows what works: $about', async ({ has, lacks }) => {
    const block = blocks[shown.findIndex((row) => row.has === has)];
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'api/openapi.yaml': openapi,
      'api/asyncapi.yaml': asyncapi,
      'countersign.config.mjs': block ?? '',
      'package.json': '{}',
    });
    const { configs } = await loadConfig(folder);
    expect(configs).not.toEqual([]);
    for (const config of configs) {
      const { status, diagnostics } = await generate(config, { folder });
      const problems = ['unmatched-selection', 'unused-format', 'needed-operation'];
      expect(
        diagnostics.filter(({ code, severity }) => severity === 'error' || problems.includes(code)),
      ).toEqual([]);
      expect(status).toBe('written');
    }
    const made = Object.keys(await readTree(folder)).filter((path) => !/^api|^[^/]*$/u.test(path));
    expect(made).toEqual(expect.arrayContaining([...has]));
    expect(made.filter((path) => lacks.test(path))).toEqual([]);
  });

  test('names every code of a diagnostic as it is', async () => {
    const { catalogue } = await import('../../generator/diagnostics/catalogue.ts');
    const named = Array.from(page.matchAll(/`([a-z]+-[a-z-]+)`/gu), ([, code = '']) => code);
    const codes = named.filter((name) => !/^(?:webhooks|x)-/u.test(name));
    expect(codes.filter((code) => !Object.hasOwn(catalogue, code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(2);
  });
});

test("the toolkit's page lists every key of a configuration", async () => {
  const page = await readPage('generator/README.md');
  const [, section = ''] = /^## Configuration\n(.*?)^## /msu.exec(page) ?? [];
  const listed = Array.from(section.matchAll(/^\| (`[^|]+) \|/gmu), ([, keys = '']) => keys);
  const names = listed.flatMap((keys) => Array.from(keys.matchAll(/`(\w+)/gu), ([, name]) => name));
  let message = '';
  await checkConfig({ zzzzzzzzzz: 1 }, '').catch((error: Error) => {
    ({ message } = error);
  });
  const [, keys = ''] = /known keys: (.*)/u.exec(message) ?? [];
  expect(new Set(names)).toEqual(new Set(keys.split(', ')));
});

test('the page about Turborepo shows the files that are tried with it', async () => {
  const page = await readPage('docs/turborepo.md');
  for (const file of ['turbo.json', 'countersign.config.json']) {
    expect(page).toContain((await readPage(`test/turborepo/monorepo/${file}`)).trimEnd());
  }
});
