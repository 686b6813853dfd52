import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../generator/config/config.ts';
import { readContract, type ReadContract } from '../generator/generate.ts';
import type { JsonObject } from '../generator/json/json.ts';

async function read(document: JsonObject): Promise<ReadContract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-broken-'));
  const name = 'asyncapi' in document ? 'asyncapi' : 'openapi';
  const config: Config = {
    contract: { [name]: `${name}.json` },
    scope: '@trade',
    output: 'generated',
    targets: [],
  };
  try {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(document));
    return await readContract(config, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const info: JsonObject = { title: 'Trade', version: '1.0.0' };
const responses: JsonObject = { 200: { description: 'Done.' } };

function withSchema(version: string, schema: JsonObject): JsonObject {
  return { openapi: version, info, paths: {}, components: { schemas: { Thing: schema } } };
}

/** A schema, the code of the warning and what is generated from it. */
const schemas: readonly (readonly [string, string, JsonObject, string, JsonObject])[] = [
  [
    'nullable of 3.0 in 3.1',
    '3.1.0',
    { type: 'string', nullable: true },
    'invalid-schema',
    { type: ['string', 'null'] },
  ],
  [
    'an exclusive limit of 3.0 in 3.1',
    '3.1.0',
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    'invalid-schema',
    { type: 'integer', exclusiveMinimum: 0 },
  ],
  [
    'a limit in quotes',
    '3.0.3',
    { type: 'string', maxLength: '5' },
    'invalid-schema',
    { type: 'string', maxLength: 5 },
  ],
  [
    'a default in quotes',
    '3.0.3',
    { type: 'integer', default: '10' },
    'mistyped-value',
    { type: 'integer', default: 10 },
  ],
  [
    'a text without its quotes',
    '3.1.0',
    { type: ['string', 'null'], enum: ['1.0', 2, null] },
    'mistyped-value',
    { type: ['string', 'null'], enum: ['1.0', '2', null] },
  ],
  [
    'a pattern with the slashes of a literal',
    '3.0.3',
    { type: 'string', pattern: '/^a+$/' },
    'invalid-pattern',
    { type: 'string', pattern: '^a+$' },
  ],
  [
    'a pattern whose alternatives overlap, which blocks a receiver for seconds with 28 characters',
    '3.0.3',
    { type: 'string', pattern: String.raw`^(\w|\d)+$` },
    'slow-pattern',
    { type: 'string' },
  ],
  [
    'a pattern that is shortened, without a warning about it, beside one of quadratic time',
    '3.0.3',
    {
      properties: { a: { pattern: String.raw`.*\S.*` }, b: { pattern: String.raw`^.*\S.*$` } },
    },
    'slow-pattern',
    { properties: { a: { pattern: String.raw`\S` }, b: {} } },
  ],
  [
    'a pattern that takes exponential time',
    '3.0.3',
    { type: 'string', pattern: '^(a+)+$' },
    'slow-pattern',
    { type: 'string' },
  ],
  [
    'names for other values than there are',
    '3.0.3',
    { type: 'string', enum: ['a', 'b'], 'x-enum-varnames': ['A'] },
    'enum-names',
    { type: 'string', enum: ['a', 'b'], 'x-enum-varnames': ['A'] },
  ],
];

describe('of a contract that was written for other tools', () => {
  test.each(schemas)(
    '%s is repaired with a warning',
    async (_, version, schema, code, expected) => {
      const { contract, diagnostics } = await read(withSchema(version, schema));
      expect(diagnostics).toMatchObject([{ severity: 'warning', code, file: 'openapi.json' }]);
      expect(diagnostics[0]?.help).toContain('until then, ');
      expect(contract?.schemas[0]?.definition).toEqual(expected);
    },
  );

  test.each(schemas)(
    '%s is an error where the vocabulary is declared',
    async (_, version, schema, code) => {
      const document = withSchema(version, schema);
      const { contract, diagnostics } = await read({
        ...document,
        info: { ...info, 'x-countersign': 1 },
      });
      expect(contract).toBeUndefined();
      expect(diagnostics).toMatchObject([{ severity: 'error', code }]);
    },
  );

  test('operations of one operationId are named after their places', async () => {
    const { contract, diagnostics } = await read({
      openapi: '3.0.3',
      info,
      paths: {
        '/a': { get: { operationId: 'list', responses } },
        '/b': { get: { operationId: 'list', responses } },
      },
    });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['duplicate-operation-id', 'warning'],
    ]);
    expect(contract?.operations.map(({ id, name }) => [id, name])).toEqual([
      ['get /a', 'getA'],
      ['get /b', 'getB'],
    ]);
  });

  test('an operation has exactly the parameters in the path that its template names', async () => {
    const parameter = { name: 'other', in: 'path', required: true, schema: { type: 'integer' } };
    const { contract, diagnostics } = await read({
      openapi: '3.0.3',
      info,
      paths: { '/a/{id}': { get: { operationId: 'get', parameters: [parameter], responses } } },
    });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['undeclared-path-parameter', 'warning'],
      ['undeclared-path-parameter', 'warning'],
    ]);
    expect(contract?.operations[0]?.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });
});

/** Documents that look broken to a tool, and the codes of what is said of them. */
const documents: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    'an extension holds whatever its author wants',
    { openapi: '3.0.3', info: { ...info, 'x-logo': 'logo.png' }, paths: {}, 'x-tagGroups': 1 },
    [],
  ],
  [
    'an extension among webhooks is none',
    { openapi: '3.0.3', info, paths: {}, 'x-webhooks': { 'x-hidden': true } },
    [],
  ],
  [
    'an extension in a callback is not a URL',
    {
      openapi: '3.1.0',
      info,
      paths: {
        '/a': {
          post: {
            responses,
            callbacks: {
              done: {
                'x-note': 'A text.',
                'x-list': [1],
                '{$request.body#/url}': { 'x-note': 1, post: { responses } },
              },
            },
          },
        },
      },
      components: { callbacks: { Done: { 'x-note': 'A text.' } } },
    },
    ['info unstated-authentication'],
  ],
  [
    'the query of a path is sent as it is written',
    { openapi: '3.0.3', info, paths: { '/a?b=c': { get: { responses } } } },
    ['warning invalid-openapi'],
  ],
  [
    'a version without quotes is a text',
    { openapi: '3.0.3', info: { title: 'Trade', version: 1.5 }, paths: {} },
    ['warning invalid-openapi'],
  ],
  [
    'nothing stands where null does',
    { openapi: '3.0.3', info, tags: null, paths: { '/a': { get: null, parameters: null } } },
    ['warning invalid-openapi', 'warning invalid-openapi', 'warning invalid-openapi'],
  ],
  [
    'a parameter in the path is required',
    withParameter({ name: 'id', in: 'path', schema: { type: 'string' } }),
    ['warning invalid-openapi'],
  ],
  [
    'a parameter may have its keywords beside its name, as in Swagger 2.0',
    withParameter({ name: 'id', in: 'path', required: true, type: 'string' }),
    ['warning invalid-openapi', 'warning invalid-openapi'],
  ],
  [
    'nothing is asked for a security scheme that does not exist',
    { openapi: '3.0.3', info, security: [{ gone: [] }], paths: { '/a': { get: { responses } } } },
    ['warning invalid-openapi'],
  ],
  [
    'a component has the name that it has',
    {
      openapi: '3.0.3',
      info,
      paths: {},
      components: { schemas: { 'A Thing': { type: 'string' } } },
    },
    ['warning invalid-openapi'],
  ],
  [
    'servers of AsyncAPI may have one tag',
    {
      asyncapi: '3.0.0',
      info,
      servers: {
        a: { host: 'a.test', protocol: 'https', tags: [{ name: 'both' }] },
        b: { host: 'b.test', protocol: 'https', tags: [{ name: 'both' }] },
      },
    },
    [],
  ],
  [
    'a schema of OpenAPI in AsyncAPI has the keywords of OpenAPI',
    withPayload('application/vnd.oai.openapi;version=3.0.0', { type: 'string', nullable: true }),
    ['info unstated-authentication'],
  ],
  [
    'a payload of Avro is any value',
    withPayload('application/vnd.apache.avro;version=1.9.0', {
      type: 'record',
      name: 'Moved',
      fields: [],
    }),
    ['info unstated-authentication', 'warning unsupported-schema'],
  ],
];

/** Documents that violate the specification, and the codes of the warnings about them. */
const recovered: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    'server variables without a declaration, or without a default',
    {
      openapi: '3.0.1',
      info,
      servers: [
        { url: 'https://{host}/v2' },
        {
          url: 'https://{region}.example.com/{stage}',
          variables: { region: { enum: ['north', 'south'] }, stage: { default: 'live' } },
        },
        { url: 'https://example.com', variables: { unused: { default: 'a' } } },
      ],
      paths: {},
    },
    ['invalid-openapi', 'invalid-openapi', 'invalid-openapi'],
  ],
  [
    'a license with an identifier and a URL',
    {
      openapi: '3.1.0',
      info: {
        ...info,
        license: { name: 'MIT License', identifier: 'MIT', url: 'https://example.com/license' },
      },
      paths: {},
    },
    ['invalid-openapi'],
  ],
  ['OpenAPI 3.0 as a number', { openapi: 3, info, paths: {} }, ['unsupported-version']],
  [
    'OpenAPI 3.0 without a patch number',
    { openapi: '3.0', info, paths: {} },
    ['unsupported-version'],
  ],
  ['OpenAPI 3.1 as a number', { openapi: 3.1, info, paths: {} }, ['unsupported-version']],
  [
    'OpenAPI 3.2 without a patch number',
    { openapi: '3.2', info, paths: {} },
    ['unsupported-version'],
  ],
  ['AsyncAPI 3.0 as a number', { asyncapi: 3, info }, ['unsupported-version']],
  ['AsyncAPI 2.6 as a number', { asyncapi: 2.6, info, channels: {} }, ['unsupported-version']],
];

describe('a contract that was written for other tools is generated with warnings:', () => {
  test.each(recovered)('%s', async (_, document, codes) => {
    const { contract, diagnostics } = await read(document);
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      codes.map((code) => `warning ${code}`),
    );
    for (const { help } of diagnostics) expect(help).toContain('until then, ');
    expect(contract).toBeDefined();
  });

  test.each(recovered)('with the vocabulary, these are errors: %s', async (_, document, codes) => {
    const infoWithVocabulary = { ...(document['info'] as JsonObject), 'x-countersign': 1 };
    const { contract, diagnostics } = await read({ ...document, info: infoWithVocabulary });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      codes.map((code) => `error ${code}`),
    );
    expect(contract).toBeUndefined();
  });
});

test.each([
  [3, '3.0.4'],
  ['3.1', '3.1.2'],
])('OpenAPI %j is read as %s', async (statedVersion, version) => {
  const { documents } = await read({ openapi: statedVersion, info, paths: {} });
  expect(documents.openapi).toMatchObject({ version, root: { openapi: version } });
});

function withParameter(parameter: JsonObject): JsonObject {
  return {
    openapi: '3.0.3',
    info,
    paths: { '/a/{id}': { get: { parameters: [parameter], responses } } },
  };
}

function withPayload(schemaFormat: string, schema: JsonObject): JsonObject {
  return {
    asyncapi: '3.0.0',
    info,
    channels: {
      moved: { address: '/moved', messages: { moved: { payload: { schemaFormat, schema } } } },
    },
    operations: { sendMoved: { action: 'send', channel: { $ref: '#/channels/moved' } } },
  };
}

test.each(documents)('%s', async (_, document, codes) => {
  const { contract, diagnostics } = await read(document);
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(codes);
  expect(contract).toBeDefined();
});

test('OpenAPI 3.2 is read, with a word on what no code is generated for', async () => {
  const parameters = [
    { name: 'all', in: 'querystring', content: { 'application/x-www-form-urlencoded': {} } },
  ];
  const { contract, diagnostics } = await read({
    openapi: '3.2.0',
    info,
    paths: {
      '/search': {
        query: { operationId: 'search', parameters, responses },
        additionalOperations: { COPY: { operationId: 'copy', responses } },
      },
    },
  });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ['unsupported-feature', 'warning'],
    ['unsupported-feature', 'warning'],
  ]);
  expect(contract?.operations).toMatchObject([{ id: 'search', method: 'QUERY', parameters: [] }]);
});
