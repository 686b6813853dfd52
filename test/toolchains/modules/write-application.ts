import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, type Project } from '../../packaging/project.ts';

const names = [
  '@instant-payment/client',
  '@instant-payment/client/unchecked',
  '@instant-payment/contract',
  '@instant-payment/webhooks',
  '@instant-payment/webhooks/node',
  '@instant-payment/webhooks/testing',
  '@instant-payment/webhooks-node',
  '@instant-payment/webhooks-express',
  '@instant-payment/runtime/client',
  '@instant-payment/runtime/signing',
  '@instant-payment/runtime/webhooks',
  '@instant-payment/runtime/webhooks/fetch',
];

const use = `const client = createClient({
  baseUrl: 'https://payments.example',
  credentials: { apiKey: 'key', clientId: 'id', clientSecret: 'secret', signingSecret: 'signing' },
  fetch: async () => Response.json({ access_token: 'token', expires_in: 300 }),
});
const webhooks = createWebhooks({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
});
`;
const check = `const { body } = await client.issueToken();
const headers = { 'x-webhook-secret': 'secret' };
const { status } = await webhooks.fetch(await deliver('customer', { headers }));
console.log(body.access_token, status);
`;
const imported = `import { createClient } from '@instant-payment/client';
import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';
import { deliver } from '@instant-payment/webhooks/testing';
`;
const required = imported.replaceAll(
  /import (?<names>.*) from (?<path>.*);/gu,
  'const $1 = require($2);',
);

/** What an application of `writeApplications` prints. */
export const printed = 'token 200\n';

/** Writes the same application as ES module and as CommonJS, to be compiled (`app.ts`) and to be run (`app.js`). */
export async function writeApplications(project: Project): Promise<void> {
  const imports = names.map((name, index) => `import * as entry${index} from '${name}';\n`);
  const used = `export const entries: object[] = [${names.map((_, index) => `entry${index}`).join(', ')}];\n`;
  const typed = `${imports.join('')}${imported}${used}${use}export async function main(): Promise<void> {\n${check}}\n`;
  for (const [folder, manifest, code] of [
    ['esm', { type: 'module' }, `${imports.join('')}${imported}${use}${check}`],
    [
      'cjs',
      {},
      `${names.map((name) => `require('${name}');\n`).join('')}${required}${use}(async () => {\n${check}})();\n`,
    ],
  ] as const) {
    await project.write(`${folder}/package.json`, JSON.stringify(manifest));
    await project.write(`${folder}/app.ts`, typed);
    await project.write(`${folder}/app.js`, code);
  }
}

/** Writes a function for AWS Lambda, to be bundled, and a program that calls the bundle with and without its secret. */
export async function writeFunction(project: Project, folder: string): Promise<void> {
  await project.write(`${folder}/package.json`, '{ "type": "module" }');
  await project.write(
    `${folder}/handler.js`,
    `import { createWebhooksHandler, sharedSecret } from '@instant-payment/webhooks-aws-lambda';
export const handler = createWebhooksHandler({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
});
`,
  );
  await project.write(
    `${folder}/invoke.js`,
    `import { deliver } from '@instant-payment/webhooks-aws-lambda/testing';
const { handler } = await import(process.argv[2]);
const statuses = [];
for (const secret of ['secret', 'another']) {
  const delivery = await deliver('customer', { headers: { 'x-webhook-secret': secret } });
  const { statusCode } = await handler({
    rawPath: new URL(delivery.url).pathname,
    headers: Object.fromEntries(delivery.headers),
    body: await delivery.text(),
    requestContext: { http: { method: delivery.method } },
  });
  statuses.push(statusCode);
}
console.log(statuses.join(' '));
`,
  );
}

/** Writes every file of the guide about tests: the blocks of code that begin with their path. */
export async function writeGuide(project: Project, folder: string): Promise<void> {
  const guide = await readFile(join(repository, 'docs/guides/testing.md'), 'utf8');
  const blocks = guide.matchAll(/^```[tj]s\n\/\/ (?<path>\S+)\n(?<code>[^]*?)^```$/gmu);
  for (const { groups: { path = '', code = '' } = {} } of blocks)
    await project.write(`${folder}/${path}`, code);
  await project.write(`${folder}/package.json`, '{ "type": "module" }');
}

/** Writes a CommonJS application whose configuration generates into a folder of it. */
export async function writeFolderLayout(project: Project, folder: string): Promise<void> {
  await project.write(`${folder}/package.json`, '{ "name": "application" }');
  await project.write(
    `${folder}/countersign.config.ts`,
    `export default {
  contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
  layout: 'folder',
  output: 'src/generated',
  targets: ['contract', 'client', 'webhooks', 'webhooks-express'],
};
`,
  );
  await project.write(
    `${folder}/src/main.ts`,
    `${imported.replaceAll(/'@instant-payment\/(?<path>[\w/]+)'/gu, (_, path: string) =>
      path.includes('/') ? `'./generated/${path}.js'` : `'./generated/${path}/index.js'`,
    )}import { createWebhooksRouter } from './generated/webhooks-express/index.js';
${use}export const router = createWebhooksRouter;
async function main(): Promise<void> {
${check}}
main();
`,
  );
  await project.write(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2023',
        lib: ['es2023'],
        types: ['node'],
        strict: true,
        allowJs: true,
        skipLibCheck: true,
        rootDir: 'src',
        outDir: 'dist',
      },
      include: ['src'],
    }),
  );
}
