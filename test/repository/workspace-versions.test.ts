import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { root } from './tree-files.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

// With another version, npm would ask the registry for a package, whose name there belongs to anybody.
it('the packages of the toolkit are private, and require one another in the one version that all have', async () => {
  const manifests: Manifest[] = [];
  const patterns = ['{generator,templates}/package.json', 'packages/*/package.json'];
  for await (const path of glob(patterns, { cwd: root }))
    manifests.push(JSON.parse(await readFile(root + path, 'utf8')) as Manifest);
  const names = new Set(manifests.map(({ name }) => name));
  expect(names).toContain('countersign');
  const versions = new Set(manifests.map(({ version }) => version));
  expect(versions.size).toBe(1);
  let count = 0;
  for (const { name, private: isPrivate, dependencies = {} } of manifests) {
    expect(isPrivate, name).toBe(true);
    for (const [dependency, range] of Object.entries(dependencies)) {
      if (!names.has(dependency)) continue;
      count += 1;
      expect([...versions], `${name} requires ${dependency}`).toEqual([range]);
    }
  }
  expect(count).toBeGreaterThan(4);
});
