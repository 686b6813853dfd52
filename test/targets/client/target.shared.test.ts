import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { shareRepeated } from '../../../generator/targets/printing/repeated-code.ts';
import { Code } from '../../../generator/targets/code.ts';
import { importModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readOpenapi } from './emit-client.ts';

const page = {
  name: 'page',
  in: 'query',
  description:
    'The number of the page, from 1. Without it, the service answers with the first one of all pages.',
  schema: { type: 'integer' },
};
const missing = {
  description: 'None.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const bookOf = (member: string): object => ({
  description: 'Some.',
  content: {
    'application/json': {
      schema: { type: 'object', properties: { [member]: { type: 'string' } } },
    },
  },
});

const library = {
  openapi: '3.1.1',
  info: { title: 'Library', version: '1.0.0' },
  servers: [{ url: 'https://example.com' }],
  components: { schemas: { Problem: { type: 'object' } } },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [page],
        responses: { 200: bookOf('a'), 404: missing },
      },
    },
    '/loans': {
      get: {
        operationId: 'listLoans',
        parameters: [page],
        responses: { 200: bookOf('b'), 404: missing },
      },
    },
    '/halls': {
      get: {
        // Its name is the one that the repeated parameter wants.
        operationId: 'pageInQuery',
        parameters: [{ name: 'floor', in: 'query', schema: { type: 'string' } }],
        responses: { 200: bookOf('c') },
      },
    },
  },
};

test('a module has what several calls have alike once', async () => {
  await using client = await generateClient(await readOpenapi(library));
  const text = await readFile(join(client.client, 'src/operations.ts'), 'utf8');
  for (const once of ['The number of the page', "name: 'page'", 'contract.Problem', 'fromJson }'])
    expect(text.split(once), once).toHaveLength(2);
  expect(text).toContain('readonly query?: PageQuery;');
  expect(text).toContain('export type ListLoansFailure = Failure404OfProblem;');
  expect(text).toMatch(/const pageInQuery_[\da-f]{4} = \{/u);
  expect(text).toContain("parameters: [{ in: 'query', name: 'floor',");
  const entry = await readFile(join(client.client, 'src/index.ts'), 'utf8');
  expect(entry.split('contract.assertProblem')).toHaveLength(2);
});

test('a bundle of one call has nothing that only others share', async () => {
  await using client = await generateClient(await readOpenapi(library));
  const { outputFiles } = await build({
    stdin: {
      contents: "export { pageInQuery } from '@trade/client';",
      resolveDir: client.project,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['countersign-source'],
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).toContain('floor');
  expect(text).not.toMatch(/name: "page"|Problem/u);
});

test('failures that several calls have alike are declared once, and each is validated', async () => {
  const codes = ['lost', 'wrong'] as const;
  const schemas = codes.map((code) => [
    code,
    { required: ['code'], properties: { code: { const: code } } },
  ]);
  const [lost, wrong] = codes.map((code) => ({
    description: 'Failed.',
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${code}` } } },
  }));
  const responses = { 400: missing, 401: missing, 404: lost, 422: wrong };
  const operation = (operationId: string): object => ({
    get: { operationId, responses: { 200: bookOf(operationId), ...responses } },
  });
  const { paths: _, ...document } = library;
  await using client = await generateClient(
    await readOpenapi({
      ...document,
      components: {
        schemas: { ...document.components.schemas, ...Object.fromEntries(schemas) },
      },
      paths: { '/first': operation('first'), '/second': operation('second') },
    }),
  );
  const entry = await readFile(join(client.client, 'src/index.ts'), 'utf8');
  for (const once of ['contract.assertProblem', "'400 401': {"])
    expect(entry.split(once), once).toHaveLength(2);
  expect(entry.split('checkFailures')).toHaveLength(4);

  const module = await importModule(client.client);
  const causeOf = async (status: number, body: object): Promise<unknown> => {
    const fetch = async (): Promise<Response> => Response.json(body, { status });
    const called = module.createClient({ fetch, invalidResponse: 'throw' })['second']?.();
    return await called?.then(
      () => undefined,
      ({ cause, code }: { readonly cause: unknown; readonly code: string }) => cause ?? code,
    );
  };
  const violation = { name: 'ValidationError' };
  expect(await causeOf(200, { second: 1 })).toMatchObject(violation);
  expect(await causeOf(401, [])).toMatchObject(violation);
  expect(await causeOf(401, {})).toBe('failure-status');
  expect(await causeOf(404, { code: 'wrong' })).toMatchObject(violation);
  expect(await causeOf(422, { code: 'wrong' })).toBe('failure-status');
});

test('names of what is shared depend on nothing else in the module', () => {
  const print = (texts: readonly string[]): readonly string[] =>
    shareRepeated(['taken'], (share) =>
      texts.map((text) => share('value', text.slice(0, 5), new Code(text))),
    ).printed.map(({ text }) => text);
  const [first, , other] = print(['other1', 'other1', 'other2', 'other2']);
  expect(first).toMatch(/^other_[\da-f]{4}$/u);
  expect(print(['other2', 'other2', 'aside', 'other1', 'other1']).slice(2)).toEqual([
    'aside',
    first,
    first,
  ]);
  expect(other).not.toBe(first);
  expect(print(['taken1', 'taken1'])[0]).toMatch(/^taken_[\da-f]{4}$/u);
});
