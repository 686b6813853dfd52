import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../packaging/project.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';
import { resolutions, strictest } from '../targets/strict-compile.ts';

/** The clients that the guide names, and the types of those that have none. */
const clients = [
  '@aws-sdk/client-sqs@3',
  '@google-cloud/pubsub@5',
  '@temporalio/client@1',
  '@types/node@24',
  'amqplib@2.3.1',
  'bullmq@5',
  'kafkajs@2',
  'nats@2',
  'pg-boss@12',
];

test('the recipes of the guide compile with the clients that they name', async () => {
  const guide = await readFile(join(repository, 'docs/guides/which-queue.md'), 'utf8');
  const programs = Array.from(
    guide.matchAll(/(?<=^```ts\n)import [^]*?(?=^```$)/gmu),
    ([text]) => text,
  );
  expect(programs.length).toBeGreaterThan(9);
  const project = await createProject('which-queue');
  try {
    await project.npm('install', '--prefer-offline', '--ignore-scripts', ...clients);
    const files = programs.map((_text, index) => `recipe${index}.ts`);
    for (const [index, text] of programs.entries()) await project.write(files[index] ?? '', text);
    const runtime = join(repository, 'generated/runtime/src');
    const webhooks = join(repository, 'generated/webhooks/src');
    const compilerOptions = {
      ...strictest,
      ...resolutions.bundler,
      lib: ['es2024', 'dom'],
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      customConditions: ['countersign-source'],
      paths: {
        '@instant-payment/runtime/webhooks/*': [`${runtime}/webhooks/*.ts`],
        '@instant-payment/webhooks/*': [`${webhooks}/*.ts`],
        '@instant-payment/webhooks': [`${webhooks}/index.ts`],
      },
    };
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    await expect(compile('ts7', project.folder, ['-p', '.'])).resolves.toBeUndefined();
  } finally {
    await project.remove();
  }
}, 300_000);
