import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { load } from '../../generator/load/load.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { reported } from './contract-of.ts';

// Documents of public reports about other generators, linters and parsers: what is reported of each, and what is read.

type Lowered = Awaited<ReturnType<typeof lowerFiles>>;

interface Report {
  readonly links: readonly string[];
  readonly document: string;
  /** Diagnostics as `severity code`, with a part of the text. Notes about authentication are left out. */
  readonly reports: readonly (readonly [kind: string, named: string])[];
  /** What the model has. */
  readonly reads?: (lowered: Lowered['contract']) => unknown;
  readonly as?: unknown;
}

const openapi = (version: string, rest: string): string =>
  `openapi: ${version}\ninfo: { title: Report, version: 1.0.0 }\n${rest}`;
const asyncapi = (rest: string): string =>
  `asyncapi: 3.0.0\ninfo: { title: Report, version: 1.0.0 }\n${rest}`;
const done = 'responses: { 204: { description: Done } }';

const reports: readonly Report[] = [
  {
    links: [
      reported('swagger-api/swagger-parser', 1741),
      reported('ruby/psych', 583),
      reported('wework/speccy', 283),
      reported('eemeli/yaml', 574),
      reported('microsoft/typespec', 4983),
      'https://github.com/seriousme/openapi-schema-validator/pull/16',
    ],
    document: `openapi: 3.0.3
info: { title: Report, version: 2021-06-25 }
paths: {}
components:
  schemas:
    Coordinates: { type: object, properties: { y: { type: number }, n: { type: string, default: no } } }
    Language: { type: string, enum: [en, fr, no, on, yes, 12:30, 1_000] }
`,
    reports: [],
    reads: ({ info, schemas }) => [info.version, ...schemas.map(({ definition }) => definition)],
    as: [
      '2021-06-25',
      {
        type: 'object',
        properties: { y: { type: 'number' }, n: { type: 'string', default: 'no' } },
      },
      { type: 'string', enum: ['en', 'fr', 'no', 'on', 'yes', '12:30', '1_000'] },
    ],
  },
  {
    // A text that looks like a number is read as it is written.
    links: [
      reported('Mermade/oas-kit', 193),
      reported('openapi-ts/openapi-typescript', 2627),
      reported('OAI/OpenAPI-Specification', 2567),
    ],
    document: `openapi: 3.0.3
info: { title: Report, version: 1.10 }
paths: {}
components:
  schemas:
    Code: { type: string, enum: [1, 007, 1.0, 1e3, '2.0'], default: 007 }
    Number: { type: number, enum: [1.0] }
`,
    reports: [
      ['warning mistyped-value', '`1.10` without quotes is the number 1.1'],
      ['warning mistyped-value', 'The value 1 is not of the type "string"'],
      ['warning mistyped-value', '`007` without quotes is the number 7'],
      ['warning mistyped-value', '`1.0` without quotes is the number 1,'],
      ['warning mistyped-value', '`1e3` without quotes is the number 1000'],
      ['warning mistyped-value', '`007` without quotes is the number 7'],
    ],
    reads: ({ info, schemas }) => [info.version, ...schemas.map(({ definition }) => definition)],
    as: [
      '1.10',
      { type: 'string', enum: ['1', '007', '1.0', '1e3', '2.0'], default: '007' },
      { type: 'number', enum: [1] },
    ],
  },
  {
    links: [
      reported('Mermade/oas-kit', 11),
      'https://github.com/kogosoftwarellc/open-api/pull/901',
      reported('OAI/OpenAPI-Specification', 2231),
    ],
    document: openapi(
      '3.0.3',
      `servers:
  - url: http://localhost:{port}/{version}{path}
    variables: { port: { default: 3000, enum: [80, 3000] }, version: { default: 1.0 }, path: { default: '' } }
paths: {}
`,
    ),
    reports: [
      ['warning invalid-openapi', 'it is read as text'],
      ['warning invalid-openapi', 'it is read as text'],
      ['warning invalid-openapi', 'it is read as text'],
      ['warning mistyped-value', "it is read as the text '1.0'"],
    ],
    reads: ({ info }) => info.servers[0]?.variables,
    as: [
      { name: 'port', default: '3000', enum: ['80', '3000'] },
      { name: 'version', default: '1.0' },
      { name: 'path', default: '' },
    ],
  },
  {
    links: [reported('manchenkoff/openapi3-parser', 26)],
    document: openapi('3.1.1', 'paths: {}\ncomponents: { schemas: { A: {}, A: {} } }\n'),
    reports: [['error yaml-syntax', 'The key `A` is written twice']],
  },
  {
    // Extensions of others are data.
    links: [reported('hey-api/hey-api', 2046), reported('Mermade/oas-kit', 186)],
    document: openapi(
      '3.1.1',
      `paths:
  /a:
    get:
      operationId: a
      x-codeSamples: [{ lang: Python, source: { $ref: ./samples/a.py } }, { source: { $ref: 'http://localhost/a.js' } }]
      ${done}
x-groups: { first: [{ backend: { $ref: '#/x-groups/missing' } }] }
`,
    ),
    reports: [],
    reads: ({ operations }) => operations.map(({ id }) => id),
    as: ['a'],
  },
  {
    // An example that is a reference, and references in examples that are data.
    links: [
      reported('OpenAPITools/openapi-generator', 20009),
      'https://github.com/zoubingwu/msw-auto-mock/pull/113',
      reported('OpenAPITools/openapi-generator', 14327),
    ],
    document: openapi(
      '3.1.1',
      `webhooks:
  event:
    post:
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Event' }
            examples: { one: { $ref: '#/components/examples/one' } }
      responses: { 200: { description: Done } }
components:
  schemas:
    Event: { type: object, properties: { id: { $ref: '#/components/schemas/Id', x-order: 1 } }, x-example: { $ref: '#/nowhere' } }
    Id: { type: integer }
  examples: { one: { value: { id: 1 } } }
`,
    ),
    reports: [],
    reads: ({ notifications }) => notifications[0]?.examples.map(({ value }) => value),
    as: [{ id: 1 }],
  },
  {
    links: [reported('cyclosproject/ng-openapi-gen', 136)],
    document: openapi(
      '3.0.3',
      `paths:
  /a: { get: { operationId: a, responses: { 200: { description: Done, content: { application/pdf: { schema: { type: file, format: binary } } } } } } }
  /b: { get: { operationId: b, ${done} } }
`,
    ),
    reports: [['warning invalid-schema', '`type` can be one of the following only']],
    reads: ({ operations }) =>
      operations.map(({ id, responses }) => [id, responses[0]?.content[0]?.kind]),
    as: [
      ['a', 'binary'],
      ['b', undefined],
    ],
  },
  {
    links: [reported('OpenAPITools/openapi-generator', 5630), reported('microsoft/typespec', 2235)],
    document: openapi(
      '3.1.1',
      `paths: { /a: { get: { operationId: a, parameters: [{ name: Range, in: header, style: spaceDelimited, schema: { type: array } }], ${done} } } }\n`,
    ),
    reports: [['error invalid-openapi', '`style` must be one of "simple"']],
  },
  {
    // Every reference without a target is reported at once.
    links: [
      reported('hey-api/hey-api', 3783),
      reported('schemathesis/schemathesis', 999),
      reported('hey-api/hey-api', 4084),
    ],
    document: openapi(
      '3.1.1',
      `paths:
  /a: { get: { operationId: a, parameters: [{ $ref: '#/components/parameters/None' }], ${done} } }
components:
  schemas:
    Used: { type: object, properties: { a: { $ref: '#/components/schemas/Nowhere' }, b: { $ref: 'http://localhost/b.yaml' } } }
`,
    ),
    reports: [
      ['error unresolved-reference', '`#/components/parameters/None`'],
      ['error unresolved-reference', '`#/components/schemas/Nowhere`'],
      ['error remote-reference', '`http://localhost/b.yaml`'],
    ],
  },
  {
    // A callback by reference without a body, and one whose address has text around expressions.
    links: [
      reported('microprofile/microprofile-open-api', 24),
      reported('loopbackio/loopback-next', 4712),
      reported('OpenAPITools/openapi-generator', 372),
    ],
    document: openapi(
      '3.0.3',
      `paths:
  /path:
    post:
      operationId: subscribe
      ${done}
      callbacks:
        simple: { $ref: '#/components/callbacks/Simple' }
        device:
          '{$request.body#/ownerId}/Devices/{$method}/+':
            post: { requestBody: { content: { application/json: { schema: {} } } }, responses: { 200: { description: Done } } }
components:
  callbacks:
    Simple: { /mycallback: { get: { responses: { 200: { description: Done } } } } }
`,
    ),
    reports: [],
    reads: ({ notifications }) => notifications.map(({ id, method }) => [id, method]),
    as: [
      ['Simple', 'GET'],
      ['device', 'POST'],
    ],
  },
  {
    // Members of a later version are read, and the warning says so.
    links: [reported('apple/swift-openapi-generator', 712), reported('hey-api/hey-api', 1252)],
    document: openapi(
      '3.0.3',
      `paths: { /a: { $ref: '#/components/pathItems/A' } }
webhooks: { event: { post: { security: [], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { 200: { description: Done } } } } }
components: { pathItems: { A: { get: { operationId: a, ${done} } } } }
`,
    ),
    reports: [
      ['warning invalid-openapi', 'it is read as in OpenAPI 3.1'],
      ['warning invalid-openapi', 'it is read as in OpenAPI 3.1'],
    ],
    reads: ({ notifications, operations }) => [...notifications, ...operations].map(({ id }) => id),
    as: ['event', 'a'],
  },
  {
    links: [reported('Redocly/redocly-cli', 174)],
    document: openapi(
      '3.0.3',
      `paths: {}
x-webhooks: { event: { post: { security: [], requestBody: { $ref: '#/components/requestBodies/Event' }, responses: { 200: { description: Done } } } } }
components: { requestBodies: { Event: { content: { application/json: { schema: { type: object } } } } } }
`,
    ),
    reports: [],
    reads: ({ notifications }) => notifications.map(({ id }) => id),
    as: ['event'],
  },
  {
    // Bodies that a receiver does not read.
    links: [reported('sendgrid/sendgrid-parse-api-example', 2), reported('asyncapi/cli', 1488)],
    document: openapi(
      '3.1.1',
      `webhooks:
  mail: { post: { security: [], x-identified-by: { $request.header.x-kind: { const: mail } }, parameters: [{ name: x-kind, in: header, schema: { type: string } }], requestBody: { content: { multipart/form-data: { schema: { type: object } } } }, responses: { 200: { description: Done } } } }
  hello: { post: { security: [], x-identified-by: { $request.header.x-kind: { const: hello } }, parameters: [{ name: x-kind, in: header, schema: { type: string } }], requestBody: { content: { text/plain: { schema: { type: string } } } }, responses: { 200: { description: Done } } } }
`,
    ),
    reports: [
      ['warning unread-body', '"multipart/form-data"'],
      ['warning unread-body', '"text/plain"'],
    ],
  },
  {
    links: [
      reported('asyncapi/modelina', 1574),
      reported('asyncapi/asyncapi-react', 1106),
      reported('asyncapi/parser-js', 210),
    ],
    document: asyncapi(
      `channels: {}
components: { messages: { turnOff: { payload: { type: object } }, turnOn: { payload: { type: object } } } }
`,
    ),
    reports: [['warning unreceived-notifications', '"turnOff", "turnOn"']],
  },
  {
    // An operation has the messages that it lists, all of its channel without a list, and none with an empty one.
    links: [reported('asyncapi/parser-js', 1093), reported('G-USI/asyncapi-python', 15)],
    document: asyncapi(
      `servers: { main: { host: example.com, protocol: https } }
channels:
  one: { address: /one, messages: { a: { payload: { required: [k], properties: { k: { const: a } } } }, b: { payload: {} } } }
  all: { address: /all, messages: { c: { payload: { required: [k], properties: { k: { const: c } } } }, d: { payload: { required: [k], properties: { k: { const: d } } } } } }
  none: { address: /none, messages: { e: { payload: {} } } }
operations:
  one: { action: send, channel: { $ref: '#/channels/one' }, messages: [{ $ref: '#/channels/one/messages/a' }] }
  all: { action: send, channel: { $ref: '#/channels/all' } }
  none: { action: send, channel: { $ref: '#/channels/none' }, messages: [] }
`,
    ),
    reports: [['info unreceived-notifications', '"b", "e"']],
    reads: ({ notifications }) => notifications.map(({ id }) => id),
    as: ['a', 'c', 'd'],
  },
  {
    links: [
      'https://github.com/wso2-open-operations/cs-tools/pull/1315',
      reported('apache/eventmesh', 716),
      reported('asyncapi/spec', 520),
    ],
    document: `asyncapi: 2.0.0
info: { title: Report, version: 1.0.0 }
servers: { main: { url: 'https://example.com', protocol: https } }
channels: { /events: { publish: { message: { name: pong, payload: { type: object } } } } }
`,
    reports: [['warning unreceived-notifications', "`perspective: 'integrator'`"]],
  },
  {
    // Another format of schemas costs its payload alone.
    links: [
      reported('asyncapi/spec', 528),
      reported('asyncapi-archived-repos/java-spring-template', 78),
    ],
    document: `asyncapi: 2.6.0
info: { title: Report, version: 1.0.0 }
servers: { main: { url: 'https://example.com', protocol: https } }
channels:
  /avro: { subscribe: { message: { messageId: avro, schemaFormat: 'application/vnd.apache.avro;version=1.9.0', payload: { type: record, name: U, fields: [] }, x-identified-by: { $method: { const: PUT } } } } }
  /json: { subscribe: { message: { messageId: json, payload: { type: object }, x-identified-by: { $method: { const: POST } } } } }
`,
    reports: [['warning unsupported-schema', 'application/vnd.apache.avro']],
    reads: ({ notifications }) => notifications.map(({ id }) => id),
    as: ['avro', 'json'],
  },
  {
    links: [reported('event-catalog/generator-asyncapi', 27)],
    document: asyncapi(
      `channels: { a: { address: /a, messages: [{ $ref: '#/components/messages/A' }] } }
operations: { a: { action: send, channel: { $ref: '#/channels/a' } } }
components: { messages: { A: { payload: { type: object } } } }
`,
    ),
    reports: [['error invalid-asyncapi', 'Expected type `NamedMessages` (object) but got `array`']],
  },
  {
    links: [reported('asyncapi/spec', 1073), reported('softwaremill/sttp-apispec', 43)],
    document: asyncapi(
      `channels: { a: { address: /a, messages: { a: { payload: { $ref: '#/components/schemas/Event' } } } } }
operations: { a: { action: send, channel: { $ref: '#/channels/a' } } }
components: { schemas: { Event: { type: object, discriminator: { propertyName: type }, properties: { type: { type: string } } } } }
`,
    ),
    reports: [['warning invalid-schema', 'Expected type `string` but got `object`']],
    reads: ({ notifications }) => notifications.map(({ id }) => id),
    as: ['a'],
  },
];

/** Returns the diagnostics in the order of the document, without notes about what the reports leave out. */
function listed(all: readonly Diagnostic[]): readonly Diagnostic[] {
  return all
    .filter(({ code }) => code !== 'unstated-authentication')
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}

describe('a document of a public report', () => {
  test.each(reports.map((report) => [report.links.join(' '), report] as const))(
    '%s',
    async (_, { document, reports: expected, reads, as }) => {
      const name = document.startsWith('asyncapi') ? 'asyncapi.yaml' : 'openapi.yaml';
      const { contract, diagnostics, documents } = await lowerFiles({ [name]: document });
      const all = listed([...documents.diagnostics, ...diagnostics]);
      expect(
        all.map(({ severity, code, message, help }) => [
          `${severity} ${code}`,
          `${message} ${help}`,
        ]),
      ).toEqual(expected.map(([kind, named]) => [kind, expect.stringContaining(named)]));
      if (reads !== undefined) expect(reads(contract)).toEqual(as);
    },
  );
});

const target = openapi(
  '3.1.1',
  `tags: [{ name: a }, { name: b }]
paths: { /test: { post: { operationId: t, responses: { default: { description: All } } } } }
`,
).replace('version: 1.0.0', 'version: 1.0.0, description: old');

describe('an overlay of a public report', () => {
  const rows: readonly (readonly [
    link: string,
    version: string,
    actions: string,
    place: readonly string[],
    value: unknown,
    code?: string,
  ])[] = [
    [
      'https://github.com/OAI/Overlay-Specification/pull/225',
      '1.1.0',
      '[{ target: $.info.description, update: new }]',
      ['info', 'description'],
      'new',
    ],
    [
      reported('OAI/Overlay-Specification', 121),
      '1.1.0',
      `[{ target: "$.paths['/test'].post.responses", update: { '200': {} } }, { target: "$.paths['/test'].post.responses['200']", copy: "$.paths['/test'].post.responses.default" }]`,
      ['paths', '/test', 'post', 'responses', '200'],
      { description: 'All' },
    ],
    [
      'https://github.com/speakeasy-api/openapi/pull/87',
      '1.1.0',
      `[{ target: '$.info', update: { x-version: '' } }, { target: "$.info['x-version']", copy: $.info.version }]`,
      ['info', 'x-version'],
      '1.0.0',
    ],
    [
      reported('OAI/Overlay-Specification', 30),
      '1.0.0',
      '[{ target: $.tags, remove: true }, { target: $, update: { tags: [{ name: c }] } }]',
      ['tags'],
      [{ name: 'c' }],
    ],
    [
      'https://github.com/OAI/Overlay-Specification/pull/50',
      '1.0.0',
      '[{ target: $.tags, update: { name: c } }]',
      ['tags'],
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ],
    [
      reported('speakeasy-api/openapi-overlay', 19),
      '1.0.0',
      `[{ target: "$.paths['/test'].post['x-new']", update: { a: 1 } }]`,
      ['paths', '/test', 'post', 'x-new'],
      undefined,
      'overlay-target-not-found',
    ],
  ];

  test.each(rows.map((row) => [row[0], row] as const))('%s', async (_, row) => {
    const [, version, actions, place, value, code] = row;
    const folder = await mkdtemp(join(tmpdir(), 'countersign-overlay-'));
    try {
      await writeFile(join(folder, 'openapi.yaml'), target);
      await writeFile(
        join(folder, 'overlay.yaml'),
        `overlay: ${version}\ninfo: { title: Overlay, version: 1.1 }\nactions: ${actions}\n`,
      );
      const contract = { openapi: 'openapi.yaml', overlays: ['overlay.yaml'] };
      const { diagnostics, openapi: loaded } = await load(contract, { folder });
      expect(diagnostics.map((one) => one.code)).toEqual(code === undefined ? [] : [code]);
      let found: unknown = loaded?.root;
      for (const member of place) found = Object(found)[member];
      expect(found).toEqual(value);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
