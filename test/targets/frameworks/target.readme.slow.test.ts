import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { listen } from '../../packages/runtime/webhooks/listen.ts';
import { readContract } from '../client/emit-client.ts';
import type { GeneratedProject } from '../emit-project.ts';
import { readTrade } from '../webhooks/trade.ts';
import { frameworkTargetNames, generateFrameworks } from './emit-frameworks.ts';
import { readmeExamples } from './readme-examples.ts';

const cases: readonly (readonly [string, string, () => Promise<Contract>])[] = [
  [
    'own',
    'customer Done',
    () => readContract({ openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' }),
  ],
  ['trade', 'created canonical', readTrade],
];

/** Returns a port that no process listens on. */
async function freePort(): Promise<number> {
  await using served = await listen(() => undefined);
  return served.port;
}

describe.each(cases)('the page of a receiver of the contract "%s"', (_, first, read) => {
  let generated: GeneratedProject;

  beforeAll(async () => {
    generated = await generateFrameworks(await read());
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  test.for(frameworkTargetNames)(
    'shows a receiver that takes the delivery it shows: %s',
    { concurrent: true },
    async (target, { expect }) => {
      const { project } = generated;
      const port = await freePort();
      const [use = '', tests] = await readmeExamples(project, target);
      expect(tests, 'add an example to `## Tests` of the README template').toBeDefined();
      const program = `${use}${tests}`
        .replace('listen(3000)', `listen(${port}, '127.0.0.1')`)
        .replaceAll('3000', String(port));
      const ending = `
        console.log('answered', response.status ?? response.statusCode);
        process.exit();`;
      const { code } = await transform(program + ending, {
        loader: 'ts',
        tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
      });
      const file = join(project, `${target}.example.mjs`);
      await writeFile(file, code);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=countersign-source', file],
        { env: { ...process.env, NO_COLOR: '1', WEBHOOK_SECRET: 'secret' } },
      );
      expect(stdout).toContain(`${first}\n`);
      expect(stdout).toContain('answered 200\n');
    },
  );

  test('can be evaluated by the build of Next.js without secrets, which the first delivery needs', async () => {
    const { project } = generated;
    const [use = ''] = await readmeExamples(project, 'webhooks-nextjs');
    const ending = `
      console.log('evaluated');
      for (const _ of [1, 2]) {
        const delivery = new Request('http://127.0.0.1/hooks', { method: 'POST', body: '{}' });
        console.log('answered', (await POST(delivery)).status);
      }`;
    const { code } = await transform(use + ending, { loader: 'ts' });
    const file = join(project, 'without-secret.example.mjs');
    await writeFile(file, code);
    const { WEBHOOK_SECRET: _, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--conditions=countersign-source', file],
      { env: { ...env, NO_COLOR: '1' } },
    );
    expect(stdout).toBe('evaluated\nanswered 500\nanswered 500\n');
    expect(stderr.match(/\[COUNTERSIGN_RECEIVER_FAILED\]/g)).toHaveLength(1);
    expect(stderr).toMatch(
      /could not be created: (?:WebhookError \[missing-secret\]|SigningError \[missing-key\])/,
    );
  });
});
