import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, root } from './tree-files.ts';

test('every file that CONTRIBUTING.md names exists', () => {
  const folders = ['bench', 'docs', 'generator', 'packages', 'spec', 'templates', 'test'];
  const paths = [
    ...readdirSync(root),
    ...folders.flatMap((folder) => filesOf(folder).map((file) => `${folder}/${file}`)),
  ];
  const names = new Set(paths.map((path) => basename(path)));
  const text = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
  const named = Array.from(
    text.matchAll(/`(\w[\w./-]*\.(?:hbs|json|ts))`/gu),
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter((path) =>
    path.includes('/') ? !paths.some((one) => `/${one}`.endsWith(`/${path}`)) : !names.has(path),
  );
  expect(missing).toEqual([]);
});
