import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cloneRepository, linkModules } from './clone.ts';
import { runNpm } from './project.ts';

interface Manifest {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

it('npm links the command in a fresh clone, and it runs from source', async () => {
  const folder = await cloneRepository();
  await linkModules(folder);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const modules = await readdir(join(folder, 'node_modules'));
  const nodes = Object.keys(manifest.optionalDependencies).filter((name) => modules.includes(name));

  // The part of `npm ci` that links commands.
  await runNpm(['rebuild', '--ignore-scripts', 'countersign', ...nodes], folder);

  expect(await readdir(join(folder, 'generator'))).not.toContain('dist');
  const npx = (...words: readonly string[]): Promise<string> =>
    runNpm(['exec', '--no', '--', ...words], folder);
  expect(await npx('countersign', '--version')).toBe('0.1.0\n');
  expect(await npx('countersign', 'check')).toBe('generated: up to date\n');
});
