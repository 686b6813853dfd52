import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editFile } from '../../bench/edit-file.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

const compilerOptions = { strict: true, module: 'preserve', noEmit: true, types: [] };

async function createProject(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'library.ts'), 'export const value: number = 1;\n');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['app.ts'] }),
  );
  return join(folder, 'app.ts');
}

it('measures opening a file and editing it, each until its error is reported', async () => {
  const program = "import { value } from './library';\nexport const sum = value + 1;\n";
  const cost = await editFile(await createProject(), program, 3);
  expect(cost.openMilliseconds).toBeGreaterThan(0);
  expect(cost.editMilliseconds).toBeGreaterThan(0);
  expect(cost.peakMegabytes).toBeGreaterThan(10);
});

it('fails if the code has another error, because the compared work would differ', async () => {
  const program = "import { other } from './library';\nexport const sum = other;\n";
  await expect(editFile(await createProject(), program, 1)).rejects.toThrow(
    'tsserver reports 2305, 2322 in',
  );
});
