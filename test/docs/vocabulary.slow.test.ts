import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { placeWords, vocabulary } from '../../generator/contract/vocabulary/vocabulary.ts';
import { renderDiagnostics } from '../../generator/diagnostics/code-frame.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { generate, readContract } from '../../generator/generate.ts';
import { writeTree } from '../output/tree.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';
import {
  configOf,
  readVocabularyPages,
  vocabularyPages,
  withMistake,
  type Mistake,
  type VocabularyPage,
} from './vocabulary-pages.ts';

const writes = (process.env['COUNTERSIGN_WRITE'] ?? '') !== '';
const project = join(tmpdir(), `countersign-vocabulary-${process.pid}`);

if (writes) for (const page of await readVocabularyPages()) await fillPage(page);
const pages = await readVocabularyPages();

/** Writes the line about places, and what is printed about mistakes, into a page. */
async function fillPage(page: VocabularyPage): Promise<void> {
  const { key, text, mistakes } = page;
  const outputs = await Promise.all(mistakes.map((mistake) => printMistake(page, mistake)));
  const [heading = '', ...rest] = text
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith('**On:** '));
  const places = [heading, `**On:** ${placesOf(key)}`, ...rest].join('\n\n');
  const filled = places.replaceAll(
    /(^```diff [^]*?^```\n\n```text\n)[^]*?(^```$)/gmu,
    (_, start: string, end: string) => `${start}${outputs.shift() ?? ''}${end}`,
  );
  await writeFile(join(vocabularyPages, `${key}.md`), filled);
}

function placesOf(key: string): string {
  return (vocabulary[key]?.places ?? []).map((place) => placeWords[place]).join(', ');
}

/** Returns what the command line prints about a mistake. Notes are printed only if there is nothing else. */
async function printMistake(page: VocabularyPage, mistake: Mistake): Promise<string> {
  const { diagnostics, render } = await diagnose(withMistake(page, mistake));
  const problems = diagnostics.filter(({ severity }) => severity !== 'info');
  const text = render(problems.length > 0 ? problems : diagnostics);
  return `${text.replaceAll(/ +$/gmu, '').trimEnd()}\n`;
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

/** An excerpt is formatted as a part of its page, so its indentation differs. */
function withoutIndentation(text: string): string {
  return text.replaceAll(/^ +/gmu, '');
}

async function diagnose(contract: VocabularyPage['contract']): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly render: (diagnostics: readonly Diagnostic[]) => string;
}> {
  const folder = join(project, 'mistakes', crypto.randomUUID());
  await writeTree(folder, contract);
  const { diagnostics, documents } = await readContract(
    configOf(contract, '@shop') as Config,
    folder,
  );
  return {
    diagnostics,
    render: (some) => renderDiagnostics(some, documents.files, { color: false }),
  };
}

beforeAll(async () => {
  for (const { key, contract } of pages) {
    const folder = join(project, key);
    await writeTree(folder, contract);
    await generate(configOf(contract, `@${key}`) as Config, { folder });
    await mkdir(join(project, 'node_modules', `@${key}`), { recursive: true });
    for (const name of await readdir(join(folder, 'generated')))
      await symlink(
        join(folder, 'generated', name),
        join(project, 'node_modules', `@${key}`, name),
        'junction',
      );
  }
  for (const name of ['@countersign', '@types', 'undici-types'])
    await symlink(
      join(repository, 'node_modules', name),
      join(project, 'node_modules', name),
      'junction',
    );
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the page of a key', () => {
  it.each(pages)('$key shows where it can be, and an example without any problem', async (page) => {
    const { key, text, contract, mistakes } = page;
    expect(
      text.startsWith(`# \`${key}\`\n\n**On:** ${placesOf(key)}\n\n`),
      'run with COUNTERSIGN_WRITE=1',
    ).toBe(true);
    expect(Object.values(contract).join('')).toContain(`${key}:`);
    expect(mistakes.length).toBeGreaterThan(0);
    const { diagnostics, render } = await diagnose(contract);
    expect(render(diagnostics.filter(({ severity }) => severity !== 'info'))).toBe('');
  });

  it.each(pages)('$key shows what is generated', async ({ key, text, excerpts }) => {
    expect(text).toContain('\n## What changes in code\n');
    for (const { name, body } of excerpts) {
      const generated = await readFile(join(project, key, name), 'utf8');
      // Pages show JSON with indentation, which the files do not have.
      const comparable = name.endsWith('.json') ? withoutSpaces : withoutIndentation;
      expect(comparable(generated), name).toContain(comparable(`\n${body}`));
    }
  });

  it.each(pages)('$key shows what is printed about mistakes', async (page) => {
    for (const mistake of page.mistakes)
      expect(await printMistake(page, mistake), 'run with COUNTERSIGN_WRITE=1').toBe(
        mistake.printed,
      );
    expect(page.mistakes.map(({ printed }) => printed).join('')).toMatch(
      /^(?:error|warning|info)\[/u,
    );
  });
});

describe('the examples of all keys', () => {
  it('compile', async () => {
    const options = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      preserveSymlinks: false,
      customConditions: ['countersign-source'],
      types: ['node'],
    };
    const tsconfig = { compilerOptions: options, include: ['x-*/generated/*/src/**/*.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
    await compile('typescript', project, ['-p', 'tsconfig.json']);
    expect(pages.length).toBe(Object.keys(vocabulary).length);
  }, 180_000);

  it('have excerpts of every package', () => {
    const packages = new Set(
      pages.flatMap(({ excerpts }) => excerpts.map(({ name }) => name.split('/')[1])),
    );
    expect(packages).toEqual(new Set(['contract', 'client', 'webhooks']));
  });
});
