import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../generator/config/config.ts';
import { asyncapi, openapi } from '../../select/library.ts';
import { compile } from '../../targets/compile.ts';
import { repository } from '../../targets/emit-project.ts';
import {
  type Application,
  compileApplication,
  createApplication,
  needed,
  run,
} from './create-application.ts';

/** An application that calls and receives, with what was generated in the midst of its own code. */
const program = (ending: string): string => `import { createServer } from 'node:http';
import express from 'express';
import { createClient } from './generated/client/index${ending}';
import { assertBook, isBook, validateBook, ValidationError } from './generated/contract/index${ending}';
import { labels } from './generated/webhooks/index${ending}';
import { createWebhooksRouter } from './generated/webhooks-express/index${ending}';

const violations = validateBook({ author: 1 }).map(({ pointer, message }) => pointer + ' ' + message);
let refused = '';
try {
  assertBook({ author: 1 });
} catch (error) {
  if (error instanceof ValidationError) refused = error.code;
}
const app = express();
console.log(
  JSON.stringify({
    sound: isBook({ author: 'A' }),
    violations,
    refused,
    labels: labels.length,
    functions: [createServer, createClient, createWebhooksRouter].map((one) => typeof one),
    app: typeof app,
  }),
);
`;

const expected = {
  sound: true,
  violations: ['/author must be of type string'],
  refused: 'invalid-value',
  labels: 2,
  functions: ['function', 'function', 'function'],
  app: 'function',
};

/** What the document about the configuration shows of such an application. */
async function shownProgram(): Promise<string> {
  const page = await readFile(join(repository, 'docs/configuration.md'), 'utf8');
  return /```ts application\n(?<code>[^]*?)```/u.exec(page)?.groups?.['code'] ?? '';
}

async function createLibrary(more: Partial<Config>): Promise<Application> {
  const files = {
    'api/openapi.yaml': openapi,
    'api/asyncapi.yaml': asyncapi,
    'src/main.ts': program(more.importExtension ?? '.js'),
  };
  return await createApplication(files, {
    contract: { openapi: 'api/openapi.yaml', asyncapi: 'api/asyncapi.yaml' },
    targets: ['contract', 'client', 'webhooks', 'webhooks-express'],
    ...more,
  });
}

describe('a folder of an application', () => {
  test('has no packages in it, and compiles, builds and runs with the rest of it', async () => {
    const { folder, generation } = await createLibrary({});
    expect(generation.status).toBe('written');
    expect(generation.packages).toEqual({ added: [], removed: [] });
    expect(generation.missing?.map((name) => name.replace(/@[^@]*$/u, ''))).toEqual(
      // The application lists Express without its types.
      [...needed.filter((name) => name !== 'express'), '@types/express'].toSorted(),
    );
    const files = await readdir(join(folder, 'src/generated'), { recursive: true });
    expect(
      files.filter((file) => /package\.json|tsconfig|README|LICENSE|\.d\.ts|src/u.test(file)),
    ).toEqual(['runtime/LICENSE', 'webhooks-express/LICENSE']);
    expect(files.filter((file) => /\.[cm]?js$/u.test(file))).toEqual([]);
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const text = await readFile(join(folder, 'src/generated', file), 'utf8');
      expect(text.match(/from '@generated[^']*'|from '[^']*\.ts'/gu), file).toBe(null);
    }
    await writeFile(join(folder, 'src/shown.ts'), await shownProgram());
    // Under `nodenext`, formats.test.ts compiles one, and frameworks.all.test.ts all targets under both.
    await compileApplication(folder, 'bundler');
    const options = [
      '--outDir',
      'dist',
      '--rootDir',
      'src',
      '--module',
      'nodenext',
      '--target',
      'es2023',
    ];
    const rest = ['--strict', '--types', 'node', '--customConditions', 'countersign-source'];
    await compile('ts7', folder, [
      'src/main.ts',
      '--skipLibCheck',
      '--noCheck',
      ...options,
      ...rest,
    ]);
    expect(await run(folder, 'dist/main.js')).toEqual(expected);
  });

  test('runs without a build where its imports end with what its files are called', async () => {
    const { folder } = await createLibrary({ importExtension: '.ts' });
    expect(await run(folder, 'src/main.ts')).toEqual(expected);
  });
});
