import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { scopeOf, type Config } from './config/config.ts';
import type { KeptValidatorCache } from './cache/validator-cache.ts';
import type { KeptVerdicts } from './cache/pattern-verdicts.ts';
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

/** The progress of a run. */
export interface Progress {
  readonly stage: 'load' | 'lower' | 'emit' | 'format' | 'compare' | 'write';
  /** The target, in the stage `emit`. */
  readonly target?: string;
  /** The number of files that are done, of this target or of all. */
  readonly done?: number;
  /** The total number of files, if it is known. */
  readonly of?: number;
}

export interface GenerateOptions {
  /** The folder that the paths of the configuration are relative to, absolute. */
  readonly folder: string;
  /** The configuration file, absolute, if there is one. */
  readonly file?: string;
  /** `check` writes nothing and always runs the whole pipeline; default `write`. */
  readonly mode?: 'write' | 'check';
  /** Called at the start of each stage, and after each file in it. */
  readonly onProgress?: (progress: Progress) => void;
}

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
  /** With `layout: 'folder'`, the packages that the code imports and the application does not list, as `name@range`. */
  readonly missing?: readonly string[];
  /** Absent if no lockfile has the output as workspaces, or if nothing was compared. */
  readonly lockfile?: LockfileReport;
}

/**
 * Brings the output of one contract up to date, or with `check` returns how it differs. Prints nothing.
 * @throws ConfigError for targets that do not fit together
 * @throws OutputError if the output cannot be generated or written
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
    // An incomplete folder is rejected before any other work.
    await inspectWhole(output);
  }

  const targets = await resolveTargets(config.targets, file);
  // `check` compiles everything again, because a wrong cache would hide differences.
  const cache = mode === 'write' ? await openCache(folder, config.output) : undefined;
  const { ValidatorCompiler } = await import('./schema/validator-compiler.ts');
  const compiler = new ValidatorCompiler({
    cache,
    eager: config.validators !== false && targets.some(({ name }) => name === 'contract'),
  });
  const verdicts = mode === 'write' ? await openVerdictsOf(folder, config.output) : undefined;
  const read = await readContract(config, folder, report, {
    compiler,
    verdicts,
    judgesLater: true,
  });
  const { documents, contract, judged } = read;
  const inputs = inputFiles(documents, targets, folder);
  const common = { output: config.output, files: documents.files, inputs };
  const invalid = { ...common, status: 'invalid', changes: [], packages: none } as const;
  if (contract === undefined) return { ...invalid, diagnostics: read.diagnostics };

  const hashes = recordPath(folder, config.output, '.formatted.json');
  const formatter = mode === 'write' ? await createFormatter(output, hashes) : undefined;
  const { format } = formatter ?? {};
  const emitted = emitLayout(contract, config, file, report, { compiler, format });
  // Threads validate the examples meanwhile. Their diagnostics take precedence over the error of a target that fails on
  // an invalid example.
  await Promise.allSettled([emitted]);
  const diagnostics = sortDiagnostics([...read.diagnostics, ...((await judged) ?? [])]);
  if (hasErrors(diagnostics)) return { ...invalid, diagnostics };
  const { files, needs } = await emitted;
  report({ stage: mode === 'check' ? 'compare' : 'write' });
  const changes = await reconcile(files, { folder: output, within: folder, mode });
  await formatter?.keep();
  await cache?.keep();
  await verdicts?.keep();
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
 * Returns all generated files of a contract, formatted and ordered by path. Does not touch the output folder.
 * @throws ConfigError for targets that do not fit together
 * @throws OutputError for an error of a target
 */
export async function emitFiles(
  contract: Contract,
  config: Config,
  file?: string,
  report: (progress: Progress) => void = () => undefined,
): Promise<readonly OutputFile[]> {
  return (await emitLayout(contract, config, file, report)).files;
}

/**
 * Returns the generated files. With `layout: 'folder'`, also returns the packages that the application has to install.
 */
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

async function openVerdictsOf(folder: string, output: string): Promise<KeptVerdicts> {
  const { openVerdicts } = await import('./cache/pattern-verdicts.ts');
  return await openVerdicts(recordPath(folder, output, '.patterns.json'));
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

/** Adds the locations of a change. They are computed on first access, because that parses the source file again. */
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
