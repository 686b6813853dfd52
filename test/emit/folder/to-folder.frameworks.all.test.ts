import { cp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../../generator/generate.ts';
import { targetNames } from '../../../generator/targets/registry.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { repository } from '../../targets/emit-project.ts';
import { resolutionNames } from '../../targets/strict-compile.ts';
import { compileApplication } from './create-application.ts';

test('every target is code of an application, with either ending of its imports', async () => {
  for (const importExtension of ['.js', '.ts'] as const) {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
    await cp(join(repository, 'spec'), join(folder, 'api'), { recursive: true });
    const { status } = await generate(
      {
        contract: { openapi: 'api/openapi.yaml', asyncapi: 'api/asyncapi.yaml' },
        layout: 'folder',
        importExtension,
        output: 'src/generated',
        targets: targetNames,
      },
      { folder },
    );
    expect(status).toBe('written');
    const folders = await readdir(join(folder, 'src/generated'), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(targetNames));
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const resolution of resolutionNames) await compileApplication(folder, resolution);
    await rm(join(folder, 'node_modules'));
  }
}, 120_000);
