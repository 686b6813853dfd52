import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { emit, emitFiles } from '../../generator/emit/emit.ts';
import { OutputError } from '../../generator/emit/output-error.ts';
import { oneOf } from '../../generator/diagnostics/setting-checks.ts';
import type { Progress } from '../../generator/execution/progress.ts';
import { readContract } from '../../generator/generate.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import { resolveTargets } from '../../generator/targets/registry.ts';
import type { OutputFile, Target } from '../../generator/targets/target.ts';
import type { TargetEntry } from '../../generator/targets/target-entry.ts';
import { readOpenapi } from '../targets/client/emit-client.ts';
import { openapiWith, writeContract } from '../load/write-contract.ts';

async function readBooks(): Promise<Contract> {
  const folder = await writeContract({ 'openapi.yaml': openapiWith('type: string') });
  const { contract } = await readContract(
    { contract: { openapi: 'openapi.yaml' }, output: 'generated', targets: [] },
    folder,
  );
  if (contract === undefined) throw new Error('The contract has errors.');
  return contract;
}

/** A target that emits code files after each step of `emitting`. */
function target(name: string, emitting: AsyncIterable<string> | Iterable<string>): Target {
  return {
    name,
    requires: [],
    fingerprint: [],
    async *emit() {
      for await (const path of emitting)
        yield { path, text: `/** @generated */\nexport   const path = ''\n`, from: [] };
    },
  };
}

async function* failing(path: string, error: Error): AsyncGenerator<string> {
  yield path;
  await delay(path.length);
  throw error;
}

it('counts the files that are generated and formatted', async () => {
  const steps: Progress[] = [];
  const files = await emitFiles(
    await readBooks(),
    { scope: '@books', targets: ['contract', 'client'] },
    undefined,
    (step) => steps.push(step),
  );
  expect(new Set(files.map(({ path }) => path.split('/')[0]))).toEqual(
    new Set(['client', 'contract', 'runtime']),
  );
  expect(steps).toEqual([
    { stage: 'emit' },
    ...files.map((_, index) => ({ stage: 'emit', done: index + 1 })),
  ]);
});

it('runs targets concurrently and returns their files by path', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = (async function* () {
    yield await promise;
  })();
  const second = (function* () {
    yield 'a.ts';
    resolve('b.ts');
  })();
  const files = await emitFiles(await readBooks(), {
    targets: [target('one', first), target('two', second)],
  });
  const text = "/** @generated */\nexport const path = '';\n";
  expect(files).toEqual([
    { path: 'a.ts', text, from: [], isFormatted: false },
    { path: 'b.ts', text, from: [], isFormatted: false },
  ]);
});

it('throws the error of the first target that failed, in the order of the targets', async () => {
  const targets = [
    target('one', ['one.ts']),
    target('two', failing('later.ts', new Error('too late'))),
    target('three', failing('3.ts', new Error('too soon'))),
  ];
  await expect(emitFiles(await readBooks(), { targets })).rejects.toThrow(
    'The target "two" failed: too late',
  );
});

it('throws the error of the first file that fails, in the order of the files', async () => {
  const file = (path: string, text: string): OutputFile => ({
    path,
    text: `/** @generated */ ${text}`,
    from: [],
  });
  const files = [
    file('a.ts', `${'a;'.repeat(20_000)}(`),
    file('b.ts', '{'),
    { ...file('c.ts', ''), text: '' },
  ];
  const failingTarget: Target = { name: 'one', requires: [], fingerprint: [], emit: () => files };
  for (const layout of ['packages', 'folder'] as const) {
    const emitted = emitFiles(await readBooks(), { targets: [failingTarget], layout });
    await expect(emitted).rejects.toMatchObject({
      code: 'target-failed',
      message: expect.stringContaining('"a.ts" cannot be formatted'),
    });
  }
});

it.each<[string, string, readonly Target[]]>([
  ['duplicate-path', '"a.ts" was produced by "one" twice.', [target('one', ['a.ts', 'a.ts'])]],
  [
    'duplicate-path',
    '"a.ts" was produced by "one" and "two".',
    [target('one', ['a.ts']), target('two', ['a.ts'])],
  ],
  [
    'duplicate-path',
    '"A.ts" and "a.ts" are the same path',
    [target('one', ['A.ts']), target('two', ['a.ts'])],
  ],
  ['escaping-path', '"../a.ts" is refused', [target('one', ['../a.ts'])]],
])('refuses files with %s: %s', async (code, message, targets) => {
  const emitted = emitFiles(await readBooks(), { targets });
  await expect(emitted).rejects.toThrow(message);
  await expect(emitted).rejects.toMatchObject({ code });
});

const shop = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://shop.example' }],
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'All.' } } } },
  },
  webhooks: {
    paid: {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Paid' } } },
        },
        responses: { 200: { description: 'Received.' } },
      },
    },
  },
  components: { schemas: { Paid: { type: 'object', properties: { id: { type: 'string' } } } } },
};

it.each<[string, 'schemas' | 'operations' | 'notifications', string]>([
  ['contract', 'schemas', 'title'],
  ['client', 'operations', 'responses'],
  ['client', 'operations', 'summary'],
  ['webhooks', 'notifications', 'summary'],
  ['webhooks', 'notifications', 'payload'],
  ['reference', 'schemas', 'description'],
  ['reference', 'operations', 'responses'],
  ['reference', 'notifications', 'invalidExamples'],
  ['simulator', 'operations', 'responses'],
  ['simulator', 'notifications', 'invalidExamples'],
])('names the place where the target %s fails: %s, %s', async (failing, list, member) => {
  const contract = await readOpenapi(shop);
  const [node] = contract[list];
  if (node === undefined) throw new Error(`The contract has no ${list}.`);
  const broken = Object.defineProperty({ ...node }, member, {
    get: () => {
      throw new RangeError('it is broken');
    },
  });
  // The packages that it imports are emitted by targets that fail, too.
  const targets = ['contract', 'client', 'webhooks', 'reference', 'simulator'];
  const emitted = emitFiles({ ...contract, [list]: [broken] }, { scope: '@shop', targets });
  const error = await emitted.catch((cause: unknown) => cause);
  if (!(error instanceof OutputError)) throw error;
  expect(error.failures).toContainEqual({
    message: expect.stringMatching(`^The target "${failing}" failed: .*it is broken`),
    pointer: node.pointer,
  });
});

it('reports every target that fails, at the place of a file or of the document', async () => {
  const file = { path: 'a.ts', text: '/** @generated */ {', from: ['openapi#/info'] as const };
  const targets: readonly Target[] = [
    { name: 'one', requires: [], fingerprint: [], emit: () => [file] },
    target('two', failing('b.ts', new Error('too late'))),
  ];
  await expect(emitFiles(await readBooks(), { targets })).rejects.toMatchObject({
    message: expect.stringContaining('"a.ts" cannot be formatted'),
    failures: [
      { message: expect.stringContaining('"a.ts"'), pointer: 'openapi#/info' },
      { message: 'The target "two" failed: too late', pointer: 'openapi#' },
    ],
  });
});

const formOfTexts = {
  openapi: '3.1.1',
  info: { title: 'Sessions', version: '1.0.0' },
  paths: {
    '/sessions': {
      post: {
        operationId: 'open',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: { expand: { type: 'array', items: { type: 'string' } } },
              },
              encoding: { expand: { style: 'deepObject', explode: true } },
              example: { expand: ['a'] },
            },
          },
        },
        responses: { 200: { description: 'Opened.' } },
      },
    },
  },
};

it.each<[readonly TargetEntry[], string, string | undefined]>([
  [['contract', 'client', 'reference'], 'expand%5B0%5D=a', 'deepObject,'],
  [
    ['contract', { use: 'client', nestedArrays: 'brackets' }, 'reference'],
    'expand%5B%5D=a',
    'deepObjectBrackets,',
  ],
  [[{ use: 'reference', nestedArrays: 'brackets' }], 'expand%5B%5D=a', undefined],
])('gives the options of %j to their targets', async (targets, shown, imported) => {
  const files = await emitFiles(await readOpenapi(formOfTexts), { scope: '@sessions', targets });
  const textOf = (path: string): string | undefined =>
    files.find((file) => file.path === path)?.text;
  expect(textOf('reference/index.html')).toContain(shown);
  const client = textOf('client/src/operations.ts');
  if (imported === undefined) expect(client).toBeUndefined();
  else expect(client).toMatch(new RegExp(`\\b${imported}`, 'u'));
});

it('gives a custom target its options, and those of the others', async () => {
  const seen: unknown[] = [];
  const custom: Target<{ dates?: string }> = {
    name: 'dates',
    requires: [],
    fingerprint: [],
    options: { dates: oneOf('string', 'date') },
    emit(_, { options, targetOptions }) {
      seen.push(options, targetOptions?.['other']);
      return [];
    },
  };
  const other = { use: target('other', []), size: 2, unset: undefined };
  await emitFiles(await readBooks(), { targets: [{ use: custom, dates: 'date' }, other] });
  expect(seen).toEqual([{ dates: 'date' }, { size: 2 }]);
});

it('gives the compiler to targets of the toolkit alone', async () => {
  const seen: unknown[] = [];
  const custom: Target = {
    name: 'simulator',
    requires: [],
    fingerprint: [],
    emit(_, context) {
      seen.push(Object.hasOwn(context, 'compiler'));
      return [];
    },
  };
  const compiler = new ValidatorCompiler();
  const compile = vi.spyOn(compiler, 'compile');
  const targets = await resolveTargets(['contract', custom]);
  try {
    await emit(await readBooks(), targets, { scope: '@books' }, { compiler });
  } finally {
    compiler.close();
  }
  expect(seen).toEqual([false]);
  expect(compile).toHaveBeenCalled();
});
