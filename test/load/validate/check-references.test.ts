import { expect, test } from 'vitest';
import { load } from '../../../generator/load/load.ts';
import { asyncapiWith, openapiWith, writeContract } from '../write-contract.ts';

const examples = `        examples:
          - name: file
            payload: { $ref: './examples/lent.json' }
            headers: { $ref: './examples/headers.json' }
          - name: part
            payload: { $ref: './examples/lent.json#/a' }
          - name: list
            payload: { $ref: './examples/list.json' }
          - name: inline
            payload: { $ref: ./none.json, with: a sibling }
        x-invalid-examples:
          - name: broken
            payload: { $ref: './examples/lent.json' }
            violates: { at: /a, keyword: type }
`;

const files = {
  'asyncapi.yaml': asyncapiWith('type: object', examples).replace(
    'version: 1.0.0 }',
    'version: 1.0.0, x-countersign: 1 }',
  ),
  'examples/lent.json': '{\n  "a": { "$ref": "https://localhost/x" },\n  "b": 1\n}\n',
  'examples/headers.json': '{ "x": "y" }\n',
  'examples/list.json': '[1, { "$ref": "./none.json" }]\n',
};

const message = ['channels', 'lent', 'messages', 'lent'].join('/');

test('an example file takes the place of the reference to it; what it holds is data', async () => {
  const folder = await writeContract(files);
  const { asyncapi, diagnostics, locate } = await load({ asyncapi: 'asyncapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  const lent = { a: { $ref: 'https://localhost/x' }, b: 1 };
  expect(asyncapi?.root.channels).toMatchObject({
    lent: {
      messages: {
        lent: {
          examples: [
            { name: 'file', payload: lent, headers: { x: 'y' } },
            { name: 'part', payload: lent.a },
            { name: 'list', payload: [1, { $ref: './none.json' }] },
            { name: 'inline', payload: { $ref: './none.json', with: 'a sibling' } },
          ],
          'x-invalid-examples': [{ name: 'broken', payload: lent }],
        },
      },
    },
  });
  expect(locate(`asyncapi#/${message}/examples/0/payload/b`)).toEqual({
    file: 'examples/lent.json',
    line: 3,
    column: 3,
  });
  expect(locate(`asyncapi#/${message}/examples/2/payload/0`)).toEqual({
    file: 'examples/list.json',
    line: 1,
    column: 2,
  });
  expect(locate(`asyncapi#/${message}/x-invalid-examples/0/payload/a`).file).toBe(
    'examples/lent.json',
  );
});

test('in a document that does not use the vocabulary its keys are extensions like any other', async () => {
  const folder = await writeContract({
    'asyncapi.yaml': asyncapiWith(
      'type: object',
      '        x-identified-by: nothing of ours\n        x-invalid-examples: [{ payload: { $ref: ./a.json } }]\n',
    ),
  });
  const { asyncapi, diagnostics } = await load({ asyncapi: 'asyncapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  expect(asyncapi?.root.channels).toMatchObject({
    lent: { messages: { lent: { 'x-invalid-examples': [{ payload: { $ref: './a.json' } }] } } },
  });
});

test('an extension of others is data: no reference in it is followed, and no file that it names is read', async () => {
  const extension = {
    deep: [{ deeper: { $ref: './none.yaml' } }],
    out: { $ref: '../a.yaml' },
    net: [[{ $ref: 'https://localhost/a' }]],
    circle: { a: { $ref: './circle.yaml' } },
    local: { $ref: '#/info' },
    absent: { $ref: '#/nothing' },
    used: { $ref: './Book.yaml' },
    text: { $ref: './guide.md' },
    odd: { $ref: 5 },
  };
  const written = JSON.stringify(extension);
  const folder = await writeContract({
    'spec/openapi.yaml': openapiWith(
      `{ type: object, x-c: ${written}, properties: { x-d: { $ref: ./Book.yaml } } }`,
      `x-a: ${written}\nx-b: { $ref: './Book.yaml' }\nx-e: { $ref: '#/x-e' }\n`,
    ),
    'spec/Book.yaml': `{ type: string, x-f: { $ref: ./none.yaml } }`,
    'spec/circle.yaml': '$ref: ./circle.yaml\n',
    'spec/guide.md': '# Guide\n',
  });
  const { openapi, diagnostics, files } = await load({ openapi: 'spec/openapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  expect(openapi?.root).toMatchObject({
    'x-a': extension,
    'x-b': { $ref: './Book.yaml' },
    'x-e': { $ref: '#/x-e' },
    components: { schemas: { Book: { type: 'string', 'x-f': { $ref: './none.yaml' } } } },
  });
  expect(JSON.stringify(openapi?.root)).toContain(`"x-c":${written}`);
  expect(JSON.stringify(openapi?.root)).toContain('"x-d":{"$ref":"#/components/schemas/Book"}');
  expect(files.map(({ path }) => path)).toEqual(['spec/Book.yaml', 'spec/openapi.yaml']);
});

test('an example file is read although no schema refers to it, and its mistakes are its own', async () => {
  const folder = await writeContract({ ...files, 'examples/lent.json': '{ "a": 1,\n "a": 2 }' });
  const { diagnostics } = await load({ asyncapi: 'asyncapi.yaml' }, { folder });
  expect(diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
    'yaml-syntax examples/lent.json:2',
  ]);
});

test('references within the conditions of x-identified-by are bundled as schemas', async () => {
  const folder = await writeContract({
    'asyncapi.yaml': asyncapiWith(
      'type: object',
      "        x-identified-by: [{ '$request.body#/a': { $ref: ./schemas/Kind.yaml }, '$request.body#/b': false }]\n",
    ).replace('version: 1.0.0 }', 'version: 1.0.0, x-countersign: 1 }'),
    'schemas/Kind.yaml': 'type: strng\n',
  });
  const { asyncapi, diagnostics } = await load({ asyncapi: 'asyncapi.yaml' }, { folder });
  expect(asyncapi?.root.channels).toMatchObject({
    lent: {
      messages: {
        lent: {
          'x-identified-by': [
            {
              '$request.body#/a': { $ref: '#/components/schemas/Kind' },
              '$request.body#/b': false,
            },
          ],
        },
      },
    },
  });
  expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'invalid-schema schemas/Kind.yaml',
  ]);
});

test('an external value of OpenAPI becomes the value; one on the network stays where it is', async () => {
  const folder = await writeContract({
    'openapi.yaml': openapiWith('type: object').replace(
      '              schema:',
      `              examples:
                file: { externalValue: './examples/book.json' }
                text: { externalValue: './examples/book.txt' }
                remote: { externalValue: 'https://localhost/book.json' }
                data: { value: { $ref: './none.json' } }
              schema:`,
    ),
    'examples/book.json': '{ "a": 1 }',
    'examples/book.txt': 'A: book\nB\n',
  });
  const { openapi, diagnostics, locate } = await load({ openapi: 'openapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  const media = 'paths/~1books/get/responses/200/content/application~1json';
  expect(openapi?.root.paths).toMatchObject({
    '/books': {
      get: {
        responses: {
          '200': {
            content: {
              'application/json': {
                examples: {
                  file: { value: { a: 1 } },
                  text: { value: 'A: book\nB\n' },
                  remote: { externalValue: 'https://localhost/book.json' },
                  data: { value: { $ref: './none.json' } },
                },
              },
            },
          },
        },
      },
    },
  });
  expect(locate(`openapi#/${media}/examples/file/value/a`)).toEqual({
    file: 'examples/book.json',
    line: 1,
    column: 3,
  });
});

test('an external value that does not exist is reported where it is named', async () => {
  const folder = await writeContract({
    'openapi.yaml': openapiWith('type: object').replace(
      '              schema:',
      "              examples:\n                file: { externalValue: './none.json' }\n              schema:",
    ),
  });
  const { diagnostics } = await load({ openapi: 'openapi.yaml' }, { folder });
  expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
    'unresolved-reference 13:25',
  ]);
});

test('the changes of an answer are parts of the document, whose references to files are resolved', async () => {
  const schema = `type: string
x-unstated:
  form:
    question: Which form has it?
    choices:
      short:
        meaning: The short one.
        actions:
          - target: $
            update: { examples: [{ $ref: './short.json' }] }`;
  const declared = openapiWith(schema).replace(
    'version: 1.0.0 }',
    'version: 1.0.0, x-countersign: 1 }',
  );
  const folder = await writeContract({ 'openapi.yaml': declared, 'short.json': '["a"]' });
  const { openapi, diagnostics } = await load({ openapi: 'openapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  expect(JSON.stringify(openapi?.root)).toContain('"update":{"examples":[["a"]]}');

  const without = await writeContract({ 'openapi.yaml': declared });
  const { diagnostics: missing } = await load({ openapi: 'openapi.yaml' }, { folder: without });
  expect(missing.map(({ code, line }) => [code, line])).toEqual([['unresolved-reference', 22]]);
});
