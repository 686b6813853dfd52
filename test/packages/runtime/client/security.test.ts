import { expect, test } from 'vitest';
import {
  accessToken,
  apiKey,
  basic,
  bearer,
  clientCredentials,
  fromJson,
  signature,
  type Authorizer,
  type ClientCredentials,
} from '../../../../packages/runtime/client/client.ts';
import { startServer } from './server.ts';
import { connect } from './connect.ts';

/** Sends one call with an authorizer. Returns the `Authorization` headers of all requests. */
async function authorized(
  authorizer: Authorizer,
  answerHeaders: Readonly<Record<string, string>> = {},
): Promise<readonly (string | undefined)[]> {
  await using server = await startServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...answerHeaders }).end('{}'),
  );
  const service = { everyRequest: [], schemes: { own: authorizer }, security: [['own']] };
  await connect({ baseUrl: server.baseUrl }, service).request('GET', '/a');
  return server.arrived.map(({ headers }) => headers.authorization);
}

test.each([
  ['Bearer', 'abc', 'Bearer abc'],
  ['', 'abc', 'abc'],
  ['Bearer', (): string => 'abc', 'Bearer abc'],
  ['Bearer', async (): Promise<string> => 'abc', 'Bearer abc'],
] as const)('bearer writes %j and the token %s', async (scheme, token, header) => {
  expect(await authorized(bearer(scheme, token))).toEqual([header]);
});

test.each([
  ['the empty text', () => ''],
  ['the empty text, later', async () => ''],
  ['a value that is not a text', () => 1 as unknown as string],
])('bearer sends nothing where its function returns %s', async (_, token) => {
  await expect(authorized(bearer('Bearer', token))).rejects.toMatchObject({
    code: 'function-failed',
    message: expect.stringContaining('option credentials'),
  });
});

test('bearer sends nothing where its function returns a text that is no token', async () => {
  for (const text of [' ', 'undefined', 'hush\n'])
    await expect(authorized(bearer('Bearer', () => text))).rejects.toMatchObject({
      code: 'function-failed',
    });
});

const creators: readonly (readonly [string, (text: string) => Authorizer])[] = [
  ['a key', (text) => apiKey('headers', 'x-key', text)],
  ['a token', (text) => bearer('Bearer', text)],
  ['a user', (text) => basic({ username: text, password: 'p' })],
  ['a password', (text) => basic({ username: 'u', password: text })],
  ['a client ID', (text) => ofClient({ clientId: text, clientSecret: 's' })],
  ['the secret of a client', (text) => ofClient({ clientId: 'c', clientSecret: text })],
  ['a signing key', (text) => signature(() => ({ sign: () => ({}) }), {}, text)],
];

function ofClient(credentials: ClientCredentials): Authorizer {
  return clientCredentials({ id: 'token', server: 'token', path: '' }, credentials);
}

test.each(creators)('%s that is a mistake is refused when it is given', (_, create) => {
  for (const text of ['undefined', 'null', '[object Object]', 'hush\n', ' hush', '\uFEFFhush'])
    expect(() => create(text)).toThrow(
      expect.objectContaining({
        name: 'ClientError',
        code: 'invalid-option',
        message: expect.not.stringContaining('hush') as string,
      }),
    );
  for (const text of [' ', '\n', '\uFEFF']) expect(create(text).ready).toBe(false);
  expect(create('hush hush').ready).toBe(true);
});

test('a user can be without a password, but not with a missing one', () => {
  expect(basic({ username: 'sk_1', password: '' }).ready).toBe(true);
  expect(basic({ username: 'sk_1', password: undefined as never }).ready).toBe(false);
});

test('a key file ends with a line break', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  expect(signature(() => ({ sign: () => ({}) }), {}, pem).ready).toBe(true);
});

test('basic writes user and password in UTF-8 and Base64, the latter with colons', async () => {
  const header = `Basic ${Buffer.from('jürgen:a:ß').toString('base64')}`;
  expect(await authorized(basic({ username: 'jürgen', password: 'a:ß' }))).toEqual([header]);
});

test('basic refuses a user with a colon, which would end it', async () => {
  await expect(authorized(basic({ username: 'a:b', password: 'c' }))).rejects.toMatchObject({
    code: 'invalid-option',
  });
});

const issueToken = {
  id: 'issueToken',
  method: 'POST',
  path: '/token',
  security: [],
  responses: { '200': { 'application/json': fromJson } },
} as const;

/** A token that its operation returns in a header, with its lifetime in another one. */
const inHeaders = () =>
  accessToken(
    {
      operation: issueToken,
      token: { header: 'x-token' },
      lifetime: { header: 'x-lifetime' },
      value: '{token}',
    },
    true,
  );

test.each(['abc', '1234567890'])('a token can be in a header: %s', async (token) => {
  const headers = await authorized(inHeaders(), { 'x-token': token, 'x-lifetime': '60' });
  expect(headers).toEqual([undefined, token]);
});

test.each([
  ['the token', { 'x-lifetime': '60' }],
  ['the lifetime', { 'x-token': 'abc' }],
  ['a lifetime in digits', { 'x-token': 'abc', 'x-lifetime': 'an hour' }],
])('a token response without %s fails the call', async (_, headers) => {
  await expect(authorized(inHeaders(), headers)).rejects.toMatchObject({ code: 'invalid-token' });
});
