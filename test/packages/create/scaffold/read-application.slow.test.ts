import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSources } from '../../../../packages/create/src/scaffold/read-application.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';

it('refuses a folder with more than 20,000 TypeScript files with a code of its own', async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'src'));
  for (let index = 0; index <= 20_000; index += 1)
    writeFileSync(join(folder, 'src', `${index}.ts`), '');
  await expect(listSources(folder)).rejects.toMatchObject({
    code: 'too-many-files',
    message: expect.stringContaining('Give the folder of the application alone.'),
  });
});
