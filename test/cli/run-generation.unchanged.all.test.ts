import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree, writeTree } from '../output/tree.ts';
import { createProject, openapi, type Project, type Run } from './project.ts';

const hook = join(import.meta.dirname, 'record-modules.fixture.ts');
const builtIn = `export default {
  contract: { openapi: 'openapi.yaml' },
  scope: '@books',
  output: 'generated',
  targets: ['contract'],
};
`;

/** Runs `generate` and answers with the packages below `node_modules` and the rooms of the toolkit that it loaded. */
async function generate({
  folder,
  run,
}: Project): Promise<Run & { readonly loaded: readonly string[] }> {
  const ended = await run(['generate'], { node: ['--import', hook] });
  const urls: readonly string[] = JSON.parse(
    await readFile(join(folder, 'loaded-modules.json'), 'utf8'),
  );
  const loaded = urls.flatMap((url) => {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    const [, room] =
      /\/generator\/((?:targets|rules|contract|recognition|select|load|documents|samples|validators|patterns|schema|specification)\/.*)/.exec(
        url,
      ) ?? [];
    return [name ?? room].filter((roomName) => roomName !== undefined);
  });
  return { ...ended, loaded: [...new Set(loaded)].toSorted() };
}

/** Whether a run did the work: reading a contract takes the library for YAML at the least. */
async function isDone(project: Project): Promise<boolean> {
  const { loaded, code, error } = await generate(project);
  expect(code, error).toBe(0);
  return loaded.includes('js-yaml');
}

describe('a run with nothing changed', () => {
  it('loads no library but those that read the command line, and none of the stages', async () => {
    const project = await createProject({ 'countersign.config.mjs': builtIn });
    const first = await generate(project);
    expect(first.loaded).toEqual(
      expect.arrayContaining(['js-yaml', 'oxfmt', 'contract/lower/lower.ts']),
    );
    // The validator of another library is loaded only for a contract that has problems.
    expect(first.loaded).not.toContain('@apidevtools/swagger-parser');
    const second = await generate(project);
    expect(second.out).toBe('generated: up to date\n');
    expect(second.loaded).toEqual([
      'commander',
      'contract/file-name.ts',
      'contract/semantic-version.ts',
      'leven',
      'load/budgets.ts',
      'load/contract-files.ts',
      'load/file-paths.ts',
      'targets/package/runtime-package.ts',
      'targets/package/runtime-sources.ts',
      'targets/package/stamp-module.ts',
      'targets/scope.ts',
      'targets/target-entry.ts',
      'targets/targets-for.ts',
      'targets/template-files.ts',
    ]);
  });

  it('says again what there is to say about the contract', async () => {
    const project = await createProject({
      'countersign.config.mjs': builtIn.replace(
        "'openapi.yaml'",
        "'openapi.yaml', overlays: ['overlay.yaml']",
      ),
      'overlay.yaml': `overlay: 1.0.0
info: { title: None, version: 1.0.0 }
extends: openapi.yaml
actions:
  - target: $.info
    update: { version: latest }
`,
    });
    const first = await generate(project);
    expect(first.error).toContain('warning[unusable-version] overlay.yaml:');
    const second = await generate(project);
    expect(second.loaded).not.toContain('js-yaml');
    expect(second.error).toBe(first.error);
  });

  it.each<[string, (project: Project) => Promise<void>]>([
    ['nothing', async () => undefined],
    [
      'line ends of the contract',
      async ({ folder }) =>
        writeFile(join(folder, 'openapi.yaml'), openapi.replaceAll('\n', '\r\n')),
    ],
    [
      'a byte order mark',
      async ({ folder }) => writeFile(join(folder, 'openapi.yaml'), `\ufeff${openapi}`),
    ],
    [
      'line ends of the output',
      async ({ folder }) => {
        const tree = await readTree(join(folder, 'generated'));
        for (const [path, text] of Object.entries(tree)) {
          await writeFile(join(folder, 'generated', path), text.replaceAll('\n', '\r\n'));
        }
      },
    ],
    [
      'what build tools make',
      async ({ folder }) => writeTree(folder, { 'generated/titles/dist/book.js': '1' }),
    ],
    ['an orphan', async ({ folder }) => writeTree(folder, { 'generated/mine.txt': '1' })],
  ])('does no work for %s', async (_, change) => {
    const project = await createProject();
    expect(await isDone(project)).toBe(true);
    await change(project);
    expect(await isDone(project)).toBe(false);
  });

  it.each<[string, (project: Project) => Promise<void>]>([
    [
      'the contract',
      async ({ folder }) => writeFile(join(folder, 'openapi.yaml'), `${openapi}# more\n`),
    ],
    [
      'the configuration file',
      async ({ folder }) => {
        const file = join(folder, 'countersign.config.mjs');
        await writeFile(file, `${await readFile(file, 'utf8')}// more\n`);
      },
    ],
    [
      'a target',
      async ({ folder }) => {
        const file = join(folder, 'titles.mjs');
        await writeFile(file, `${await readFile(file, 'utf8')}// more\n`);
      },
    ],
    [
      'a generated file',
      async ({ folder }) => writeTree(folder, { 'generated/titles/book.js': '1' }),
    ],
    [
      'a generated file that is gone',
      async ({ folder }) => rm(join(folder, 'generated/titles/book.js')),
    ],
    ['the manifest', async ({ folder }) => rm(join(folder, 'generated/.manifest.json'))],
    ['the output', async ({ folder }) => rm(join(folder, 'generated'), { recursive: true })],
    [
      'the record',
      async ({ folder }) => rm(join(folder, 'node_modules/.cache'), { recursive: true }),
    ],
    [
      'the place of the project',
      async ({ folder }) => {
        await mkdir(join(folder, 'moved'));
        for (const name of ['openapi.yaml', 'titles.mjs', 'countersign.config.mjs']) {
          await copyFile(join(folder, name), join(folder, 'moved', name));
        }
        await rename(join(folder, 'openapi.yaml'), join(folder, 'other.yaml'));
        await writeFile(
          join(folder, 'countersign.config.mjs'),
          "import config from './moved/countersign.config.mjs';\n" +
            "export default { ...config, contract: { openapi: 'other.yaml' } };\n",
        );
      },
    ],
    [
      'half of the record',
      async ({ folder }) => {
        const names = Object.keys(await readTree(join(folder, 'node_modules')));
        const name = names.find((kept) => !kept.endsWith('.formatted.json')) ?? '';
        await writeFile(join(folder, 'node_modules', name), '{"format":1,"key":');
      },
    ],
  ])('does the work after a change of %s', async (_, change) => {
    const project = await createProject();
    expect(await isDone(project)).toBe(true);
    await change(project);
    expect(await isDone(project)).toBe(true);
    expect((await project.countersign('check')).code).toBe(0);
  });

  it('is not told from another by what the configuration evaluates to being the same text', async () => {
    const project = await createProject({
      'countersign.config.mjs': builtIn.replace("'@books'", 'process.env.SCOPE'),
    });
    const withScope = (SCOPE: string): Promise<Run> =>
      project.run(['generate'], { environment: { SCOPE } });
    await withScope('@one');
    expect((await withScope('@one')).out).toBe('generated: up to date\n');
    expect((await withScope('@two')).out).toContain('updated  generated/contract/package.json');
  });

  it('needs a folder of dependencies to be known by, and does the work without one', async () => {
    const project = await createProject();
    await rm(join(project.folder, 'node_modules'), { recursive: true });
    expect(await isDone(project)).toBe(true);
    expect(await isDone(project)).toBe(true);
    expect(
      Object.keys(await readTree(project.folder)).filter((path) => path.includes('cache')),
    ).toEqual([]);
  });
});
