import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';
import { examples, generateExample } from './example.ts';

test('the applications compile, in one program', async () => {
  const folders: string[] = [];
  for (const project of globSync('*/tsconfig.json', { cwd: examples })) {
    const [name = ''] = project.split(/[/\\]/u);
    // What is generated for GitHub takes longer than everything else.
    if (name !== 'github') folders.push(await generateExample(name));
  }
  expect(folders.length).toBeGreaterThan(4);
  const folder = await temporaryFolder();
  const program = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(repository, 'node_modules/@types')] },
    include: folders.flatMap((example) => [`${example}/src`, `${example}/countersign.config.ts`]),
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(program));
  await compile('ts7', folder, ['-p', '.']);
});
