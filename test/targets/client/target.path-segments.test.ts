import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { serve, type TestServer } from '../../packages/runtime/client/serve.ts';
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

/** Texts that some servers resolve to another path once they have decoded them. */
const hidden: readonly string[] = [
  '%252e%252e/a',
  '..%2fa',
  'a%2F..',
  'a/..%2Fb',
  '%2e%2e%2fa',
  '%2525252e%2525252e',
  '%25252525252525252525252e',
  '%%32e%%32e',
  'a\\..\\b',
  '..%5ca',
  '..;/a',
  '..;x=1',
  '.%3b/a',
];

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
      ['a..;/..a;..', 'a..%3B/..a%3B..'],
      ['ü', '%C3%BC'],
    ])('writes %j', async (path, segments) => {
      await call(path);
      expect(urls).toEqual([expect.stringMatching(/^\/\w+\/o\//)]);
      expect(urls[0]?.replace(/^\/\w+\/o\//, '')).toBe(segments);
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
      ...hidden,
      'a/b\r\nc',
      'a\n',
    ])('refuses %j', async (path) => {
      await expect(call(path)).rejects.toMatchObject({ code: 'invalid-input' });
      expect(urls).toEqual([]);
    });
  });

  describe('where nothing allows slashes', () => {
    const plain = (path: unknown): Promise<unknown> | undefined =>
      connect()['plain']?.({ path: { owner: 'o', path } });

    test.each([
      ['group/project', 'group%2Fproject'],
      ['/etc/hosts', '%2Fetc%2Fhosts'],
      ['folder/', 'folder%2F'],
      ['a//b', 'a%2F%2Fb'],
      ['a\\b', 'a%5Cb'],
      ['group%2Fproject', 'group%252Fproject'],
      ['.github/..x/a..', '.github%2F..x%2Fa..'],
      ['...', '...'],
      ['100%', '100%25'],
      ['%zz', '%25zz'],
    ])('writes %j', async (path, segments) => {
      await plain(path);
      expect(urls).toEqual([`/contents/o/${segments}`]);
    });

    test.each(['/', '//', '\\', 'a/./b', 'a/..', '../a', 'a/../b', '..', '%2e%2e', ...hidden])(
      'refuses %j',
      async (path) => {
        await expect(plain(path)).rejects.toMatchObject({ code: 'invalid-input' });
        expect(urls).toEqual([]);
      },
    );

    test('escapes only the others', async () => {
      await connect()['plain']?.(
        { path: { owner: 'o/p', path: 'a/b' } },
        { allowReserved: ['path'] },
      );
      await connect()['declared']?.({ path: { owner: 'o/p', path: 'a/b' } });
      expect(urls).toEqual(['/files/o%2Fp/a/b']);
    });
  });

  test.each(hidden.filter((path) => !/[\\;]/.test(path) && URL.canParse(path, 'http://a')))(
    'is refused in a path that the caller writes, too: %j',
    async (path) => {
      await expect(connect().request('GET', `/else/${path}`)).rejects.toMatchObject({
        code: 'unsafe-url',
      });
      expect(urls).toEqual([]);
    },
  );

  test('can have another style', async () => {
    await connect()['labelled']?.({ path: { owner: 'o', path: 'a/b' } });
    expect(urls).toEqual(['/labels/o/.a/b']);
    await expect(
      connect()['labelled']?.({ path: { owner: 'o', path: './b' } }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
    expect(urls).toEqual([]);
  });
});
