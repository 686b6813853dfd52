import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { scopeOf, type Config } from './config/config.ts';
import type { KeptValidatorCache } from './cache/validator-cache.ts';
import type { Contract } from './contract/contract.ts';
import {
  hasErrors,
  sortDiagnostics,
  type Diagnostic,
  type Location,
} from './diagnostics/diagnostic.ts';
import type { Documents, SourceFile } from './load/documents.ts';
import type { Change } from './output/change.ts';
import { findMissing } from './output/missing-packages.ts';
import { compareLockfile, type LockfileReport, packageFolders } from './output/npm-lockfile.ts';
import { createFormatter, type Formatter } from './cache/formatted.ts';
import { recordPath } from './cache/run-record.ts';
import { inspectWhole, mend, reconcile } from './output/reconcile.ts';
import { findUnchanged, inputFiles, keepRecord } from './output/unchanged.ts';
import { readContract } from './read-contract.ts';
import type { ValidatorCompiler } from './schema/validator-compiler.ts';
import { resolveTargets } from './targets/registry.ts';
import type { Folder } from './targets/folder/to-folder.ts';
import type { OutputFile, Target } from './targets/target.ts';

/** What a run is doing. */
export interface Progress {
  readonly stage: 'load' | 'lower' | 'emit' | 'format' | 'compare' | 'write';
  /** The target, while emitting. */
  readonly target?: string;
  /** Files that are done, of this target or of all. */
  readonly done?: number;
  /** Files that there are, where that is known. */
  readonly of?: number;
}

export interface GenerateOptions {
  /** The folder that the paths of the configuration are relative to, absolute. */
  readonly folder: string;
  /** The configuration file, absolute, where there is one. */
  readonly file?: string;
  /** `check` writes nothing and always does the whole work; default `write`. */
  readonly mode?: 'write' | 'check';
  /** Called when a run begins something else, and after each file of it. */
  readonly onProgress?: (progress: Progress) => void;
}

/** A change, and where the contract speaks of it. */
export interface LocatedChange extends Change {
  readonly where: readonly Location[];
}

/** How a run has ended, as data. */
export interface Generation {
  /**
   * `invalid`: the contract has errors, nothing was written. `unchanged`: there was nothing to do.
   * `written`: the output is up to date now. `differs`: `check` has found what `generate` or `npm install` would change.
   */
  readonly status: 'invalid' | 'unchanged' | 'written' | 'differs';
  /** As the configuration has it. */
  readonly output: string;
  readonly changes: readonly LocatedChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** The files that diagnostics point into. */
  readonly files: readonly SourceFile[];
  /** The files that decide the output besides the toolkit, as far as they are known; absolute. */
  readonly inputs: readonly string[];
  /** Folders of packages that appeared or went, relative to the output folder. */
  readonly packages: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** What code in an application's folder imports and the application does not list: `name@range`. Left out for packages. */
  readonly missing?: readonly string[];
  /** Left out where no lockfile has the output as workspaces, or nothing was compared. */
  readonly lockfile?: LockfileReport;
}

/**
 * Brings the output of one contract up to date, or in `check` tells how it differs. Prints nothing.
 * @throws ConfigError for targets that do not fit together, OutputError where the output cannot be made or written
 */
export async function generate(config: Config, options: GenerateOptions): Promise<Generation> {
  const { folder, file, mode = 'write' } = options;
  const report = options.onProgress ?? ((): void => undefined);
  const output = resolve(folder, config.output);
  if (mode === 'write') {
    await mend({ folder: output, within: folder });
    const unchanged = await findUnchanged(config, options);
    if (unchanged !== undefined) {
      const { orphans, diagnostics, inputs } = unchanged;
      const changes = orphans.map(
        (path) => ({ path, kind: 'orphan', from: [], where: [] }) as const,
      );
      const files = await readFiles(folder, diagnostics);
      return {
        status: 'unchanged',
        output: config.output,
        changes,
        diagnostics,
        files,
        inputs,
        packages: none,
      };
    }
  } else {
    // A folder in halves is refused before any work is done.
    await inspectWhole(output);
  }

  const targets = await resolveTargets(config.targets, file);
  // `check` compiles everything again: a cache that is wrong would hide what differs.
  const cache = mode === 'write' ? await openCache(folder, config.output) : undefined;
  const { ValidatorCompiler } = await import('./schema/validator-compiler.ts');
  const compiler = new ValidatorCompiler({
    cache,
    eager: config.validators !== false && targets.some(({ name }) => name === 'contract'),
  });
  const read = await readContract(config, folder, report, { compiler, judgesLater: true });
  const { documents, contract, judged } = read;
  const inputs = inputFiles(documents, targets, folder);
  const common = { output: config.output, files: documents.files, inputs };
  const invalid = { ...common, status: 'invalid', changes: [], packages: none } as const;
  if (contract === undefined) return { ...invalid, diagnostics: read.diagnostics };

  const hashes = recordPath(folder, config.output, '.formatted.json');
  const formatter = mode === 'write' ? await createFormatter(output, hashes) : undefined;
  const { format } = formatter ?? {};
  const emitted = emitLayout(contract, config, file, report, { compiler, format });
  // Threads judge the examples meanwhile. What they find comes before a target that fails on it.
  await Promise.allSettled([emitted]);
  const diagnostics = sortDiagnostics([...read.diagnostics, ...((await judged) ?? [])]);
  if (hasErrors(diagnostics)) return { ...invalid, diagnostics };
  const { files, needs } = await emitted;
  report({ stage: mode === 'check' ? 'compare' : 'write' });
  const changes = await reconcile(files, { folder: output, within: folder, mode });
  await formatter?.keep();
  await cache?.keep();
  const lockfile = await compareLockfile(files, output);
  if (mode === 'write')
    await keepRecord(config, options, { documents, targets, files, diagnostics });
  return {
    ...common,
    diagnostics,
    status: toStatus(mode, changes, lockfile),
    changes: changes.map((change) => toLocated(change, documents)),
    ...(config.layout === 'folder' ? { missing: await findMissing(needs, output) } : {}),
    packages: {
      added: packageFolders(pathsOf(changes, 'create')),
      removed: packageFolders(pathsOf(changes, 'remove')),
    },
    ...(lockfile === undefined ? {} : { lockfile }),
  };
}

/**
 * Every file that a contract becomes, formatted and ordered by path. Touches no output folder.
 * @throws ConfigError for targets that do not fit together, OutputError for what a target throws
 */
export async function emitFiles(
  contract: Contract,
  config: Config,
  file?: string,
  report: (progress: Progress) => void = () => undefined,
): Promise<readonly OutputFile[]> {
  return (await emitLayout(contract, config, file, report)).files;
}

/** The files, and the packages that an application has to have beside them where they are no packages themselves. */
async function emitLayout(
  contract: Contract,
  config: Config,
  file: string | undefined,
  report: (progress: Progress) => void,
  tools: {
    readonly compiler?: ValidatorCompiler;
    readonly format?: Formatter['format'] | undefined;
  } = {},
): Promise<Folder> {
  const targets = await resolveTargets(config.targets, file);
  const { packageVersion } = await import('./contract/lower/package-version.ts');
  const shared = {
    scope: scopeOf(config),
    layout: config.layout ?? 'packages',
    validators: config.validators ?? true,
    nestedArrays: config.nestedArrays ?? 'indices',
    ...(tools.compiler === undefined ? {} : { compiler: tools.compiler }),
    version: packageVersion(config.version, contract),
    packageNames: toPackageNames(targets, scopeOf(config)),
  };
  const { collectFiles } = await import('./emit/collect-files.ts');
  let needs: ReadonlyMap<string, string> = new Map();
  const files = await collectFiles(
    targets,
    contract,
    shared,
    report,
    async (emitted) => {
      if (shared.layout === 'packages') return emitted;
      const { toFolder } = await import('./targets/folder/to-folder.ts');
      const folder = await toFolder(emitted, config.importExtension ?? '.js');
      ({ needs } = folder);
      return folder.files;
    },
    tools.format,
  );
  return { files, needs };
}

async function openCache(folder: string, output: string): Promise<KeptValidatorCache> {
  const { openValidatorCache } = await import('./cache/validator-cache.ts');
  return await openValidatorCache(recordPath(folder, output, '.validators'));
}

const none = { added: [], removed: [] } as const;

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

function pathsOf(changes: readonly Change[], kind: Change['kind']): readonly string[] {
  return changes.filter((change) => change.kind === kind).map(({ path }) => path);
}

/** Where a place is written takes a second reading of its file, so that is found once somebody asks. */
function toLocated(change: Change, documents: Documents): LocatedChange {
  let where: readonly Location[] | undefined;
  return {
    ...change,
    get where() {
      return (where ??= toLocations(change, documents));
    },
  };
}

function toLocations(
  { from }: Pick<OutputFile, 'from'>,
  documents: Documents,
): readonly Location[] {
  const unique = new Map<string, Location>();
  for (const pointer of from) {
    const location = documents.locate(pointer);
    const key = `${location.file}:${location.line}`;
    if (!unique.has(key)) unique.set(key, location);
  }
  return [...unique.values()];
}

function toPackageNames(
  targets: readonly Target[],
  scope: string,
): Readonly<Record<string, string>> {
  const names: Record<string, string> = Object.create(null);
  for (const { name } of targets) names[name] = `${scope}/${name}`;
  return names;
}

async function readFiles(
  folder: string,
  diagnostics: readonly Diagnostic[],
): Promise<readonly SourceFile[]> {
  const paths = new Set(
    diagnostics.filter(({ severity }) => severity !== 'info').map(({ file }) => file),
  );
  return await Promise.all(
    Array.from(paths, async (path) => {
      const text = await readFile(join(folder, path), 'utf8');
      return { path, text: text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n') };
    }),
  );
}
