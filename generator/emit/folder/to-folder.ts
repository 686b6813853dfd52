import { posix } from 'node:path';
import { applicationTypesOf } from '../../targets/printing/frameworks.ts';
import { runtimePackage } from '../../targets/package/runtime-package.ts';
import type { OutputFile } from '../../targets/target.ts';
import { replaceNames } from './document-paths.ts';
import { packagesAmong } from './packages.ts';
import { replaceSpecifiers } from './specifiers.ts';

/** Generated code for a folder of an application. */
export interface FolderOutput {
  readonly files: readonly OutputFile[];
  /** Version ranges of the packages that the application must install to compile and run the code, by name. */
  readonly needs: ReadonlyMap<string, string>;
}

/** Files that a package needs and an application does not. */
const ofPackages: ReadonlySet<string> = new Set([
  'package.json',
  'tsconfig.json',
  'README.md',
  'AGENTS.md',
  'LICENSE',
]);

const codeFile = /\.[cm]?[jt]sx?$/u;

const documentFile = /\.(?:html|md)$/u;

/**
 * Converts generated packages to code that an application compiles with its own. Omits files that only packages need,
 * moves files out of `src`, and replaces imports of the packages by relative paths, also in documents.
 * @param output the output folder, relative to that of the configuration
 * @throws TypeError where two files would have the same path
 */
export async function toFolder(
  files: readonly OutputFile[],
  importExtension: '.js' | '.ts',
  output = 'generated',
): Promise<FolderOutput> {
  const packages = packagesAmong(files);
  const folders = new Set(packages.map(({ folder }) => folder));
  const entries = new Map(packages.flatMap(({ entries: packageEntries }) => [...packageEntries]));
  const moved = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path } of files) {
    const to = placeOf(path, folders);
    if (to === undefined) continue;
    if (taken.has(to)) throw new TypeError(`two files would be "${to}" in a folder`);
    taken.add(to);
    moved.set(path, to);
  }
  const names = {
    folders: new Map(packages.map(({ name, folder }) => [name, folder])),
    modules: new Map(
      [...entries].flatMap(([specifier, path]) => {
        const place = moved.get(path);
        return place === undefined ? [] : [[specifier, place] as const];
      }),
    ),
    output,
    importExtension,
  };
  const { ts } = await import('ts-morph');
  const laid = files.flatMap((file): readonly OutputFile[] => {
    const to = moved.get(file.path);
    if (to === undefined) return [];
    if (documentFile.test(file.path))
      return [{ ...file, path: to, text: replaceNames(file.text, names) }];
    if (!codeFile.test(file.path)) return [{ ...file, path: to }];
    const text = replaceSpecifiers(ts, file.text, (specifier) => {
      const path = specifier.startsWith('.')
        ? posix.join(posix.dirname(file.path), specifier)
        : entries.get(specifier);
      const target = path === undefined ? undefined : moduleAt(path, moved);
      const place = target === undefined ? undefined : moved.get(target);
      return place === undefined ? specifier : toSpecifier(to, place, importExtension);
    });
    return [{ ...file, path: to, text }];
  });
  const packageNames = new Set(packages.map(({ name }) => name));
  const imported = packages
    .flatMap((generatedPackage) => [...generatedPackage.needs])
    .filter(([name]) => !packageNames.has(name));
  // The application imports the framework, too, and does not compile without its types.
  const types = imported.flatMap(([name]) => Object.entries(applicationTypesOf(name)));
  const needs = [...imported, ...types].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { files: laid, needs: new Map(needs) };
}

function placeOf(path: string, folders: ReadonlySet<string>): string | undefined {
  const folder = [...folders].find((candidate) => path.startsWith(`${candidate}/`));
  if (folder === undefined) return path;
  const rest = path.slice(folder.length + 1);
  // The code of the toolkit keeps its licence, wherever it is.
  if (folder === runtimePackage && rest === 'LICENSE') return path;
  if (ofPackages.has(rest)) return undefined;
  return `${folder}/${rest.startsWith('src/') ? rest.slice('src/'.length) : rest}`;
}

/** Finds the file that a specifier or an entry of a package refers to. Both can name a TypeScript file by its compiled name. */
function moduleAt(path: string, files: ReadonlyMap<string, string>): string | undefined {
  return [path, path.replace(/js$/u, 'ts')].find((candidate) => files.has(candidate));
}

function toSpecifier(from: string, to: string, importExtension: '.js' | '.ts'): string {
  const path = posix.relative(posix.dirname(from), to);
  const relative = path.startsWith('.') ? path : `./${path}`;
  return /(?<!\.d)\.ts$/u.test(relative)
    ? relative.slice(0, -'.ts'.length) + importExtension
    : relative;
}
