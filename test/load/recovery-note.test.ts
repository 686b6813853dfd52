import { expect, test } from 'vitest';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { loadFiles } from '../rules/rule-case.ts';

test('a server variable that is not declared is described by what its server is used for', async () => {
  const { diagnostics } = await loadFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Files, version: 1.0.0 }
servers:
  - url: https://{tenant}.example
  - url: https://{other}.example
paths:
  /files:
    servers:
      - url: https://{path}.upload.example
      - url: https://{unused}.upload.example
    post:
      operationId: upload
      servers: [{ url: 'https://{own}.upload.example' }]
      responses: { '204': { description: Done. } }
`,
  });
  expect(diagnostics.map(({ line }) => line)).toEqual([4, 5, 9, 10, 13]);
  const [root, second, path, unused, operationServer] = diagnostics.map((diagnostic) =>
    JSON.stringify(diagnostic),
  );
  expect(root).toContain('clients have no default base URL');
  expect(second).toContain('no generated client has a default for it');
  expect(path).toContain('its calls need an address in `baseUrls`');
  expect(unused).toContain('no generated client has a default for it');
  expect(operationServer).toContain('its calls need an address in `baseUrls`');
  expect([second, path, unused, operationServer].join('')).not.toContain('default base URL');
});

test('a keyword of another version of JSON Schema is described by what becomes of it', async () => {
  const { diagnostics } = await loadFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Files, version: 1.0.0 }
paths: {}
components:
  schemas:
    File:
      type: string
      nullable: true
      $recursiveAnchor: true
      titel: File
    Folder:
      type: array
      items: { $recursiveRef: '#' }
`,
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Files, version: 1.0.0 }
components:
  schemas:
    Name: { type: array, prefixItems: [{ type: string }] }
`,
  });
  expect(
    diagnostics.map(({ line, help }) => `${line} ${help.slice(help.indexOf('until then'))}`),
  ).toEqual([
    '5 until then, it is honoured as JSON Schema defines it.',
    '8 until then, it is honoured as in OpenAPI 3.0: `null` is valid too.',
    '9 until then, it is ignored.',
    '10 until then, it is ignored.',
    '13 until then, it is ignored, and any value is accepted.',
  ]);
});

test('a small invalid part of an AsyncAPI document costs what it touches', async () => {
  const { contract, documents } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Lamps, version: 1.0.0 }
channels:
  lamps:
    address: /lamps/{room}
    parameters: { room: { examples: [5, 3600], enum: [5, 3600], default: 5 } }
    messages:
      lit:
        examples: [7, { payload: { on: 1 } }]
        headers: { type: object, properties: { X-At: { type: integer, minimum: '0' } } }
        payload: { type: object, properties: { on: { type: integer, minimum: '0' } } }
operations: { onLit: { action: send, channel: { $ref: '#/channels/lamps' } } }
`,
  });
  const { diagnostics } = documents;
  expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    ...Array.from({ length: 6 }, () => 'warning invalid-asyncapi'),
    'warning invalid-schema',
    'warning invalid-schema',
  ]);
  expect(contract.notifications[0]?.label?.parameters).toMatchObject([
    { schema: { enum: ['5', '3600'], default: '5' }, examples: ['5', '3600'] },
  ]);
});

test('in AsyncAPI 2, too', async () => {
  const { diagnostics } = await loadFiles({
    'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Lamps, version: 1.0.0 }
channels:
  lamps:
    subscribe:
      message:
        headers: { type: object, properties: { X-At: { type: integer, minimum: '0' } } }
        payload: { type: object, properties: { on: { type: integer, minimum: '0' } } }
`,
  });
  expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'warning invalid-schema',
    'warning invalid-schema',
  ]);
});

test('members of a later version are read, and the warning says so', async () => {
  const { diagnostics } = await loadFiles({
    'openapi.yaml': `openapi: 3.0.3
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    $ref: '#/components/pathItems/Files'
  /search:
    query: { operationId: search, responses: { '204': { description: Done. } } }
    additionalOperations: {}
webhooks: {}
components:
  pathItems:
    Files: {}
`,
  });
  expect(
    diagnostics.map(({ line, help }) => `${line} ${help.slice(help.indexOf('until then'))}`),
  ).toEqual([
    '7 until then, it is read as in OpenAPI 3.2.',
    '8 until then, it is ignored.',
    '9 until then, it is read as in OpenAPI 3.1.',
    '11 until then, it is read as in OpenAPI 3.1.',
  ]);
});
