import type { Breach, Observance } from '../rule-case.ts';

/** A contract whose one scheme signs what `over` lists, with more of the signature behind it. */
function signing(over: string, more = ''): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths: {}
components:
  parameters:
    Id: { name: X-Id, in: header, schema: { type: string } }
    Clock: { name: X-Clock, in: header, schema: { type: string } }
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature: # here
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: ${over}
        encoding: hex
${more}`;
}

const clock = '        timestamp: { header: X-Clock, format: unix-seconds, tolerance: 300 }\n';

/** An AsyncAPI contract with one signature, and what requires it. */
function sealed({
  servers = '{}',
  channel = '',
  operation = '',
  mark = '',
  info = '',
}: {
  readonly servers?: string;
  readonly channel?: string;
  readonly operation?: string;
  readonly mark?: string;
  readonly info?: string;
}): string {
  return `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0, x-countersign: 1${info} }
servers: ${servers}
channels:
  orders: { address: /orders, ${channel}messages: { order: { payload: { type: object } } } }
operations:
  send: { action: send, ${operation}channel: { $ref: '#/channels/orders' } }
components:
  securitySchemes:
    seal:
      type: httpApiKey
      in: header
      name: X-Seal
      x-signature: ${sealOf}${mark}
`;
}

const sealOf =
  '{ algorithm: hmac-sha256, key: { credential: secret, encoding: utf-8 }, over: [$request.body], encoding: hex }';
const bySeal = "security: [{ $ref: '#/components/securitySchemes/seal' }]";
const toSeal = `{ requires: { meaning: "It is signed.", actions: [{ target: $.operations.send, update: { ${bySeal} } }] }, not: It is not signed. }`;

export const breaches: readonly Breach[] = [
  {
    name: 'a signature that no part of an AsyncAPI document requires',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: 'Nothing requires the signature "seal"',
    files: { 'asyncapi.yaml': sealed({ mark: ' # here' }) },
  },
  {
    name: 'a signature of a server that the only channel does not list',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: '"seal"',
    files: {
      'asyncapi.yaml': sealed({
        servers: `{ plain: { host: a.example, protocol: https }, signed: { host: b.example, protocol: https, ${bySeal} } }`,
        channel: "servers: [{ $ref: '#/servers/plain' }], ",
        mark: ' # here',
      }),
    },
  },
  {
    name: 'a signature that no OpenAPI operation requires',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: '"seal"',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  order: { post: { security: [], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: header, name: X-Seal, x-signature: ${sealOf} } # here
`,
    },
  },
  {
    name: 'a signature inside the list of an operation',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: 'in a list of requirements',
    helps: '$ref',
    files: {
      'asyncapi.yaml': sealed({
        operation: `security: [{ $ref: '#/components/securitySchemes/seal' }, { type: httpApiKey, in: header, name: X-Other, x-signature: ${sealOf} }], `,
      }).replace(/(?=\ncomponents)/u, ' # here'),
    },
  },
  {
    name: 'a signature whose timestamp is not signed',
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'timestamp is not signed',
    files: { 'openapi.yaml': signing('[$request.body]', clock) },
  },
  {
    name: 'a signature over two headers with nothing between',
    rule: 'signatures',
    code: 'unusable-signature',
    says: '"seal"',
    files: { 'openapi.yaml': signing('[$request.header.X-Id, $request.header.X-Clock]') },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'a signature of the operation',
    code: 'unused-signature',
    files: { 'asyncapi.yaml': sealed({ operation: `${bySeal}, ` }) },
  },
  {
    name: 'a signature of a server that no channel lists, because none lists any',
    code: 'unused-signature',
    files: {
      'asyncapi.yaml': sealed({
        servers: `{ signed: { host: b.example, protocol: https, ${bySeal} } }`,
      }),
    },
  },
  {
    name: 'a signature that an answer to an open question would require',
    code: 'unused-signature',
    files: {
      'asyncapi.yaml': sealed({
        info: `, x-unstated: { authentication: { source: "1", question: Is it signed?, choices: ${toSeal} } }`,
      }),
    },
  },
  {
    name: 'a signature of the calls without security of their own',
    code: 'unused-signature',
    files: {
      'openapi.yaml': `${signing('[$request.body]')}security: [{ seal: [] }]\n`.replace(
        ' # here',
        '',
      ),
    },
  },
  {
    name: 'a signature over timestamp and body, parted by a dot',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': signing("[$request.header.X-Clock, { text: '.' }, $request.body]", clock),
    },
  },
];
