import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';
import { clientTarget } from '../../../../generator/targets/client/target.ts';
import { webhooksTarget } from '../../../../generator/targets/webhooks/target.ts';
import { readContract } from '../../../targets/client/emit-client.ts';
import { compile } from '../../../targets/compile.ts';
import { generateProject } from '../../../targets/emit-project.ts';
import { issued, startService } from './service-from-document.ts';

const run = promisify(execFile);

/** The first Node 20 of this machine, which npm scripts do not use. */
async function findNode20(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    const version = await run(file, ['--version']).catch(() => ({ stdout: '' }));
    if (version.stdout.startsWith('v20.')) return file;
  }
  return undefined;
}

const node20 = await findNode20();

/** Calls the service with both entries of the client, and has a receiver answer a delivery. */
const script = `
import { createClient } from '@trade/client';
import { createClient as createUnchecked } from '@trade/client/unchecked';
import { createWebhooks, unauthenticated } from '@trade/webhooks';

const options = { baseUrl: process.env.BASE_URL, credentials: JSON.parse(process.env.CREDENTIALS) };
for (const create of [createClient, createUnchecked]) {
  const { status } = await create(options).request('POST', '/things', { body: { amount: 1 } });
  console.log(status);
}
await createClient({ ...options, baseUrl: 'http://127.0.0.1:9' })
  .request('POST', '/things')
  .catch(({ code }) => console.log(code));
const authenticate = unauthenticated();
const { fetch } = createWebhooks({ authenticate, on: {}, otherwise: { rest() {} }, onInvalid() {} });
const delivery = new Request('http://localhost/anything', { method: 'POST', body: '{"a":1}' });
console.log((await fetch(delivery)).status);
`;

test.runIf(node20 !== undefined)('clients and receivers work on Node 20', async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  const targets = [contractTarget, clientTarget, webhooksTarget];
  await using generated = await generateProject(contract, targets, { built: true });
  for (const name of ['client', 'webhooks'])
    await compile('ts7', join(generated.project, name), ['-b']);
  await using service = await startService(Date.now);
  await writeFile(join(generated.project, 'use.mjs'), script);
  const { stdout } = await run(node20 ?? '', ['use.mjs'], {
    cwd: generated.project,
    env: { BASE_URL: service.baseUrl, CREDENTIALS: JSON.stringify(issued) },
  });
  expect(stdout).toBe('200\n200\nnetwork\n200\n');
  expect(service.arrived.flatMap(({ faults }) => faults)).toEqual([]);
  expect(service.arrived.map(({ url }) => url)).toEqual(['/token', '/things', '/token', '/things']);
});
