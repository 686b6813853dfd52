import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildAll, createProject, node22, repository } from '../../packaging/project.ts';

const program = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSimulator } from '@instant-payment/simulator';

test('several simulators send to one receiver', async () => {
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const to = 'http://127.0.0.1:' + receiver.address().port;
  const all = await Promise.all([1, 2, 3].map((seed) => createSimulator({ seed, to })));
  for (const { trigger } of all) expect((await trigger('charge')).state).toBe('acknowledged');
  expect(new Set(all.map(({ url }) => url)).size).toBe(3);
  for (const simulator of all) await simulator.close();
  receiver.close();
});
`;

test('the generated simulator runs under Jest, as the published packages', async () => {
  await buildAll();
  const project = await createProject('jest');
  try {
    await project.npm('install', '--prefer-offline', 'jest@30.0.0', node22());
    const scope = join(project.folder, 'node_modules/@instant-payment');
    await mkdir(scope, { recursive: true });
    for (const name of ['contract', 'simulator'])
      await symlink(join(repository, 'generated', name), join(scope, name));
    await project.write('simulator.test.js', program);
    const jest = join(project.folder, 'node_modules/jest/bin/jest.js');
    const printed = await project.npx('node', '--experimental-vm-modules', jest, '--json');
    expect(JSON.parse(printed)).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
  } finally {
    await project.remove();
  }
}, 300_000);
