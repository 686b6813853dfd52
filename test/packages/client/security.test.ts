import { expect, test } from 'vitest';
import {
  accessToken,
  basic,
  bearer,
  connect,
  fromJson,
  type Authorizer,
} from '../../../packages/client/src/index.ts';
import { startServer } from './server.ts';

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
