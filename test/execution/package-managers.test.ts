import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageManagers } from '../../generator/execution/package-managers.ts';
import { repository } from '../targets/emit-project.ts';

it('states the versions with which new projects are tried', async () => {
  const path = join(repository, 'test/toolchains/package.json');
  const { dependencies } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const { package: name, version } of Object.values(packageManagers))
    if (name !== undefined) expect(dependencies[name], name).toBe(version);
});
