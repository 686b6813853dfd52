import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Caches } from './cache/caches.ts';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from './diagnostics/diagnostic.ts';
import { withDiagnostics } from './emit/output-error.ts';
import type { ReportProgress } from './execution/progress.ts';
import { optional } from './json/json.ts';
import type { Documents, SourceFile } from './documents/documents.ts';
import { type Generation, toGeneration, toInvalid, toUnchanged } from './output/generation.ts';
import { findDevelopmentOnly, findMissing } from './output/missing-packages.ts';
import type { PackageManager, PackageWorkspace } from './execution/package-managers.ts';
import type { PackageVersions } from './output/package-versions.ts';
import { compareLockfile } from './output/npm-lockfile.ts';
import { inspectComplete, reconcile, recover } from './output/reconcile.ts';
import { readRuntime, toRuntimeChanges } from './output/runtime-change.ts';
import { findRegistryRanges } from './output/application-ranges.ts';
import { findApplicationManager, findWorkspace, type Workspace } from './output/workspace.ts';
import { findUnchanged, inputFiles, keepRecord } from './output/unchanged.ts';
import type { CheckOptions } from './rules/check.ts';
import type { VerdictStore } from './patterns/safe-pattern.ts';
import type { ValidatorCompiler } from './validators/validator-compiler.ts';
import type { OutputFile } from './targets/target.ts';
import { targetName } from './targets/target-entry.ts';

/**
 * The pipeline of the toolkit: load → select → lower → check (`readContract`) → emit → reconcile (`generate`). Each
 * stage is a room. Stages are imported when they are called, so a run without changes loads none. Check judges examples
 * last, in threads, while targets emit; nothing is written before both are done.
 */

export interface ReadOptions extends CheckOptions {
  readonly report?: ReportProgress;
  /** The verdicts of earlier runs on patterns. */
  readonly verdicts?: VerdictStore | undefined;
  /** Texts that replace those of files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** The absolute path of the configuration file, in which entries of the selection are reported. */
  readonly configFile?: string | undefined;
  /** Whether the contract is another revision than the configuration's, which can lack selected parts. */
  readonly isOtherRevision?: boolean | undefined;
}

/** A contract with its documents and all diagnostics. */
export interface ReadContract {
  readonly documents: Documents;
  /** Absent if the contract has errors. */
  readonly contract?: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /** With `examplesLater`, the diagnostics of the examples, unless the contract has other errors. */
  readonly examples?: Promise<readonly Diagnostic[]>;
  /** Every file that a diagnostic can point to: those of the documents, and the configuration file if it was read. */
  readonly files: readonly SourceFile[];
}

/**
 * Reads a contract: loads its documents, selects a part of them, lowers it to the model, and checks it. Lowering runs
 * even if loading finds errors, so that all errors are reported at once.
 * @param folder the absolute folder to which the paths of the configuration are relative
 */
export async function readContract(
  config: Config,
  folder: string,
  options: ReadOptions = {},
): Promise<ReadContract> {
  const { report = () => undefined, texts } = options;
  report({ stage: 'load' });
  const { load } = await import('./load/load.ts');
  const loaded = await load(config.contract, { folder, budgets: config.budgets, texts });
  // Most diagnostics of an incomplete contract would be about the document that is missing.
  if (!isComplete(loaded, config))
    return { documents: loaded, diagnostics: loaded.diagnostics, files: loaded.files };

  const { select } = await import('./select/select.ts');
  const configFile = await readConfigFile(config, folder, options.configFile);
  const { isOtherRevision } = options;
  const documents = select(loaded, { ...config, configFile, isOtherRevision });
  const files = [...documents.files, ...(configFile === undefined ? [] : [configFile])];

  report({ stage: 'lower' });
  const { lower } = await import('./contract/lower/lower.ts');
  const { loadPatternCheck } = await import('./contract/pattern-check.ts');
  const lowered = lower(documents, config, await loadPatternCheck(documents, options.verdicts));

  const { check } = await import('./rules/check.ts');
  const checked = await check(documents, lowered, options);
  return hasErrors(checked.diagnostics)
    ? { documents, files, ...checked }
    : { documents, files, ...checked, contract: lowered.contract };
}

/** Returns the configuration file, if the configuration selects a part of the contract and the file can be read. */
async function readConfigFile(
  { include, exclude }: Config,
  folder: string,
  path: string | undefined,
): Promise<SourceFile | undefined> {
  if (path === undefined || (include ?? exclude) === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { toFile } = await import('./load/file-paths.ts');
  return { path: toFile(folder, path), text };
}

export interface GenerateOptions {
  /** The absolute folder to which the paths of the configuration are relative. */
  readonly folder: string;
  /** The absolute path of the configuration file, if there is one. */
  readonly file?: string;
  /** `check` writes nothing and always runs the whole pipeline; default `write`. */
  readonly mode?: 'write' | 'check';
  /** Called at the start of each stage, and after each generated file. */
  readonly onProgress?: ReportProgress;
}

/**
 * Updates the output of one contract, or returns its differences with `check`. Prints nothing.
 * @throws ConfigError for targets that do not fit together
 * @throws OutputError if the output cannot be generated or written
 */
export async function generate(config: Config, options: GenerateOptions): Promise<Generation> {
  const output = resolve(options.folder, config.output);
  const [first = ''] = config.targets.map(targetName);
  const workspace =
    config.layout === 'folder' ? undefined : await findWorkspace(join(output, first));
  const generation = await bringUpToDate(config, options, output, workspace);
  if (workspace === undefined) return generation;
  return { ...generation, registryRanges: await findRegistryRanges(output, workspace) };
}

async function bringUpToDate(
  config: Config,
  options: GenerateOptions,
  output: string,
  workspace: Workspace | undefined,
): Promise<Generation> {
  const { folder, mode = 'write' } = options;
  const place = { ...options, ...(await toPlace(workspace, output)) };
  if (mode === 'write') {
    await recover({ folder: output, within: folder });
    const unchanged = await findUnchanged(config, place);
    if (unchanged !== undefined) return await toUnchanged(config, folder, unchanged);
  } else {
    // An incomplete folder is rejected before any other work.
    await inspectComplete(output);
  }

  const { noCaches, openCaches } = await import('./cache/caches.ts');
  const caches = mode === 'write' ? await openCaches(folder, config.output) : noCaches;
  const { ValidatorCompiler } = await import('./validators/validator-compiler.ts');
  const compiler = new ValidatorCompiler({
    cache: caches.validators,
    eager: config.validators !== false && config.targets.map(targetName).includes('contract'),
  });
  try {
    return await generateAnew(config, place, caches, compiler);
  } finally {
    compiler.close();
  }
}

/** The surroundings of the output that change it, besides the configuration. */
interface OutputPlace {
  /** The workspace that has the generated packages. */
  readonly workspace?: PackageWorkspace;
  /** The package manager of that workspace, otherwise of the application. */
  readonly manager: PackageManager;
}

async function toPlace(workspace: Workspace | undefined, output: string): Promise<OutputPlace> {
  if (workspace === undefined) return { manager: await findApplicationManager(output) };
  const { manager, hasProtocol } = workspace;
  return { workspace: { manager, hasProtocol }, manager };
}

/** Runs the whole pipeline. */
async function generateAnew(
  config: Config,
  options: GenerateOptions & OutputPlace,
  caches: Caches,
  compiler: ValidatorCompiler,
): Promise<Generation> {
  const { folder, file, mode = 'write', onProgress: report = () => undefined } = options;
  const { resolveTargets } = await import('./targets/registry.ts');
  const targets = await resolveTargets(config.targets, file);
  for (const target of targets) target.prepare?.();
  const { verdicts } = caches;
  const checks = { report, compiler, verdicts, examplesLater: true, configFile: file };
  const read = await readContract(config, folder, checks);
  const { documents, contract } = read;
  const inputs = inputFiles(documents, targets, folder);
  const output = resolve(folder, config.output);
  const { readPackageVersions } = await import('./output/package-versions.ts');
  const versions = readPackageVersions(config, output);
  const versionDiagnostics = versions?.diagnostics ?? [];
  const readDiagnostics = sortDiagnostics([...read.diagnostics, ...versionDiagnostics]);
  const sources = [...read.files, ...(versions?.files ?? [])];
  const run = { output: config.output, files: sources, inputs };
  if (contract === undefined) return toInvalid({ ...run, diagnostics: readDiagnostics });

  const { emit } = await import('./emit/emit.ts');
  const emitted = emit(contract, targets, config, {
    report,
    compiler,
    format: caches.format,
    ...optional('versionsOnDisk', versions?.versions),
    ...optional('workspace', options.workspace),
    manager: options.manager,
    placeOf: (pointer) => documents.cite(pointer),
  });
  // Threads validate the examples meanwhile. Their diagnostics take precedence over the error of a target that fails on
  // an invalid example.
  await Promise.allSettled([emitted]);
  const checkedDiagnostics = sortDiagnostics([
    ...readDiagnostics,
    ...((await read.examples) ?? []),
  ]);
  if (hasErrors(checkedDiagnostics)) return toInvalid({ ...run, diagnostics: checkedDiagnostics });
  const { files, needs } = await emitted.catch((error: unknown) => {
    throw withDiagnostics(error, checkedDiagnostics, documents);
  });
  const { diagnoseStart } = await import('./contract/package-version.ts');
  const start = hasNewPackage(files, versions) ? diagnoseStart(documents, contract) : [];
  const diagnostics = sortDiagnostics([...checkedDiagnostics, ...start]);

  report({ stage: mode === 'check' ? 'compare' : 'write' });
  const runtimeBefore = await readRuntime(output, files);
  const changes = await reconcile(files, { folder: output, within: folder, mode, versions });
  await caches.keep();
  const lockfile = await compareLockfile(files, output);
  const isFolder = config.layout === 'folder';
  const missing = isFolder ? await findMissing(needs, output) : undefined;
  const developmentOnly = isFolder ? await findDevelopmentOnly(needs, output) : undefined;
  if (mode === 'write') {
    await keepRecord(config, options, { documents, targets, files, diagnostics });
  }
  const runtime = toRuntimeChanges(changes, files, runtimeBefore);
  const notes = {
    manager: options.manager,
    ...optional('runtime', runtime.length === 0 ? undefined : runtime),
    ...optional('lockfile', lockfile),
    ...optional('missing', missing),
    ...optional('developmentOnly', developmentOnly),
  };
  return toGeneration({ ...run, diagnostics, ...notes }, mode, changes, documents);
}

/** Returns whether a package starts at the version of the contract, because it has none on disk yet. */
function hasNewPackage(
  files: readonly OutputFile[],
  versions: PackageVersions | undefined,
): boolean {
  return files.some(({ path }) => {
    const target = versions?.packages.targets.get(path);
    return target !== undefined && versions?.versions.has(target) === false;
  });
}

function isComplete(documents: Documents, { contract }: Config): boolean {
  const names = ['openapi', 'asyncapi'] as const;
  return names.every((name) => contract[name] === undefined || documents[name] !== undefined);
}
