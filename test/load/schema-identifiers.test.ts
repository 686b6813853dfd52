import { expect, test } from 'vitest';
import { Cursor } from '../../generator/json/cursor.ts';
import type { Json } from '../../generator/json/json.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { load } from '../../generator/load/load.ts';
import { writeContract } from './write-contract.ts';

/** Loads a contract with these schemas; `files` are further files by name. */
async function loadSchemas(
  schemas: Json,
  files: Readonly<Record<string, Json>> = {},
  info: Readonly<Record<string, Json>> = {},
): Promise<Documents> {
  const openapi = {
    openapi: '3.1.2',
    info: { title: 'Library', version: '1.0.0', ...info },
    paths: {},
    components: { schemas },
  };
  const texts = Object.entries({ 'openapi.json': openapi, ...files }).map(([file, value]) => [
    file,
    JSON.stringify(value, null, 2),
  ]);
  const folder = await writeContract(Object.fromEntries(texts) as Record<string, string>);
  return load({ openapi: 'openapi.json' }, { folder });
}

const integer = { title: 'Target', type: 'integer' };

test.each<readonly [title: string, schemas: Readonly<Record<string, Json>>]>([
  ['an anchor', { Target: { ...integer, $anchor: 'node' }, Tested: { $ref: '#node' } }],
  [
    'an anchor in the `$id` of draft-07',
    { Target: { ...integer, $id: '#node' }, Tested: { $ref: '#node' } },
  ],
  [
    'an anchor below an `$id`, although another resource has one of the same name',
    {
      Other: { $anchor: 'node', type: 'string' },
      Tested: {
        $id: 'https://example.com/a',
        $defs: { b: { ...integer, $anchor: 'node' } },
        $ref: '#node',
      },
    },
  ],
  [
    'an anchor of another `$id`',
    {
      Target: {
        $id: 'https://example.com/a',
        type: 'object',
        $defs: { b: { ...integer, $anchor: 'node' } },
      },
      Tested: { $ref: 'https://example.com/a#node' },
    },
  ],
  [
    'an absolute `$id`',
    {
      Target: { ...integer, $id: 'https://example.com/a.json' },
      Tested: { $ref: 'https://example.com/a.json' },
    },
  ],
  [
    'an `$id` relative to the file',
    { Target: { ...integer, $id: 'a.json' }, Tested: { $ref: 'a.json' } },
  ],
  [
    'an `$id` relative to another',
    {
      Tested: {
        $id: 'https://example.com/x/y.json',
        $defs: { b: { ...integer, $id: 'z.json' } },
        $ref: '/x/z.json',
      },
    },
  ],
  ['a URN', { Target: { ...integer, $id: 'urn:example:a' }, Tested: { $ref: 'urn:example:a' } }],
  [
    'a pointer relative to an `$id`',
    {
      Tested: {
        $id: 'https://example.com/a',
        properties: { 'b/%': integer },
        $ref: '#/properties/b~1%25',
      },
    },
  ],
  [
    'a pointer into the document below an `$id`',
    {
      Target: integer,
      Tested: { $id: 'https://example.com/a', $ref: '#/components/schemas/Target' },
    },
  ],
  [
    'a `$dynamicRef` to the only `$dynamicAnchor` of its name',
    { Target: { ...integer, $dynamicAnchor: 'node' }, Tested: { $dynamicRef: '#node' } },
  ],
  [
    'a `$dynamicRef` to an anchor',
    { Target: { ...integer, $anchor: 'node' }, Tested: { $dynamicRef: '#node' } },
  ],
  [
    'a `$dynamicRef` with a pointer',
    { Target: integer, Tested: { $dynamicRef: '#/components/schemas/Target' } },
  ],
])('%s leads to its schema', async (_, schemas) => {
  const { openapi, diagnostics } = await loadSchemas(schemas);
  expect(diagnostics).toEqual([]);
  if (openapi === undefined) throw new Error('no document');
  const tested = Cursor.ofDocument(openapi.root, 'openapi').child(
    'components',
    'schemas',
    'Tested',
  );
  expect(tested.follow().value).toMatchObject(integer);
});

test('a schema file may use anchors and dynamic anchors within itself', async () => {
  const tree = {
    $id: 'https://example.com/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: {
      children: { type: 'array', items: { $dynamicRef: '#node' } },
      leaf: { $ref: '#leaf' },
    },
    $defs: { Leaf: { $anchor: 'leaf', type: 'string' } },
  };
  const { openapi, diagnostics } = await loadSchemas(
    { Tested: { $ref: './tree.json' } },
    { 'tree.json': tree },
  );
  expect(diagnostics).toEqual([]);
  expect(openapi?.root.components).toEqual({
    schemas: {
      Tested: { $ref: '#/components/schemas/tree' },
      tree: {
        ...tree,
        properties: {
          children: { type: 'array', items: { $ref: '#/components/schemas/tree' } },
          leaf: { $ref: '#/components/schemas/Leaf' },
        },
      },
      Leaf: { $anchor: 'leaf', type: 'string' },
    },
  });
});

test('a component that Redocly names by an escaped member is found', async () => {
  const { openapi, diagnostics } = await loadSchemas(
    { Tested: { allOf: [{ $ref: './names.json#/properties/a' }] } },
    { 'names.json': { $defs: { 'x/y': integer }, properties: { a: { $ref: '#/$defs/x~1y' } } } },
  );
  expect(diagnostics).toEqual([]);
  if (openapi === undefined) throw new Error('no document');
  const tested = Cursor.ofDocument(openapi.root, 'openapi').child(
    'components',
    'schemas',
    'Tested',
  );
  expect(tested.child('allOf', 0).follow().value).toEqual(integer);
});

test('values that look like identifiers or references are not changed', async () => {
  const data = { $id: 'https://example.com/a', $anchor: 'node', $ref: '#other', $dynamicRef: '#x' };
  const schema = {
    type: 'object',
    properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
    enum: [data],
    default: data,
    examples: [data],
    'x-data': data,
  };
  const { openapi, diagnostics } = await loadSchemas({ Tested: schema });
  expect(diagnostics).toEqual([]);
  expect(openapi?.root.components).toEqual({ schemas: { Tested: schema } });
});

test.each<
  readonly [
    title: string,
    schemas: Json,
    files: Readonly<Record<string, Json>>,
    message: RegExp,
    place: string,
  ]
>([
  [
    'a missing anchor',
    { Tested: { $ref: '#node' } },
    {},
    /^`#node` refers to an anchor that does not exist\.$/u,
    'openapi.json "$ref": "#node"',
  ],
  [
    'an ambiguous anchor',
    { A: { $anchor: 'node' }, B: { $anchor: 'node' }, Tested: { $ref: '#node' } },
    {},
    /^`#node` is ambiguous/u,
    'openapi.json "$ref": "#node"',
  ],
  [
    'an ambiguous `$id`',
    { A: { $id: 'node.json' }, B: { $id: 'node.json' }, Tested: { $ref: 'node.json' } },
    {},
    /^`node\.json` is ambiguous/u,
    'openapi.json "$ref": "node.json"',
  ],
  [
    'a `$dynamicRef` that is not an anchor',
    { Tested: { $dynamicRef: '#1' } },
    {},
    /^`#1` is neither an anchor nor a JSON Pointer\.$/u,
    'openapi.json "$dynamicRef": "#1"',
  ],
  [
    'an anchor of another file',
    { Tested: { $ref: 'other.json#node' } },
    { 'other.json': { $defs: { a: { $anchor: 'node' } } } },
    /^`other\.json#node` refers to an anchor of another file\.$/u,
    'openapi.json "$ref": "other.json#node"',
  ],
  [
    'a `$dynamicRef` with several targets',
    {
      Tree: {
        $id: 'tree',
        $dynamicAnchor: 'node',
        properties: { children: { items: { $dynamicRef: '#node' } } },
      },
      StrictTree: {
        $id: 'strict-tree',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
      },
    },
    {},
    /^`\$dynamicRef` can have several targets here/u,
    'openapi.json "$dynamicRef": "#node"',
  ],
  [
    'a `$dynamicRef` with targets in several files',
    { Tested: { $ref: 'strict-tree.json' } },
    {
      'strict-tree.json': {
        $dynamicAnchor: 'node',
        $ref: 'tree.json',
        unevaluatedProperties: false,
      },
      'tree.json': {
        $dynamicAnchor: 'node',
        properties: { children: { items: { $dynamicRef: '#node' } } },
      },
    },
    /^`\$dynamicRef` can have several targets here/u,
    'tree.json "$dynamicRef": "#node"',
  ],
  [
    'a `$dynamicAnchor` in a file that is read after the `$dynamicRef`',
    {
      A: {
        $dynamicAnchor: 'node',
        properties: { children: { items: { $dynamicRef: '#node' } } },
      },
      Tested: { $ref: 'strict-tree.json' },
    },
    { 'strict-tree.json': { $dynamicAnchor: 'node', unevaluatedProperties: false } },
    /^`\$dynamicAnchor` `node` is not supported: another file has/u,
    'strict-tree.json "$dynamicAnchor": "node"',
  ],
  [
    'a `$dynamicRef` to another file',
    { Tested: { $dynamicRef: 'other.json' } },
    { 'other.json': {} },
    /^`\$dynamicRef` to another file is not supported\.$/u,
    'openapi.json "$dynamicRef": "other.json"',
  ],
  [
    'a `$dynamicRef` beside a `$ref`',
    { A: { $anchor: 'node' }, Tested: { $ref: '#node', $dynamicRef: '#node' } },
    {},
    /^`\$dynamicRef` beside `\$ref` is not supported\.$/u,
    'openapi.json "$dynamicRef": "#node"',
  ],
])('%s is refused at its place, with help', async (_, schemas, files, message, place) => {
  const documents = await loadSchemas(schemas, files);
  const [diagnostic, ...furtherDiagnostics] = documents.diagnostics;
  expect(furtherDiagnostics).toEqual([]);
  expect(diagnostic?.message).toMatch(message);
  expect(diagnostic?.severity).toBe('error');
  expect(diagnostic?.help).not.toBe('');
  const text = documents.files.find(({ path }) => path === diagnostic?.file)?.text ?? '';
  const line = text.split('\n')[(diagnostic?.line ?? 0) - 1] ?? '';
  expect(`${diagnostic?.file} ${line.trim().replace(/,$/u, '')}`).toBe(place);
});

test('a `$recursiveRef` is ignored with a warning, and an error in a contract with the vocabulary', async () => {
  const schemas = {
    Tree: { $recursiveAnchor: true, properties: { children: { items: { $recursiveRef: '#' } } } },
  };
  const { openapi, diagnostics } = await loadSchemas(schemas);
  expect(diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    'warning Property `$recursiveAnchor` is not expected here.',
    'warning Property `$recursiveRef` is not expected here.',
  ]);
  expect(diagnostics[1]?.help).toMatch(/Write a `\$ref`.*until then, it is ignored/u);
  expect(openapi?.root.components).toEqual({ schemas });

  const strict = await loadSchemas(schemas, {}, { 'x-countersign': 1 });
  expect(strict.diagnostics.map(({ severity }) => severity)).toEqual(['error', 'error']);
});
