import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../cli/run-in-process.ts';
import { channelOf, objectOf, reported, webhookOf } from './contract-of.ts';

// Changes of public reports about tools that compare documents: what `diff` says of each.

const text = { type: 'string' };
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

interface Report {
  readonly links: readonly string[];
  readonly base: object;
  readonly head: object;
  /** Each change, whom it breaks now, and whom on an upgrade. */
  readonly changes: readonly (readonly [code: string, now: boolean, onUpgrade: boolean])[];
}

/** A call whose answer has a body of one media type. */
function answerOf(mediaType: string, headers: object = {}, schema: object = text): object {
  const response = { description: 'Done', headers, content: { [mediaType]: { schema } } };
  return callOf({ responses: { 200: response } });
}

/** A call with a body whose members are written in a certain way. */
function bodyOf(mediaType: string, encoding: object): object {
  const schema = objectOf({ data: { type: 'object' }, list: { type: 'array', items: text } }, []);
  const requestBody = { required: true, content: { [mediaType]: { schema, encoding } } };
  return callOf({ requestBody, responses: { 204: { description: 'Done' } } });
}

function callOf(operation: object): object {
  const info = { title: 'Report', version: '1.0.0' };
  return { openapi: '3.1.1', info, paths: { '/t': { post: { operationId: 't', ...operation } } } };
}

const webhook = (schema: object): object => webhookOf({ [json]: { schema } });
const formOf = (encoding: object): object =>
  webhookOf({ [form]: { schema: objectOf({ list: { type: 'array', items: text } }), encoding } });
const limits = (schema: object, more: object = {}): object => ({ 'X-Limits': { schema, ...more } });
const message = { payload: objectOf({ kind: { const: 'a' } }) };

const reports: readonly Report[] = [
  {
    links: [reported('oasdiff/oasdiff', 593)],
    base: answerOf(json),
    head: answerOf('application/json; charset=utf-8'),
    changes: [['response-media-type-renamed', false, true]],
  },
  {
    links: [reported('oasdiff/oasdiff', 1186)],
    base: answerOf('text/plain; charset=utf-8'),
    head: answerOf('text/plain; charset=utf-16'),
    changes: [['response-media-type-renamed', false, true]],
  },
  {
    links: [reported('oasdiff/oasdiff', 686)],
    base: answerOf(json),
    head: answerOf('application/problem+json'),
    changes: [
      ['response-media-type-renamed', false, true],
      ['schema-renamed', false, true],
    ],
  },
  {
    links: ['a sibling: bytes instead of a text are another type in code'],
    base: answerOf('text/csv'),
    head: answerOf('text/csv', {}, { type: 'string', format: 'binary' }),
    changes: [['response-body-bytes', true, true]],
  },
  {
    links: [reported('oasdiff/oasdiff', 1165)],
    base: bodyOf('multipart/form-data', { data: { contentType: json } }),
    head: bodyOf('multipart/form-data', { data: { contentType: 'text/plain' } }),
    changes: [['request-encoding-changed', true, false]],
  },
  {
    links: [reported('oasdiff/oasdiff', 1165)],
    base: formOf({}),
    head: formOf({ list: { style: 'form', explode: false } }),
    changes: [['notification-encoding-changed', true, true]],
  },
  {
    // What the default is makes no difference.
    links: [reported('oasdiff/oasdiff', 1165)],
    base: formOf({}),
    head: formOf({ list: { style: 'form', explode: true } }),
    changes: [],
  },
  {
    links: [reported('oasdiff/oasdiff', 1162)],
    base: answerOf(json, limits({ type: 'object' })),
    head: answerOf(json, limits({ type: 'object' }, { explode: true })),
    changes: [['parameter-serialization-changed', true, false]],
  },
  {
    // Lists in headers are written alike.
    links: [reported('oasdiff/oasdiff', 1162)],
    base: answerOf(json, limits({ type: 'array', items: text })),
    head: answerOf(json, limits({ type: 'array', items: text }, { explode: true })),
    changes: [],
  },
  {
    links: [reported('oasdiff/oasdiff', 1162)],
    base: answerOf(json, limits({ type: 'string', enum: ['a'] })),
    head: answerOf(json, limits({ type: 'string', enum: ['a', 'b'] })),
    changes: [['enum-value-added', true, true]],
  },
  {
    links: [reported('oasdiff/oasdiff', 1033)],
    base: answerOf(json),
    head: answerOf(json, limits(text)),
    changes: [['response-header-added', false, false]],
  },
  {
    links: [reported('OpenAPITools/openapi-diff', 793)],
    base: webhook({ type: 'object' }),
    head: { ...webhook({ type: 'object' }), webhooks: {} },
    changes: [['notification-removed', true, true]],
  },
  {
    links: [reported('oasdiff/oasdiff', 634), reported('asyncapi/cli', 550)],
    base: webhook(objectOf({ reference: text, type: text })),
    head: webhook(objectOf({ reference: text, type: text }, ['reference'])),
    changes: [['member-optional', true, true]],
  },
  {
    // The name of a message is in code alone.
    links: [reported('Netcracker/qubership-apihub', 731)],
    base: channelOf({ a_2026_1: message }),
    head: channelOf({ a_2026_2: message }),
    changes: [
      ['kind-renamed', false, true],
      ['schema-renamed', false, true],
    ],
  },
  {
    // Another payload at the same address is another message.
    links: [reported('Netcracker/qubership-apihub', 731)],
    base: channelOf({ a_2026_1: message }),
    head: channelOf({ a_2026_2: { payload: objectOf({ kind: { const: 'b' } }) } }),
    changes: [
      ['notification-added', false, true],
      ['notification-removed', true, true],
    ],
  },
  {
    links: [reported('asyncapi/diff', 150)],
    base: channelOf({ a: message }),
    head: { ...channelOf({ a: message }), info: { title: 'Report', version: '2.0.0' } },
    changes: [],
  },
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-changes-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Change {
  readonly code: string;
  readonly effects: readonly { readonly deployed: string; readonly upgrade: string }[];
}

describe('a change of a public report', () => {
  const rows = reports.map(
    (report, index) => [`${report.links.join(' ')} (${index})`, report] as const,
  );
  test.each(rows)('%s', async (_, { base, head, changes }) => {
    await writeFile(join(folder, 'old.json'), JSON.stringify(base));
    await writeFile(join(folder, 'new.json'), JSON.stringify(head));
    const { out } = await runInProcess(folder, ['diff', 'old.json', 'new.json', '--json']);
    const { results } = JSON.parse(out) as { results: readonly { changes: readonly Change[] }[] };
    const reportedChanges = (results[0]?.changes ?? []).filter(
      ({ code }) => code !== 'version-changed',
    );
    expect(
      reportedChanges.map(({ code, effects }) => [
        code,
        effects.some(({ deployed }) => deployed === 'breaks'),
        effects.some(({ upgrade }) => upgrade === 'breaks'),
      ]),
    ).toEqual(changes);
  });
});
