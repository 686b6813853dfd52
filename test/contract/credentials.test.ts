import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { OpenQuestions } from '../../generator/targets/open-questions.ts';
import { describeSecurity } from '../../generator/targets/printing/security-code.ts';
import { lowerFiles } from './lower/lower-files.ts';
import { readOpenapi } from '../targets/client/emit-client.ts';

const document = (properties: string, required = ''): string => `openapi: 3.1.0
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths:
  /token:
    post:
      operationId: issueToken
      security: []
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [client_id, client_secret${required}]
              properties:
                client_id: { type: string }
                client_secret: { type: string }
${properties}
      responses:
        '200':
          description: A token.
          content:
            application/json:
              schema: { type: object, properties: { access_token: { type: string } } }
  /orders:
    get:
      operationId: listOrders
      security: [{ token: [orders.read, orders.write] }]
      responses: { '204': { description: None. } }
components:
  securitySchemes:
    token:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: /token, scopes: { orders.read: a, orders.write: b } } }
      x-access-token: { operation: issueToken, token: $response.body#/access_token, value: 'Bearer {token}' }
`;

it('tells values of a token request that are not secret', async () => {
  const contract = await readOpenapi(
    parse(
      document(
        `                scope: { type: string }
                grant_type: { type: string }
                audience: { type: string, default: 'https://api.example' }
                mode: { type: string, enum: [test, live] }
                fixed: { type: string, const: one }
                lifetime: { type: integer, example: 60 }
                callback: { type: string, format: uri }
                assertion: { type: string }`,
        ', grant_type',
      ),
    ),
  );
  const { credentials } = contract;
  const rows = credentials.map(({ sentBy, isPublic, value }) => [
    sentBy?.name,
    sentBy?.isOptional ?? false,
    isPublic ?? false,
    value,
  ]);
  expect(rows).toEqual([
    ['client_id', false, false, undefined],
    ['client_secret', false, false, undefined],
    ['scope', true, true, 'orders.read orders.write'],
    ['grant_type', false, true, 'client_credentials'],
    ['audience', true, true, 'https://api.example'],
    ['mode', true, true, 'test'],
    ['lifetime', true, true, '60'],
    ['callback', true, true, undefined],
    ['assertion', true, false, undefined],
  ]);
});

const signed = (keys: readonly string[]): string => `openapi: 3.1.0
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
security: [{ call: [] }]
paths:
  /orders:
    get:
      operationId: listOrders
      responses: { '204': { description: None. } }
webhooks:
  order:
    post:
      security: [{ first: [], call: [], second: [] }]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: { a/b: { type: string }, c: { type: string } }
              x-variants:
                list: { when: { $request.body#/items: { type: array } }, each: /items }
      responses: { '200': { description: Done. } }
components:
  securitySchemes:
    call:
      type: apiKey
      in: header
      name: X-Call
      x-signature:
        algorithm: hmac-sha256
        key: { credential: shared, encoding: utf-8 }
        over: [$request.body]
        encoding: hex
${['first', 'second']
  .map(
    (id, index) => `    ${id}:
      type: apiKey
      in: header
      name: none
      x-body-signature:
        algorithm: hmac-sha1
        key: { credential: ${keys[index] ?? ''}, encoding: hex, prefix: p_ }
        each: /items
        over: [/a~1b, { member: /c, mayContainSeparator: true }]
        separator: ','
        encoding: base64
        signature: /${id}/seal`,
  )
  .join('\n')}
`;

it('names the keys of signatures in bodies, which deliveries alone have', async () => {
  const contract = await readOpenapi(parse(signed(['body-key', 'shared'])));
  const { security: schemes, credentials } = contract;
  expect(credentials.map(({ name, form }) => [name, form])).toEqual([
    ['shared', 'key'],
    ['bodyKey', 'key'],
  ]);
  expect(schemes.map(({ id, credential }) => [id, credential])).toEqual([
    ['call', 'shared'],
    ['first', 'bodyKey'],
    ['second', 'shared'],
  ]);
  // Calls do not carry the other: a client has no credential for them.
  const client = describeSecurity(contract, new OpenQuestions(contract, []));
  expect(client.credentials.map(({ name }) => name)).toEqual(['shared']);
});

it('gives both signatures with one credential the same key', async () => {
  const contract = await readOpenapi(parse(signed(['seal', 'seal'])));
  const { security: schemes, credentials } = contract;
  expect(credentials.map(({ name }) => name)).toEqual(['shared', 'seal']);
  expect(schemes.map(({ credential }) => credential)).toEqual(['shared', 'seal', 'seal']);
});

it('names what two token requests send after their operations, and says so', async () => {
  const again = document('').replace(
    '  /orders:',
    document('')
      .split('\n')
      .slice(3, 22)
      .join('\n')
      .replace('/token', '/again')
      .replace('issueToken', 'issueAgain')
      .replace(', client_secret', '')
      .replace('client_secret', 'other')
      .replace(/^\n+/u, '') + '\n  /orders:',
  );
  const second = `    again:
      type: http
      scheme: bearer
      x-access-token: { operation: issueAgain, token: $response.body#/access_token, value: '{token}' }
`;
  const text = (again + second).replace('[{ token:', '[{ again: [] }, { token:');
  const { contract, diagnostics } = await lowerFiles({ 'openapi.yaml': text });
  expect(contract.credentials.map(({ name }) => name)).toEqual([
    'issueTokenClientId',
    'clientSecret',
    'issueAgainClientId',
    'other',
  ]);
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    [
      'name-collision',
      'info',
      'The one here and the one in openapi.yaml:5 are the credentials issueAgainClientId and issueTokenClientId: one of them alone would be clientId.',
    ],
  ]);
});
