import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../generator/json/json.ts';
import type { Documents } from '../../../generator/documents/documents.ts';
import { load } from '../../../generator/load/load.ts';
import { asyncapiWith, openapiWith, writeContract } from '../write-contract.ts';

const book = `type: object
description: A book.
properties:
  title: { type: string }
  pages: { type: integer }
required: [title, pages]
x-null: null
`;

const head = 'overlay: 1.0.0\ninfo: { title: A, version: 1.0.0 }\n';

function withActions(actions: string, more = ''): string {
  return `${head}${more}actions:\n${actions.replaceAll(/^/gmu, '  ')}\n`;
}

async function loadWith(
  overlays: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Documents> {
  const folder = await writeContract({
    'openapi.yaml': openapiWith("$ref: './Book.yaml'"),
    'Book.yaml': book,
    ...overlays,
    ...more,
  });
  return load({ openapi: 'openapi.yaml', overlays: Object.keys(overlays) }, { folder });
}

function schemaOf(documents: Documents, name: string): Json | undefined {
  const components = documents.openapi?.root.components;
  const schemas = isJsonObject(components) ? components.schemas : undefined;
  return isJsonObject(schemas) ? schemas[name] : undefined;
}

const original = {
  type: 'object',
  description: 'A book.',
  properties: { title: { type: 'string' }, pages: { type: 'integer' } },
  required: ['title', 'pages'],
  'x-null': null,
};

test.each<[name: string, actions: string, expected: Json]>([
  [
    'a scalar is replaced, in its place',
    '- target: $.components.schemas.Book\n  update: { description: Changed. }',
    { ...original, description: 'Changed.' },
  ],
  [
    'an object is merged member by member',
    '- target: $.components.schemas.Book\n  update: { properties: { title: { maxLength: 9 }, year: { type: integer } } }',
    {
      ...original,
      properties: {
        title: { type: 'string', maxLength: 9 },
        pages: { type: 'integer' },
        year: { type: 'integer' },
      },
    },
  ],
  [
    'a list within an object is appended to',
    '- target: $.components.schemas.Book\n  update: { required: [year] }',
    { ...original, required: ['title', 'pages', 'year'] },
  ],
  [
    'an entry is appended to a list',
    '- target: $.components.schemas.Book.required\n  update: year',
    { ...original, required: ['title', 'pages', 'year'] },
  ],
  [
    'each entry of a list is appended to a list',
    '- target: $.components.schemas.Book.required\n  update: [year, isbn]',
    { ...original, required: ['title', 'pages', 'year', 'isbn'] },
  ],
  [
    'null gives way to anything',
    '- target: $.components.schemas.Book\n  update: { x-null: { a: 1 } }',
    { ...original, 'x-null': { a: 1 } },
  ],
  [
    'a member is removed',
    '- target: $.components.schemas.Book.description\n  remove: true',
    {
      type: 'object',
      properties: original.properties,
      required: original.required,
      'x-null': null,
    },
  ],
  [
    'several items of one list are removed',
    '- target: $.components.schemas.Book.required[*]\n  remove: true',
    { ...original, required: [] },
  ],
  [
    'a property is renamed',
    "- target: $.components.schemas.Book\n  update: { properties: { name: { type: string } }, required: [name] }\n- target: $.components.schemas.Book.properties.title\n  remove: true\n- target: $.components.schemas.Book.required[?@ == 'title']\n  remove: true",
    {
      ...original,
      properties: { pages: { type: 'integer' }, name: { type: 'string' } },
      required: ['pages', 'name'],
    },
  ],
  [
    'remove wins over update',
    '- target: $.components.schemas.Book.description\n  remove: true\n  update: { a: 1 }',
    {
      type: 'object',
      properties: original.properties,
      required: original.required,
      'x-null': null,
    },
  ],
  [
    'one update at several places gives each its own copy',
    '- target: $.components.schemas.Book.properties.*\n  update: { examples: [1] }\n- target: $.components.schemas.Book.properties.title.examples\n  update: 2',
    {
      ...original,
      properties: {
        title: { type: 'string', examples: [1, 2] },
        pages: { type: 'integer', examples: [1] },
      },
    },
  ],
  [
    'actions see what earlier actions did',
    "- target: $.components.schemas.Book\n  update: { x-a: { b: 1 } }\n- target: $.components.schemas.Book['x-a']\n  update: { c: 2 }",
    { ...original, 'x-a': { b: 1, c: 2 } },
  ],
])('%s', async (_, actions, expected) => {
  const documents = await loadWith({ 'overlay.yaml': withActions(actions) });
  expect(documents.diagnostics).toEqual([]);
  expect(JSON.stringify(schemaOf(documents, 'Book'))).toBe(JSON.stringify(expected));
});

test('overlays are applied in the order of the configuration', async () => {
  const say = (text: string): string =>
    withActions(`- target: $.components.schemas.Book\n  update: { description: ${text} }`);
  const documents = await loadWith({ 'b.yaml': say('first'), 'a.yaml': say('second') });
  expect(schemaOf(documents, 'Book')).toMatchObject({ description: 'second' });
});

test('an overlay may bring in files, relative to itself', async () => {
  const documents = await loadWith(
    {
      'overlays/one.yaml': withActions(
        "- target: $.components.schemas.Book.properties\n  update: { author: { $ref: '../people/Author.yaml' }, self: { $ref: '#/components/schemas/Book' } }",
      ),
    },
    { 'people/Author.yaml': 'type: object\nproperties: { book: { $ref: ../Book.yaml } }\n' },
  );
  expect(documents.diagnostics).toEqual([]);
  expect(schemaOf(documents, 'Author')).toEqual({
    type: 'object',
    properties: { book: { $ref: '#/components/schemas/Book' } },
  });
  expect(schemaOf(documents, 'Book')).toMatchObject({
    properties: {
      author: { $ref: '#/components/schemas/Author' },
      self: { $ref: '#/components/schemas/Book' },
    },
  });
  expect(documents.locate('openapi#/components/schemas/Author/properties').file).toBe(
    'people/Author.yaml',
  );
});

describe('a reference without a target', () => {
  const openapi = openapiWith(
    "$ref: './Book.yaml'",
    "components:\n  schemas:\n    Author: { $ref: '#/components/schemas/Person' }\n",
  );
  const files = {
    'openapi.yaml': openapi,
    // Of these, the first is a member of this file, not of the document.
    'Book.yaml':
      "properties:\n  cover: { $ref: '#/components/schemas/Cover' }\n  shelf: { $ref: ./shelf.yaml }\n",
  };
  const person = '- target: $.components.schemas\n  update: { Person: { type: string } }';
  const places = ({ diagnostics }: Documents): readonly string[] =>
    diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`);

  test('is an error that remains where an overlay does not concern it', async () => {
    const cover = '- target: $.components.schemas\n  update: { Cover: { type: string } }';
    const documents = await loadWith({ 'overlay.yaml': withActions(cover) }, files);
    expect(places(documents)).toEqual([
      'unresolved-reference Book.yaml:2',
      'unresolved-reference Book.yaml:3',
      'unresolved-reference openapi.yaml:16',
    ]);
  });

  test('is accepted if an overlay adds the target, or replaces the reference', async () => {
    const documents = await loadWith(
      {
        'overlays/overlay.yaml': withActions(
          `${person}
- target: $.components.schemas.Book.properties
  update: { cover: { $ref: '#/components/schemas/Person' }, shelf: { $ref: ../Shelf.yaml } }`,
        ),
      },
      { ...files, 'Shelf.yaml': 'type: integer\n' },
    );
    expect(places(documents)).toEqual([]);
    expect(schemaOf(documents, 'Shelf')).toEqual({ type: 'integer' });
    expect(schemaOf(documents, 'Author')).toEqual({ $ref: '#/components/schemas/Person' });
    expect(schemaOf(documents, 'Book')).toEqual({
      properties: {
        cover: { $ref: '#/components/schemas/Person' },
        shelf: { $ref: '#/components/schemas/Shelf' },
      },
    });
  });

  test('is accepted if an overlay removes the schemas that have it', async () => {
    const documents = await loadWith(
      { 'overlay.yaml': withActions(`${person}\n- target: $..properties\n  remove: true`) },
      files,
    );
    expect(places(documents)).toEqual([]);
  });
});

describe('what a check refuses can be repaired by an overlay:', () => {
  const schemas = (text: string): string =>
    openapiWith('type: string', `components:\n  schemas:\n${text}`);
  const remove = withActions("- target: $.components.schemas['Bad','bad']\n  remove: true");
  const tree = `    Tree: { $dynamicAnchor: node, type: object }
    Other: { $dynamicAnchor: node }
`;

  test.each<[name: string, bad: string, files?: Readonly<Record<string, string>>]>([
    ['a `$dynamicRef` with several targets', `${tree}    Bad: { $dynamicRef: '#node' }\n`],
    ['a reference to an anchor that does not exist', "    Bad: { $ref: '#nothing' }\n"],
    ['a circular reference', "    Bad: { $ref: '#/components/schemas/Bad' }\n"],
    [
      'a file with an unusable identifier',
      '    Bad: { $ref: ./bad.yaml }\n',
      { 'bad.yaml': "{ properties: { a: { $ref: '#nothing' } } }" },
    ],
    ['a keyword with an invalid value', '    Bad: { type: nmber }\n'],
  ])('%s', async (_, bad, more = {}) => {
    const files = { 'openapi.yaml': schemas(bad), ...more };
    const without = await load(
      { openapi: 'openapi.yaml' },
      { folder: await writeContract({ ...files, 'Book.yaml': '{}' }) },
    );
    expect(without.diagnostics).not.toEqual([]);
    const documents = await loadWith({ 'overlay.yaml': remove }, files);
    expect(documents.diagnostics.map(({ message }) => message)).toEqual([]);
  });

  test('but not what has to be checked before, which the help states', async () => {
    const cases = [
      openapiWith('type: string').replace('3.1.2', '2.9.0'),
      `${openapiWith('type: string')}  broken: [\n`,
      openapiWith('$ref: ./circle.yaml'),
    ];
    for (const openapi of cases) {
      const overlay = withActions('- target: $.info\n  update: { title: A }');
      const { diagnostics } = await loadWith(
        { 'overlay.yaml': overlay },
        { 'openapi.yaml': openapi, 'circle.yaml': '$ref: ./circle.yaml\n' },
      );
      expect(diagnostics[0]?.severity).toBe('error');
      expect(diagnostics[0]?.help).toContain('An overlay cannot change this');
    }
  });
});

test('Overlay 1.1 copies nodes and replaces single values', async () => {
  const overlay = withActions(`- target: $.components.schemas.Book.properties.title
  copy: $.components.schemas.Book.properties.pages
- target: $.components.schemas.Book.required
  copy: $.components.schemas.Book.required
- target: $.components.schemas.Book.description
  update: Changed.`).replace('overlay: 1.0.0', 'overlay: 1.1.0');
  const documents = await loadWith({ 'overlay.yaml': overlay });
  expect(documents.diagnostics).toEqual([]);
  expect(schemaOf(documents, 'Book')).toEqual({
    ...original,
    description: 'Changed.',
    properties: { title: { type: 'integer' }, pages: { type: 'integer' } },
    required: ['title', 'pages', 'title', 'pages'],
  });
  expect(documents.locate('openapi#/components/schemas/Book/description')).toMatchObject({
    file: 'overlay.yaml',
  });
});

test.each<[name: string, overlay: string, expected: readonly string[], says?: RegExp]>([
  [
    'a copy of several nodes',
    withActions('- target: $.info\n  copy: $.info.*').replace('1.0.0', '1.1.0'),
    ['invalid-overlay overlay.yaml:5:5'],
    /selects 2 nodes/u,
  ],
  [
    'a target that selects nothing',
    withActions('- target: $.components.schemas.None\n  remove: true'),
    ['overlay-target-not-found overlay.yaml:4:5'],
    /selects nothing/u,
  ],
  [
    'a target that is not a JSONPath',
    withActions('- description: a\n  target: $.paths./books\n  remove: true'),
    ['invalid-overlay overlay.yaml:5:5'],
    /not a usable JSONPath/u,
  ],
  [
    'a target whose filter takes exponentially many ways',
    withActions(`- target: $..[?match(@, '((((.*)*)*)*)*#')]\n  update: {}\n`),
    ['invalid-overlay overlay.yaml:4:5'],
    /takes too long/u,
  ],
  [
    'a scalar as a target',
    withActions('- target: $.info.title\n  update: B'),
    ['invalid-overlay overlay.yaml:4:5'],
    /single value/u,
  ],
  [
    'an object in place of a list and the reverse',
    withActions(
      '- target: $.components.schemas.Book\n  update:\n    required: { a: 1 }\n    properties: [a]\n    description: {}',
    ),
    [
      'invalid-overlay overlay.yaml:6:7',
      'invalid-overlay overlay.yaml:7:7',
      'invalid-overlay overlay.yaml:8:7',
    ],
    /`required` is a list in the document and an object here/u,
  ],
  [
    'a list for an object',
    withActions('- target: $.info\n  update: [a]'),
    ['invalid-overlay overlay.yaml:5:5'],
  ],
  [
    'the removal of everything',
    withActions('- target: $\n  remove: true'),
    ['invalid-overlay overlay.yaml:4:5'],
  ],
  [
    'misspelt members, at every place',
    `${head}extend: a\nactions:\n  - target: $.info\n    updates: {}\n    remove: 'yes'\n  - update: {}\n`,
    [
      'invalid-overlay overlay.yaml:3:1',
      'invalid-overlay overlay.yaml:6:5',
      'invalid-overlay overlay.yaml:7:5',
      'invalid-overlay overlay.yaml:8:5',
    ],
  ],
  [
    'a version that is neither 1.0 nor 1.1',
    'overlay: 2.0.0\ninfo: { title: A, version: 1.0.0 }\nactions: [{ target: $.info, remove: true }]\n',
    ['unsupported-version overlay.yaml:1:1'],
  ],
  [
    'a version that is read as a number',
    'overlay: 1.0\ninfo: { title: A, version: 1.1 }\nactions: [{ target: $.info, remove: true }]\n',
    ['unsupported-version overlay.yaml:1:1'],
    /Write all three numbers/u,
  ],
  ['nothing at all', '', ['invalid-overlay overlay.yaml:1:1']],
  ['text that is not YAML', '{', ['yaml-syntax overlay.yaml:1:2']],
  [
    'a document that is not of this contract',
    withActions('- target: $.info\n  remove: true', 'extends: ./other.yaml\n'),
    ['invalid-overlay overlay.yaml:3:1'],
    /Name one of `\.\/openapi\.yaml`/u,
  ],
  [
    'a document on the network',
    withActions('- target: $.info\n  remove: true', 'extends: https://localhost/openapi.yaml\n'),
    ['invalid-overlay overlay.yaml:3:1'],
  ],
  [
    'a mistake that an overlay brings in, at its place in the overlay',
    withActions(
      '- target: $.components.schemas.Book.properties\n  update:\n    year: { type: nmber }\n    self: { $ref: ./None.yaml }',
    ),
    ['invalid-schema overlay.yaml:6:15', 'unresolved-reference overlay.yaml:7:15'],
  ],
  [
    'a reference that leaves the folder or the machine',
    withActions(
      "- target: $.components.schemas.Book.properties\n  update:\n    a: { $ref: '../../etc/passwd' }\n    b: { $ref: 'https://localhost/x' }",
    ),
    ['escaping-reference overlay.yaml:6:12', 'remote-reference overlay.yaml:7:12'],
  ],
])('refused: %s', async (_, overlay, expected, says = /./u) => {
  const { diagnostics } = await loadWith({ 'overlay.yaml': overlay });
  expect(
    diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`),
    diagnostics.map(({ message }) => message).join('\n'),
  ).toEqual(expected);
  expect(diagnostics.map(({ message, help }) => `${message} ${help}`).join('\n')).toMatch(says);
});

test('an action without effect leaves the document to be checked', async () => {
  const documents = await loadWith({
    'overlay.yaml': withActions('- target: $.components.schemas.None\n  remove: true'),
  });
  expect(documents.diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  expect(schemaOf(documents, 'Book')).toEqual(original);
});

test('with two documents an overlay has to say which it extends, and may extend either', async () => {
  const action = '- target: $.info\n  update: { description: Said. }';
  const folder = await writeContract({
    'spec/openapi.yaml': openapiWith('type: string'),
    'spec/asyncapi.yaml': asyncapiWith('type: string'),
    'spec/overlays/neither.yaml': withActions(action),
    'spec/overlays/openapi.yaml': withActions(action, 'extends: ../openapi.yaml\n'),
    'spec/overlays/asyncapi.yaml': withActions(action, 'extends: ../asyncapi.yaml\n'),
  });
  const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
  const described = async (overlay: string): Promise<readonly Json[]> => {
    const { openapi, asyncapi, diagnostics } = await load(
      { ...files, overlays: [`spec/overlays/${overlay}.yaml`] },
      { folder },
    );
    const infos = [openapi?.root.info, asyncapi?.root.info];
    return [
      ...diagnostics.map(({ code, line }) => `${code} ${line}`),
      ...infos.map((info) => (isJsonObject(info) ? (info.description ?? null) : null)),
    ];
  };
  expect(await described('neither')).toEqual(['invalid-overlay 1', null, null]);
  expect(await described('openapi')).toEqual(['Said.', null]);
  expect(await described('asyncapi')).toEqual([null, 'Said.']);
});

describe('a value of another type', () => {
  const title = '$.components.schemas.Book.properties';
  const update = '  update: { title: { type: [string, number] } }';
  const refuse = async (actions: string): Promise<readonly string[]> => {
    const { diagnostics } = await loadWith({ 'overlay.yaml': withActions(actions) });
    return diagnostics.map(({ message, help }) => `${message} ${help}`);
  };

  test('is refused with the two lines that help, and these lines help', async () => {
    const lines = `- target: ${title}.title.type\n  remove: true`;
    const [help = '', ...furtherMessages] = await refuse(`- target: ${title}\n${update}`);
    expect(furtherMessages).toEqual([]);
    expect(help).toMatch(/^`type` is a string in the document and a list here\. /u);
    const [, first, second] = /`(- target: [^`]*)` and `([^`]*)`\.$/u.exec(help) ?? [];
    expect(`${first}\n  ${second}`).toBe(lines);
    const documents = await loadWith({
      'overlay.yaml': withActions(`${lines}\n- target: ${title}\n${update}`),
    });
    expect(documents.diagnostics).toEqual([]);
    expect(schemaOf(documents, 'Book')).toMatchObject({
      properties: { title: { type: ['string', 'number'] } },
    });
  });

  test.each([
    [`$.components.schemas.Book`, 'properties: { title: { type: [a] } }', '.properties.title.type'],
    [`${title}.*`, 'type: [a]', '.type'],
    [`${title}['title']`, 'type: {}', '.type'],
    ['$.components.schemas.Book', 'required: { a: 1 }', '.required'],
  ])('names the member of what is selected: %s', async (target, change, path) => {
    const messages = await refuse(`- target: ${target}\n  update: { ${change} }`);
    // One action removes the member of everything that the target selects.
    expect(messages).toEqual([expect.stringContaining(`\`- target: ${target}${path}\``)]);
  });

  test('is quoted where YAML needs it', async () => {
    const target = "$.components.schemas[?@.description == 'A book.' && @.x != ' # ']";
    const [help] = await refuse(`- target: ${JSON.stringify(target)}\n  update: { type: [a] }`);
    expect(help).toContain(`\`- target: ${JSON.stringify(`${target}.type`)}\``);
  });
});
