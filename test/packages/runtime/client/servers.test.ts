import { afterEach, describe, expect, test } from 'vitest';
import {
  accessToken,
  fromJson,
  serverAddresses,
  type ConnectionOptions,
  type OperationData,
  type ServerDescription,
  type Service,
} from '../../../../packages/runtime/client/client.ts';
import { connect } from './connect.ts';

const act = (server?: string): OperationData => ({
  id: 'act',
  method: 'POST',
  path: '/act',
  responses: { '200': { 'application/json': fromJson } },
  ...(server === undefined ? {} : { server }),
});
const bare = { everyRequest: [], schemes: {}, security: [] };
const withDefault: ServerDescription = { url: 'https://api.example/v1' };
const staged: ServerDescription = {
  url: 'https://{stage}.api.example/v1',
  variables: { stage: { default: 'live', enum: ['live', 'test'] } },
};
const upload = 'https://upload.example/v2';

let urls: string[] = [];
afterEach(() => {
  urls = [];
});

/** Makes a call, and returns the URL that it was sent to, or the code and the message of its failure. */
async function call(
  service: Partial<Service>,
  options: Omit<ConnectionOptions, 'fetch'>,
  operation: OperationData,
): Promise<string> {
  try {
    const client = connect(
      {
        ...options,
        fetch: async (url) => {
          urls.push(url);
          return Response.json({ token: 'a-token' });
        },
      },
      { ...bare, ...service },
    );
    await client.call(operation, {});
  } catch (error) {
    expect(urls).toEqual([]);
    const { code, message } = error as { readonly code?: string; readonly message: string };
    return `${code}: ${message}`;
  }
  return urls.at(-1) ?? '';
}

const serviceWithServer = (
  description: Partial<ServerDescription> = {},
  server = withDefault,
): Partial<Service> => ({
  createAddresses: serverAddresses({
    root: server,
    ofOperations: { own: { url: upload, ...description } },
  }),
});
const regional: Partial<ServerDescription> = {
  url: 'https://{region}.upload.example/v2',
  variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
};
const test1 = 'http://127.0.0.1:9/sandbox';

describe('the server of the service', () => {
  test.each([
    [withDefault, {}, 'https://api.example/v1/act'],
    [withDefault, { baseUrl: `${test1}/` }, `${test1}/act`],
    [staged, {}, 'https://live.api.example/v1/act'],
    [staged, { serverVariables: { stage: 'test' } }, 'https://test.api.example/v1/act'],
    [staged, { serverVariables: { stage: undefined } }, 'https://live.api.example/v1/act'],
    [staged, { serverVariables: { stage: 'demo' } }, 'one of live, test'],
    [staged, { serverVariables: { stages: 'test' } }, 'has no member "stages"'],
    [staged, { baseUrl: test1 }, `${test1}/act`],
    [{ url: 'https://{stage}.api.example' }, {}, 'variable "stage" has no default'],
    [
      { url: 'https://{stage}.api.example' },
      { serverVariables: { stage: 'demo' } },
      'https://demo.api.example/act',
    ],
    [
      { url: '/api/v3' },
      {},
      'baseUrl is missing. The contract states only the path of the service, "/api/v3"',
    ],
    [{ url: '/api/v3' }, { baseUrl: `${test1}/api/v3` }, `${test1}/api/v3/act`],
    [{ ...withDefault, isOpen: true as const }, {}, 'The contract leaves the address open'],
    [{ url: 'wss://api.example' }, {}, 'not an address that calls can be sent to'],
    [{ url: 'https://api.example/?a=b' }, {}, 'not an address that calls can be sent to'],
    [undefined, {}, 'invalid-option: The option baseUrl is missing. State the address'],
  ])('%j with the options %j: %s', async (root, options, expected) => {
    const createAddresses = serverAddresses(root === undefined ? {} : { root });
    expect(await call({ createAddresses }, options, act())).toContain(expected);
  });

  test.each([
    ['https://api.example/v1', {}, 'https://api.example/v1/act'],
    ['https://api.example/v1', { baseUrl: `${test1}/` }, `${test1}/act`],
    [undefined, { baseUrl: `${test1}/` }, `${test1}/act`],
    [undefined, {}, 'invalid-option: The option baseUrl is missing. State the address'],
    [undefined, { baseUrl: '' }, 'invalid-option: The option baseUrl must be'],
    ['https://api.example', { baseUrls: { own: test1 } }, 'baseUrls has no member "own"'],
    ['https://api.example', { serverVariables: { a: 'b' } }, 'serverVariables has no member "a"'],
  ])('with the constant address %j and the options %j: %s', async (baseUrl, options, expected) => {
    const service = baseUrl === undefined ? {} : { baseUrl };
    expect(await call(service, options, act())).toContain(expected);
  });

  test('with a constant address is not that of an operation with another one', async () => {
    expect(await call({ baseUrl: 'https://api.example' }, {}, act('own'))).toContain(
      'invalid-option: act has the server "own". The service of this client does not describe it.',
    );
  });

  test('is not needed where each operation has one of its own', async () => {
    const createAddresses = serverAddresses({
      ofOperations: { own: { url: upload } },
      isRootUsed: false,
    });
    const service = { createAddresses };
    expect(await call(service, {}, act('own'))).toBe(`${upload}/act`);
    urls = [];
    expect(await call(service, {}, act())).toContain('invalid-option: The option baseUrl');
  });
});

describe('the own server of an operation', () => {
  test.each([
    ['an address', {}, {}, `${upload}/act`],
    ['a variable', regional, {}, 'https://eu.upload.example/v2/act'],
    [
      'a variable that is set',
      regional,
      { serverVariables: { region: 'us' } },
      'https://us.upload.example/v2/act',
    ],
    [
      'an invalid variable',
      regional,
      { serverVariables: { region: 'mars' } },
      'invalid-option: The option serverVariables["region"] must be one of eu, us',
    ],
    [
      'no value of a variable',
      { url: 'https://{region}.upload.example' },
      {},
      'invalid-option: act has the server "own". Its variable "region" has no default. State its address in the option baseUrls["own"]',
    ],
    ['a path', { url: '/v9' }, {}, 'https://api.example/v9/act'],
    ['a host without a scheme', { url: '//upload.example/v2' }, {}, `${upload}/act`],
    [
      'a relative path',
      { url: 'v9' },
      {},
      'invalid-option: act has the server "own". The contract does not state its whole',
    ],
    ['an empty path', { url: '' }, {}, 'invalid-option: act has the server "own"'],
    [
      'another protocol',
      { url: 'ws://upload.example' },
      {},
      'invalid-option: act has the server "own"',
    ],
    [
      'a query',
      { url: 'https://upload.example?a' },
      {},
      'invalid-option: act has the server "own". Its address in the contract is not usable',
    ],
    [
      'an open address',
      { isOpen: true as const },
      {},
      'invalid-option: act has the server "own". The contract leaves its address open',
    ],
    ['an entry', {}, { baseUrls: { own: test1 } }, `${test1}/act`],
    ['an entry that is undefined', {}, { baseUrls: { own: undefined } }, `${upload}/act`],
    [
      'an unusable entry',
      {},
      { baseUrls: { own: 'upload' } },
      'invalid-option: The option baseUrls["own"] must be an http',
    ],
    [
      'an unknown entry',
      {},
      { baseUrls: { owm: test1 } },
      'invalid-option: The option baseUrls has no member "owm". The contract has own',
    ],
  ] as const)('%s', async (_, description, options, expected) => {
    expect(await call(serviceWithServer(description), options, act('own'))).toContain(expected);
  });

  test.each([{}, regional, { url: '/v9' }, { url: '//upload.example' }])(
    '%j is not used beside the base URL of a test',
    async (description) => {
      const service = serviceWithServer(description);
      expect(await call(service, { baseUrl: test1 }, act('own'))).toContain(
        'invalid-option: act has the server "own". The option baseUrl does not apply to it. State its address in the option baseUrls["own"]',
      );
      const options = { baseUrl: test1, baseUrls: { own: 'http://127.0.0.1:9/files' } };
      expect(await call(service, options, act('own'))).toBe('http://127.0.0.1:9/files/act');
    },
  );

  test('is not used where a variable changes the address of the service alone', async () => {
    const options = { serverVariables: { stage: 'test' } };
    expect(await call(serviceWithServer({}, staged), options, act('own'))).toContain(
      'invalid-option: act has the server "own". The server variable "stage" does not apply to it',
    );
    expect(await call(serviceWithServer({ url: '/v9' }, staged), options, act('own'))).toBe(
      'https://test.api.example/v9/act',
    );
    const both = { ...staged, url: 'https://{stage}.upload.example' };
    expect(await call(serviceWithServer(both, staged), options, act('own'))).toBe(
      'https://test.upload.example/act',
    );
  });

  test('that the service does not describe fails the call', async () => {
    expect(await call(serviceWithServer(), {}, act('toString'))).toContain(
      'invalid-option: act has the server',
    );
  });
});

describe('a token request', () => {
  const issue: OperationData = { ...act('own'), id: 'issue', path: '/token', security: [] };
  const audit: OperationData = { ...act(), id: 'audit', path: '/audit', security: [] };
  const token = (operation: OperationData) =>
    accessToken({ operation, token: { body: ['token'] }, value: '{token}' }, true);
  const service = {
    ...serviceWithServer(),
    schemes: { audit: token(audit), main: token(issue) },
    security: [['audit', 'main']],
  };

  test('without an address fails the call before any request is sent', async () => {
    expect(await call(service, { baseUrl: test1 }, act())).toContain(
      'invalid-option: issue has the server "own"',
    );
  });

  test('is sent to the own server of its operation', async () => {
    const options = { baseUrl: test1, baseUrls: { own: 'http://127.0.0.1:9/auth' } };
    expect(await call(service, options, act())).toBe(`${test1}/act`);
    expect(urls).toEqual([`${test1}/audit`, 'http://127.0.0.1:9/auth/token', `${test1}/act`]);
  });

  test('shares its token with no client that requests it elsewhere', async () => {
    const store = new Map<string, unknown>();
    for (const address of ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'])
      await call(
        { ...service, schemes: { main: token(issue) }, security: [['main']] },
        { baseUrl: test1, baseUrls: { own: address }, tokenStore: store },
        act(),
      );
    expect(urls.filter((url) => url.endsWith('/token'))).toHaveLength(2);
  });
});

test('a call that the contract does not declare stays at the server of the service', async () => {
  const client = connect(
    {
      baseUrl: test1,
      fetch: async (url) => {
        urls.push(url);
        return new Response();
      },
    },
    { ...bare, ...serviceWithServer() },
  );
  await client.request('GET', '//upload.example/v2').catch(() => undefined);
  for (const path of ['@upload.example/', '.upload.example', String.raw`/\upload.example`, '/../x'])
    await expect(client.request('GET', path)).rejects.toMatchObject({ code: 'unsafe-url' });
  expect(urls).toEqual([`${test1}//upload.example/v2`]);
});
