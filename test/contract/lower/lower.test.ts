import { describe, expect, it } from 'vitest';
import type { Contract, Notification } from '../../../generator/contract/contract.ts';
import { repetitionOf } from '../../../generator/contract/repetition.ts';
import { lowerFiles, openapiWith } from './lower-files.ts';

async function contractOf(texts: Readonly<Record<string, string>>): Promise<Contract> {
  const { contract, diagnostics, documents } = await lowerFiles(texts);
  expect(
    [...documents.diagnostics, ...diagnostics].filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
  return contract;
}

function notification(contract: Contract, name: string): Notification {
  const matchingNotification = contract.notifications.find((candidate) => candidate.name === name);
  if (matchingNotification === undefined) throw new Error(`no notification ${name}`);
  return matchingNotification;
}

const shop = `
openapi: 3.1.1
info: { title: Shop, version: 1.2.0, x-countersign: 1 }
security: [{ key: [] }]
servers: [{ url: 'https://{env}.shop.test', variables: { env: { default: live, enum: [live, test] } } }]
paths:
  /orders/{orderId}:
    parameters:
      - { name: orderId, in: path, required: true, schema: { type: string } }
      - { name: trace, in: header, schema: { type: string } }
    get:
      operationId: get-order
      parameters:
        - { name: trace, in: header, required: true, schema: { type: string }, x-every-request: uuid }
        - { name: Authorization, in: header, schema: { type: string } }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
      responses:
        2XX:
          description: Found.
          content: { application/json: { schema: { $ref: '#/components/schemas/order' } } }
        default: { description: Not found. }
    delete:
      security: []
      responses:
        '204': { description: Gone. }
components:
  securitySchemes:
    key:
      type: apiKey
      in: header
      name: X-Key
      x-signature:
        algorithm: hmac-sha256
        key: { credential: signingSecret, encoding: { unstated: key-encoding } }
        over: [$request.header.trace, { text: '.' }, $request.body, { unstated: path-form }]
        encoding: { unstated: alphabet }
      x-unstated:
        key-encoding:
          source: '1'
          question: How is the key written?
          choices: { utf-8: As text., base64: As Base64. }
          assumed: utf-8
        path-form:
          source: ['1', '2']
          question: Which path is signed?
          choices:
            bare: { value: $url.path, meaning: Without query. }
            full: { value: $url, meaning: All of it. }
        alphabet:
          source: '1'
          question: Which alphabet?
          choices: { base64: The usual., base64url: The other. }
          settled: base64url
  schemas:
    order:
      type: object
      properties:
        z: { type: string }
        a: { $ref: '#/components/schemas/line_item' }
    line_item: { type: object, properties: { order: { $ref: '#/components/schemas/order' } } }
`;

describe('operations', () => {
  it('carry method, path and the names that code will use', async () => {
    const { operations } = await contractOf({ 'openapi.yaml': shop });
    expect(operations.map(({ id, name, method, path }) => [id, name, method, path])).toEqual([
      ['get-order', 'getOrder', 'GET', '/orders/{orderId}'],
      ['delete /orders/{orderId}', 'deleteOrdersOrderId', 'DELETE', '/orders/{orderId}'],
    ]);
  });

  it('take parameters of the path item, replaced by their own, without headers that OpenAPI ignores', async () => {
    const { operations } = await contractOf({ 'openapi.yaml': shop });
    const parameters = operations[0]?.parameters ?? [];
    expect(
      parameters.map(({ name, required, style, explode }) => [name, required, style, explode]),
    ).toEqual([
      ['orderId', true, 'simple', false],
      ['trace', true, 'simple', false],
      ['tags', false, 'form', true],
    ]);
    expect(parameters[1]?.everyRequest).toEqual({ value: 'uuid', retry: 'keep' });
  });

  it('inherit security from the document unless they have their own', async () => {
    const { operations } = await contractOf({ 'openapi.yaml': shop });
    expect(operations.map(({ security }) => security)).toEqual([
      [[{ scheme: 'key', scopes: [] }]],
      [],
    ]);
  });

  it.each([
    ['nothing is stated', '', '', { because: 'never' }, { because: 'idempotent' }],
    ['it is stated', 'x-repeatable: true', '', { because: 'stated' }, { because: 'idempotent' }],
    ['it is denied', 'x-repeatable: false', '', { because: 'never' }, { because: 'never' }],
    [
      'a question is open',
      'x-repeatable: { unstated: again }',
      '',
      { because: 'unstated', unstated: 'again' },
      { because: 'unstated', unstated: 'again' },
    ],
    [
      'it was answered yes',
      'x-repeatable: { unstated: again }',
      'settled: often',
      { because: 'stated' },
      { because: 'idempotent' },
    ],
    [
      'it was answered no',
      'x-repeatable: { unstated: again }',
      'settled: once',
      { because: 'never' },
      { because: 'never' },
    ],
  ])('know whether they may be repeated: %s', async (_, repeatable, settled, expected, ofPut) => {
    const text = (declared: string): string => `
openapi: 3.1.1
info: { title: Shop, version: 1.0.0${declared} }
paths:
  /orders:
    post:
      operationId: order
      ${repeatable}
      responses: { '204': { description: Done. } }
    put:
      operationId: replace
      ${repeatable}
      responses: { '204': { description: Done. } }
x-unstated:
  again:
    source: '1'
    question: May it be repeated?
    choices: { often: { value: true, meaning: It may. }, once: { value: false, meaning: It may not. } }
    ${settled}
`;
    const repetitions = async (declared: string): Promise<readonly unknown[]> => {
      const contract = await contractOf({ 'openapi.yaml': text(declared) });
      return contract.operations.map((operation) => repetitionOf(contract, operation));
    };
    expect(await repetitions(', x-countersign: 1')).toEqual([expected, ofPut]);
    // Elsewhere the key can mean anything.
    expect(await repetitions('')).toEqual([{ because: 'never' }, { because: 'idempotent' }]);
  });

  it('keep ranges and the default among their responses', async () => {
    const { operations } = await contractOf({ 'openapi.yaml': shop });
    expect(
      operations[0]?.responses.map(({ status, content }) => [status, content[0]?.schema]),
    ).toEqual([
      ['2XX', 'order'],
      ['default', undefined],
    ]);
  });
});

describe('schemas', () => {
  it('are ordered by name, keep the order of members and know whom they refer to', async () => {
    const { schemas } = await contractOf({ 'openapi.yaml': shop });
    expect(schemas.map(({ name, typeName, references }) => [name, typeName, references])).toEqual([
      ['line_item', 'LineItem', ['order']],
      ['order', 'Order', ['line_item']],
    ]);
    expect(JSON.stringify(schemas[1]?.definition)).toContain('"z":{"type":"string"},"a":');
  });

  it('that stand inline in a body are named after their operation', async () => {
    const text = `
openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    post:
      operationId: makeA
      requestBody: { content: { application/json: { schema: { type: string, nullable: true } } } }
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } }, application/json: { schema: { type: integer } } } } }
`;
    const { schemas } = await contractOf({ 'openapi.yaml': text });
    expect(schemas.map(({ name, definition }) => [name, definition])).toEqual([
      ['MakeARequest', { type: ['string', 'null'] }],
      ['MakeAResponse200', { type: 'integer' }],
      ['MakeAResponse200TextPlain', { type: 'string' }],
    ]);
  });

  it('that a reference reaches inside another schema get a name of their own', async () => {
    const { schemas } = await contractOf({
      'openapi.yaml': openapiWith(
        "A: { type: object, properties: { b: { type: string } } }\nC: { type: array, items: { $ref: '#/components/schemas/A/properties/b' } }",
      ),
    });
    expect(schemas.map(({ name }) => name)).toEqual(['A', 'AB', 'C']);
    expect(schemas[2]?.definition).toEqual({
      type: 'array',
      items: { $ref: '#/$defs/AB' },
    });
  });

  it.each([
    ['refused where the vocabulary is used', ', x-countersign: 1', 'error'],
    ['distinguished by marks elsewhere, with warnings', '', 'warning'],
  ])('whose names become one type are %s', async (_, declaration, severity) => {
    const text = openapiWith('foo_bar: { type: string }\nfoo-bar: { type: string }');
    const { diagnostics, contract } = await lowerFiles({
      'openapi.yaml': text.replace('version: 1.0.0', `version: 1.0.0${declaration}`),
    });
    const collisions = diagnostics.filter(({ code }) => code === 'name-collision');
    expect(collisions.map((each) => [each.severity, each.line])).toEqual([
      [severity, 6],
      [severity, 7],
    ]);
    expect(contract.schemas.map(({ name, typeName }) => [name, typeName])).toEqual([
      ['foo_bar', 'FooBar_4928'],
      ['foo-bar', 'FooBar_7d89'],
    ]);
  });
});

describe('examples', () => {
  it.each([
    ['an error where the document declares the vocabulary', ', x-countersign: 1', 'error'],
    ['a warning elsewhere, since no code follows from them', '', 'warning'],
  ])('that violate their schema are %s', async (_, declaration, severity) => {
    const { diagnostics } = await lowerFiles({
      'openapi.yaml': openapiWith('A: { type: string, examples: [1] }').replace(
        'version: 1.0.0',
        `version: 1.0.0${declaration}`,
      ),
    });
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'invalid-example', severity, line: 6 }),
    ]);
  });
});

describe('the ledger', () => {
  it('leaves open questions as questions and puts settled answers in their place', async () => {
    const { security } = await contractOf({ 'openapi.yaml': shop });
    expect(security[0]?.signature).toEqual({
      algorithm: 'hmac-sha256',
      key: { credential: 'signingSecret', encoding: { unstated: 'key-encoding' } },
      over: ['$request.header.trace', { text: '.' }, '$request.body', { unstated: 'path-form' }],
      encoding: 'base64url',
      header: 'X-Key',
      value: '{signature}',
    });
  });

  it('knows where an answer is waited for, and nothing of settled questions', async () => {
    const { unstated } = await contractOf({ 'openapi.yaml': shop });
    const base = 'openapi#/components/securitySchemes/key/x-signature';
    expect(
      unstated.map(({ id, optionName, assumed, usedBy }) => [id, optionName, assumed, usedBy]),
    ).toEqual([
      ['key-encoding', 'keyEncoding', 'utf-8', [`${base}/key/encoding`]],
      ['path-form', 'pathForm', undefined, [`${base}/over/3`]],
      ['alphabet', 'alphabet', undefined, []],
    ]);
    expect(unstated[1]?.choices).toEqual([
      { name: 'bare', value: '$url.path', meaning: 'Without query.' },
      { name: 'full', value: '$url', meaning: 'All of it.' },
    ]);
  });

  it('is not read in a document that does not declare the vocabulary', async () => {
    const { contract } = await lowerFiles({
      'openapi.yaml': shop.replace(', x-countersign: 1', ''),
    });
    expect(contract.unstated).toEqual([]);
  });
});

const parcels = `
asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0, x-countersign: 1 }
channels:
  sent:
    address: v1/parcels/{parcelId}
    parameters: { parcelId: { enum: [a, b] } }
    messages:
      parcelSent: { $ref: '#/components/messages/parcelSent' }
      parcelLost: { $ref: '#/components/messages/parcelLost' }
  quiet:
    messages: { hello: { payload: { type: object, required: [kind], properties: { kind: { const: hello } } } } }
operations:
  send: { action: send, channel: { $ref: '#/channels/sent' }, bindings: { http: { method: PUT } } }
  greet: { action: send, channel: { $ref: '#/channels/quiet' } }
  listen: { action: receive, channel: { $ref: '#/channels/quiet' } }
components:
  messages:
    parcelSent:
      headers: { type: object, required: [X-A], properties: { X-A: { type: string }, X-B: { type: integer } } }
      payload: { $ref: '#/components/schemas/Parcel' }
      x-identified-by: { $request.body#/Parcel/state: { const: sent } }
      x-dedupe-by: [$request.body#/Parcel/id]
    parcelLost:
      payload: { $ref: '#/components/schemas/Parcel' }
      x-identified-by:
        - { $request.body#/Parcel/state: { enum: [sent, lost] } }
        - { $request.body#/Parcel/lostAt: {} }
  schemas:
    Parcel:
      type: object
      required: [Parcel]
      properties:
        Parcel:
          type: object
          required: [id, state]
          properties: { id: { type: string }, state: { type: string }, lostAt: { type: string } }
      x-variants:
        list:
          when: { $request.body#/data/parcels: { type: array } }
          each: /data/parcels
          as: /Parcel
          rename: { ID: id, STATE: state }
`;

describe('notifications', () => {
  it('take their label from address and method, and none where there is no address', async () => {
    const contract = await contractOf({ 'asyncapi.yaml': parcels });
    expect(notification(contract, 'parcelSent').label).toMatchObject({
      method: 'PUT',
      path: '/v1/parcels/{parcelId}',
      parameters: [
        {
          name: 'parcelId',
          in: 'path',
          required: true,
          schema: { type: 'string', enum: ['a', 'b'] },
        },
      ],
    });
    expect(notification(contract, 'hello')).not.toHaveProperty('label');
    expect(notification(contract, 'hello')).not.toHaveProperty('method');
  });

  it('are what the service sends, or what it receives where the contract is written from the other side', async () => {
    const service = await lowerFiles({ 'asyncapi.yaml': parcels });
    const integrator = await lowerFiles({ 'asyncapi.yaml': parcels }, 'integrator');
    expect(service.contract.notifications.map(({ name }) => name)).toEqual([
      'parcelSent',
      'parcelLost',
      'hello',
    ]);
    expect(integrator.contract.notifications.map(({ name }) => name)).toEqual(['hello']);
  });

  it('are identified by what the contract declares, or by the constants of their payload', async () => {
    const contract = await contractOf({ 'asyncapi.yaml': parcels });
    expect(notification(contract, 'parcelLost').identifiedBy).toEqual([
      [{ expression: '$request.body#/Parcel/state', schema: { enum: ['sent', 'lost'] } }],
      [{ expression: '$request.body#/Parcel/lostAt', schema: {} }],
    ]);
    expect(notification(contract, 'hello')).toMatchObject({
      identifiedBy: [[{ expression: '$request.body#/kind', schema: { const: 'hello' } }]],
      identifiedByOrigin: 'derived',
    });
  });

  it('know the siblings that one delivery can match as well', async () => {
    const contract = await contractOf({ 'asyncapi.yaml': parcels });
    expect(notification(contract, 'parcelSent').ambiguousWith).toContain('parcelLost');
  });

  it('whose names become one handler are distinguished, except the one that has the name', async () => {
    const webhook = '{ post: { responses: { 2XX: { description: ok } } } }';
    const { contract, diagnostics } = await lowerFiles({
      'openapi.yaml': `openapi: 3.1.1
info: { title: Hooks, version: 1.0.0 }
webhooks:
  issue-opened: ${webhook}
  issue_opened: ${webhook}
  issueOpened: ${webhook}
`,
    });
    expect(contract.notifications.map(({ name, typeName }) => [name, typeName])).toEqual([
      ['issueOpened_9921', 'IssueOpened9921'],
      ['issueOpened_a8c9', 'IssueOpenedA8c9'],
      ['issueOpened', 'IssueOpened'],
    ]);
    const collisions = diagnostics.filter(({ code }) => code === 'name-collision');
    expect(collisions.map(({ severity, line, help }) => [severity, line, help])).toEqual([
      ['warning', 4, expect.stringContaining('issueOpened_9921')],
      ['warning', 5, expect.stringContaining('issueOpened_a8c9')],
    ]);
  });

  it.each([
    ['an error where the vocabulary could distinguish them', ', x-countersign: 1', 'error'],
    ['a warning where the document knows nothing of it', '', 'warning'],
  ])('that nothing distinguishes are %s', async (_, declaration, severity) => {
    const webhook = '{ post: { responses: { 2XX: { description: ok } } } }';
    const { diagnostics } = await lowerFiles({
      'openapi.yaml': `openapi: 3.1.1
info: { title: T, version: '1'${declaration} }
webhooks:
  a: ${webhook}
  b: ${webhook}
`,
    });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'indistinct-notifications', severity, line: 5 }),
    );
  });

  it('come from OpenAPI webhooks by their key', async () => {
    const text = `
openapi: 3.1.1
info: { title: T, version: '1' }
webhooks:
  book-lent:
    post:
      parameters: [{ name: X-Event, in: header, required: true, schema: { enum: [lent] } }]
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: ok } }
`;
    const contract = await contractOf({ 'openapi.yaml': text });
    expect(contract.notifications).toMatchObject([
      {
        id: 'book-lent',
        name: 'bookLent',
        typeName: 'BookLent',
        method: 'POST',
        payload: 'BookLentPayload',
        identifiedBy: [[{ expression: '$request.header.X-Event', schema: { const: 'lent' } }]],
      },
    ]);
  });
});

/** Three kinds as lists; two of them differ in nothing but their schema. */
const boats = `asyncapi: 3.0.0
info: { title: Boats, version: 1.0.0, x-countersign: 1 }
channels:
  boats:
    messages:
      ship: { payload: { $ref: '#/components/schemas/Ship' }, x-identified-by: { $request.body#/boat/raft: false } }
      ferry: { payload: { $ref: '#/components/schemas/Ferry' }, x-identified-by: { $request.body#/boat/raft: false } }
      raft: { payload: { $ref: '#/components/schemas/Raft' }, x-identified-by: { $request.body#/boat/raft: {} } }
operations:
  send: { action: send, channel: { $ref: '#/channels/boats' } }
components:
  schemas:
    Ship:
      type: object
      required: [boat]
      properties: { boat: { $ref: '#/components/schemas/ShipParts' } }
      x-variants:
        list:
          when: { $request.body#/boats: {}, $request.body#/boats/0/raft: false }
          each: /boats
          as: /boat
          rename: { ID: id, STATE: state }
    Ferry:
      type: object
      required: [boat]
      properties: { boat: { allOf: [{ $ref: '#/components/schemas/Sailing' }], properties: { id: { type: integer } } } }
      x-variants:
        list:
          when: { $request.body#/boats: {}, $request.body#/boats/0/raft: false }
          each: /boats
          as: /boat
          rename: { ID: id, STATE: state }
    Raft:
      type: object
      required: [boat]
      properties: { boat: { type: object, required: [raft], properties: { raft: { type: string } } } }
      x-variants:
        list: { when: { $request.body#/boats/0/raft: {} }, each: /boats, as: /boat }
    ShipParts:
      allOf: [{ $ref: '#/components/schemas/Sailing' }]
      required: [id]
      properties: { id: { type: string } }
    Sailing:
      type: object
      allOf: [{ $ref: '#/components/schemas/Named' }]
      required: [state, crew]
      properties: { state: { type: string }, crew: { type: integer } }
    Named:
      type: object
      properties: { title: { type: string } }
`;

describe('variants', () => {
  it('derive the element, the body and the union of wire variants', async () => {
    const { schemas } = await contractOf({ 'asyncapi.yaml': parcels });
    expect(schemas.map(({ name, origin, variantOf }) => [name, origin, variantOf])).toEqual([
      ['HelloPayload', 'inline', undefined],
      ['Parcel', 'component', undefined],
      ['ParcelList', 'variant', 'Parcel'],
      ['ParcelListItem', 'variant', 'Parcel'],
      ['ParcelSentHeaders', 'inline', undefined],
      ['ParcelWire', 'wire', 'Parcel'],
    ]);
    expect(schemas[3]?.definition).toMatchObject({
      properties: { ID: { type: 'string' }, STATE: { type: 'string' }, lostAt: { type: 'string' } },
      required: ['ID', 'STATE'],
      not: { anyOf: [{ required: ['ID', 'id'] }, { required: ['STATE', 'state'] }] },
    });
    expect(schemas[2]?.definition).toMatchObject({
      properties: {
        data: {
          properties: { parcels: { type: 'array', items: { $ref: '#/$defs/ParcelListItem' } } },
          required: ['parcels'],
        },
      },
      required: ['data'],
    });
    expect(schemas[5]?.definition).toMatchObject({
      oneOf: [{ $ref: '#/$defs/Parcel' }, { $ref: '#/$defs/ParcelList' }],
    });
  });

  it('rename members in the parts of a schema', async () => {
    const { contract, diagnostics } = await lowerFiles({ 'asyncapi.yaml': boats });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const item = contract.schemas.find(({ name }) => name === 'ShipListItem');
    expect(item?.definition).toMatchObject({
      allOf: [
        {
          allOf: [{ $ref: '#/$defs/Named' }],
          properties: { STATE: { type: 'string' }, crew: { type: 'integer' } },
          required: ['STATE', 'crew'],
        },
      ],
      properties: { ID: { type: 'string' } },
      required: ['ID'],
      not: { anyOf: [{ required: ['ID', 'id'] }, { required: ['STATE', 'state'] }] },
    });
  });

  it('of several payloads are one, where they are written and converted in the same way', async () => {
    const { contract } = await lowerFiles({ 'asyncapi.yaml': boats });
    expect(contract.recognition.forms).toMatchObject([
      {
        key: 'list',
        kinds: ['ship', 'ferry'],
        schemas: [
          { name: 'ShipList', kinds: ['ship'] },
          { name: 'FerryList', kinds: ['ferry'] },
        ],
      },
      { kinds: ['raft'], schemas: [{ name: 'RaftList', kinds: ['raft'] }] },
    ]);
    expect(contract.recognition.groups).toContainEqual(['ship', 'ferry']);
  });

  it.each([
    ['rename to a member that is not there', 'STATE: state', 'STATE: status'],
    ['rename two members to one', 'ID: id, STATE: state', 'ID: id, STATE: id'],
    ['take the name of another member', 'ID: id', 'lostAt: id'],
    ['are for a schema the contract does not have', 'as: /Parcel', 'as: /Box'],
  ])('that %s are refused', async (_, good, bad) => {
    const { diagnostics } = await lowerFiles({ 'asyncapi.yaml': parcels.replace(good, bad) });
    expect(diagnostics.map(({ code }) => code)).toContain('invalid-variant');
  });
});

describe('the published documents', () => {
  it('describe notifications of AsyncAPI under webhooks of OpenAPI, in every wire variant', async () => {
    const { documents } = await contractOf({ 'openapi.yaml': shop, 'asyncapi.yaml': parcels });
    expect(documents.openapi).toMatchObject({
      webhooks: {
        parcelSent: {
          put: {
            operationId: 'parcelSent',
            requestBody: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/ParcelWire' } },
              },
            },
          },
        },
        hello: {
          post: {
            requestBody: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/HelloPayload' } },
              },
            },
          },
        },
      },
      components: { schemas: { ParcelWire: {}, HelloPayload: {}, order: {} } },
    });
  });

  it('point the payload of an AsyncAPI message to the union of its wire variants', async () => {
    const { documents } = await contractOf({ 'asyncapi.yaml': parcels });
    expect(documents.asyncapi).toMatchObject({
      components: {
        messages: { parcelSent: { payload: { $ref: '#/components/schemas/ParcelWire' } } },
        schemas: { ParcelList: {}, ParcelListItem: {} },
      },
    });
  });

  it('are contracts themselves: generating from them loses nothing', async () => {
    const first = await contractOf({ 'openapi.yaml': shop, 'asyncapi.yaml': parcels });
    const again = await contractOf({
      'openapi.yaml': JSON.stringify(first.documents.openapi),
    });
    expect(again.notifications.map(({ name, method }) => [name, method])).toEqual(
      first.notifications.map(({ name, method }) => [name, method ?? 'POST']),
    );
    expect(again.operations.map(({ name }) => name)).toEqual(
      first.operations.map(({ name }) => name),
    );
  });
});

describe('the contract as a whole', () => {
  it('is plain data: JSON keeps all of it', async () => {
    const contract = await contractOf({ 'openapi.yaml': shop, 'asyncapi.yaml': parcels });
    expect(JSON.parse(JSON.stringify(contract))).toEqual(contract);
  });

  it('reads operations from webhooks where the contract is written from the other side', async () => {
    const { contract } = await lowerFiles({ 'openapi.yaml': shop }, 'integrator');
    expect(contract.operations).toEqual([]);
    expect(
      contract.notifications.map(({ name, label }) => [name, label?.method, label?.path]),
    ).toEqual([
      ['getOrder', 'GET', '/orders/{orderId}'],
      ['deleteOrdersOrderId', 'DELETE', '/orders/{orderId}'],
    ]);
  });
});
