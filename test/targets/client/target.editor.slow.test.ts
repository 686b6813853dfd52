import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { generateClient, readOpenapi } from './emit-client.ts';

const responses = {
  200: {
    description: 'The order.',
    content: { 'application/json': { schema: { type: 'string' } } },
  },
  404: { description: 'None.', content: { 'application/json': { schema: { type: 'object' } } } },
};

test('an editor shows a method of a client with the text of its call, and leads to it', async () => {
  await using generated = await generateClient(
    await readOpenapi({
      openapi: '3.1.1',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/order': { get: { operationId: 'getOrder', summary: 'Returns an order.', responses } },
        '/failed': { get: { operationId: 'isPaymentFailure', responses } },
      },
    }),
  );
  const path = join(generated.project, 'editor.ts');
  const lines = [
    `import { createClient } from '@trade/client';`,
    `const client = createClient({ baseUrl: 'https://shop.example' });`,
    `export const order = await client.getOrder();`,
    `export const failed = await client.isPaymentFailure_();`,
    `export const methods: 'getOrder' | 'isPaymentFailure_' | 'call' | 'request' = '' as keyof typeof client;`,
  ];
  const text = lines.join('\n');
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ESNext,
      customConditions: ['countersign-source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    }),
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === path ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => generated.project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
  });
  const errors = service
    .getSemanticDiagnostics(path)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(errors).toEqual([]);
  const at = text.indexOf('getOrder');
  const { documentation = [] } = service.getQuickInfoAtPosition(path, at) ?? {};
  expect(ts.displayPartsToString([...documentation])).toContain('Returns an order.');
  const [definition] = service.getDefinitionAtPosition(path, at) ?? [];
  expect(definition?.fileName).toMatch(/client\/src\/operations\.ts$/u);
});
