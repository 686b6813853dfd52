import { expect, test } from 'vitest';
import { completeContract } from '../../generator/contract/complete.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { lowerFiles } from './lower/lower-files.ts';

/** A contract with a call at a server of its own, and a notification in several formats and with several responses. */
async function readParcels(): Promise<Contract> {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Parcels, version: 1.0.0 }
servers: [{ url: https://parcels.example }]
security: [{ Key: [] }]
paths:
  /parcels:
    post:
      operationId: connect
      servers: [{ url: https://other.example }]
      requestBody: { content: { '*/*': { schema: { type: string } } } }
      responses:
        '201': { description: Sent, content: { 'Application/JSON; Charset="UTF-8"; v=2': { schema: {} } } }
        4XX: { description: Refused }
webhooks:
  arrived:
    post:
      security: [{ Key: [] }]
      requestBody:
        content:
          text/xml: { schema: { type: string } }
          application/json; charset=utf-8: { schema: { type: object } }
          application/x-www-form-urlencoded: { schema: { type: object }, encoding: { tags: { explode: false } }, example: { tags: [a] } }
      responses:
        2xx: { description: Accepted }
        '202': { description: Stored, content: { text/plain: { schema: { const: stored } } } }
        '200': { description: Handled, content: { text/plain: { schema: { const: done } } } }
        '500': { description: Failed }
components:
  securitySchemes:
    Key: { type: apiKey, in: header, name: X-Key }
`,
  });
  return contract;
}

test('a call has its names, its server, its statuses and its media types', async () => {
  const { operations, servers } = await readParcels();
  expect(servers).toMatchObject({
    root: { url: 'https://parcels.example' },
    isRootUsed: false,
    overrides: [{ key: 'https://other.example' }],
  });
  expect(operations).toMatchObject([
    {
      name: 'connect_',
      names: { name: 'connect_', inputType: 'ConnectInput' },
      ownServer: 'https://other.example',
      requestBody: { content: [{ type: '*/*', parameters: {}, kind: 'string' }] },
      responses: [
        {
          success: 201,
          content: [
            { type: 'application/json', parameters: { charset: 'UTF-8', v: '2' }, kind: 'json' },
          ],
        },
        { failure: { ranges: ['4XX'], without: [] } },
      ],
    },
  ]);
  expect(operations[0]?.responses.map((response) => 'failure' in response)).toEqual([false, true]);
});

test('a notification has every format and every response that the contract states', async () => {
  const [arrived] = (await readParcels()).notifications;
  expect(arrived).toMatchObject({
    eventType: 'ArrivedEvent',
    contentType: 'application/json; charset=utf-8',
    representations: [
      { type: 'text/xml', kind: 'text' },
      { type: 'application/json', parameters: { charset: 'utf-8' }, kind: 'json', isRead: true },
      { type: 'application/x-www-form-urlencoded', kind: 'form' },
    ],
    successes: [
      { status: '200', answers: [{ status: 200, value: { fixed: 'done' } }] },
      { status: '202', answers: [{ status: 202, value: { fixed: 'stored' } }] },
      { status: '2XX', answers: [] },
    ],
  });
  expect(arrived?.representations.map(({ isRead = false }) => isRead)).toEqual([
    false,
    true,
    false,
  ]);
  expect(arrived?.acceptances[0]).toMatchObject({ body: { value: { fixed: 'done' } } });
});

test('what receivers read of a notification follows from the representation that is marked', async () => {
  const contract = await readParcels();
  const readAs = (type: string): unknown => {
    const [arrived] = completeContract({
      ...contract,
      notifications: contract.notifications.map((notification) => ({
        ...notification,
        representations: notification.representations.map((representation) => {
          const { isRead: _, ...one } = representation;
          return one.type === type ? { ...one, isRead: true } : one;
        }),
      })),
    }).notifications;
    return arrived && [arrived.payload, arrived.encoding, arrived.memberStyles, arrived.examples];
  };
  const json = readAs('application/json');
  const form = readAs('application/x-www-form-urlencoded');
  expect(json).toEqual(['ArrivedPayloads', undefined, undefined, []]);
  expect(form).toEqual([
    expect.stringMatching(/Form/u),
    'form',
    { tags: { style: 'form', explode: false } },
    [expect.objectContaining({ value: { tags: ['a'] } })],
  ]);
  expect(() => readAs('image/png')).toThrow(/arrived/u);
});

test('a contract is plain data, and completing it again changes nothing', async () => {
  const contract = await readParcels();
  expect(JSON.parse(JSON.stringify(contract))).toEqual(contract);
  expect(completeContract(contract)).toEqual(contract);
});

test('a contract of which members were replaced is completed by what follows from them', async () => {
  const contract = await readParcels();
  const [operation] = contract.operations;
  const operations = operation ? [{ ...operation, method: 'CONNECT', servers: [] }] : [];
  const changed = completeContract({ ...contract, operations });
  expect(changed.operations).toMatchObject([{ leftOut: expect.stringMatching(/tunnel/u) }]);
  expect(changed.operations[0]).not.toHaveProperty('names');
  expect(changed.operations[0]).not.toHaveProperty('ownServer');
  expect(changed.servers).toMatchObject({ isRootUsed: true, overrides: [] });
  const without = completeContract({ ...contract, security: [] });
  expect(contract.authentication.proofs.map(({ kind }) => kind)).not.toEqual(
    without.authentication.proofs.map(({ kind }) => kind),
  );
});

test('a notification has what signatures in its body cover, and another security is computed anew', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Parcels, version: 1.0.0 }
webhooks:
  arrived:
    post:
      security: [{ Seal: [] }]
      requestBody: { content: { application/json: { schema: { type: object, required: [id, seal], properties: { id: { type: string, minLength: 1 }, note: { type: [string, 'null'] }, seal: { type: string } } } } } }
      responses: { '200': { description: Handled } }
components:
  securitySchemes:
    Seal: { type: apiKey, in: header, name: none, x-body-signature: { algorithm: hmac-sha256, key: { credential: sealKey, encoding: utf-8 }, over: [/id, /note], separator: '|', encoding: hex, signature: /seal } }
`,
  });
  expect(contract.notifications[0]?.signedBody).toEqual({
    schemes: ['Seal'],
    members: [
      { path: ['id'], types: ['string'], isNullable: false, required: true, canBeEmpty: false },
      { path: ['note'], types: ['string'], isNullable: true, required: false, canBeEmpty: true },
    ],
  });
  const [arrived] = contract.notifications;
  const open = completeContract({
    ...contract,
    notifications: arrived === undefined ? [] : [{ ...arrived, security: [[]] }],
  });
  expect(open.notifications).toHaveLength(1);
  expect(open.notifications[0]).not.toHaveProperty('signedBody');
});
