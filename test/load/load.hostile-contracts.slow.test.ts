import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { asyncapiWith, openapiWith, writeContract } from './write-contract.ts';

let connections = 0;
const server = createServer((_, response) => response.end('type: string\n'));
server.on('connection', () => (connections += 1));
let origin = '';

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => server.close());

const places: readonly [place: string, write: (url: string) => Record<string, string>][] = [
  ['a schema', (url) => ({ 'openapi.yaml': openapiWith(`$ref: '${url}'`) })],
  ['a payload', (url) => ({ 'asyncapi.yaml': asyncapiWith(`$ref: '${url}'`) })],
  [
    'a file that is referred to',
    (url) => ({ 'openapi.yaml': openapiWith('$ref: ./a.yaml'), 'a.yaml': `$ref: '${url}'\n` }),
  ],
  [
    'a path item',
    (url) => ({
      'openapi.yaml': `openapi: 3.1.2\ninfo: { title: A, version: 1.0.0 }\npaths: { /a: { $ref: '${url}' } }\n`,
    }),
  ],
  [
    'an example payload',
    (url) => ({
      'asyncapi.yaml': asyncapiWith(
        'type: object',
        `        examples: [{ payload: { $ref: '${url}' } }]\n`,
      ),
    }),
  ],
  [
    'a discriminator',
    (url) => ({
      'openapi.yaml': openapiWith(
        `oneOf: [{ type: object }]\ndiscriminator: { propertyName: a, mapping: { b: '${url}' } }`,
      ),
    }),
  ],
];

const entries = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    ['openapi', 'asyncapi'].flatMap((name) =>
      `${name}.yaml` in files ? [[name, `${name}.yaml`]] : [],
    ),
  );

test.each(places)('no connection is made for %s on the network', async (_, write) => {
  const files = write(`${origin}/schema.yaml`);
  const { diagnostics } = await load(entries(files), { folder: await writeContract(files) });
  expect(diagnostics.map(({ code }) => code)).toEqual(['remote-reference']);
  expect(connections).toBe(0);
});

test('no connection is made for what only looks like a reference', async () => {
  const url = `${origin}/schema.yaml`;
  const data = `{ $ref: '${url}' }`;
  const files = {
    'openapi.yaml': openapiWith(
      `type: object\n$schema: '${url}'\n$id: '${url}'\ndefault: ${data}\nconst: ${data}\nenum: [${data}]\nexamples: [${data}]\nexample: ${data}\nexternalDocs: { url: '${url}' }`,
      `servers: [{ url: '${url}' }]\n`,
    ),
    'asyncapi.yaml': asyncapiWith(
      `type: object\n$id: '${url}'\ndefault: ${data}\nexamples: [${data}]`,
      `        examples: [{ payload: { a: ${data} } }]\n`,
    ),
    'overlay.yaml': `overlay: 1.0.0\ninfo: { title: A, version: 1.0.0 }\nextends: ${url}\nactions: [{ target: $, update: {} }]\n`,
  };
  const { openapi, diagnostics } = await load(
    { ...entries(files), overlays: ['overlay.yaml'] },
    { folder: await writeContract(files) },
  );
  expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'invalid-overlay overlay.yaml',
  ]);
  expect(JSON.stringify(openapi?.root)).toContain(`"default":{"$ref":"${url}"}`);
  expect(connections).toBe(0);
});

test('symbolic links lead no further than the folder of the contract', async () => {
  const folder = await writeContract({
    'spec/openapi.yaml': openapiWith(
      "anyOf:\n  - $ref: './file.yaml'\n  - $ref: './folder/secret.yaml'\n  - $ref: './inside.yaml'\n  - $ref: './circle.yaml'",
    ),
    'spec/Real.yaml': 'type: string\n',
    'secret/secret.yaml': 'type: string\ndescription: topsecret\n',
  });
  await symlink('../secret/secret.yaml', join(folder, 'spec/file.yaml'));
  await symlink('../secret', join(folder, 'spec/folder'));
  await symlink('./Real.yaml', join(folder, 'spec/inside.yaml'));
  await symlink('./circle.yaml', join(folder, 'spec/circle.yaml'));
  const documents = await load({ openapi: 'spec/openapi.yaml' }, { folder });
  expect(documents.diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
    'escaping-reference 14',
    'escaping-reference 15',
    'unresolved-reference 17',
  ]);
  expect(JSON.stringify(documents)).not.toContain('topsecret');
  expect(documents.files.map(({ path }) => path)).toEqual([
    'spec/inside.yaml',
    'spec/openapi.yaml',
  ]);
});

test('a contract that is reached through a symbolic link is read as if it were there', async () => {
  const folder = await writeContract({
    'real/openapi.yaml': openapiWith('$ref: ./Book.yaml'),
    'real/Book.yaml': 'type: string\n',
  });
  await symlink('real', join(folder, 'linked'));
  const { diagnostics, files } = await load({ openapi: 'linked/openapi.yaml' }, { folder });
  expect(diagnostics).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(['linked/Book.yaml', 'linked/openapi.yaml']);
});

test('the folder of the contract is the deepest one that holds every document and overlay', async () => {
  const folder = await writeContract({
    'a/openapi.yaml': openapiWith('$ref: ../shared/Book.yaml'),
    'b/asyncapi.yaml': asyncapiWith('$ref: ../shared/Book.yaml'),
    'shared/Book.yaml': 'type: string\n',
  });
  const alone = await load({ openapi: 'a/openapi.yaml' }, { folder });
  expect(alone.diagnostics.map(({ code }) => code)).toEqual(['escaping-reference']);
  const both = await load({ openapi: 'a/openapi.yaml', asyncapi: 'b/asyncapi.yaml' }, { folder });
  expect(both.diagnostics).toEqual([]);
});

test('a folder in place of a file is reported where it is referred to', async () => {
  const folder = await writeContract({ 'openapi.yaml': openapiWith('$ref: ./Book.yaml') });
  await mkdir(join(folder, 'Book.yaml'));
  const { diagnostics } = await load({ openapi: 'openapi.yaml' }, { folder });
  expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual(['file-unreadable 13']);
});

test('schemas that double at each of 40 levels stay as small as they are written', async () => {
  const levels = Array.from(
    { length: 40 },
    (_, level) =>
      `    L${level}: { allOf: [{ $ref: '#/components/schemas/L${level + 1}' }, { $ref: '#/components/schemas/L${level + 1}' }] }\n`,
  );
  const { openapi, diagnostics } = await load(
    { openapi: 'openapi.yaml' },
    {
      folder: await writeContract({
        'openapi.yaml': openapiWith(
          "$ref: '#/components/schemas/L0'",
          `components:\n  schemas:\n${levels.join('')}    L40: { type: string }\n`,
        ),
      }),
    },
  );
  expect(diagnostics).toEqual([]);
  expect(JSON.stringify(openapi?.root).length).toBeLessThan(10_000);
});

test('parts that have no place among the components and double at each level are refused', async () => {
  const files: Record<string, string> = {
    'openapi.yaml': openapiWith('type: string').replace(
      'paths:\n',
      'paths:\n  /a: { $ref: ./0.yaml }\n',
    ),
    '21.yaml': 'summary: The end.\n',
  };
  for (let level = 0; level < 21; level += 1) {
    const next = `{ url: { $ref: ./${level + 1}.yaml } }`;
    files[`${level}.yaml`] =
      `get: { responses: { '200': { description: ok } }, callbacks: { a: ${next}, b: ${next} } }\n`;
  }
  const { openapi, diagnostics } = await load(
    { openapi: 'openapi.yaml' },
    { folder: await writeContract(files) },
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(['contract-too-large']);
  expect(openapi).toBeUndefined();
});

test.each([1000, 10_000])(
  'a chain of %i references ends, with a document or a reason',
  async (length) => {
    const links = Array.from(
      { length },
      (_, link) => `    L${link}: { items: { $ref: '#/components/schemas/L${link + 1}' } }\n`,
    );
    const { openapi, diagnostics } = await load(
      { openapi: 'openapi.yaml' },
      {
        folder: await writeContract({
          'openapi.yaml': openapiWith(
            "$ref: '#/components/schemas/L0'",
            `components:\n  schemas:\n${links.join('')}    L${length}: { type: string }\n`,
          ),
        }),
      },
    );
    const codes = diagnostics.map(({ code }) => code);
    expect(openapi === undefined ? codes : []).toEqual(
      openapi === undefined ? ['contract-too-large'] : [],
    );
  },
);

test('names that every object inherits are names like others', async () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
  const { openapi, diagnostics } = await load(
    { openapi: 'openapi.yaml' },
    {
      folder: await writeContract({
        'openapi.yaml': openapiWith(
          `type: object\nproperties:\n${names.map((name) => `  ${name}: { type: string }`).join('\n')}`,
          `components:\n  schemas:\n${names.map((name) => `    ${name}: { type: string }\n`).join('')}`,
        ),
      }),
    },
  );
  expect(diagnostics).toEqual([]);
  expect(Object.keys(Object(openapi?.root.components).schemas)).toEqual(names);
});

test('values have members that every object inherits', async () => {
  const values = '[{ valueOf: 1 }, { valueOf: 2 }, { toString: 1 }, { hasOwnProperty: 1 }]';
  const schema = `enum: ${values}\ndefault: { toString: 1 }\nexamples: ${values}`;
  const { openapi, asyncapi, diagnostics } = await load(
    { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' },
    {
      folder: await writeContract({
        'openapi.yaml': openapiWith(schema),
        'asyncapi.yaml': asyncapiWith(schema),
      }),
    },
  );
  expect(diagnostics).toEqual([]);
  expect([openapi, asyncapi]).not.toContain(undefined);
});

test('a file that changes after it was read is not read again', async () => {
  const folder = await writeContract({
    'openapi.yaml': openapiWith('$ref: ./Book.yaml'),
    'asyncapi.yaml': asyncapiWith('$ref: ./Book.yaml'),
    'Book.yaml': 'type: strng\n',
  });
  const documents = await load({ openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' }, { folder });
  await writeFile(join(folder, 'Book.yaml'), `${'\n'.repeat(20)}type: string\n`);
  expect(documents.locate('asyncapi#/components/schemas/Book/type')).toEqual({
    file: 'Book.yaml',
    line: 1,
    column: 1,
  });
});
