import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf, root } from './tree-files.ts';

/** A package of the toolkit, by its name or by the pattern of its tarball. */
const named = /@countersign\/(?<name>[a-z-]+)|tarballs\/countersign-(?<tarball>[^\s`]+?)-\*\.tgz/gu;

function namesIn(text: string): readonly string[] {
  return Array.from(
    text.matchAll(named),
    ({ groups }) => groups?.['name'] ?? groups?.['tarball'],
  ).filter((name) => name !== undefined);
}

it('texts, manifests and templates name packages of the toolkit that exist', async () => {
  const packages = filesOf('packages').filter((file) => /^[^/]+\/package\.json$/u.test(file));
  const manifests = ['templates', ...packages.map((file) => `packages/${dirname(file)}`)];
  const existing = await Promise.all(
    manifests.map(async (folder) => {
      const { name } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
      return String(name).replace('@countersign/', '');
    }),
  );
  const files = [
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    ...['docs', 'examples', 'templates', 'packages', 'generator', 'generated']
      .flatMap((folder) => filesOf(folder).map((file) => `${folder}/${file}`))
      .filter((file) => /\.(?:md|hbs|json|ts)$/u.test(file) && !file.startsWith('docs/decisions/')),
  ];
  const unknown: string[] = [];
  let count = 0;
  for (const file of files)
    for (const name of namesIn(await readFile(root + file, 'utf8'))) {
      count += 1;
      if (!existing.includes(name)) unknown.push(`${file}: ${name}`);
    }
  expect(count).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

it('what users read or get names no package of the toolkit but the one that they install', async () => {
  const files = ['README.md', 'SECURITY.md'].concat(
    [
      'docs',
      'templates',
      'generator',
      'generated',
      'packages/console',
      'packages/create',
      'packages/simulator',
    ]
      .flatMap((folder) => filesOf(folder).map((file) => `${folder}/${file}`))
      .filter(
        (file) =>
          !file.startsWith('docs/decisions/') &&
          (/\.(?:md|hbs)$/u.test(file) ||
            (file.startsWith('generated/') && /\.[jt]s$/u.test(file))),
      ),
  );
  expect(files.length).toBeGreaterThan(300);
  const naming: string[] = [];
  for (const file of files)
    if ((await readFile(root + file, 'utf8')).includes('@countersign/')) naming.push(file);
  expect(naming).toEqual([]);
});

it('the search finds names, and patterns of tarballs', () => {
  const text = 'npm install ../countersign/tarballs/countersign-{a,b}-*.tgz, @countersign/one/two';
  expect(namesIn(text)).toEqual(['{a,b}', 'one']);
});
