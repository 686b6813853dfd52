import { expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lowerFiles } from './lower-files.ts';

const schemes = `components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: key }
    basic: { type: http, scheme: basic }
    bearer: { type: http, scheme: bearer }
    oauth2: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: {} } } }
    openId: { type: openIdConnect, openIdConnectUrl: 'https://a.example/id' }
    certificate: { type: mutualTLS }
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature: { algorithm: hmac-sha256, key: { credential: secret, encoding: utf-8 }, over: [$request.body], encoding: hex }
    bodySeal:
      type: apiKey
      in: header
      name: none
      x-body-signature: { algorithm: hmac-sha256, key: { credential: secret, encoding: utf-8 }, over: [/type], encoding: hex, signature: /seal }
`;

const ids = [
  'header',
  'query',
  'cookie',
  'basic',
  'bearer',
  'oauth2',
  'openId',
  'certificate',
  'seal',
  'bodySeal',
];

const body =
  "requestBody: { content: { application/json: { schema: { type: object, properties: { type: { type: string }, seal: { type: string } } } } } }, responses: { '200': { description: Done. } }";

/** A document with one webhook and one callback, whose own members are `own`. */
function document(root: string, own = ''): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
security: ${root}
paths:
  /orders:
    post:
      operationId: order
      responses: { '204': { description: Done. } }
      callbacks:
        shipped: { '{$request.body#/url}': { post: { ${own}${body} } } }
webhooks:
  paid: { post: { ${own}${body} } }
${schemes}`;
}

/** Returns the security of each node by its id, as lists of names. */
function named(nodes: Contract['operations'] | Contract['notifications']): object {
  return Object.fromEntries(
    nodes.map(({ id, security }) => [
      id,
      security.map((required) => required.map(({ scheme }) => scheme)),
    ]),
  );
}

test.each(ids)('%s of the document is that of its calls, and not of deliveries', async (id) => {
  const { contract } = await lowerFiles({ 'openapi.yaml': document(`[{ ${id}: [] }]`) });
  expect(named(contract.operations)).toEqual({ order: [[id]] });
  expect(named(contract.notifications)).toEqual({ paid: [], shipped: [] });
  const { isNone, isRequired, unstated, proofs } = contract.authentication;
  expect([isNone, isRequired, unstated]).toEqual([false, false, ['paid', 'shipped']]);
  // Any signature in a header is offered to receivers as an assumption, and nothing else is.
  expect(proofs).toEqual([
    expect.objectContaining({
      kind: 'signature',
      isStated: false,
      statedFor: id === 'seal' ? 'calls' : 'neither calls nor notifications',
    }),
  ]);
});

test.each(ids)('%s of a notification itself is required of its deliveries', async (id) => {
  const { contract } = await lowerFiles({
    'openapi.yaml': document('[{ bearer: [] }]', `security: [{ ${id}: [] }], `),
  });
  expect(named(contract.notifications)).toEqual({ paid: [[id]], shipped: [[id]] });
  const { isRequired, unstated, declared, proofs } = contract.authentication;
  expect([isRequired, unstated, declared]).toEqual([true, [], []]);
  const stated = proofs.filter((proof) => proof.kind !== 'signature' || proof.isStated);
  expect(stated.map(({ scheme }) => scheme)).toEqual([id]);
});

test('an empty list of a notification itself states that it needs no proof', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': document('[{ bearer: [] }]', 'security: [], '),
  });
  expect(named(contract.notifications)).toEqual({ paid: [[]], shipped: [[]] });
  const { isNone, isRequired, unstated } = contract.authentication;
  expect([isNone, isRequired, unstated]).toEqual([true, false, []]);
});

test('the security of a document that the integrator wrote is that of its paths, which are deliveries', async () => {
  const { contract } = await lowerFiles(
    { 'openapi.yaml': document('[{ bearer: [] }]') },
    'integrator',
  );
  expect(named(contract.notifications)).toEqual({ order: [['bearer']] });
  expect(contract.authentication.unstated).toEqual([]);
});

test('the warning is reported once, whatever the number of notifications', async () => {
  const webhooks = Array.from({ length: 40 }, (_, index) => `  n${index}: { post: { ${body} } }`);
  const { diagnostics } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
security: [{ bearer: [] }]
paths: {}
webhooks:
${webhooks.join('\n')}
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
`,
  });
  const unstated = diagnostics.filter(({ code }) => code === 'unstated-authentication');
  expect(unstated.map(({ message, line }) => [message, line])).toEqual([
    [
      'The contract does not say how a delivery of "n0" and 39 other notifications is authenticated. The `security` of the document covers its calls only.',
      6,
    ],
  ]);
});

test('parameters of the query and cookies can be a proof by their names, unless they are data', async () => {
  const parameters = [
    '{ name: X-Shop-Signature, in: header, schema: { type: string } }',
    '{ name: secret, in: query, schema: { type: string, examples: [s-1] } }',
    '{ name: Secret, in: query, schema: { type: string } }',
    '{ name: secret, in: cookie, schema: { type: string } }',
    '{ name: page, in: query, schema: { type: string } }',
  ];
  const declaredIn = async (text: string, file = 'openapi.yaml'): Promise<readonly unknown[]> => {
    const { contract } = await lowerFiles({ [file]: text });
    return contract.authentication.declared.map(({ in: place, name, kind, values }) => [
      `${place}:${name}`,
      kind,
      ...values,
    ]);
  };
  const own = `parameters: [${parameters.join(', ')}], `;
  const expected = [
    ['header:X-Shop-Signature', 'signature'],
    ['query:secret', 'secret', 's-1'],
    ['query:Secret', 'secret'],
    ['cookie:secret', 'secret'],
  ];
  expect(await declaredIn(document('[]', own))).toEqual(expected);
  // A webhook without a body has its data in the query.
  expect(
    await declaredIn(document('[]', own).replaceAll(/requestBody: .*?, (?=responses)/gu, '')),
  ).toEqual([expected[0], expected[3]]);
  const asyncapi = (payload: string): string => `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0 }
channels: { told: { address: /told, messages: { paid: { ${payload} } } } }
operations: { tell: { action: send, channel: { $ref: '#/channels/told' }, bindings: { http: { method: POST, query: { type: object, properties: { secret: { type: string } } } } } } }
`;
  expect(await declaredIn(asyncapi('payload: { type: object }'), 'asyncapi.yaml')).toEqual([
    ['query:secret', 'secret'],
  ]);
  expect(await declaredIn(asyncapi(''), 'asyncapi.yaml')).toEqual([]);
});

test.each([
  ['security: [{ header: [] }], ', []],
  ['', ['shipped']],
  ['security: [], ', ['shipped']],
  ['security: [{ cookie: [] }], ', ['shipped']],
  ['security: [{ header: [] }, { cookie: [] }], ', ['shipped']],
  ['security: [{ header: [], cookie: [] }], ', []],
])('a proof says of which notifications it is not required: %j', async (other, ids) => {
  const text = document('[]', other).replace(
    /paid: \{ post: \{ .*?(?=requestBody)/u,
    'paid: { post: { security: [{ header: [] }], ',
  );
  const { contract } = await lowerFiles({ 'openapi.yaml': text });
  const proof = contract.authentication.proofs.find(({ scheme }) => scheme === 'header');
  expect(proof).toMatchObject({ notRequiredBy: ids });
});
