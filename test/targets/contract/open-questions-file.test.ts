import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Unstated } from '../../../generator/contract/contract.ts';
import { toFolder } from '../../../generator/emit/folder/to-folder.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import { buildContract } from './contract-builder.ts';
import { buildPackage, emitPackage, type WrittenPackage } from './emit-package.ts';

const entry = (id: string, more: Partial<Unstated> = {}): Unstated => ({
  kind: 'unstated',
  pointer: `openapi#/info/x-unstated/${id}`,
  source: ['5.1', '5.2'],
  id,
  optionName: id,
  question: `What about ${id}?`,
  remark: `What is known about ${id}.`,
  choices: [
    { name: 'a', value: ['x', null], meaning: 'The first.' },
    { name: 'b', value: { text: '' }, meaning: 'The second.' },
  ],
  usedBy: [],
  answers: [],
  affects: [],
  ...more,
});

const definitions: readonly (readonly [string, JsonSchema])[] = [
  ['Parcel', { type: 'object', 'x-unstated': { form: {}, stated: {} } }],
  ['OpenQuestion', { type: 'string', enum: ['yes'] }],
];
const unstated = [
  entry('form', { assumed: 'a', settled: 'b' }),
  entry('unit', { assumed: 'a' }),
  entry('stated', { choices: [], settled: 'The code is 0.' }),
  entry("it's */ `${1}`", { choices: [] }),
  entry('__proto__', { choices: [] }),
];
const contract = buildContract(definitions, { unstated });

let contractPackage: WrittenPackage;

beforeAll(async () => {
  contractPackage = await buildPackage(contract);
});

afterAll(() => contractPackage[Symbol.asyncDispose]());

test('every entry keeps its texts, also when it is settled', async () => {
  const module = (await import(
    pathToFileURL(join(contractPackage.folder, 'dist/open-questions.js')).href
  )) as {
    readonly openQuestions: Readonly<Record<string, unknown>>;
  };
  const { openQuestions } = module;
  const ids = unstated.map(({ id }) => id);
  expect(Object.keys(openQuestions)).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(Object.hasOwn(openQuestions, '__proto__')).toBe(true);
  expect(openQuestions['form']).toEqual({
    id: 'form',
    state: 'settled',
    question: 'What about form?',
    remark: 'What is known about form.',
    source: ['5.1', '5.2'],
    choices: entry('form').choices,
    assumed: 'a',
    settled: 'b',
  });
  expect(openQuestions['unit']).toMatchObject({ state: 'assumed', assumed: 'a' });
  expect(openQuestions['stated']).toMatchObject({
    state: 'settled',
    question: 'What about stated?',
    remark: 'What is known about stated.',
    settled: 'The code is 0.',
  });
});

test('the types name settled entries with their answers, and no other text of the ledger', async () => {
  const files = await emitPackage(contract);
  const parcel = files.get('src/index.ts') ?? '';
  expect(parcel).toContain('Settled: form (b)\n');
  expect(parcel).toContain('Settled: stated: The code is 0.\n');
  for (const [path, text] of files) {
    if (path === 'src/open-questions.ts' || !path.endsWith('.ts')) continue;
    for (const words of ['What about', 'What is known', 'The first.'])
      expect(text, path).not.toContain(words);
  }
});

test('a bundle that does not use the questions has none of them', async () => {
  const bundle = async (source: string): Promise<string> => {
    const file = join(contractPackage.project, 'entry.js');
    await writeFile(file, source);
    const result = await build({ entryPoints: [file], bundle: true, format: 'esm', write: false });
    return result.outputFiles[0]?.text ?? '';
  };
  const guard = "import { isParcel } from '@trade/contract'; console.log(isParcel(1));";
  expect(await bundle(guard)).not.toContain('What about');
  const questions =
    "import { openQuestions } from '@trade/contract/open-questions'; console.log(openQuestions.form.question);";
  expect(await bundle(questions)).toContain('What about form?');
});

test('a folder of an application has the questions too', async () => {
  const files = [...(await emitPackage(contract))].map(([path, text]) => ({
    path: `contract/${path}`,
    text,
    from: [],
  }));
  const { files: laid } = await toFolder(files, '.js');
  const find = (path: string): string => laid.find((file) => file.path === path)?.text ?? '';
  expect(find('contract/open-questions.ts')).toContain('What about form?');
});

test('a contract without a ledger has no such module', async () => {
  const files = await emitPackage(buildContract(definitions.slice(1)));
  expect(files.has('src/open-questions.ts')).toBe(false);
  expect(files.get('src/index.ts')).not.toContain('open-questions');
});
