import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createApplication } from './create-application.ts';

const tags = { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^\\p{L}+$' } };
const content = (name: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const operation = (operationId: string, name: string): object => ({
  operationId,
  parameters: [
    { name: 'tags', in: 'query', schema: tags },
    { name: 'page', in: 'query', style: 'deepObject', schema: { type: 'object' } },
    { name: 'x-mark', in: 'header', schema: { type: 'integer' } },
  ],
  responses: {
    200: {
      description: 'One.',
      headers: { 'x-rest': { schema: { type: 'integer' } } },
      content: content(name),
    },
  },
});
/** Each schema uses another part of the runtime, and has a text of its own. */
const schemas = {
  Apple: { type: 'object', properties: { apple: { type: 'string', maxLength: 3 } } },
  Berry: {
    type: 'object',
    properties: { berry: { type: 'string', format: 'date-time' }, kind: { enum: ['x', null, 3] } },
    patternProperties: { '^\\p{L}-berry$': { type: 'number', multipleOf: 0.01 } },
  },
  Cherry: {
    allOf: [{ properties: { cherry: tags } }],
    unevaluatedProperties: false,
  },
  Damson: { oneOf: [{ $ref: '#/components/schemas/Cherry' }, { const: { damson: [1] } }] },
  State: { type: 'string', enum: ['elderberry', 'fig'] },
};
const openapi = {
  openapi: '3.1.1',
  info: { title: 'Fruit', version: '1.0.0' },
  servers: [{ url: 'https://fruit.example' }],
  security: [{ key: [] }],
  paths: Object.fromEntries(
    Object.keys(schemas).map((name) => [
      `/${name}`,
      {
        get: operation(`get${name}`, name),
        post: {
          operationId: `add${name}`,
          requestBody: { required: true, content: content(name) },
          responses: {
            200: {
              description: 'Events.',
              content: { 'text/event-stream': { schema: schemas.Apple } },
            },
          },
        },
      },
    ]),
  ),
  components: {
    schemas,
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } },
  },
};

test.each([
  [
    'a function of an operation',
    `import { createConnection, getApple } from './generated/client/index.ts';
const connection = createConnection({ credentials: { key: 'k' } });
console.log(await getApple(connection));`,
  ],
  ['a guard', `import { isApple } from './generated/contract/index.ts'; console.log(isApple(1));`],
  [
    'an unchecked client',
    `import { createConnection, getApple } from './generated/client/unchecked.ts';
console.log(await getApple(createConnection({ credentials: { key: 'k' } })));`,
  ],
])('a bundle of %s needs no setting of the application to be small', async (_, program) => {
  const { folder } = await createApplication(
    { 'openapi.json': JSON.stringify(openapi), 'src/main.ts': program },
    {
      contract: { openapi: 'openapi.json' },
      targets: ['contract', 'client'],
      importExtension: '.ts',
    },
  );
  const bundle = async (settings: object): Promise<string> => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...settings }));
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'src/main.ts')],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      conditions: ['countersign-source'],
    });
    return outputFiles[0]?.text ?? '';
  };
  const text = await bundle({});
  const { length } = await bundle({ sideEffects: false });
  // Minified names differ by some bytes.
  expect(text.length).toBeLessThan(length * 1.001);
  expect(text).toMatch(/apple/iu);
  expect(text).not.toMatch(/berry|cherry|damson|fig"/iu);
});
