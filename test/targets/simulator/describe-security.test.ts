import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeSchemes } from '../../../generator/targets/simulator/describe-security.ts';
import { readOpenapi } from '../client/emit-client.ts';

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
  const { credentials } = describeSchemes(contract);
  const found = credentials.map(({ sentBy, isPublic, value }) => [
    sentBy?.name,
    sentBy?.isOptional ?? false,
    isPublic ?? false,
    value,
  ]);
  expect(found).toEqual([
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
