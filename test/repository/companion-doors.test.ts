import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { companions } from '../../generator/companions.ts';
import { filesOf, root } from './tree-files.ts';

/** The names of imports and exports, and of what is imported when it is needed. */
const list =
  /(?<=(?:(?:import|export)(?: type)?|const) \{)[^}]*(?=\} (?:from |=\s+await import\()'(?<from>[^']+)')/gu;

/** Returns the names of imports or exports in a text, after what they are from. */
function namesIn(text: string, from: RegExp): readonly string[] {
  return Array.from(text.matchAll(list))
    .filter(({ groups }) => from.test(groups?.['from'] ?? ''))
    .flatMap((match) =>
      match[0]
        .split(',')
        .map((word) =>
          word
            .trim()
            .replace(/^type /u, '')
            .replace(/ as .*/u, ''),
        )
        .filter((name) => name !== '')
        .map((name) => `${match.groups?.['from']} ${name}`),
    );
}

it('the modules for companions export what a companion imports, and nothing else', async () => {
  const folders = companions.map((companion) =>
    companion.package.replace('@countersign/', 'packages/'),
  );
  const imported = new Set<string>();
  for (const folder of folders)
    for (const file of filesOf(folder).filter((name) => /\.tsx?$/u.test(name)))
      for (const name of namesIn(
        await readFile(`${root}${folder}/${file}`, 'utf8'),
        /^countersign\/companion\//u,
      ))
        imported.add(name);
  const modules = filesOf('generator/companion');
  const exported = new Set<string>();
  for (const file of modules)
    for (const name of namesIn(await readFile(`${root}generator/companion/${file}`, 'utf8'), /^/u))
      exported.add(name.replace(/^\S+/u, `countersign/companion/${file.replace('.ts', '')}`));
  expect([...imported].toSorted()).toEqual([...exported].toSorted());
});
