import { expect, test } from 'vitest';
import {
  apiKey,
  basic,
  bearer,
  binary,
  cookie,
  deepObject,
  form,
  formBody,
  json,
  label,
  matrix,
  multipart,
  part,
  reservedPath,
  simple,
  text,
  type Authorizer,
  type BodyEncoder,
  type ConnectionOptions,
  type Input,
  type OperationData,
  type ParameterDescription,
} from '../../../../packages/runtime/client/client.ts';
import { connect } from './connect.ts';

const lone = 'a\ud800b';

async function codeOf(
  operation: Partial<OperationData>,
  input: Input,
  authorizer?: Authorizer,
  options: Partial<ConnectionOptions> = {},
): Promise<unknown> {
  const client = connect(
    {
      baseUrl: 'https://service.example',
      fetch: async (url) => {
        throw new Error(`sent ${url}`);
      },
      ...options,
    },
    {
      everyRequest: [],
      schemes: authorizer === undefined ? {} : { own: authorizer },
      security: authorizer === undefined ? [] : [['own']],
    },
  );
  const data = { id: 'a', method: 'POST', path: '/a', responses: { '200': {} }, ...operation };
  return await client.call(data, input).then(
    () => 'sent',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
}

const parameters: readonly ParameterDescription[] = [
  ...[simple, label, matrix].map((style) => ({ in: 'path', name: 'v', style }) as const),
  { in: 'path', name: 'v', style: simple, encode: reservedPath },
  { in: 'query', name: 'v', style: form, explode: true },
  { in: 'query', name: 'v', style: deepObject },
  { in: 'headers', name: 'v', style: simple },
  { in: 'cookies', name: 'v', style: cookie, explode: true },
];

test.each(parameters)('a lone surrogate in a parameter of %j is refused', async (parameter) => {
  const operation = { path: parameter.in === 'path' ? '/{v}' : '/a', parameters: [parameter] };
  for (const value of [lone, [lone], { a: lone }, { [lone]: 'a' }]) {
    const code = await codeOf(operation, { [parameter.in]: { v: value } });
    expect(code, JSON.stringify(value)).toBe('invalid-input');
  }
});

const bodies: readonly (readonly [string, BodyEncoder, unknown])[] = [
  ['a text', text, lone],
  ['bytes from a text', binary, lone],
  ['a form', formBody, { a: lone }],
  ['the name in a form', formBody, { [lone]: 'a' }],
  ['a part', multipart, { a: lone }],
  ['the name of a part', multipart, { [lone]: 'a' }],
  ['a file name', multipart, { a: part('a', { fileName: lone }) }],
  ['a header of a part', multipart, { a: part('a', { headers: { b: lone } }) }],
];

test.each(bodies)('a lone surrogate in %s is refused', async (_, encode, body) => {
  expect(await codeOf({ body: { content: { 'a/b': encode } } }, { body })).toBe('invalid-input');
});

test.each([
  ['an undeclared query', '/a', { query: { a: lone } }, 'invalid-input'],
  ['the name of an undeclared query', '/a', { query: { [lone]: 'a' } }, 'invalid-input'],
  ['an undeclared body', '/a', { body: lone }, 'invalid-input'],
  ['a path', `/${lone}`, {}, 'unsafe-url'],
])('a lone surrogate in %s is refused', async (_, path, input, code) => {
  const client = connect(
    { baseUrl: 'https://service.example' },
    { everyRequest: [], schemes: {}, security: [] },
  );
  await expect(client.request('POST', path, input)).rejects.toMatchObject({ code });
});

test.each([
  ['basic', basic({ username: lone, password: 'a' }), 'invalid-option'],
  ['basic', basic({ username: 'a', password: lone }), 'invalid-option'],
  ['a header', apiKey('headers', 'k', lone), 'invalid-input'],
  ['a query', apiKey('query', 'k', lone), 'invalid-input'],
  ['a cookie', apiKey('cookies', 'k', lone), 'invalid-input'],
  ['a token', bearer('Bearer', lone), 'invalid-input'],
])('a lone surrogate in the credentials of %s is refused', async (_, authorizer, code) => {
  expect(await codeOf({}, {}, authorizer)).toBe(code);
});

test('a lone surrogate in the base address is refused', () => {
  const options = { baseUrl: `https://service.example/${lone}` };
  expect(() => connect(options, { everyRequest: [], schemes: {}, security: [] })).toThrow(
    expect.objectContaining({ code: 'invalid-option' }) as Error,
  );
});

test('JSON escapes a lone surrogate, and errors of such a call are redacted', async () => {
  const operation: OperationData = {
    id: 'a',
    method: 'POST',
    path: '/a',
    body: { content: { 'application/json': json } },
    responses: { '200': {} },
  };
  const client = connect(
    {
      baseUrl: 'https://service.example',
      fetch: async (_, { body }) => {
        throw new Error(new TextDecoder().decode(body as Uint8Array), { cause: new Error('lost') });
      },
    },
    { everyRequest: [], schemes: {}, security: [], inputs: { a: { body: { secret: lone } } } },
  );
  await expect(client.call(operation)).rejects.toMatchObject({
    code: 'network',
    cause: { message: '{"secret":"[redacted]"}' },
  });
});
