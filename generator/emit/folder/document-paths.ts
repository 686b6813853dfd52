import { posix } from 'node:path';

/** What documents of a folder say in place of the names of packages, which exist nowhere. */
export interface DocumentPaths {
  /** The folders of the packages in the output, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The paths of modules in the folder, by the specifier that packages import them by. */
  readonly modules: ReadonlyMap<string, string>;
  /** The output folder, relative to that of the configuration. */
  readonly output: string;
  readonly importExtension: '.js' | '.ts';
}

/**
 * Returns a document in which the names of packages are paths from the folder of the configuration. An application
 * could only get packages with these names from a registry, where anybody can own them.
 */
export function replaceNames(
  text: string,
  { folders, modules, output, importExtension }: DocumentPaths,
): string {
  const names = [...folders.keys()].toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return text;
  const alternatives = names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
  const mention = new RegExp(`(?:${alternatives})(?![\\w-])(?:/[\\w-]+)*`, 'gu');
  // The text must not depend on the machine.
  const base = posix.isAbsolute(output) ? posix.basename(output) : posix.join(output);
  const prefix = base.startsWith('..') ? base : `./${base}`;
  return text.replaceAll(mention, (specifier) => {
    const place = modules.get(specifier);
    if (place !== undefined) return `${prefix}/${place.replace(/\.ts$/u, importExtension)}`;
    const name = names.find((one) => specifier.startsWith(one)) ?? '';
    return `${prefix}/${folders.get(name) ?? ''}${specifier.slice(name.length)}`;
  });
}
