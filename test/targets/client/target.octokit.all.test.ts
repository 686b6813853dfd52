import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Contract, Operation } from '../../../generator/contract/contract.ts';
import { requestContent } from '../../../generator/contract/media-types.ts';
import { kindOf } from '../../../generator/specification/media-type.ts';
import { callsOf } from '../../../generator/contract/calls.ts';
import type { Input } from '../../../packages/runtime/client/client.ts';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { compile } from '../compile.ts';
import { compilers, compileStrictly } from '../strict-compile.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly body: Buffer;
}

let contract: Contract;
let generated: GeneratedClient;
let recorded: Recorded[] = [];
let baseUrl: string;
let reply: readonly [number, Record<string, string>, string] = [200, {}, ''];

const server = createServer((request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    recorded.push({ method, url, type: headers['content-type'], body: Buffer.concat(chunks) });
    const [status, more, body] = reply;
    response.writeHead(status, more).end(body);
  });
});

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  contract = await readOpenapi(JSON.parse(await readFile(file, 'utf8')) as object);
  generated = await generateClient(contract, { built: true });
  await compile('ts7', generated.contract, ['-b']);
  await compile('ts7', generated.client, ['-b']);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 300_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await generated[Symbol.asyncDispose]();
});

test('every operation has a function', () => {
  const planned = callsOf(contract);
  expect(contract.operations.filter(({ leftOut }) => leftOut !== undefined)).toEqual([]);
  expect(planned.length).toBeGreaterThan(1000);
});

test.each(compilers)('everything compiles under every flag: %s', async (compiler) => {
  const options = { compiler, resolution: 'nodenext', from: 'source' } as const;
  await expect(compileStrictly(generated.client, ['src'], options)).resolves.toBeUndefined();
});

/** What is worth telling apart about the answers of a call. */
function answersOf({ responses }: Operation): readonly (readonly [string, string | undefined])[] {
  return responses.flatMap(({ status, content }) => {
    const mediaTypes = content.length === 0 ? [undefined] : content.map((media) => media.mediaType);
    return mediaTypes.map((mediaType) => [status, mediaType] as const);
  });
}

/** Values that fit their place, whatever the schema says about them. */
function inputOf({ parameters }: Operation): Input {
  const group = (place: string): object =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [
          name,
          typeof schema === 'object' && schema['type'] === 'array' ? ['a b', 'c'] : 'x&y',
        ]),
    );
  return { path: group('path'), query: group('query'), headers: group('header') };
}

test('a call of each style, kind of body and kind of answer is sent and read as the document says', async () => {
  const url = pathToFileURL(join(generated.client, 'dist/unchecked.js')).href;
  const { createClient } = (await import(url)) as ClientModule;
  const client = createClient({ baseUrl, retry: { attempts: 1 } });
  const seen = new Set<string>();
  for (const { operation, name } of callsOf(contract)) {
    const styles = operation.parameters.map(({ in: place, style, explode, schema }) =>
      [
        'style',
        place,
        style,
        explode,
        typeof schema === 'object' ? JSON.stringify(schema['type']) : '',
      ].join(' '),
    );
    const bodies = requestContent(operation).map(({ mediaType }) => `body ${mediaType}`);
    const answers = answersOf(operation);
    const features = [
      ...styles,
      ...bodies,
      ...answers.map((answer) => `answer ${answer.join(' ')}`),
    ];
    if (features.every((feature) => seen.has(feature))) continue;
    for (const feature of features) seen.add(feature);
    const media = requestContent(operation);
    for (const [status, mediaType] of answers) {
      reply = [
        /^\d+$/.test(status) ? Number(status) : 418,
        mediaType === undefined ? {} : { 'content-type': mediaType },
        mediaType === undefined ? '' : kindOf(mediaType) === 'json' ? '{"a":1}' : 'text',
      ];
      for (const sent of media.length === 0 ? [undefined] : media) {
        recorded = [];
        const kind = sent === undefined ? undefined : kindOf(sent.mediaType);
        const bodyInput =
          sent === undefined
            ? {}
            : {
                mediaType: sent.mediaType,
                body: kind === 'json' ? { a: 1 } : kind === 'text' ? 'text' : new Uint8Array([1]),
              };
        const input = { ...inputOf(operation), ...bodyInput };
        // A failure rejects with an error that has the members of an answer.
        const answer: unknown = await client[name]?.(input, { baseUrl }).catch(
          (error: unknown) => error,
        );
        const expectedBody =
          mediaType === undefined || status === '304' || status === '204'
            ? undefined
            : kindOf(mediaType) === 'json'
              ? { a: 1 }
              : kindOf(mediaType) === 'text'
                ? 'text'
                : new TextEncoder().encode('text');
        expect(answer, operation.id).toMatchObject({
          declaredStatus: status,
          body: expectedBody,
          ...(status >= '4' ? { code: 'failure-status' } : {}),
        });
        const [arrived] = recorded;
        const path = operation.path.replaceAll(/\{[^}]*\}/g, 'x%26y');
        expect([arrived?.method, arrived?.url.replace(/\?.*/, '')], operation.id).toEqual([
          operation.method,
          path,
        ]);
        const search = new URLSearchParams(arrived?.url.replace(/^[^?]*/, ''));
        for (const { name: parameter, in: place, schema } of operation.parameters) {
          if (place !== 'query') continue;
          const list = typeof schema === 'object' && schema['type'] === 'array';
          expect(search.getAll(parameter), operation.id).toEqual(list ? ['a b', 'c'] : ['x&y']);
        }
        if (sent === undefined) continue;
        expect(arrived?.type).toBe(sent.mediaType);
        expect(arrived?.body.toString()).toBe(
          kind === 'json' ? '{"a":1}' : kind === 'text' ? 'text' : '\u0001',
        );
      }
    }
  }
  expect(seen.size).toBeGreaterThan(50);
});
