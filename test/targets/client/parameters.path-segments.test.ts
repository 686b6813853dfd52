import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importModule, type ClientModule } from '../../packages/client/generated-client.ts';
import { serve, type TestServer } from '../../packages/client/serve.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const contents = (allowReserved: boolean, style?: string): object => ({
  parameters: [
    { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
    {
      name: 'path',
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...(allowReserved ? { allowReserved } : {}),
      ...(style === undefined ? {} : { style }),
    },
  ],
  responses: { 200: { description: 'Done.' } },
});

const repositories = (openapi: string): object => ({
  openapi,
  info: { title: 'Repositories', version: '1.0.0' },
  paths: {
    '/contents/{owner}/{path}': { get: { operationId: 'plain', ...contents(false) } },
    '/files/{owner}/{path}': { get: { operationId: 'declared', ...contents(true) } },
    '/labels/{owner}/{path}': { get: { operationId: 'labelled', ...contents(true, 'label') } },
  },
});

let server: TestServer;
let urls: (string | undefined)[] = [];

beforeAll(async () => {
  server = await serve((request, response) => {
    urls.push(request.url);
    response.end();
  });
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(['3.1.1', '3.2.0'])('a path parameter of OpenAPI %s', (version) => {
  let generated: GeneratedClient;
  let module: ClientModule;

  beforeAll(async () => {
    generated = await generateClient(await readOpenapi(repositories(version)));
    module = await importModule(generated.client);
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  /** The ways to allow slashes: by the contract, by the call, and in a call that the contract does not state. */
  const ways: readonly (readonly [string, (path: unknown) => Promise<unknown> | undefined])[] = [
    ['by the contract', (path) => connect()['declared']?.({ path: { owner: 'o', path } })],
    [
      'by the call',
      (path) => connect()['plain']?.({ path: { owner: 'o', path } }, { allowReserved: ['path'] }),
    ],
    [
      'by a call that the contract does not state',
      (path) =>
        connect().request(
          'GET',
          '/else/{owner}/{path}',
          { path: { owner: 'o', path } },
          { allowReserved: ['path'] },
        ),
    ],
  ];

  function connect(): ReturnType<ClientModule['createClient']> {
    urls = [];
    return module.createClient({ baseUrl: server.baseUrl });
  }

  describe.each(ways)('that is allowed slashes %s', (_, call) => {
    test.each([
      ['docs/a b.md', 'docs/a%20b.md'],
      ['docs/.github/..x/a..', 'docs/.github/..x/a..'],
      ["a:b@c!$&'()*+,=/d", "a:b@c!$&'()*+,=/d"],
      ['a?b#c[d]/e;f', 'a%3Fb%23c%5Bd%5D/e%3Bf'],
      ['100%25/a%2Fb', '100%2525/a%252Fb'],
      ['..;/a', '..%3B/a'],
      ['ü', '%C3%BC'],
    ])('writes %j', async (path, written) => {
      await call(path);
      expect(urls).toEqual([expect.stringMatching(/^\/\w+\/o\//)]);
      expect(urls[0]?.replace(/^\/\w+\/o\//, '')).toBe(written);
    });

    test.each([
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      'a/..',
      '%2e',
      'a/%2E%2e/b',
      'a/.%2e',
      'a/b\r\nc',
      'a\n',
    ])('refuses %j', async (path) => {
      await expect(call(path)).rejects.toMatchObject({ code: 'invalid-input' });
      expect(urls).toEqual([]);
    });
  });

  test('is refused a slash where nothing allows it', async () => {
    const client = connect();
    for (const failed of [
      client['plain']?.({ path: { owner: 'o', path: 'a/b' } }),
      client['plain']?.({ path: { owner: 'o/p', path: 'a' } }, { allowReserved: ['path'] }),
      client['declared']?.({ path: { owner: 'o/p', path: 'a/b' } }),
    ]) {
      await expect(failed).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect(urls).toEqual([]);
  });

  test('can have another style', async () => {
    await connect()['labelled']?.({ path: { owner: 'o', path: 'a/b' } });
    expect(urls).toEqual(['/labels/o/.a/b']);
    await expect(
      connect()['labelled']?.({ path: { owner: 'o', path: './b' } }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
