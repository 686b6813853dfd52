import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import {
  buildAll,
  createProject,
  node22,
  packToolkit,
  repository,
  type Project,
} from './project.ts';

let project: Project;

beforeAll(async () => {
  await buildAll();
  project = await createProject('shop');
  const tarball = await packToolkit(join(project.folder, 'tarballs'));
  await project.npm('install', '--prefer-offline', '--save-dev', node22(), tarball);
}, 300_000);

afterAll(() => project.remove());

it('"Use it in your project" ends with a handled notification, with what is packed', async () => {
  const page = await readFile(join(repository, 'README.md'), 'utf8');
  const [, section = ''] = /^## Use it in your project\n(.*?)^## /ms.exec(page) ?? [];
  const port = await freePort();
  const files = [...section.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n([^]*?)^```$/gmu)];
  expect(files).toHaveLength(2);
  for (const [, path = '', text = ''] of files)
    await project.write(path, text.replace('3000', String(port)));
  const [, init = ''] = /^npx (countersign init .*)$/mu.exec(section) ?? [];
  await project.npx(...init.split(' '));
  const [, handlers = ''] = /^```ts\n\/\/ in src\/webhooks.ts\n([^]*?)^```$/mu.exec(section) ?? [];
  const receiver = await readFile(join(project.folder, 'src/webhooks.ts'), 'utf8');
  expect(receiver).toContain('  on: {},\n');
  await project.write('src/webhooks.ts', receiver.replace('  on: {},\n', handlers));

  const node = join(project.folder, 'node_modules/.bin/node');
  const env = { ...process.env, WEBHOOK_SECRET: 'shop-webhook-secret', NODE_OPTIONS: '' };
  const application = spawn(node, ['src/app.ts'], {
    cwd: project.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  try {
    const printed = once(application.stdout, 'data');
    const [, sent = ''] = /npx (countersign send .*)$/mu.exec(section) ?? [];
    const send = async (): Promise<string> => {
      const sender = spawn(
        node,
        [
          'node_modules/countersign/bin/countersign.cjs',
          ...sent.replace('3000', String(port)).split(' ').slice(1),
        ],
        { cwd: project.folder, env, stdio: 'ignore', timeout: 30_000 },
      );
      return (await once(sender, 'exit'))[0] === 0 ? 'sent' : 'refused';
    };
    await expect.poll(send, { timeout: 60_000, interval: 200 }).toBe('sent');
    const [, promised = ''] = /It prints `(.*?)`/u.exec(section) ?? [];
    expect(String((await printed)[0])).toMatch(new RegExp(`^${promised}\n`, 'u'));
  } finally {
    application.kill();
  }
}, 300_000);
