import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { generateClient, readContract } from '../../../targets/client/emit-client.ts';
import { repository } from '../../../targets/emit-project.ts';
import { issued, startService } from './service-from-document.ts';

const runtime = join(repository, 'packages/runtime/client');

async function exampleOf(readme: string): Promise<string> {
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(await readFile(readme, 'utf8')) ?? [];
  if (example === undefined) throw new Error(`${readme} shows no example`);
  return example;
}

async function run(folder: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', 'example.ts'],
    { cwd: folder, env: { ...process.env, ...environment } },
  );
  return stdout;
}

test("the example in the runtime's README runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    await mkdir(join(folder, 'node_modules/@countersign'), { recursive: true });
    await symlink(join(runtime, '..'), join(folder, 'node_modules/@countersign/runtime'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'example.ts'), await exampleOf(join(runtime, 'README.md')));
    expect(await run(folder)).toBe(
      'the ship at /v1/ships/sea%20gull\nfailure-status 404\ninvalid-input is not an answer\n',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the runtime's README names every code", async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const source = await readFile(join(runtime, 'errors.ts'), 'utf8');
  const codes = [...source.matchAll(/\| '([a-z-]+)'/g)].map(([, code]) => code ?? '');
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(readme).toContain(`| \`${code}\` `);
});

test('with the example in the README of the generated client, a token is obtained', async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  await using generated = await generateClient(contract);
  await using service = await startService(Date.now);
  const example = await exampleOf(join(generated.client, 'README.md'));
  const call =
    'const { status, declaredStatus } = await client.issueToken();\nconsole.log(status, declaredStatus);\n';
  await writeFile(join(generated.project, 'example.ts'), `${example}\n${call}`);
  const environment = {
    API_INSTANT_PAYMENT_SERVICE_BASE_URL: service.baseUrl,
    API_INSTANT_PAYMENT_SERVICE_API_KEY: issued.apiKey,
    API_INSTANT_PAYMENT_SERVICE_CLIENT_ID: issued.clientId,
    API_INSTANT_PAYMENT_SERVICE_CLIENT_SECRET: issued.clientSecret,
    API_INSTANT_PAYMENT_SERVICE_SIGNING_SECRET: issued.signingSecret,
  };
  expect(await run(generated.project, environment)).toBe('201 2XX\n');
  expect(service.arrived.map(({ faults }) => faults)).toEqual([[]]);
});
