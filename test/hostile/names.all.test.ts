import { describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { readContract } from '../../generator/generate.ts';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { resolveTargets } from '../../generator/targets/registry.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { compile } from '../targets/compile.ts';
import { emitFiles, generateProject } from '../targets/emit-project.ts';
import { compileStrictly } from '../targets/strict-compile.ts';

/** Names that languages, prototypes, file systems or eyes have trouble with. */
const oddNames = [
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'toJSON',
  'prototype',
  'default',
  'class',
  'delete',
  'await',
  'import',
  'arguments',
  'eval',
  'then',
  'undefined',
  'Object',
  'Promise',
  'Array',
  'string',
  'never',
  'index',
  'con',
  'aux',
  '123',
  'a-b',
  'a_b',
  'aB',
  'AB',
  'ab',
  'a.b',
];
const oddTexts = [
  '',
  ' ',
  '😀',
  '\u202eevil',
  'e\u0301',
  '\u00e9',
  'ß',
  'SS',
  'İ',
  'ﬃ',
  'Ⅷ',
  'a b',
  '../up',
  '..\\up',
  '/etc/up',
  'C:\\up',
  '%2e%2e/up',
  '\u0000',
  "it's",
  '日本語',
];
const everything = [...oddNames, ...oddTexts];

/** A contract in which every name is a schema, a member, a value, a call, a tag, a parameter and a notification. */
function contractOfNames(): JsonObject {
  const objectOf = (names: readonly string[], schemaOf: (name: string) => Json): JsonObject =>
    Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
  const content = (schema: Json): Json => ({ 'application/json': { schema } });
  return {
    openapi: '3.1.2',
    info: { title: 'Names', version: '1.0.0' },
    paths: Object.fromEntries(
      everything.map((name, index) => [
        `/call${index}`,
        {
          post: {
            operationId: name,
            tags: [name],
            parameters: [
              { name, in: 'query', schema: { type: 'string' } },
              ...oddNames.map((header) => ({
                name: header,
                in: 'header',
                schema: { type: 'string' },
              })),
            ],
            requestBody: { content: content({ $ref: '#/components/schemas/Everything' }) },
            responses: { 200: { description: 'Done.' } },
          },
        },
      ]),
    ),
    webhooks: Object.fromEntries(
      everything.map((name, index) => [
        name,
        {
          post: {
            operationId: `told ${name}`,
            requestBody: {
              content: content(
                objectWith({ kind: { const: `kind${index}` }, [name]: { type: 'string' } }),
              ),
            },
            responses: {},
          },
        },
      ]),
    ),
    components: {
      securitySchemes: objectOf(oddNames, (name) => ({ type: 'apiKey', in: 'header', name })),
      schemas: {
        ...objectOf(oddNames, (name) => objectWith({ [name]: { type: 'string' } })),
        Everything: {
          type: 'object',
          required: everything,
          properties: objectOf(everything, (name) => ({ const: name })),
        },
        Values: { type: 'string', enum: everything },
        Members: {
          enum: oddNames.map((name) => ({ [name]: { [name]: 1 } })),
          examples: [objectOf(['valueOf'], () => ({ valueOf: 1 }))],
        },
        Constant: { const: objectOf(oddNames, () => 1), default: objectOf(oddNames, () => 1) },
        Unique: {
          type: 'array',
          uniqueItems: true,
          examples: [oddNames.map((name) => ({ [name]: 1 }))],
        },
        OpenValues: { type: 'string', 'x-extensible-enum': everything },
      },
    },
  };
}

function objectWith(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

async function read(document: Json): Promise<{ contract?: Contract; codes: readonly string[] }> {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'openapi.json': JSON.stringify(document, null, 1) });
  const config: Config = {
    contract: { openapi: 'openapi.json' },
    scope: '@trade',
    output: 'generated',
    targets: [],
  };
  const { contract, diagnostics } = await readContract(config, folder);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    codes: errors.map(({ code, message }) => `${code}: ${message}`),
    ...(contract === undefined ? {} : { contract }),
  };
}

describe('odd names', () => {
  it('are all there, under names of their own, in code that compiles', async () => {
    const { contract, codes } = await read(contractOfNames());
    expect(codes).toEqual([]);
    if (contract === undefined) throw new Error('There is no contract.');
    expect(contract.operations.map(({ id }) => id)).toEqual(everything);
    expect(new Set(contract.operations.map(({ name }) => name)).size).toBe(everything.length);
    expect(new Set(contract.notifications.map(({ name }) => name)).size).toBe(everything.length);
    const all = contract.schemas.find(({ name }) => name === 'Everything')?.definition;
    const properties = isJsonObject(all) ? all['properties'] : undefined;
    expect(Object.keys(isJsonObject(properties) ? properties : {})).toHaveLength(everything.length);

    const [reference] = await resolveTargets(['reference']);
    expect(reference && [...(await emitFiles(reference, contract)).keys()]).toEqual([
      'reference/index.html',
    ]);
    const packages = ['contract', 'client', 'webhooks', 'openapi-types', 'simulator'];
    const targets = await resolveTargets(packages);
    await using generated = await generateProject(contract, targets, { built: true });
    for (const target of packages) {
      const folder = `${generated.project}/${target}`;
      if (target === 'contract') await compile('ts7', folder, ['-b']);
      else {
        await compileStrictly(folder, ['src'], {
          compiler: 'ts7',
          resolution: 'nodenext',
          from: 'source',
          withRuntimes: target === 'webhooks',
          withSimulator: target === 'simulator',
        });
      }
    }
  });

  it.each([
    ['a property', { components: { schemas: { A: { properties: { x: { type: 'string' } } } } } }],
    ['a schema', { components: { schemas: { x: { type: 'string' } } } }],
    ['a header', { components: { headers: { x: { schema: { type: 'string' } } } } }],
    ['a tag of an example', { components: { examples: { A: { value: { x: 1 } } } } }],
  ])('`__proto__` is refused as the name of %s', async (_, members) => {
    const document = JSON.stringify({
      openapi: '3.1.2',
      info: { title: 'A', version: '1.0.0' },
      paths: {},
      ...members,
    }).replace('"x":', '"__proto__":');
    const folder = await temporaryFolder();
    await writeTree(folder, { 'openapi.json': document });
    const config = { scope: '@trade', output: 'generated', targets: [] };
    const { contract, diagnostics } = await readContract(
      { ...config, contract: { openapi: 'openapi.json' } },
      folder,
    );
    expect(contract).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain('reserved-name');
  });
});
