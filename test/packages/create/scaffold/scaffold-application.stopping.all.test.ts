import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { compile } from '../../../targets/compile.ts';
import { expectGracefulStop, expectStopAfterGrace, slowDown } from './graceful-stop.ts';
import { createApplicationFolder, fromSource, scaffoldOwn } from './own-contract.ts';

const servers = frameworks.filter(({ files }) => Object.hasOwn(files, 'src/main.ts'));
const withInbox = servers.filter(({ withoutInbox }) => withoutInbox === undefined);
let folder = '';

beforeAll(async () => {
  folder = await createApplicationFolder();
});

afterAll(() => rm(folder, { recursive: true }));

describe('an application that gets a signal while a handler runs', { timeout: 120_000 }, () => {
  it.each(servers.map(({ name }) => name))(
    'answers the delivery and exits with 0: %s',
    async (name) => {
      const application = await scaffoldOwn(folder, [name, name]);
      await slowDown(application, 1500);
      const isCompiled = name === 'nestjs';
      if (isCompiled) await compile('ts7', application, ['-p', '.', ...fromSource]);
      const main = isCompiled ? 'dist/src/main.js' : 'src/main.ts';
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        await expectGracefulStop(application, main, signal);
    },
  );

  it('ends a connection whose handler takes longer than the grace', async () => {
    const application = await scaffoldOwn(folder, ['node', 'endless']);
    await slowDown(application, 60_000);
    await expectStopAfterGrace(application, 'src/main.ts');
  });

  it.each(withInbox.map(({ name }) => name))(
    'completes the event of its worker, closes the inbox and exits with 0: %s',
    async (name) => {
      const application = await scaffoldOwn(folder, [name, `stored-${name}`, '--inbox', 'sqlite']);
      await slowDown(application, 1500);
      await expectGracefulStop(application, 'src/dev.ts', 'SIGTERM', {
        INBOX_FILE: join(folder, `${name}.db`),
      });
    },
  );
});
