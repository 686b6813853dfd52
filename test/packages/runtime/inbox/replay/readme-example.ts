import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { repository } from '../../../../targets/emit-project.ts';

/** The generated receiver, and what the application gives it beside the replay store. */
const webhooks = `
import { unauthenticated } from '@instant-payment/webhooks';
export { createWebhooks } from '@instant-payment/webhooks';
export const handled = [];
export const options = {
  authenticate: unauthenticated(),
  deliveryIdentity: 'status-of-subject',
  on: {},
  otherwise: { rest: ({ kind }) => { handled.push(kind); } },
  onInvalid: () => {},
};
`;

const main = `
import { deliver } from '@instant-payment/webhooks/testing';
import { webhooks } from './app.ts';
import { handled } from './webhooks.ts';
const statuses = [];
for (let time = 0; time < 3; time++)
  statuses.push((await webhooks.fetch(await deliver('cashoutStageTwo'))).status);
console.log(JSON.stringify({ statuses, handled }));
process.exit();
`;

/** Delivers an event three times to an example of the README, and returns what it prints. */
export async function runReadmeExample(
  store: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const folder = await temporaryFolder();
  const readme = await readFile(join(repository, 'packages/runtime/inbox/README.md'), 'utf8');
  const [, example = ''] = readme.split(`\`\`\`ts\n// ${store}\n`);
  const files = {
    'package.json': '{ "type": "module" }',
    'webhooks.ts': webhooks,
    'main.ts': main,
    'app.ts': example.split('```', 1).join(''),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', 'main.ts'],
    { cwd: folder, env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout) as unknown;
}

/** What an example prints: the event was handled once, and every delivery is acknowledged. */
export const handledOnce: unknown = { statuses: [200, 200, 200], handled: ['cashoutStageTwo'] };
