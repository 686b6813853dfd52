import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';
import { companions } from '../../generator/companions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A row of the table: packages, and the folders that import each of them. */
interface Row {
  readonly packages: readonly string[];
  readonly folders: readonly string[];
}

async function readRows(): Promise<readonly Row[]> {
  const page = await readFile(`${root}README.md`, 'utf8');
  const [, section = ''] =
    /^## The libraries, and where each works\n([\s\S]*?)^## /mu.exec(page) ?? [];
  const quoted = (cell = ''): readonly string[] =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => text);
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|'))
    .map(([, packages, folders]) => ({ packages: quoted(packages), folders: quoted(folders) }));
}

/** Static and dynamic imports, of types too, and modules that code resolves or requires. */
const specifiers =
  /(?:\bfrom |\bimport |\b(?:import|require|resolve)\()'(?<specifier>[@\w][^'\n]*)'/gu;

/** The names of the npm packages that the files of a folder import, with the files. */
async function importsIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const imports = new Map<string, string[]>();
  const patterns = [`${folder}/**/*.{ts,cts,mts,cjs,mjs}`];
  const exclude = [`${folder}/**/{node_modules,dist}/**`];
  for await (const path of glob(patterns, { cwd: root, exclude })) {
    const file = path.replaceAll('\\', '/');
    const text = await readFile(root + file, 'utf8');
    for (const { groups } of text.matchAll(specifiers)) {
      const specifier = groups?.['specifier'] ?? '';
      const [name = ''] = /^(?:@[^/]+\/)?[^/]+/u.exec(specifier) ?? [];
      if (isBuiltin(specifier) || name.startsWith('@countersign/')) continue;
      imports.set(name, [...(imports.get(name) ?? []), file]);
    }
  }
  return imports;
}

const rows = await readRows();
const folders = companions.map(({ package: name }) => name.replace('@countersign/', 'packages/'));
const imported = await Promise.all(['generator', ...folders].map(importsIn));
/** The imports of the toolkit: those of the core and of its companions. */
const inToolkit = imported
  .flatMap((imports) => [...imports])
  .filter(([name]) => name !== 'countersign');
const inTests = await importsIn('test');

test('each package of the table is imported in each of its folders', () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const { packages, folders: places } of rows) {
    for (const name of packages) {
      const ofToolkit = inToolkit.filter(([imports]) => imports === name);
      const files = [...ofToolkit.flatMap(([, found]) => found), ...(inTests.get(name) ?? [])];
      for (const folder of places)
        expect(
          files.filter((file) => file.startsWith(folder)),
          `${name} in ${folder}`,
        ).not.toEqual([]);
    }
  }
});

test('the table has each package that the toolkit imports, with all of its folders', () => {
  const missingFiles = inToolkit.flatMap(([name, files]) => {
    const places = rows
      .filter(({ packages }) => packages.includes(name))
      .flatMap((row) => row.folders);
    return files
      .filter((file) => !places.some((folder) => file.startsWith(folder)))
      .map((file) => `${name} in ${file}`);
  });
  expect(missingFiles).toEqual([]);
});

test('the table has no package twice, and names folders', () => {
  const names = rows.flatMap(({ packages }) => packages);
  expect(new Set(names).size).toBe(names.length);
  for (const row of rows) for (const folder of row.folders) expect(folder).toMatch(/\/$/u);
});
