import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapiTypesTarget } from '../../../generator/targets/openapi-types/target.ts';
import { readAsyncapi, readOpenapi } from '../client/emit-client.ts';
import { compile } from '../compile.ts';
import { emitFiles, generateProject, repository, type GeneratedProject } from '../emit-project.ts';
import { compilers, compileStrictly, resolutionNames } from '../strict-compile.ts';
import { hostileTexts, isPayload } from '../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../hostile/injections.ts';

const book = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ref = { $ref: '#/components/schemas/Book' };

const library = {
  openapi: '3.1.1',
  info: { title: 'Library', version: '1.0.0' },
  servers: [{ url: 'https://library.example' }],
  paths: {
    '/books': {
      post: {
        operationId: 'addBook',
        requestBody: { required: true, ...json(ref) },
        responses: {
          201: { description: 'Added.', ...json(ref) },
          422: {
            description: 'Refused.',
            ...json({ type: 'object', properties: { problem: { type: 'string' } } }),
          },
        },
      },
    },
    '/books/{id}': {
      get: {
        operationId: 'findBook',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'Found.', ...json(ref) } },
      },
    },
  },
  components: { schemas: { Book: book } },
};

interface Use {
  call(baseUrl: string): Promise<unknown>;
  mocked(baseUrl: string): Promise<unknown>;
}

describe('the generated package openapi-types', () => {
  let generated: GeneratedProject;
  let server: Server;
  let address: string;

  beforeAll(async () => {
    generated = await generateProject(await readOpenapi(library), [openapiTypesTarget]);
    const { project } = generated;
    for (const name of ['openapi-fetch', 'openapi-msw', 'msw']) {
      const folder = join(repository, 'node_modules', name);
      await symlink(folder, join(project, 'node_modules', name), 'junction');
    }
    const fixture = new URL('library.types.ts.fixture', import.meta.url);
    await writeFile(join(project, 'use.ts'), await readFile(fixture, 'utf8'));
    await compile('ts7', join(project, 'openapi-types'), ['-b']);
    server = createServer((request, response) => {
      const isSearch = request.url === '/books/B1' && request.method === 'GET';
      response.statusCode = isSearch ? 200 : 422;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isSearch ? { title: 'Found' } : { problem: 'known already' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await generated[Symbol.asyncDispose]();
  });

  test.each(
    compilers.flatMap((compiler) => resolutionNames.map((name) => [compiler, name] as const)),
  )('compiles and types openapi-fetch and openapi-msw: %s, %s', async (compiler, resolution) => {
    const folder = join(generated.project, 'openapi-types');
    await compileStrictly(folder, ['src'], { compiler, resolution, from: 'source' });
    const options = { compiler, resolution, from: 'built', withFrameworks: true } as const;
    await expect(compileStrictly(generated.project, ['use.ts'], options)).resolves.toBeUndefined();
  });

  test('works with openapi-fetch against a server, and with openapi-msw against a mock', async () => {
    const file = pathToFileURL(join(generated.project, 'use.ts')).href;
    const { call, mocked } = (await import(/* @vite-ignore */ file)) as Use;
    expect(await call(address)).toEqual({ title: 'Found', missing: 'known already' });
    expect(await mocked(address)).toEqual({ title: 'Mock of B2' });
  });
});

test('a contract without OpenAPI has no paths', async () => {
  const contract = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'News', version: '1.0.0' },
    channels: { news: { messages: { news: { payload: { type: 'object' } } } } },
    operations: { send: { action: 'send', channel: { $ref: '#/channels/news' } } },
  });
  const text = (await emitFiles(openapiTypesTarget, contract)).get('openapi-types/src/index.ts');
  expect(text).toContain('export type paths = Record<string, never>;');
});

test.each(['3.0.3', '3.1.1'])(
  'requests need no read-only members, and responses no write-only members: OpenAPI %s',
  async (openapi) => {
    const text = { type: 'string' };
    const properties = {
      id: { ...text, readOnly: true },
      title: text,
      password: { ...text, writeOnly: true },
    };
    const users = { type: 'array', items: { $ref: '#/components/schemas/User' } };
    const responses = { 200: { description: 'Saved.', ...json(users) } };
    const save = { operationId: 'save', requestBody: json(users), responses };
    const contract = await readOpenapi({
      ...library,
      openapi,
      paths: { '/users': { post: save } },
      components: {
        schemas: { User: { type: 'object', required: Object.keys(properties), properties } },
      },
    });
    await using generated = await generateProject(contract, [openapiTypesTarget]);
    await writeFile(
      join(generated.project, 'openapi-types/src/use.ts'),
      `import type { operations } from './index.ts';
      type Save = operations['save'];
      type Sent = NonNullable<Save['requestBody']>['content']['application/json'];
      type Received = Save['responses'][200]['content']['application/json'];
      export const sent: Sent = [{ title: 'a', password: 'b' }];
      export const received: Received = [{ id: '1', title: 'a' }];
      // @ts-expect-error The password is required.
      export const incomplete: Sent = [{ title: 'a' }];
      // @ts-expect-error The id is required.
      export const unnumbered: Received = [{ title: 'a' }];
      `,
    );
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'source' } as const;
    await expect(
      compileStrictly(join(generated.project, 'openapi-types'), ['src'], options),
    ).resolves.toBeUndefined();
  },
);

test('references into inline schemas lead to types', async () => {
  const deep = {
    ...library,
    paths: {
      '/shelves': {
        get: {
          responses: {
            200: {
              description: 'Found.',
              ...json({
                type: 'object',
                properties: {
                  size: { type: 'number' },
                  inner: {
                    $ref: '#/paths/~1shelves/get/responses/200/content/application~1json/schema',
                  },
                  label: { $ref: '#/components/schemas/Book/properties/title' },
                },
              }),
            },
          },
        },
      },
    },
    components: { schemas: { Book: book, Inline1: { type: 'boolean' } } },
  };
  const contract = await readOpenapi(deep);
  await using generated = await generateProject(contract, [openapiTypesTarget]);
  const folder = join(generated.project, 'openapi-types');
  await compile('ts7', folder, ['-b']);
  const text = await readFile(join(folder, 'src/index.ts'), 'utf8');
  expect(text).toMatch(/Inline1: boolean;/u);
  expect(text).toMatch(/inner\?: components\['schemas'\]\['Inline2'\];/u);
  expect(text).toMatch(/label\?: components\['schemas'\]\['Inline3'\];/u);
});

test('names that every object inherits are names of members, schemas and references', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const schemas = Object.fromEntries(names.map((name) => [name, { const: { [name]: 1 } }]));
  const contract = await readOpenapi({
    ...library,
    paths: {
      '/a/valueOf': {
        parameters: [{ name: 'page', in: 'query', required: true, schema: book }],
        get: { responses: { 200: { description: 'Done.' } } },
      },
      '/b': {
        parameters: [{ $ref: '#/paths/~1a~1valueOf/parameters/0' }],
        get: { responses: { 200: { description: 'Done.' } } },
      },
    },
    components: {
      schemas: {
        Book: book,
        ...schemas,
        Odd: { type: 'object', required: names, properties, example: { valueOf: 'Marked1' } },
      },
    },
  });
  await using generated = await generateProject(contract, [openapiTypesTarget]);
  const folder = join(generated.project, 'openapi-types');
  await compile('ts7', folder, ['-b']);
  const text = await readFile(join(folder, 'src/index.ts'), 'utf8');
  for (const name of names) {
    expect(text).toContain(`${name}: components['schemas']['${name}'];`);
    expect(text).toMatch(new RegExp(`${name}: \\{\\s+${name}: 1;\\s+\\};`, 'u'));
  }
  expect(text).toContain("'/a/valueOf': {");
  expect(text).not.toContain('Marked2');
});

test('a document that the library cannot print is printed without its invalid members', async () => {
  const contract = await readOpenapi({
    ...library,
    components: {
      parameters: { Odd: { name: 'odd', in: 'query', schema: 'odd' } },
      responses: { Odd: null },
      schemas: {
        Book: { title: 7, type: 'object', properties: { title: { type: 'string' }, by: 'odd' } },
        Odd: { allOf: 'odd', required: {}, enum: 'odd' },
        Gone: { $ref: '#/components/schemas/Number' },
        Number: 7,
      },
    },
  });
  const files = await emitFiles(openapiTypesTarget, contract);
  const text = files.get('openapi-types/src/index.ts');
  expect(text).toMatch(/Book: \{\s+title\?: string;\s+\};/u);
  expect(text).toMatch(/Gone: unknown;/u);
  expect(text).toMatch(/operations\["addBook"\]/u);
});

test('a document that the library cannot print is an error that says so', async () => {
  const contract = await readOpenapi({
    ...library,
    paths: { '/books': { get: { responses: { 200: { $ref: '#' } } } } },
  });
  await expect(emitFiles(openapiTypesTarget, contract)).rejects.toThrow(
    /openapi-typescript cannot print the OpenAPI document \(.+\)\.$/u,
  );
});

test('boolean schemas can be parts of others beside a discriminator', async () => {
  const contract = await readOpenapi({
    ...library,
    components: {
      schemas: {
        Book: { allOf: [true, book] },
        None: { allOf: [false, book] },
        Either: {
          oneOf: [ref],
          discriminator: { propertyName: 'title', mapping: { book: '#/components/schemas/Book' } },
        },
      },
    },
  });
  const text = (await emitFiles(openapiTypesTarget, contract)).get('openapi-types/src/index.ts');
  expect(text).toMatch(/Book: unknown & \{\s+title: (?:string|"book");/u);
});

test('members named $ref that are not references are data', async () => {
  const contract = await readOpenapi({
    ...library,
    components: {
      schemas: {
        Book: { ...book, example: { $ref: '#/nowhere' }, default: { $ref: 7 } },
        Links: { type: 'object', properties: { $ref: { type: 'string' } } },
        Link: { const: { $ref: '#/components/schemas/Book' } },
        // The library never ends where it takes this for a reference.
        Endless: { type: { $ref: '#' } },
      },
    },
  });
  await using generated = await generateProject(contract, [openapiTypesTarget]);
  const folder = join(generated.project, 'openapi-types');
  await compile('ts7', folder, ['-b']);
  const text = await readFile(join(folder, 'src/index.ts'), 'utf8');
  expect(text).toContain('$ref?: string;');
  expect(text).toContain("$ref: '#/components/schemas/Book';");
});

test('an operationId that is taken and an external example do not stop it', async () => {
  const { paths } = library;
  const repeated = {
    ...library,
    paths: {
      ...paths,
      '/shelves': {
        get: {
          ...paths['/books/{id}'].get,
          parameters: [],
          responses: {
            200: {
              description: 'Found.',
              content: {
                'application/json': {
                  schema: ref,
                  examples: { far: { externalValue: 'http://127.0.0.1:1/far.json' } },
                },
              },
            },
          },
        },
      },
    },
  };
  const files = await emitFiles(openapiTypesTarget, await readOpenapi(repeated));
  const text = files.get('openapi-types/src/index.ts') ?? '';
  expect(text.match(/findBook: \{/gu)).toHaveLength(1);
  expect(text).toContain('"/shelves"');
});

test.each(hostileTexts)(
  'prints types alone where every text of the contract is %j',
  async (hostile) => {
    const contract = await readOpenapi({
      ...library,
      info: { title: 'Library', version: '1.0.0', description: hostile },
      components: {
        schemas: {
          Book: {
            ...book,
            title: hostile,
            description: hostile,
            default: hostile,
            example: hostile,
            properties: {
              title: { type: 'string', description: hostile, format: hostile },
              [hostile.replaceAll(/\p{Cs}/gu, ' ')]: { enum: [hostile], description: hostile },
            },
          },
        },
      },
    });
    const files = await emitFiles(openapiTypesTarget, contract);
    const { default: ts } = await import('typescript');
    const text = files.get('openapi-types/src/index.ts') ?? '';
    const { statements } = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest);
    expect(statements.length).toBeGreaterThan(4);
    expect(
      statements.filter(
        (statement) =>
          !ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement),
      ),
    ).toEqual([]);
    expect(injectionsIn('index.ts', text, isPayload)).toEqual([]);
    expect(text.replaceAll(/[\n\t]/gu, '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u);
  },
);

test.each(['3.0.3', '3.1.1'])(
  'requires members of schemas that can be null or have alternatives: OpenAPI %s',
  async (openapi) => {
    const text = { type: 'string' };
    const nullable =
      openapi === '3.0.3' ? { type: 'object', nullable: true } : { type: ['object', 'null'] };
    const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const properties = { x: text };
    const contract = await readOpenapi({
      ...library,
      openapi,
      paths: {
        '/': {
          get: {
            operationId: 'read',
            responses: { 200: { description: '', ...json(reference('Both')) } },
          },
        },
      },
      components: {
        schemas: {
          Maybe: { ...nullable, properties: { ...properties, y: text } },
          Either: { properties, anyOf: [{ type: 'object', properties: { z: text } }, text] },
          Certain: { allOf: [reference('Maybe')], required: ['x'] },
          Both: { allOf: [reference('Maybe'), reference('Either')], required: ['x'] },
        },
      },
    });
    await using generated = await generateProject(contract, [openapiTypesTarget]);
    await writeFile(
      join(generated.project, 'openapi-types/src/use.ts'),
      `import type { components } from './index.ts';
      type Certain = components['schemas']['Certain'];
      export const nothing: Certain = null;
      export const something: Certain = { x: 'a' };
      // @ts-expect-error The member is required.
      export const empty: Certain = { y: 'a' };
      `,
    );
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'source' } as const;
    await expect(
      compileStrictly(join(generated.project, 'openapi-types'), ['src'], options),
    ).resolves.toBeUndefined();
  },
);

const kind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
const item = '#/components/schemas/Cat';

test.each<[string, string | number, string]>([
  ['by name', 'Cat', 'feline'],
  ['by reference', item, 'feline'],
  ['by an inherited name', 'constructor', 'Cat'],
  ['to an unknown name', 'Lion', 'Cat'],
  ['to a number', 5, 'Cat'],
])('a discriminator maps to a schema %s', async (_, to, value) => {
  const contract = await readOpenapi({
    ...library,
    components: {
      schemas: {
        Book: book,
        Pet: {
          oneOf: [{ $ref: item }],
          discriminator: { propertyName: 'kind', mapping: { feline: to } },
        },
        Cat: kind,
      },
    },
  });
  const text = (await emitFiles(openapiTypesTarget, contract)).get('openapi-types/src/index.ts');
  expect(text).toMatch(new RegExp(`Cat: \\{[^;]*kind: "${value}";`, 'u'));
});

test('a discriminator maps to a schema that is not a component', async () => {
  const inline = {
    $ref: '#/paths/~1books~1{id}/get/responses/200/content/application~1json/schema',
  };
  const responses = { 200: { description: 'Found.', ...json(kind) } };
  const contract = await readOpenapi({
    ...library,
    paths: {
      ...library.paths,
      '/books/{id}': { get: { ...library.paths['/books/{id}'].get, responses } },
    },
    components: {
      schemas: {
        Book: book,
        Pet: {
          oneOf: [inline],
          discriminator: { propertyName: 'kind', mapping: { tame: inline.$ref } },
        },
      },
    },
  });
  const text = (await emitFiles(openapiTypesTarget, contract)).get('openapi-types/src/index.ts');
  expect(text).toMatch(/Inline1: \{[^;]*kind: "tame";/u);
});
