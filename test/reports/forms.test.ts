import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientTarget } from '../../generator/targets/client/target.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { compileBody } from '../../packages/simulator/src/calls/decode-body.ts';
import { servedContract } from '../../packages/simulator/src/target/served-contract.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';
import { generateProject, type GeneratedProject } from '../targets/emit-project.ts';
import { objectOf, webhookOf } from './contract-of.ts';
import { receive } from './receive.ts';

// One notation of forms: what a client and `send` write, a receiver and the simulated service read as the same value.

const form = 'application/x-www-form-urlencoded';
const text = { type: 'string' };
const number = { type: 'integer' };
const listOf = (items: object): object => ({ type: 'array', items });
const deepObject = { style: 'deepObject', explode: true };

interface Form {
  readonly schema: object;
  readonly encoding?: object;
  readonly value: object;
  /** The form, without percent-encoding. */
  readonly written: string;
}

const nested = objectOf({
  id: text,
  merges: objectOf({ EMAIL: text, AGE: number }),
  groups: listOf(text),
});
const data = { id: '1', merges: { EMAIL: 'a&b', AGE: 3 }, groups: ['x', 'y'] };

const forms: Readonly<Record<string, Form>> = {
  'members of members, in brackets': {
    schema: objectOf({ data: nested }),
    encoding: { data: deepObject },
    value: { data },
    written:
      'data[id]=1&data[merges][EMAIL]=a%26b&data[merges][AGE]=3&data[groups][0]=x&data[groups][1]=y',
  },
  'members without a style, as JSON': {
    schema: objectOf({ data: nested, all: listOf(objectOf({ n: number })) }),
    value: { data, all: [{ n: 1 }, { n: 2 }] },
    written: `data=${encodeURIComponent(JSON.stringify(data))}&all={"n":1}&all={"n":2}`,
  },
  'lists of objects, in brackets': {
    schema: objectOf({ all: listOf(objectOf({ n: number })) }),
    encoding: { all: deepObject },
    value: { all: [{ n: 1 }, { n: 2 }] },
    written: 'all[0][n]=1&all[1][n]=2',
  },
  'lists, one by one or in one text': {
    schema: objectOf({ one: listOf(number), commas: listOf(text), pipes: listOf(number) }),
    encoding: {
      commas: { style: 'form', explode: false },
      pipes: { style: 'pipeDelimited', explode: false },
    },
    value: { one: [1], commas: ['a,b', 'c'], pipes: [1, 2] },
    written: 'one=1&commas=a%2Cb,c&pipes=1|2',
  },
  'a map, in brackets': {
    schema: objectOf({ map: { type: 'object', additionalProperties: number } }),
    encoding: { map: deepObject },
    value: { map: { a: 1, b: 2 } },
    written: 'map[a]=1&map[b]=2',
  },
  'members of alternatives': {
    schema: {
      oneOf: [
        objectOf({ of: objectOf({ one: number }) }),
        objectOf({ of: objectOf({ two: text }) }),
      ],
    },
    encoding: { of: deepObject },
    value: { of: { two: '2' } },
    written: 'of[two]=2',
  },
  'a member that several parts describe': {
    schema: { allOf: [objectOf({ n: number }), { properties: { n: { minimum: 0 } } }] },
    value: { n: 1 },
    written: 'n=1',
  },
};
const rows = Object.entries(forms);
const contentOf = ({ schema, encoding = {} }: Form): object => ({ [form]: { schema, encoding } });

const contract = {
  openapi: '3.1.1',
  info: { title: 'Forms', version: '1.0.0' },
  paths: Object.fromEntries(
    rows.map(([, one], index) => [
      `/${index}`,
      {
        post: {
          operationId: `call${index}`,
          requestBody: { required: true, content: contentOf(one) },
          responses: { 204: { description: 'Done' } },
        },
      },
    ]),
  ),
  webhooks: Object.fromEntries(
    rows.map(([, one], index) => [
      `event${index}`,
      {
        post: {
          security: [],
          requestBody: { required: true, content: contentOf(one) },
          responses: { 200: { description: 'Done' } },
        },
      },
    ]),
  ),
};

type Lowered = Awaited<ReturnType<typeof lowerFiles>>['contract'];
type Client = Readonly<Record<string, (input: object) => Promise<unknown>>>;

let lowered: Lowered;
let generated: GeneratedProject;
let client: Client;
let body: string | undefined;

beforeAll(async () => {
  ({ contract: lowered } = await lowerFiles({ 'openapi.yaml': JSON.stringify(contract) }));
  generated = await generateProject(lowered, [contractTarget, clientTarget], {
    unformatted: true,
  });
  const entry = pathToFileURL(join(generated.project, 'client/src/index.ts'));
  const { createClient } = (await import(entry.href)) as {
    readonly createClient: (options: object) => Client;
  };
  client = createClient({
    baseUrl: 'https://service.example',
    fetch: async (request: Request | string, init?: RequestInit) => {
      body = await new Request(request, init).text();
      return new Response(null, { status: 204 });
    },
  });
});
afterAll(() => generated[Symbol.asyncDispose]());

describe.each(rows)('%s', (name, one) => {
  const index = rows.findIndex(([key]) => key === name);

  test('are written alike by a client and by `send`', async () => {
    await client[`call${index}`]?.({ body: one.value });
    expect(readable(body)).toBe(readable(one.written));
    body = undefined;
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'openapi.json': JSON.stringify(contract),
      'countersign.config.json': JSON.stringify({
        contract: { openapi: 'openapi.json' },
        scope: '@forms',
        output: 'out',
        targets: ['contract'],
      }),
    });
    const url = await listenForTest(async (request, response) => {
      body = await textOf(request);
      response.end();
    });
    const flags = ['--to', url, '--data', JSON.stringify(one.value)];
    await runInProcess(folder, ['send', `event${index}`, ...flags]);
    expect(readable(body)).toBe(readable(one.written));
  });

  test('are read alike by a receiver and by the simulated service', async () => {
    const [media] = servedContract(lowered).operations[index]?.requestBody?.content ?? [];
    const bytes = new TextEncoder().encode(one.written);
    const decoded = media === undefined ? undefined : await compileBody(media)(bytes, form);
    expect(decoded).toEqual({ value: one.value });
    const delivery = { type: form, body: one.written, gives: [200] } as const;
    expect(await receive({ contract: webhookOf(contentOf(one)), deliveries: [delivery] })).toEqual([
      [200, 'event', one.value],
    ]);
  });
});

/** Delimiters can be written as they are, or encoded; a space is a plus sign or encoded. */
function readable(written: string | undefined): string | undefined {
  return written
    ?.replaceAll('+', '%20')
    .replaceAll(/%(?:5B|5D|7B|7C|7D|22|3A)/gu, (code) => decodeURIComponent(code));
}
