import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { expectToWork } from './inbox-application.ts';
import { createApplicationFolder, scaffoldOwn } from './own-contract.ts';

let folder = '';

beforeAll(async () => {
  folder = await createApplicationFolder();
});

afterAll(() => rm(folder, { recursive: true }));

it.each(
  frameworks.filter(({ withoutInbox }) => withoutInbox === undefined).map(({ name }) => name),
)('an application for %s with an inbox in SQLite handles every example once', async (name) => {
  await expectToWork(await scaffoldOwn(folder, [name, name, '--inbox', 'sqlite']));
});
