import { dirname, extname } from 'node:path';
import { isInFolder } from '../../load/file-paths.ts';

/** The files that decide the output. Every path is absolute. */
export interface WatchedFiles {
  /** The configuration file, if there is one. */
  readonly configuration?: string | undefined;
  /** The files of the contracts that the configuration or the command line names. */
  readonly contracts: readonly string[];
  /** What the last run read. */
  readonly inputs: readonly string[];
  /** The folders of generated files. */
  readonly outputs: readonly string[];
  /** The folder that the paths of the configuration are relative to. */
  readonly folder: string;
}

/** Returns every file that is known to decide the output. */
export function knownFiles({
  configuration,
  contracts,
  inputs,
}: WatchedFiles): ReadonlySet<string> {
  return new Set([
    ...(configuration === undefined ? [] : [configuration]),
    ...contracts,
    ...inputs,
  ]);
}

/**
 * Returns what a change of a path means for the output: nothing, that it has to be generated again, or that it cannot
 * be, because the change is one of code that runs. Node cannot import a changed module again.
 * @param isFolder whether there is a folder at the path
 */
export function effectOf(
  path: string,
  files: WatchedFiles,
  isFolder: boolean,
): 'none' | 'again' | 'stale' {
  if (!knownFiles(files).has(path) && !canBeReferred(path, files, isFolder)) return 'none';
  return path !== files.configuration && /\.[cm]?[jt]s$/u.test(path) ? 'stale' : 'again';
}

/** Returns whether a path is near the documents, so that a reference can resolve to it or to a file in it. */
function canBeReferred(
  path: string,
  { contracts, outputs, folder }: WatchedFiles,
  isFolder: boolean,
): boolean {
  if (outputs.some((output) => isInFolder(output, path))) return false;
  if (!contracts.some((file) => isInFolder(dirname(file), path))) return false;
  if (/(?:^|[/\\])(?:\.[^/\\]*|node_modules)(?:[/\\]|$)/u.test(path.slice(folder.length)))
    return false;
  return isFolder || /^\.(?:ya?ml|json)$/iu.test(extname(path));
}
