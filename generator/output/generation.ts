import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Diagnostic, Location } from '../diagnostics/diagnostic.ts';
import type { Documents, SourceFile } from '../documents/documents.ts';
import type { RegistryRange } from './application-ranges.ts';
import type { Change } from './change.ts';
import type { LockfileReport } from './npm-lockfile.ts';
import type { PackageManager } from '../execution/package-managers.ts';
import type { Unchanged } from './unchanged.ts';

/** A change, with the locations in the contract that it comes from. */
export interface LocatedChange extends Change {
  readonly where: readonly Location[];
}

/** The result of a run. */
export interface Generation {
  /**
   * `invalid`: the contract has errors, and nothing was written. `unchanged`: there was nothing to do. `written`: the
   * output is up to date now. `differs`: `check` found what `generate` or `npm install` would change.
   */
  readonly status: 'invalid' | 'unchanged' | 'written' | 'differs';
  /** The output folder, as the configuration names it. */
  readonly output: string;
  readonly changes: readonly LocatedChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** The files that diagnostics refer to. */
  readonly files: readonly SourceFile[];
  /** The known files that decide the output, besides the toolkit; absolute. */
  readonly inputs: readonly string[];
  /** Folders of packages that were added or removed, relative to the output folder. */
  readonly packages: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /**
   * The package manager whose workspace has the generated packages, or else that of the application; absent if nothing
   * was compared.
   */
  readonly manager?: PackageManager;
  /** With `layout: 'folder'`, the packages that the code needs and the application does not list, as `name@range`. */
  readonly missing?: readonly string[];
  /** The same for packages that it lists for development only. */
  readonly developmentOnly?: readonly string[];
  /** The packages with other code of the toolkit than this toolkit writes, the runtime first; absent if there is none. */
  readonly runtime?: readonly RuntimeChange[];
  /** Absent if no lockfile has the output as workspaces, or if nothing was compared. */
  readonly lockfile?: LockfileReport;
  /** The applications of the workspace that a registry can give another package; absent without a workspace. */
  readonly registryRanges?: readonly RegistryRange[];
}

/** A package in the output whose code of the toolkit is of another version of the toolkit. */
export interface RuntimeChange {
  readonly folder: string;
  /** The version of the toolkit that wrote it. */
  readonly before: string;
  /** The version of this toolkit. */
  readonly after: string;
  /** Absent if the numbers of both versions are equal. */
  readonly age?: 'older' | 'newer';
  /** The version of the package, if it is the same before and after. */
  readonly version?: string;
}

/** What every run knows once the contract is read. */
type ReadRun = Pick<Generation, 'output' | 'files' | 'inputs' | 'diagnostics'>;

/** Returns the result for a contract with errors. */
export function toInvalid(run: ReadRun): Generation {
  return { ...run, status: 'invalid', changes: [], packages: { added: [], removed: [] } };
}

/** Returns the result of a run that found nothing to do. Reads the files that its diagnostics refer to. */
export async function toUnchanged(
  { output }: Config,
  folder: string,
  { orphans, diagnostics, inputs }: Unchanged,
): Promise<Generation> {
  return {
    status: 'unchanged',
    output,
    changes: orphans.map((path) => ({ path, kind: 'orphan', from: [], where: [] })),
    diagnostics,
    files: await readFiles(
      folder,
      diagnostics.map(({ file }) => file),
    ),
    inputs,
    packages: { added: [], removed: [] },
  };
}

/** Returns the result of a run that has compared or written the output. */
export function toGeneration(
  run: ReadRun &
    Pick<Generation, 'manager' | 'missing' | 'developmentOnly' | 'lockfile' | 'runtime'>,
  mode: 'write' | 'check',
  changes: readonly Change[],
  documents: Documents,
): Generation {
  const packagesOf = (kind: Change['kind']): readonly string[] =>
    changes
      .filter((change) => change.kind === kind && posix.basename(change.path) === 'package.json')
      .map(({ path }) => posix.dirname(path));
  return {
    ...run,
    status: toStatus(mode, changes, run.lockfile),
    changes: changes.map((change) => toLocated(change, documents)),
    packages: { added: packagesOf('create'), removed: packagesOf('remove') },
  };
}

function toStatus(
  mode: 'write' | 'check',
  changes: readonly Change[],
  lockfile: LockfileReport | undefined,
): Generation['status'] {
  if (mode === 'check') {
    return changes.length > 0 || (lockfile?.problems.length ?? 0) > 0 ? 'differs' : 'unchanged';
  }
  return changes.every(({ kind }) => kind === 'orphan') ? 'unchanged' : 'written';
}

/** Adds the locations of a change. They are computed on first access, because that parses the source file again. */
function toLocated(change: Change, documents: Documents): LocatedChange {
  let where: readonly Location[] | undefined;
  return {
    ...change,
    get where() {
      where ??= toLocations(change, documents);
      return where;
    },
  };
}

function toLocations({ from }: Change, documents: Documents): readonly Location[] {
  const locations = from.map((pointer) => documents.locate(pointer));
  const byLine = Map.groupBy(locations, ({ file, line }) => `${file}:${line}`);
  return [...byLine.values()].flatMap(([first]) => first ?? []);
}

/** Reads files of a contract again, for the code frames of diagnostics. */
export async function readFiles(
  folder: string,
  paths: readonly string[],
): Promise<readonly SourceFile[]> {
  return await Promise.all(
    Array.from(new Set(paths), async (path) => {
      const text = await readFile(join(folder, path), 'utf8');
      return { path, text: text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n') };
    }),
  );
}
