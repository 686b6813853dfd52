import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { isBreaking } from '../../../packages/diff/src/change.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { generateClient, readOpenapi } from '../../targets/client/emit-client.ts';
import { compile } from '../../targets/compile.ts';
import { compileStrictly } from '../../targets/strict-compile.ts';

/** A change of one call, and code that uses the call as it was. */
interface Row {
  readonly base: JsonObject;
  readonly head: JsonObject | undefined;
  readonly code: string;
}

const text = { type: 'string' };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const answering = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  responses: { 200: { description: 'Done.', ...json(schema) } },
  ...more,
});
const object = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const asking = (...parameters: readonly JsonObject[]): JsonObject =>
  answering(text, { parameters: parameters.map((it) => ({ in: 'query', ...it })) });
const query = (name: string, schema: JsonObject, required: boolean): JsonObject => ({
  name,
  schema,
  required,
});
const reads = (member: string, type: string) => (name: string) =>
  `(answer: client.${name}Response): ${type} => answer.body.${member}`;
const sends = (input: string) => (name: string) => `((): client.${name}Input => (${input}))()`;

const row = (
  base: JsonObject,
  head: JsonObject | undefined,
  code: (name: string) => string,
): ((name: string) => Row) => {
  return (name) => ({ base, head, code: code(name) });
};

const ok = { 200: { description: 'Done.', ...json(text) } };
const [id, count] = [object({ id: text }, 'id'), { type: 'integer' }];

/** Pairs of a call; what is called `Kept…` breaks no code. */
const rows: Readonly<Record<string, (name: string) => Row>> = {
  Removed: row(answering(text), undefined, () => 'client.removed'),
  MemberRemoved: row(answering(id), answering(object({})), reads('id', 'string')),
  MemberOptional: row(answering(id), answering(object({ id: text })), reads('id', 'string')),
  MemberNull: row(
    answering(id),
    answering(object({ id: { type: ['string', 'null'] } }, 'id')),
    reads('id', 'string'),
  ),
  TypeChanged: row(answering(id), answering(object({ id: count }, 'id')), reads('id', 'string')),
  ValueAdded: row(
    answering(object({ id: { enum: ['a', 'b'] } }, 'id')),
    answering(object({ id: { enum: ['a', 'b', 'c'] } }, 'id')),
    reads('id', "'a' | 'b'"),
  ),
  ValueRemoved: row(
    asking(query('sort', { enum: ['a', 'b'] }, true)),
    asking(query('sort', { enum: ['b'] }, true)),
    sends("{ query: { sort: 'a' } }"),
  ),
  LastParameterRemoved: row(
    asking(query('page', text, false)),
    asking(),
    sends("{ query: { page: 'a' } }"),
  ),
  ParameterRequired: row(
    asking(query('page', text, false)),
    asking(query('page', text, true)),
    sends('{}'),
  ),
  ParameterType: row(
    asking(query('page', text, true)),
    asking(query('page', count, true)),
    sends("{ query: { page: 'a' } }"),
  ),
  BodyMemberRequired: row(
    answering(text, { requestBody: { required: true, ...json(id) } }),
    answering(text, {
      requestBody: { required: true, ...json(object({ id: text, at: text }, 'id', 'at')) },
    }),
    sends("{ body: { id: 'a' } }"),
  ),
  UndeclaredMemberRemoved: row(
    answering(text, { requestBody: { required: true, ...json(object({ at: text }, 'id')) } }),
    answering(text, { requestBody: { required: true, ...json(object({ at: text })) } }),
    sends("{ body: { id: 'a' } }"),
  ),
  FailureAdded: row(
    answering(text, { responses: { ...ok, 404: { description: 'Missing.' } } }),
    answering(text, {
      responses: { ...ok, 404: { description: 'Missing.' }, 409: { description: 'No.' } },
    }),
    (name) => `(failure: client.${name}Failure): 404 => failure.status`,
  ),
  KeptFirstFailureAdded: row(
    answering(text),
    answering(text, { responses: { ...ok, 404: { description: 'Missing.' } } }),
    sends('{}'),
  ),
  KeptMemberAdded: row(
    answering(id),
    answering(object({ id: text, at: text }, 'id', 'at')),
    reads('id', 'string'),
  ),
  KeptMemberRequired: row(
    answering(object({ id: text })),
    answering(id),
    reads('id', 'string | undefined'),
  ),
  KeptParameterAdded: row(asking(), asking(query('page', text, false)), sends('{}')),
  KeptParameterOptional: row(
    asking(query('page', text, true)),
    asking(query('page', text, false)),
    sends("{ query: { page: 'a' } }"),
  ),
  KeptValueAdded: row(
    asking(query('sort', { enum: ['a', 'b'] }, true)),
    asking(query('sort', { enum: ['a', 'b', 'c'] }, true)),
    sends("{ query: { sort: 'a' } }"),
  ),
};

const all = Object.entries(rows).map(([name, create]) => [name, create(name)] as const);

function documentOf(side: 'base' | 'head'): JsonObject {
  const paths = all.flatMap(([name, row]) => {
    const call = row[side];
    const operationId = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
    return call === undefined ? [] : [[`/${name}`, { post: { operationId, ...call } }] as const];
  });
  return {
    openapi: '3.1.1',
    info: { title: 'Calls', version: '1.0.0' },
    servers: [{ url: 'https://calls.example' }],
    paths: Object.fromEntries(paths),
  };
}

const program = ["import * as client from '@trade/client';"]
  .concat(all.map(([name, { code }]) => `export const use${name}: unknown = ${code};`))
  .join('\n');

/** Returns the names of the rows whose code does not compile with a client. */
async function failing(document: JsonObject): Promise<readonly string[]> {
  await using generated = await generateClient(await readOpenapi(document));
  await writeFile(join(generated.project, 'use.ts'), `${program}\n`);
  await compile('ts7', generated.contract, ['-b']);
  try {
    await compileStrictly(generated.project, ['use.ts'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
    });
    return [];
  } catch (error) {
    const lines = String(error).matchAll(/^use\.ts\((\d+),/gmu);
    const failed = new Set(Array.from(lines, ([, line]) => all[Number(line) - 2]?.[0] ?? ''));
    if (failed.size === 0) throw error;
    return [...failed].toSorted();
  }
}

test('code that compiled does not compile where diff says that the contract breaks it', async () => {
  const [base, head] = [documentOf('base'), documentOf('head')];
  expect(await failing(base)).toEqual([]);
  const changes = diffContracts({ base: await readOpenapi(base), head: await readOpenapi(head) });
  const broken = changes.filter(isBreaking).flatMap(({ usedBy, subject }) => [subject, ...usedBy]);
  const said = all.flatMap(([name]) =>
    broken.some((user) => user.includes(`(POST /${name})`)) ? [name] : [],
  );
  expect(said).toEqual(Object.keys(rows).filter((name) => !name.startsWith('Kept')));
  expect(await failing(head)).toEqual(said.toSorted());
});
