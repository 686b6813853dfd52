import { expect, test } from 'vitest';
import type { Json } from '../../generator/json/json.ts';
import type { ContractFiles } from '../../generator/load/contract-files.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { lowerAndCheck } from '../rules/lower-and-check.ts';
import { load } from '../../generator/load/load.ts';
import { asyncapiWith, openapiWith, writeContract } from './write-contract.ts';

const contract = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };

/** Every `$ref` of a document, in order. */
function referencesOf(value: Json | undefined): readonly string[] {
  const references: string[] = [];
  JSON.stringify(value, (key, child: unknown) => {
    if (key === '$ref' && typeof child === 'string') references.push(child);
    return child;
  });
  return references;
}

async function loadFiles(
  files: Readonly<Record<string, string>>,
  of: ContractFiles = contract,
): Promise<Documents> {
  const documents = await load(of, { folder: await writeContract(files) });
  expect(documents.diagnostics.map(({ message }) => message)).toEqual([]);
  return documents;
}

test('schema files become components under the names of their files, in both documents, with local references only', async () => {
  const { openapi, asyncapi } = await loadFiles({
    'openapi.yaml': openapiWith("$ref: './schemas/Book.yaml'"),
    'asyncapi.yaml': asyncapiWith("$ref: './schemas/Book.yaml'"),
    'schemas/Book.yaml':
      'type: object\nproperties:\n  author: { $ref: ./Author.yaml }\n  sequel: { $ref: ./Book.yaml }\n',
    'schemas/Author.yaml': 'type: object\nproperties:\n  books: { items: { $ref: ./Book.yaml } }\n',
  });
  for (const root of [openapi?.root, asyncapi?.root]) {
    expect(root?.components).toEqual({
      schemas: {
        Book: {
          type: 'object',
          properties: {
            author: { $ref: '#/components/schemas/Author' },
            sequel: { $ref: '#/components/schemas/Book' },
          },
        },
        Author: {
          type: 'object',
          properties: { books: { items: { $ref: '#/components/schemas/Book' } } },
        },
      },
    });
    expect(referencesOf(root).every((reference) => reference.startsWith('#/'))).toBe(true);
  }
});

test('two files of one name stay two schemas', async () => {
  const files = {
    'openapi.yaml': openapiWith("anyOf:\n  - $ref: './a/Book.yaml'\n  - $ref: './b/Book.yaml'"),
    'a/Book.yaml': 'type: object\nproperties: { x: { $ref: ./Page.yaml } }\n',
    'b/Book.yaml': 'type: object\nproperties: { x: { $ref: ./Page.yaml } }\n',
    'a/Page.yaml': 'type: string\n',
    'b/Page.yaml': 'type: integer\n',
  };
  const { openapi, locate } = await loadFiles(files, { openapi: 'openapi.yaml' });
  expect(openapi?.root.components).toEqual({
    schemas: {
      Page: { type: 'string' },
      Book: { type: 'object', properties: { x: { $ref: '#/components/schemas/Page' } } },
      'Page-2': { type: 'integer' },
      'Book-2': { type: 'object', properties: { x: { $ref: '#/components/schemas/Page-2' } } },
    },
  });
  expect(locate('openapi#/components/schemas/Book-2/properties/x').file).toBe('b/Book.yaml');
});

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a schema may be called %s',
  async (name) => {
    const { openapi } = await loadFiles(
      {
        'openapi.yaml': openapiWith(
          `type: object\nproperties:\n  ${name}: { $ref: './schemas/${name}.yaml' }\nrequired: [${name}]`,
        ),
        [`schemas/${name}.yaml`]: 'type: string\n',
      },
      { openapi: 'openapi.yaml' },
    );
    expect(openapi?.root.components).toEqual({
      schemas: Object.fromEntries([[name, { type: 'string' }]]),
    });
  },
);

test('references in every keyword that holds a schema are bundled', async () => {
  const single = ['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'];
  const more = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'];
  const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
  const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
  const write = (keywords: readonly string[], form: (file: string) => string): string[] =>
    keywords.map(
      (keyword) => `${keyword}: ${form(`$ref: './schemas/S-${keyword.replace('$', '')}.yaml'`)}`,
    );
  const common = [
    ...write(single, (reference) => `{ ${reference} }`),
    ...write(['allOf', 'anyOf', 'oneOf'], (reference) => `[{ ${reference} }]`),
  ];
  const modern = [
    ...write(more, (reference) => `{ ${reference} }`),
    ...write(['prefixItems'], (reference) => `[{ ${reference} }]`),
    ...write(maps, (reference) => `{ a: { ${reference} } }`),
  ];
  const classic = [
    ...write(['additionalItems', 'additionalProperties'], (reference) => `{ ${reference} }`),
    ...write(
      ['properties', 'patternProperties', 'definitions', 'dependencies'],
      (reference) => `{ a: { ${reference} } }`,
    ),
  ];
  const keywords = [
    ...single,
    ...more,
    ...lists,
    ...maps,
    'additionalItems',
    'definitions',
    'dependencies',
  ];
  const { openapi, asyncapi } = await loadFiles({
    'openapi.yaml': openapiWith([...common, ...modern].join('\n')),
    'asyncapi.yaml': asyncapiWith([...common, ...classic].join('\n')),
    ...Object.fromEntries(
      keywords.map((keyword) => [`schemas/S-${keyword.replace('$', '')}.yaml`, '{}\n']),
    ),
  });
  const expected = (lines: readonly string[]): readonly string[] =>
    lines
      .map((line) => `#/components/schemas/S-${line.slice(0, line.indexOf(':')).replace('$', '')}`)
      .toSorted();
  expect(referencesOf(openapi?.root).toSorted()).toEqual(expected([...common, ...modern]));
  expect(
    referencesOf(asyncapi?.root)
      .filter((reference) => reference.includes('/schemas/'))
      .toSorted(),
  ).toEqual(expected([...common, ...classic]));
});

test('members keep the order in which they were written', async () => {
  const { openapi } = await loadFiles(
    {
      'openapi.yaml': openapiWith("$ref: './Book.yaml'"),
      'Book.yaml': 'type: object\nproperties: { z: {}, a: {}, m: {} }\nrequired: [z, a]\n',
    },
    { openapi: 'openapi.yaml' },
  );
  expect(JSON.stringify(openapi?.root.components)).toBe(
    '{"schemas":{"Book":{"type":"object","properties":{"z":{},"a":{},"m":{}},"required":["z","a"]}}}',
  );
});

test('boolean schemas, a null address and a named discriminator are legal', async () => {
  const { openapi, asyncapi } = await loadFiles({
    'openapi.yaml': openapiWith('type: object\nproperties: { a: true }\nitems: false\nnot: false'),
    'asyncapi.yaml': asyncapiWith('type: object\ndiscriminator: kind\nnot: false').replace(
      'address: /lent',
      'address: null',
    ),
  });
  expect(JSON.stringify(openapi?.root)).toContain('"not":false');
  expect(JSON.stringify(asyncapi?.root)).toContain('"not":false');
});

test('a server variable may have a description, and a document of 3.1 components alone', async () => {
  await loadFiles(
    {
      'openapi.yaml': `${openapiWith('type: string')}servers:\n  - url: https://{host}\n    variables: { host: { default: a, description: The host. } }\n`,
    },
    { openapi: 'openapi.yaml' },
  );
  await loadFiles(
    {
      'openapi.yaml':
        'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\ncomponents: { schemas: { A: { type: string } } }\n',
    },
    { openapi: 'openapi.yaml' },
  );
});

test.each(['3.0.0', '3.0.4', '3.1.0', '3.1.2'])('OpenAPI %s is read', async (version) => {
  const { openapi } = await loadFiles(
    { 'openapi.yaml': openapiWith('type: string').replace('3.1.2', version) },
    { openapi: 'openapi.yaml' },
  );
  expect(openapi?.version).toBe(version);
});

test.each(['3.0.0', '3.0.1', '3.1.0'])('AsyncAPI %s is read', async (version) => {
  const { asyncapi } = await loadFiles(
    { 'asyncapi.yaml': asyncapiWith('type: string').replace('3.0.0', version) },
    { asyncapi: 'asyncapi.yaml' },
  );
  expect(asyncapi?.version).toBe(version);
});

test('an operation of AsyncAPI still refers to its channel and messages when they are in other files', async () => {
  const { asyncapi } = await loadFiles(
    {
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Library, version: 1.0.0 }
channels:
  lent: { $ref: './channels/lent.yaml' }
  back:
    messages:
      back: { $ref: './messages/Back.yaml' }
operations:
  onLent: { $ref: './operations/onLent.yaml' }
  onBack:
    action: send
    channel: { $ref: '#/channels/back' }
    messages: [{ $ref: './messages/Back.yaml' }]
    reply:
      channel: { $ref: './channels/lent.yaml' }
      messages: [{ $ref: './channels/lent.yaml#/messages/lent' }]
`,
      'channels/lent.yaml':
        "address: '/lent/{id}'\nparameters:\n  id: { $ref: '../parameters/Id.yaml' }\nmessages:\n  lent: { $ref: ../messages/Lent.yaml }\n",
      'messages/Lent.yaml': 'payload: { $ref: ../schemas/Book.yaml }\n',
      'messages/Back.yaml': 'payload: { $ref: ../schemas/Book.yaml }\n',
      'operations/onLent.yaml':
        "action: send\nchannel: { $ref: '../asyncapi.yaml#/channels/lent' }\nmessages: [{ $ref: '../channels/lent.yaml#/messages/lent' }]\n",
      'parameters/Id.yaml': 'description: Which loan.\n',
      'schemas/Book.yaml': 'type: string\n',
    },
    { asyncapi: 'asyncapi.yaml' },
  );
  const payload = { payload: { $ref: '#/components/schemas/Book' } };
  expect(asyncapi?.root).toEqual({
    asyncapi: '3.0.0',
    info: { title: 'Library', version: '1.0.0' },
    channels: {
      lent: {
        address: '/lent/{id}',
        parameters: { id: { $ref: '#/components/parameters/Id' } },
        messages: { lent: payload },
      },
      back: { messages: { back: payload } },
    },
    operations: {
      onLent: {
        action: 'send',
        channel: { $ref: '#/channels/lent' },
        messages: [{ $ref: '#/channels/lent/messages/lent' }],
      },
      onBack: {
        action: 'send',
        channel: { $ref: '#/channels/back' },
        messages: [{ $ref: '#/channels/back/messages/back' }],
        reply: {
          channel: { $ref: '#/channels/lent' },
          messages: [{ $ref: '#/channels/lent/messages/lent' }],
        },
      },
    },
    components: {
      parameters: { Id: { description: 'Which loan.' } },
      schemas: { Book: { type: 'string' } },
    },
  });
});

test('a channel of AsyncAPI still refers to its servers if other files define them', async () => {
  const { asyncapi } = await loadFiles(
    {
      'shop/asyncapi.yaml': `asyncapi: 3.1.0
info: { title: Library, version: 1.0.0 }
servers:
  desk: { $ref: '../common/servers.yaml#/desk' }
  post: { $ref: '../common/servers.yaml#/post' }
channels:
  lent: { address: /lent, servers: [{ $ref: '#/servers/post' }] }
  back: { address: /back, servers: [{ $ref: '../common/servers.yaml#/desk' }] }
`,
      'common/servers.yaml':
        'desk: { host: desk.test, protocol: https }\npost: { host: post.test, protocol: https }\n',
    },
    { asyncapi: 'shop/asyncapi.yaml', folder: '.' },
  );
  expect(asyncapi?.root).toMatchObject({
    servers: { desk: { host: 'desk.test' }, post: { host: 'post.test' } },
    channels: {
      lent: { servers: [{ $ref: '#/servers/post' }] },
      back: { servers: [{ $ref: '#/servers/desk' }] },
    },
  });
});

test('an error in one document leaves the other loaded', async () => {
  const folder = await writeContract({
    'openapi.yaml': 'openapi: 3.1.2\ninfo: [',
    'asyncapi.yaml': asyncapiWith('type: string'),
  });
  const { openapi, asyncapi, diagnostics, locate } = await load(contract, { folder });
  expect(openapi).toBeUndefined();
  expect(asyncapi?.file).toBe('asyncapi.yaml');
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['yaml-syntax']));
  expect(locate('openapi#/info')).toEqual({ file: 'openapi.yaml', line: 1, column: 1 });
});

test('a document with a reference that leads nowhere is handed on, for its other problems', async () => {
  const folder = await writeContract({
    'openapi.yaml': openapiWith("$ref: './None.yaml'"),
    'asyncapi.yaml': asyncapiWith('type: string'),
  });
  const documents = await load(contract, { folder });
  expect(documents.diagnostics.map(({ code }) => code)).toEqual(['unresolved-reference']);
  expect(documents.openapi?.root).toHaveProperty('paths');
  const { diagnostics } = await lowerAndCheck(documents);
  expect(diagnostics).toEqual([]);
});

test('a document that breaks its specification without a broken reference is handed on', async () => {
  const folder = await writeContract({ 'openapi.yaml': openapiWith('type: strng') });
  const { openapi, diagnostics } = await load({ openapi: 'openapi.yaml' }, { folder });
  expect(diagnostics.map(({ code }) => code)).toEqual(['invalid-schema']);
  expect(openapi?.version).toBe('3.1.2');
  expect(diagnostics[0]?.pointer).toBe(
    'openapi#/paths/~1books/get/responses/200/content/application~1json/schema/type',
  );
});

test('CRLF, CR and a byte order mark change neither the documents nor any place', async () => {
  const files = {
    'spec/openapi.yaml': openapiWith("$ref: './Book.yaml'"),
    'spec/asyncapi.yaml': asyncapiWith('type: string\ndescription: |\n  One.\n  Two.'),
    'spec/Book.yaml': 'type: object\nproperties:\n  a: { type: strng }\n',
  };
  const of = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
  const plain = await load(of, { folder: await writeContract(files) });
  expect(plain.diagnostics).toHaveLength(1);
  for (const lineEnd of ['\r\n', '\r']) {
    const changed = Object.fromEntries(
      Object.entries(files).map(([file, text]) => [
        file,
        `\uFEFF${text.replaceAll('\n', lineEnd)}`,
      ]),
    );
    const { locate, cite, ...documents } = await load(of, { folder: await writeContract(changed) });
    expect(documents).toEqual({ ...plain, locate: undefined, cite: undefined });
    expect(locate('openapi#/components/schemas/Book/properties/a')).toEqual(
      plain.locate('openapi#/components/schemas/Book/properties/a'),
    );
    expect(cite('openapi#/components/schemas/Book/properties/a')).toBe(
      'spec/Book.yaml#/properties/a',
    );
  }
});

test('each file is listed once, by its path from the configuration, ordered', async () => {
  const folder = await writeContract({
    'spec/openapi.yaml': openapiWith("$ref: './schemas/Book.yaml'"),
    'spec/asyncapi.yaml': asyncapiWith("$ref: './schemas/Book.yaml'"),
    'spec/schemas/Book.yaml': 'type: string\n',
    'spec/schemas/Unused.yaml': 'type: string\n',
    'config/x': '',
  });
  const of = { openapi: '../spec/openapi.yaml', asyncapi: '../spec/asyncapi.yaml' };
  const { files, openapi, diagnostics } = await load(of, { folder: `${folder}/config` });
  expect(diagnostics).toEqual([]);
  expect(openapi?.file).toBe('../spec/openapi.yaml');
  expect(files.map(({ path }) => path)).toEqual([
    '../spec/asyncapi.yaml',
    '../spec/openapi.yaml',
    '../spec/schemas/Book.yaml',
  ]);
  expect(files[2]?.text).toBe('type: string\n');
});
