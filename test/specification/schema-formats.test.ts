import { describe, expect, test } from 'vitest';
import type { LoweredAndChecked } from '../rules/lower-and-check.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';

const openapi30 = 'application/vnd.oai.openapi;version=3.0.0';
const openapi31 = 'application/vnd.oai.openapi+json;version=3.1.0';
const draft2020 = 'application/schema+json;version=2020-12';
const avro = 'application/vnd.apache.avro;version=1.9.0';

/** A message of AsyncAPI 2, whose format is beside the payload. */
const asyncapi2 = (message: string, components = ''): string => `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors: { subscribe: { message: { name: opened, ${message} } } }
components:
  schemas:
    Unused: { type: string }
${components}`;

/** A message of AsyncAPI 3, in which schemas have their formats. */
const asyncapi3 = (message: string, components = ''): string => `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
channels:
  doors: { address: /doors, messages: { opened: { ${message} } } }
operations: { opened: { action: send, channel: { $ref: '#/channels/doors' } } }
components:
  schemas:
    Unused: { type: string }
${components}`;

const door = `    Door:
      type: object
      properties:
        at: { type: string, nullable: true }
        by: { $ref: '#/components/schemas/Name' }
    Name: { type: string, nullable: true, example: Ada }
`;

const doorFile = `Door:
  type: object
  properties:
    at: { type: string, nullable: true }
    by: { $ref: '#/Name' }
Name: { type: string, nullable: true, example: Ada }
`;

const wrapped = (schema: string, format = openapi30): string =>
  `{ schemaFormat: '${format}', schema: ${schema} }`;
const toComponent = `{ $ref: '#/components/schemas/Door' }`;
const toFile = `{ $ref: './door.yaml#/Door' }`;
const inside = (reference: string): string =>
  `{ type: object, properties: { door: ${reference} } }`;
const format2 = `schemaFormat: '${openapi30}'`;
const traits = `traits: [{ $ref: '#/components/messageTraits/formatted' }]`;
const formattedTrait = (format: string): string =>
  `  messageTraits: { formatted: { schemaFormat: '${format}' } }\n`;

async function read(
  asyncapi: string,
  files: Readonly<Record<string, string>> = {},
): Promise<LoweredAndChecked & { readonly problems: readonly string[] }> {
  const { documents, ...lowered } = await lowerFiles({ 'asyncapi.yaml': asyncapi, ...files });
  const unsupported = lowered.diagnostics.filter(({ code }) => code === 'unsupported-schema');
  const problems = [...documents.diagnostics, ...unsupported].map(
    ({ code, file, line, message }) => `${code} ${file}:${line} ${message}`,
  );
  return { ...lowered, problems };
}

function definitionOf({ contract }: LoweredAndChecked, name: string): unknown {
  return contract.schemas.find((schema) => schema.name === name)?.definition;
}

describe('an OpenAPI schema with references', () => {
  test.each<readonly [name: string, asyncapi: string]>([
    ['AsyncAPI 2, a component', asyncapi2(`${format2}, payload: ${toComponent}`, door)],
    ['AsyncAPI 2, in a property', asyncapi2(`${format2}, payload: ${inside(toComponent)}`, door)],
    ['AsyncAPI 2, a file', asyncapi2(`${format2}, payload: ${toFile}`)],
    ['AsyncAPI 2, a file in a property', asyncapi2(`${format2}, payload: ${inside(toFile)}`)],
    [
      'AsyncAPI 2, the format in a trait',
      asyncapi2(`${traits}, payload: ${toComponent}`, door + formattedTrait(openapi30)),
    ],
    [
      'AsyncAPI 2, beside headers with a reference',
      asyncapi2(
        `${format2}, payload: ${toComponent}, headers: { $ref: '#/components/schemas/Headers' }`,
        `${door}    Headers: { type: object, properties: { trace: { type: string } } }\n`,
      ),
    ],
    ['AsyncAPI 3, a component', asyncapi3(`payload: ${wrapped(toComponent)}`, door)],
    ['AsyncAPI 3, in a property', asyncapi3(`payload: ${wrapped(inside(toComponent))}`, door)],
    ['AsyncAPI 3, a file', asyncapi3(`payload: ${wrapped(toFile)}`)],
    ['AsyncAPI 3, a file in a property', asyncapi3(`payload: ${wrapped(inside(toFile))}`)],
    [
      'AsyncAPI 3, headers',
      asyncapi3(`payload: { type: string }, headers: ${wrapped(inside(toComponent))}`, door),
    ],
    [
      'AsyncAPI 3, a component with the format',
      asyncapi3(
        `payload: { $ref: '#/components/schemas/Formatted' }`,
        `${door}    Formatted: ${wrapped(toComponent)}\n`,
      ),
    ],
    [
      'AsyncAPI 3, a file with the format',
      asyncapi3(`payload: { $ref: './door.yaml#/Formatted' }`),
    ],
  ])('%s', async (_, asyncapi) => {
    const result = await read(asyncapi, {
      'door.yaml': `${doorFile}Formatted: ${wrapped(`{ $ref: '#/Door' }`)}\n`,
    });
    expect(result.problems).toEqual([]);
    expect(definitionOf(result, 'Door')).toEqual({
      type: 'object',
      properties: { at: { type: ['string', 'null'] }, by: { $ref: '#/$defs/Name' } },
    });
    expect(definitionOf(result, 'Name')).toEqual({ type: ['string', 'null'], examples: ['Ada'] });
  });

  test('beside another problem, the reference is not reported', async () => {
    const asyncapi = asyncapi3(`payload: ${wrapped(toComponent)}, payloads: {}`, door);
    const { problems } = await read(asyncapi);
    expect(problems).toEqual([
      'invalid-asyncapi asyncapi.yaml:4 Property `payloads` is not expected here. Did you mean `payload`?',
    ]);
  });

  test.each([
    ['AsyncAPI 2', asyncapi2(`${format2}, payload: { type: object, propertis: {} }`)],
    ['AsyncAPI 3', asyncapi3(`payload: ${wrapped('{ type: object, propertis: {} }')}`)],
  ])('%s: a mistake in the schema is reported', async (_, asyncapi) => {
    const { problems } = await read(asyncapi);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('Property `propertis` is not expected here.');
  });
});

const beside = `    Door:
      type: object
      properties: { by: { $ref: '#/components/schemas/Name', maxLength: 3 } }
    Name: { type: string }
`;

test.each([
  ['AsyncAPI 2', openapi31, true],
  ['AsyncAPI 2', draft2020, true],
  ['AsyncAPI 2', openapi30, false],
  ['AsyncAPI 3', openapi31, true],
  ['AsyncAPI 3', draft2020, true],
  ['AsyncAPI 3', openapi30, false],
])(
  '%s: in the format %s, keywords beside an inner reference apply: %s',
  async (version, format, apply) => {
    const asyncapi =
      version === 'AsyncAPI 2'
        ? asyncapi2(`schemaFormat: '${format}', payload: ${toComponent}`, beside)
        : asyncapi3(`headers: ${wrapped(toComponent, format)}, payload: { type: string }`, beside);
    const result = await read(asyncapi);
    expect(definitionOf(result, 'Door')).toEqual({
      type: 'object',
      properties: { by: { $ref: '#/$defs/Name', ...(apply ? { maxLength: 3 } : {}) } },
    });
  },
);

test('headers of a format have its keywords beside references', async () => {
  const headers = `{ type: object, properties: { by: { $ref: '#/components/schemas/Name', maxLength: 3 } } }`;
  const { contract } = await read(
    asyncapi3(`headers: ${wrapped(headers, openapi31)}, payload: { type: string }`, beside),
  );
  expect(contract.notifications[0]?.headers[0]?.schema).toEqual({
    $ref: '#/$defs/Name',
    maxLength: 3,
  });
});

test('a schema of JSON Schema 2020-12 may have its keywords, and no others', async () => {
  const pair = '    Pair: { type: array, prefixItems: [{ type: string }], nullable: true }\n';
  const payload = `{ $ref: '#/components/schemas/Pair' }`;
  const { problems } = await read(
    asyncapi2(`schemaFormat: '${draft2020}', payload: ${payload}`, pair),
  );
  expect(problems).toEqual([
    'invalid-schema asyncapi.yaml:8 Property `nullable` is not expected here.',
  ]);
});

const record = '{ type: record, name: Opened, fields: [{ name: at, type: long }] }';

test.each([
  ['AsyncAPI 2', asyncapi2(`schemaFormat: '${avro}', payload: ${record}`)],
  ['AsyncAPI 2, a file', asyncapi2(`schemaFormat: '${avro}', payload: { $ref: './opened.avsc' }`)],
  [
    'AsyncAPI 2, the format in a trait',
    asyncapi2(`${traits}, payload: ${record}`, formattedTrait(avro)),
  ],
  ['AsyncAPI 3', asyncapi3(`payload: ${wrapped(record, avro)}`)],
  ['AsyncAPI 3, a file', asyncapi3(`payload: ${wrapped(`{ $ref: './opened.avsc' }`, avro)}`)],
  [
    'AsyncAPI 3, a component with the format',
    asyncapi3(
      `payload: { $ref: '#/components/schemas/Opened' }`,
      `    Opened: ${wrapped(record, avro)}\n`,
    ),
  ],
  ['AsyncAPI 3, a file with the format', asyncapi3(`payload: { $ref: './opened.yaml#/Opened' }`)],
])('%s: Avro is reported once, and nothing in it is checked', async (_, asyncapi) => {
  const { problems } = await read(asyncapi, {
    'opened.avsc': '{ "type": "record", "name": "Opened", "fields": [] }',
    'opened.yaml': `Opened: ${wrapped(record, avro)}\n`,
  });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`The schema format "${avro}" is not JSON Schema.`);
});
