import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRecorded } from '../../figures/expect-recorded.ts';
import { foldersOf } from '../../figures/folders-of.ts';
import { generateClient, readContract, readOpenapi, type GeneratedClient } from './emit-client.ts';

let generated: GeneratedClient;

beforeAll(async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  generated = await generateClient(contract);
});
afterAll(() => generated[Symbol.asyncDispose]());

async function bundle(
  code: string,
  { project } = generated,
  minify = true,
): Promise<{
  readonly text: string;
  readonly bytes: number;
  readonly inputs: readonly string[];
}> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: project, loader: 'ts' },
    bundle: true,
    minify,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['countersign-source'],
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(
    ([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== '<stdin>',
  );
  const text = outputFiles[0]?.text ?? '';
  const bytes = gzipSync(text, { level: 9 }).length;
  return { text, bytes, inputs: inputs.map(([path]) => path) };
}

const answerWith = (member: string): object => ({
  200: {
    description: 'Done.',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { [member]: { type: 'string' } } },
      },
    },
  },
});

/** A contract of two calls, one with a body of several parts. */
const twoCalls = {
  openapi: '3.1.1',
  info: { title: 'Wood', version: '1.0.0' },
  servers: [{ url: 'https://example.com' }],
  paths: {
    '/trees/{id}': {
      get: {
        operationId: 'getTree',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: answerWith('ringsOfTree'),
      },
    },
    '/photos': {
      post: {
        operationId: 'addPhoto',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { photoName: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
        responses: answerWith('linkOfPhoto'),
      },
    },
  },
};

/** A text of the code for timestamps in a pattern. */
const monthsOfPatterns = 'JanFebMar';

describe('a bundle', () => {
  test('of the unchecked client has the recorded size, its runtime included, and no validator', async () => {
    const { text, bytes, inputs } = await bundle(
      "export { createClient } from '@trade/client/unchecked';",
    );
    expect(inputs.filter((path) => /[\\/]validators\.js$/.test(path))).toEqual([]);
    // The contract has no timestamps in a pattern.
    expect(text).not.toContain(monthsOfPatterns);
    await expectRecorded('client-bundle', {
      'bytes, minified and gzipped': bytes,
      modules: inputs.length,
      folders: foldersOf(inputs, generated.project),
    });
  });

  test('of the checked client holds the validators of its own input and answers, and no other', async () => {
    const { text, inputs, bytes } = await bundle("export { createClient } from '@trade/client';");
    // The generator has checked the scheme of the signature.
    expect(inputs.filter((path) => path.endsWith('signing/checked.ts'))).toEqual([]);
    expect(text).not.toContain(monthsOfPatterns);
    await expectRecorded('checked-client-bundle', {
      'bytes, minified and gzipped': bytes,
      modules: inputs.length,
      folders: foldersOf(inputs, generated.project),
    });
    const { text: readable } = await bundle(
      "export { createClient } from '@trade/client';",
      generated,
      false,
    );
    expect(readable.match(/function validate\w+(?=\(data)/gu)).toEqual([
      'function validateToken',
      'function validateTokenRequest',
      // A request id of the caller.
      expect.stringMatching(/^function validateParameter[\da-f]{12}$/u),
    ]);
  });

  test.each([
    ['unchecked calls', '@trade/client/unchecked'],
    ['checked calls', '@trade/client'],
  ])('of one function leaves out what only other operations need: %s', async (_, entry) => {
    await using client = await generateClient(await readOpenapi(twoCalls));
    const { text } = await bundle(`export { createConnection, getTree } from '${entry}';`, client);
    expect(text).toContain('/trees/{id}');
    expect(text.includes('ringsOfTree')).toBe(entry === '@trade/client');
    for (const other of ['/photos', 'photoName', 'FormData', 'linkOfPhoto'])
      expect(text).not.toContain(other);
    const { text: all } = await bundle(`export * from '${entry}';`, client);
    for (const other of ['/photos', 'FormData']) expect(all).toContain(other);
  });

  test.each(['@trade/client/unchecked', '@trade/client'])(
    'of one function has the same code whether the list of another goes on: %s',
    async (entry) => {
      const listing = (more: object): object => ({
        ...twoCalls,
        paths: {
          ...twoCalls.paths,
          '/trees': {
            get: {
              operationId: 'listTrees',
              parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
              responses: {
                200: {
                  description: 'A page.',
                  content: { 'application/json': { schema: { type: 'array' } } },
                },
              },
              ...more,
            },
          },
        },
      });
      const pagination = { items: '$response.body', page: '$request.query.page' };
      await using before = await generateClient(await readOpenapi(listing({})));
      await using after = await generateClient(
        await readOpenapi(listing({ 'x-pagination': pagination })),
      );
      const one = `export { createConnection, getTree } from '${entry}';`;
      const codeOf = async (client: GeneratedClient): Promise<string> =>
        // Comments have the paths of the modules.
        (await bundle(one, client, false)).text.replaceAll(/^\/\/ .*$/gmu, '');
      expect(await codeOf(after)).toBe(await codeOf(before));
      const { inputs } = await bundle(`export { listTrees } from '${entry}';`, after);
      expect(inputs.filter((path) => path.endsWith('client/pages.ts'))).toHaveLength(1);
    },
  );

  test('of a contract with timestamps in a pattern signs and writes them', async () => {
    const timestamp = {
      header: 'x-stamp',
      format: { pattern: "yyyy-MM-dd'T'HH:mm:ssxxx", offset: '-03:00' },
      tolerance: 60,
    };
    const stamp = { name: 'x-stamp', in: 'header', schema: { type: 'string' }, required: true };
    await using client = await generateClient(
      await readOpenapi({
        openapi: '3.1.1',
        info: { title: 'Trade', version: '1.0.0', 'x-countersign': 1 },
        servers: [{ url: 'https://example.com' }],
        paths: {
          '/signed': {
            post: {
              operationId: 'signed',
              security: [{ seal: [] }],
              responses: { 204: { description: 'Done.' } },
            },
          },
          '/stamped': {
            post: {
              operationId: 'stamped',
              parameters: [{ ...stamp, 'x-every-request': { value: 'timestamp', retry: 'renew' } }],
              responses: { 204: { description: 'Done.' } },
            },
          },
        },
        components: {
          securitySchemes: {
            seal: {
              type: 'apiKey',
              in: 'header',
              name: 'x-seal',
              'x-signature': {
                algorithm: 'hmac-sha256',
                key: { credential: 'sealKey', encoding: 'hex' },
                over: ['$timestamp', '$request.body'],
                encoding: 'hex',
                timestamp,
              },
            },
          },
        },
      }),
    );
    const { text } = await bundle(
      "export { createClient } from '@trade/client/unchecked';",
      client,
    );
    expect(text).toContain(monthsOfPatterns);
    const { createClient } = (await import(
      `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
    )) as { readonly createClient: (options: object) => Record<string, () => Promise<unknown>> };
    const sent: Headers[] = [];
    const calls = createClient({
      credentials: { sealKey: '00ff' },
      clock: () => Date.UTC(2026, 0, 31, 12),
      fetch: (input: unknown, init?: RequestInit) => {
        sent.push(new Request(input as string, init).headers);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    await calls['signed']?.();
    await calls['stamped']?.();
    const stampValue = '2026-01-31T09:00:00-03:00';
    expect(sent.map((headers) => headers.get('x-stamp'))).toEqual([stampValue, stampValue]);
    expect(sent[0]?.get('x-seal')).toBe(
      createHmac('sha256', Buffer.from('00ff', 'hex')).update(stampValue).digest('hex'),
    );
  });
});
