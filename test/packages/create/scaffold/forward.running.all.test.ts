import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, type Project } from '../../../packaging/project.ts';
import { compile } from '../../../targets/compile.ts';
import { startRabbit, type RabbitServer } from '../../runtime/webhooks/rabbit-server.ts';
import {
  createApplicationFolder,
  expectedKinds,
  fromSource,
  scaffoldOwn,
  writeAllHandlers,
} from './own-contract.ts';

const clients = { sqs: '@aws-sdk/client-sqs', rabbitmq: 'amqplib' };

describe('an application that forwards', () => {
  let folder = '';
  let project: Project;
  let server: RabbitServer;

  beforeAll(async () => {
    folder = await createApplicationFolder();
    project = await createProject('forward');
    await project.npm('install', '--prefer-offline', '--ignore-scripts', ...Object.values(clients));
    server = await startRabbit();
  }, 400_000);

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await project.remove();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['express', 'sqs'],
    ['express', 'rabbitmq'],
    ['aws-lambda', 'sqs'],
    ['fetch', 'rabbitmq'],
  ] as const)(
    'from %s to %s type-checks, and its consumer handles each example',
    async (framework, engine) => {
      const name = `${framework}-${engine}`;
      const application = await scaffoldOwn(folder, [framework, name, '--forward', engine]);
      const client = clients[engine];
      await mkdir(join(application, 'node_modules/@aws-sdk'), { recursive: true });
      await symlink(
        join(project.folder, 'node_modules', client),
        join(application, 'node_modules', client),
        'junction',
      );
      const environment = { ...process.env, RABBITMQ_URL: server.url };
      const runTests = async (): Promise<string> => {
        await compile('ts7', application, ['-p', '.', '--noEmit', ...fromSource]);
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['--conditions=countersign-source', '--test', '--test-reporter=tap', 'test/**/*.test.ts'],
          { cwd: application, env: environment },
        );
        expect(stdout).toContain('# fail 0\n');
        return stdout;
      };
      const fresh = await runTests();
      // What the receiver has forwarded stays there: the delivery test, and the one with the simulator if there is a server.
      expect(fresh).toMatch(/each stored event once # TODO not written yet: the handlers of on/u);
      expect(fresh).not.toContain('handled ');
      expect(await writeAllHandlers(application)).toBeGreaterThan(10);
      const written = await runTests();
      expect(written).toContain('# todo 0\n');
      const [delivered = ''] = written.split(/^ok 1 - the application$/mu);
      const handled = Array.from(delivered.matchAll(/handled (\w+) /gu), ([, kind = '']) => kind);
      expect(handled.toSorted()).toEqual((await expectedKinds()).toSorted());
      const { scripts } = JSON.parse(await readFile(join(application, 'package.json'), 'utf8')) as {
        readonly scripts: Readonly<Record<string, string>>;
      };
      expect(Object.keys(scripts)).toContain(engine === 'sqs' ? 'build:consumer' : 'consumer');
    },
    200_000,
  );
});
