import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientTarget } from '../../generator/targets/client/target.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { generateProject, type GeneratedProject } from '../targets/emit-project.ts';
import { objectOf, reported } from './contract-of.ts';

// Calls of public reports about other generators: what the client of the smallest contract sends, and what it returns.

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';
const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };
const texts = { type: 'array', items: text };
const done = { 204: { description: 'Done' } };
const binary = Uint8Array.of(0xff, 0x00);

/** A request as `fetch` gets it: method and URL, headers, and the body, whose parts are listed if it has some. */
interface Sent {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Call {
  readonly input?: object;
  /** The answer of the service: its content type and its body. */
  readonly answer?: readonly [
    type: string | undefined,
    body: string | Uint8Array<ArrayBuffer>,
    status?: number,
  ];
  /** Members of the request. */
  readonly sends?: Sent;
  /** The body that the call returns. */
  readonly returns?: unknown;
  /** The code of the error that it rejects with, and what its message names. */
  readonly rejects?: readonly [code: string, named?: string];
}

interface Report {
  readonly links: readonly string[];
  readonly operation: object;
  readonly calls: readonly Call[];
}

const post = (content: object): object => ({
  requestBody: { required: true, content },
  responses: done,
});
const get = (...parameters: object[]): object => ({ parameters, responses: done });
const query = (name: string, more: object): object => ({ name, in: 'query', ...more });
const header = (name: string, more: object): object => ({ name, in: 'header', ...more });
const answers = (content: object, more: object = {}): object => ({
  responses: { 200: { description: 'Done', content }, ...more },
});

const map = { type: 'object', additionalProperties: text };
const version = (name: string): object => ({ schema: objectOf({ [name]: { type: 'integer' } }) });

const reports: readonly Report[] = [
  {
    links: [reported('scalar/scalar', 9145)],
    operation: post({
      [form]: {
        schema: objectOf({ a: { type: 'object' }, b: { type: 'object' }, c: map }, []),
        encoding: { a: { contentType: json }, c: { style: 'deepObject', explode: true } },
      },
    }),
    calls: [
      {
        input: { body: { a: { x: 'é &' }, b: { y: 1 }, c: { k: 'v w' } } },
        sends: { body: 'a=%7B%22x%22%3A%22%C3%A9+%26%22%7D&b=%7B%22y%22%3A1%7D&c%5Bk%5D=v%20w' },
      },
    ],
  },
  {
    links: [
      reported('OpenAPITools/openapi-generator', 724),
      reported('OpenAPITools/openapi-generator', 16215),
      reported('janephp/janephp', 1036),
    ],
    operation: post({
      [multipart]: {
        schema: objectOf({ file: bytes, files: { type: 'array', items: bytes }, at: map }, []),
        encoding: { file: { contentType: 'application/octet-stream' }, at: { contentType: json } },
      },
    }),
    calls: [
      {
        input: {
          body: {
            file: new File(['z'], 'a.zip', { type: 'application/zip' }),
            files: [new Blob(['1']), new Blob(['2'])],
            at: { street: 's' },
          },
        },
        sends: {
          body: [
            ['file', 'a.zip', 'application/octet-stream', 'z'],
            ['files', 'blob', 'application/octet-stream', '1'],
            ['files', 'blob', 'application/octet-stream', '2'],
            ['at', undefined, json, '{"street":"s"}'],
          ],
        },
      },
    ],
  },
  {
    // Swashbuckle states a style for a file.
    links: [reported('OpenAPITools/openapi-generator', 5902)],
    operation: post({
      [multipart]: { schema: objectOf({ file: bytes }), encoding: { file: { style: 'form' } } },
    }),
    calls: [
      {
        input: { body: { file: new Blob(['z']) } },
        sends: { body: [['file', 'blob', 'application/octet-stream', 'z']] },
      },
    ],
  },
  {
    links: [reported('OpenAPITools/openapi-generator', 7564), reported('scalar/scalar', 7864)],
    operation: get(
      query('day', { schema: { type: 'integer' } }),
      query('year', { style: 'deepObject', schema: map }),
      query('filter', { content: { [json]: { schema: { type: 'object' } } } }),
      header('X-Filter', { content: { [json]: { schema: { type: 'object' } } } }),
    ),
    calls: [
      {
        input: {
          query: { day: 20, year: { min: '1990', max: '2000' }, filter: { a: [1] } },
          headers: { 'X-Filter': { key: 'v,w' } },
        },
        sends: {
          url: '/?day=20&year%5Bmin%5D=1990&year%5Bmax%5D=2000&filter=%7B%22a%22%3A%5B1%5D%7D',
          headers: { 'x-filter': '{"key":"v,w"}' },
        },
      },
    ],
  },
  {
    // Lists without `explode`, and items with the delimiter.
    links: [
      reported('OAI/OpenAPI-Specification', 1759),
      reported('OAI/OpenAPI-Specification', 3550),
      'https://github.com/PrefectHQ/fastmcp/pull/5064',
      'https://github.com/JuliaComputing/OpenAPI.jl/pull/107',
    ],
    operation: get(
      query('spaces', { style: 'spaceDelimited', schema: texts }),
      query('pipes', { style: 'pipeDelimited', schema: texts }),
      query('commas', { explode: false, schema: texts }),
      header('X-Line', { schema: text }),
      { name: 'crumb', in: 'cookie', schema: text },
    ),
    calls: [
      {
        input: {
          query: { spaces: ['a', 'b'], pipes: ['a', 'b'], commas: ['pending', 'sold, out'] },
        },
        sends: { url: '/?spaces=a%20b&pipes=a%7Cb&commas=pending,sold%2C%20out' },
      },
      { input: { query: { spaces: ['Hello World'] } }, rejects: ['invalid-input', '"spaces"'] },
      { input: { query: { pipes: ['a|b'] } }, rejects: ['invalid-input', '"pipes"'] },
      { input: { headers: { 'X-Line': 'a\r\nb: c' } }, rejects: ['invalid-input', '"X-Line"'] },
      {
        input: { cookies: { crumb: 'a; b=c' } },
        sends: { headers: { cookie: 'crumb=a%3B%20b%3Dc' } },
      },
    ],
  },
  {
    // Another value would have the same header.
    links: [reported('NeuraLegion/har-sdk', 120)],
    operation: get(
      header('X-Exploded', { explode: true, schema: map }),
      header('X-Flat', { schema: map }),
    ),
    calls: [
      {
        input: { headers: { 'X-Exploded': { r: '1', g: '2' }, 'X-Flat': { r: '1', g: '2' } } },
        sends: { headers: { 'x-exploded': 'r=1,g=2', 'x-flat': 'r,1,g,2' } },
      },
      {
        input: { headers: { 'X-Exploded': { r: '1,g=2' } } },
        rejects: ['invalid-input', '"X-Exploded"'],
      },
      { input: { headers: { 'X-Flat': { r: '1,g,2' } } }, rejects: ['invalid-input', '"X-Flat"'] },
    ],
  },
  {
    links: ['https://github.com/activepieces/activepieces/pull/14974'],
    operation: post({
      [form]: {
        schema: objectOf({ enabled_events: texts, metadata: map }, []),
        encoding: {
          enabled_events: { style: 'deepObject', explode: true },
          metadata: { style: 'deepObject', explode: true },
        },
      },
    }),
    calls: [
      {
        input: { body: { enabled_events: ['refund.created', 'x'], metadata: { a: 'b' } } },
        sends: {
          body: 'enabled_events%5B0%5D=refund.created&enabled_events%5B1%5D=x&metadata%5Ba%5D=b',
        },
      },
    ],
  },
  {
    links: [reported('contiamo/restful-react', 231), reported('cyclosproject/ng-openapi-gen', 154)],
    operation: answers({ 'application/json;charset=UTF-8': { schema: texts } }),
    calls: [
      { answer: ['application/json;charset=UTF-8', '["a"]'], returns: ['a'] },
      { answer: [json, '["a"]'], returns: ['a'] },
      { answer: ['application/json; charset=utf-8', '[1]'], rejects: ['invalid-response'] },
    ],
  },
  {
    // The most specific range decides, and the range of all types if there is no content type.
    links: [
      reported('OAI/OpenAPI-Specification', 1290),
      reported('atlassian/oas3-chow-chow', 9),
      reported('Redocly/redocly-cli', 2697),
    ],
    operation: answers({
      '*/*': { schema: bytes },
      'text/*': { schema: text },
      [json]: version('plain'),
      'image/jpeg': { schema: bytes },
    }),
    calls: [
      { answer: ['model/stl', binary], returns: binary },
      { answer: [undefined, binary], returns: binary },
      { answer: ['image/jpeg', binary], returns: binary },
      { answer: ['text/css; charset=utf-8', 'a {}'], returns: 'a {}' },
      { answer: [json, '{"plain":1}'], returns: { plain: 1 } },
      { answer: [json, '{}'], rejects: ['invalid-response'] },
    ],
  },
  {
    links: [reported('OpenAPITools/openapi-generator', 7044)],
    operation: answers(
      { 'text/csv': { schema: text } },
      { 404: { description: 'None', content: { 'application/problem+json': version('title') } } },
    ),
    calls: [
      {
        answer: ['text/csv', 'a,b'],
        sends: { headers: { accept: 'text/csv, application/problem+json' } },
        returns: 'a,b',
      },
      { answer: ['application/problem+json', '{"title":1}', 404], rejects: ['failure-status'] },
    ],
  },
  {
    links: ['https://github.com/travis-ci/travis-api/pull/50', reported('bwillis/versioncake', 39)],
    operation: answers({
      'application/vnd.acme.v1+json': version('one'),
      'application/json; profile="https://x/y;z, w"': version('profiled'),
      'application/json; version=2': version('two'),
    }),
    calls: [
      { answer: ['application/vnd.acme.v1+json', '{"one":1}'], returns: { one: 1 } },
      { answer: ['application/vnd.acme.v1+json', '{"two":1}'], rejects: ['invalid-response'] },
      {
        answer: ['application/json; Profile="https://x/y;z, w"', '{"profiled":1}'],
        returns: { profiled: 1 },
      },
      { answer: ['application/json;charset=utf-8;version="2"', '{"two":1}'], returns: { two: 1 } },
      { answer: ['application/json;version=2', '{"profiled":1}'], rejects: ['invalid-response'] },
    ],
  },
  {
    // Versions as parameters of one media type.
    links: [
      reported('ferdikoomen/openapi-typescript-codegen', 672),
      reported('OpenAPITools/openapi-generator', 3569),
    ],
    operation: answers(
      {
        'application/vnd.acme+json;version=1': version('one'),
        'application/vnd.acme+json;version=2': version('two'),
      },
      {
        400: {
          description: 'Refused',
          content: {
            'application/problem+json;v=1': version('one'),
            'application/problem+json;v=2': version('two'),
          },
        },
      },
    ),
    calls: [
      { answer: ['application/vnd.acme+json;version=2', '{"two":2}'], returns: { two: 2 } },
      { answer: ['application/vnd.acme+json;version=1', '{"one":1}'], returns: { one: 1 } },
      { answer: ['application/vnd.acme+json', '{"one":1}'], returns: { one: 1 } },
      {
        answer: ['application/vnd.acme+json;version=2', '{"one":1}'],
        rejects: ['invalid-response'],
      },
      {
        answer: ['application/problem+json;v=2', '{"two":2}', 400],
        rejects: ['failure-status', 'the status 400.'],
      },
    ],
  },
  {
    // Bytes under a media type of text, by a reference, and where null is possible.
    links: [reported('cyclosproject/ng-openapi-gen', 180), reported('orval-labs/orval', 3411)],
    operation: {
      ...post({ 'text/csv': { schema: bytes } }),
      ...answers({
        'text/csv': { schema: { allOf: [bytes, { description: 'A table.' }] } },
        'text/html': { schema: { ...bytes, type: ['string', 'null'] } },
        'text/plain': { schema: { oneOf: [bytes, { type: 'null' }] } },
        [json]: { schema: bytes },
      }),
    },
    calls: [
      { input: { body: binary }, answer: ['text/csv', binary], returns: binary },
      { input: { body: binary }, answer: ['text/html', binary], returns: binary },
      { input: { body: binary }, answer: ['text/plain', binary], returns: binary },
      { input: { body: binary }, answer: [json, binary], returns: binary },
    ],
  },
  {
    // Each list has its own bytes (RFC 9110, section 5.6.1), or is refused.
    links: ['https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1'],
    operation: get(
      header('X-List', { schema: texts }),
      { name: 'list', in: 'cookie', schema: texts },
      { name: 'commas', in: 'cookie', explode: false, schema: texts },
    ),
    calls: [
      {
        input: { headers: { 'X-List': ['a', 'b', 'c'] } },
        sends: { headers: { 'x-list': 'a,b,c' } },
      },
      { input: { headers: { 'X-List': ['a,b', 'c'] } }, rejects: ['invalid-input', '"X-List"'] },
      {
        input: { cookies: { list: ['a,b', 'c'] } },
        sends: { headers: { cookie: 'list=a%2Cb; list=c' } },
      },
      {
        input: { cookies: { commas: ['a,b', 'c'] } },
        sends: { headers: { cookie: 'commas=a%2Cb,c' } },
      },
    ],
  },
  {
    links: [
      reported('acacode/swagger-typescript-api', 1570),
      reported('openapi-generators/openapi-python-client', 189),
      'https://github.com/fern-api/fern/pull/8884',
      reported('OpenAPITools/openapi-generator', 12264),
    ],
    operation: post({
      'application/merge-patch+json': version('a'),
      [json]: version('b'),
      [form]: version('c'),
    }),
    calls: [
      {
        input: { body: { a: 1 } },
        sends: { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"a":1}' },
      },
      {
        input: { mediaType: json, body: { b: 1 } },
        sends: { headers: { 'content-type': json }, body: '{"b":1}' },
      },
      {
        input: { mediaType: form, body: { c: 1 } },
        sends: { headers: { 'content-type': form }, body: 'c=1' },
      },
    ],
  },
];

type ClientModule = {
  createClient(options: object): Record<string, (input?: object) => Promise<Answer>>;
};
type Answer = { readonly body: unknown };

let generated: GeneratedProject;
let module: ClientModule;

beforeAll(async () => {
  const paths = Object.fromEntries(
    reports.map(({ operation }, index) => [
      `/${index}`,
      {
        ['requestBody' in operation ? 'post' : 'get']: {
          operationId: `call${index}`,
          ...operation,
        },
      },
    ]),
  );
  const contract = { openapi: '3.1.1', info: { title: 'Reports', version: '1.0.0' }, paths };
  const { contract: lowered } = await lowerFiles({ 'openapi.yaml': JSON.stringify(contract) });
  const options = { unformatted: true };
  generated = await generateProject(lowered, [contractTarget, clientTarget], options);
  module = (await import(
    pathToFileURL(join(generated.project, 'client/src/index.ts')).href
  )) as ClientModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** Makes a call, and returns the request, the body of the answer and the error. */
async function make(
  index: number,
  { input = {}, answer }: Call,
): Promise<Readonly<Record<string, unknown>>> {
  let sent: Request | undefined;
  const client = module.createClient({
    baseUrl: 'https://service.example',
    invalidRequest: 'ignore',
    invalidResponse: 'throw',
    fetch: (request: Request | string, init?: RequestInit) => {
      sent = new Request(request, init);
      if (answer === undefined) return Promise.resolve(new Response(null, { status: 204 }));
      const [type, body, status = 200] = answer;
      // A text has a content type by itself.
      const bare = typeof body === 'string' ? new TextEncoder().encode(body) : body;
      const headers = type === undefined ? {} : { 'content-type': type };
      return Promise.resolve(new Response(bare, { status, headers }));
    },
  });
  const result = await client[`call${index}`]?.(input).then(
    ({ body }) => ({ returns: body }),
    ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
  );
  return { ...result, ...(sent === undefined ? {} : { sends: await describeRequest(sent) }) };
}

async function describeRequest(request: Request): Promise<Sent> {
  const { pathname, search } = new URL(request.url);
  const type = request.headers.get('content-type') ?? '';
  return {
    url: `${pathname.replace(/^\/\d+$/u, '/')}${search}`,
    headers: Object.fromEntries(request.headers),
    body: type.startsWith(multipart) ? await partsOf(request) : await request.text(),
  };
}

async function partsOf(request: Request): Promise<readonly unknown[]> {
  const parts = (await request.text()).split(/\r\n--[^\r]+(?:--)?\r\n|^--[^\r]+\r\n/u).slice(1, -1);
  return parts.map((part) => {
    const [head = '', body] = part.split('\r\n\r\n');
    const [, name, file] = /name="([^"]*)"(?:; filename="([^"]*)")?/u.exec(head) ?? [];
    return [name, file, /content-type: (.*)/iu.exec(head)?.[1], body];
  });
}

describe('a call of a public report', () => {
  const rows = reports.flatMap(({ links, calls }, index) =>
    calls.map((call, number) => [`${links.join(' ')} (${number + 1})`, index, call] as const),
  );
  test.each(rows)('%s', async (_, index, call) => {
    const { sends, returns, rejects } = call;
    const result = await make(index, call);
    expect(result).toMatchObject({
      ...(sends === undefined ? {} : { sends }),
      ...(rejects === undefined
        ? {}
        : { code: rejects[0], message: expect.stringContaining(rejects[1] ?? '') as string }),
    });
    if (rejects === undefined) expect(result['returns']).toEqual(returns);
    if (rejects?.[0] === 'invalid-input') expect(result).not.toHaveProperty('sends');
  });
});
