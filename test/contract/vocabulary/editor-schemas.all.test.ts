import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createEditorSchemas } from '../../../generator/contract/vocabulary/editor-schemas.ts';
import { readPublishedSchemas } from '../../../generator/contract/vocabulary/published-schemas.ts';
import { vocabulary } from '../../../generator/contract/vocabulary/vocabulary.ts';
import { objectsIn } from '../../../generator/json/descend.ts';
import { diagnosticPages } from '../../../generator/tools/explain/diagnostic-pages.ts';
import { renderProject } from '../../../packages/create/src/init/project-files.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree, type Tree } from '../../output/tree.ts';
import { repository } from '../../targets/emit-project.ts';
import { startLanguageServer } from './language-server.ts';
import { rendererFor } from '../../../packages/create/src/templates.ts';

const schemas = createEditorSchemas(readPublishedSchemas());

/** Returns what a schema reports about a document: instance path and keyword. */
function problemsIn(name: 'openapi.json' | 'asyncapi.json', document: unknown): readonly string[] {
  const options = { strict: false, allErrors: true, validateFormats: false };
  const ajv = name === 'openapi.json' ? new Ajv2020(options) : new Ajv(options);
  const validate = ajv.compile(schemas[name] as AnySchemaObject);
  void validate(document);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe('the schemas for editors', () => {
  it('refer to nothing outside themselves', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      const references = Array.from(objectsIn(schema), ({ $ref }) => $ref).filter(
        (reference) => typeof reference === 'string',
      );
      expect(references.length, name).toBeGreaterThan(50);
      expect(references.filter((reference) => !reference.startsWith('#'))).toEqual([]);
    }
  });

  it('have every key of the vocabulary, with its description', () => {
    for (const key of Object.keys(vocabulary)) {
      const definitions = schemas['openapi.json']?.['$defs'] as Record<string, object>;
      expect(definitions, key).toHaveProperty([key]);
    }
    expect(Object.keys(vocabulary).length).toBeGreaterThan(20);
  });

  it.each([
    ['openapi.json', 'spec/openapi.yaml'],
    ['asyncapi.json', 'spec/asyncapi.yaml'],
    ['openapi.json', join(diagnosticPages, 'openapi.yaml')],
    ['asyncapi.json', join(diagnosticPages, 'asyncapi.yaml')],
  ] as const)('%s accepts %s', async (name, path) => {
    const text = await readFile(path.startsWith('/') ? path : join(repository, path), 'utf8');
    expect(problemsIn(name, parse(text))).toEqual([]);
  });

  it.each([
    [
      'openapi.json',
      'openapi.yaml',
      'x-countersign: 1',
      'x-countersign: 2',
      '/info/x-countersign const',
    ],
    [
      'asyncapi.json',
      'asyncapi.yaml',
      'encoding: hex',
      'encoding: base32',
      '/components/securitySchemes/seal/x-signature/encoding enum',
    ],
    [
      'asyncapi.json',
      'asyncapi.yaml',
      '[$request.body#/id]',
      '[id]',
      '/components/messages/orderPaid/x-dedupe-by/0 pattern',
    ],
    [
      'openapi.json',
      'openapi.yaml',
      'amount: { type: integer }',
      'amount: { type: integer, x-enum-varnames: A }',
      '/components/schemas/Order/properties/amount/x-enum-varnames type',
    ],
    [
      'openapi.json',
      'openapi.yaml',
      'amount: { type: integer }',
      'amount: { type: whole }',
      '/components/schemas/Order/properties/amount/type enum',
    ],
  ] as const)('%s refuses a wrong value in %s', async (name, path, from, to, problem) => {
    const text = await readFile(join(diagnosticPages, path), 'utf8');
    expect(text).toContain(from);
    expect(problemsIn(name, parse(text.replace(from, to)))).toContain(problem);
  });
});

describe('an editor with yaml-language-server', () => {
  /** A project with the schemas where npm installs them. */
  async function createProject(): Promise<string> {
    const folder = await temporaryFolder();
    const tree = Object.entries(schemas).map(([name, schema]) => [
      `node_modules/countersign/schemas/${name}`,
      JSON.stringify(schema),
    ]);
    await writeTree(folder, Object.fromEntries(tree) as Tree);
    return folder;
  }
  const modeline = (name: string): string =>
    `# yaml-language-server: $schema=../node_modules/countersign/schemas/${name}\n`;

  it('completes, describes and checks keys of an AsyncAPI document by its modeline', async () => {
    const folder = await createProject();
    await using server = await startLanguageServer(folder, 'api/asyncapi.yaml');
    const text =
      modeline('asyncapi.json') + (await readFile(join(diagnosticPages, 'asyncapi.yaml'), 'utf8'));
    expect(await server.check(text)).toEqual([]);

    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes('x-dedupe-by'));
    expect(await server.describe({ line: at, character: 9 })).toContain(
      'The expressions whose equal values make two deliveries duplicates.',
    );

    const wrong = text.replace('encoding: hex', 'encoding: base32');
    expect((await server.check(wrong)).join('\n')).toMatch(/base64url/u);

    await server.check([...lines.slice(0, at), '      x-', ...lines.slice(at + 1)].join('\n'));
    const proposed = await server.complete({ line: at, character: 8 });
    expect(proposed).toEqual(expect.arrayContaining(['x-dedupe-by', 'x-ordered-by', 'x-source']));
    expect(proposed).not.toContain('x-access-token');
  });

  it('completes, describes and checks keys of an OpenAPI document by its settings', async () => {
    const folder = await createProject();
    await using server = await startLanguageServer(folder, 'api/openapi.yaml', {
      schemas: { './node_modules/countersign/schemas/openapi.json': 'api/openapi.yaml' },
    });
    const text = await readFile(join(diagnosticPages, 'openapi.yaml'), 'utf8');
    expect(await server.check(text)).toEqual([]);

    const lines = text.split('\n');
    const info = lines.findIndex((line) => line.includes('x-countersign'));
    expect(await server.describe({ line: info, character: 5 })).toContain(
      'The version of the vocabulary',
    );
    expect((await server.check(text.replace('x-countersign: 1', 'x-countersign: 2'))).length).toBe(
      1,
    );

    const at = lines.findIndex((line) => line.includes('operationId: placeOrder')) + 1;
    await server.check([...lines.slice(0, at), '      x-', ...lines.slice(at)].join('\n'));
    const proposed = await server.complete({ line: at, character: 8 });
    expect(proposed).toEqual(expect.arrayContaining(['x-repeatable', 'x-source']));
    expect(proposed).not.toContain('x-signature');
  });

  it('completes and checks a file with one schema', async () => {
    const folder = await createProject();
    await using server = await startLanguageServer(folder, 'api/Order.yaml');
    const text = `${modeline('schema.json')}type: object\nproperties:\n  status:\n    enum: [placed]\n    x-\n`;
    await server.check(text);
    const proposed = await server.complete({ line: 5, character: 6 });
    expect(proposed).toEqual(expect.arrayContaining(['x-enum-varnames', 'x-variants']));
    const wrong = text.replace('    x-\n', '    x-enum-varnames: Placed\n');
    expect((await server.check(wrong)).join('\n')).toMatch(/array/u);
  });

  it('knows the schema of every file that init writes, by modeline and by settings', async () => {
    const project = await createProject();
    const render = await rendererFor('init');
    const answers = { title: 'Orders', scope: '@orders', framework: 'node', ci: 'none' };
    const files = await renderProject({ ...answers, manager: 'npm' }, render, '^0.1.0');
    await writeTree(project, Object.fromEntries(files.map(({ path, text }) => [path, text])));
    const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
    const settings = JSON.parse(textOf('.vscode/settings.json')) as Readonly<
      Record<string, object>
    >;
    const documents = files.filter(({ path }) => path.startsWith('api/'));
    expect(documents.length).toBeGreaterThan(5);
    const bySettings = { schemas: settings['yaml.schemas'] };
    await using server = await startLanguageServer(project, 'api/openapi.yaml', bySettings);
    for (const { path, text } of documents) {
      const [modelineOfFile, ...rest] = text.split('\n');
      expect(modelineOfFile).toContain('# yaml-language-server: $schema=');
      const withoutModeline = rest.join('\n');
      const broken = withoutModeline.replace(/^(type|info):.*/mu, '$1: { x-source: 1 }');
      expect(broken).not.toBe(withoutModeline);
      server.open(path);
      expect(await server.check(text), path).toEqual([]);
      expect(await server.check(broken), `${path} by settings`).not.toEqual([]);
      expect(await server.check(`${modelineOfFile}\n${broken}`), path).not.toEqual([]);
    }
  });
});
