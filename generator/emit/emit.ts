import { setImmediate } from 'node:timers/promises';
import { packageVersions } from '../contract/package-version.ts';
import type { Contract } from '../contract/contract.ts';
import {
  type PackageManager,
  type PackageWorkspace,
  packageManagers,
} from '../execution/package-managers.ts';
import { TaskQueue } from '../execution/task-queue.ts';
import { isJsonObject, optional } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { ReportProgress } from '../execution/progress.ts';
import type { ValidatorCompiler } from '../validators/validator-compiler.ts';
import { type FolderOutput, toFolder } from './folder/to-folder.ts';
import { MissingPackageError } from '../targets/missing-package-error.ts';
import { TargetError, toTargetError } from '../targets/target-error.ts';
import { findLastRead } from './last-read.ts';
import { formatFile } from '../targets/format.ts';
import { findTarget, resolveTargets } from '../targets/registry.ts';
import { scopeOf } from '../targets/scope.ts';
import type { ManifestSettings } from '../targets/package/manifest-settings.ts';
import { runtimePackage } from '../targets/package/runtime-package.ts';
import type { BuiltInContext } from '../targets/built-in-context.ts';
import type { Layout, OutputFile, Target } from '../targets/target.ts';
import { type TargetEntry, targetName, targetOptions } from '../targets/target-entry.ts';
import { guardFile } from './guard.ts';
import { OutputError } from './output-error.ts';
import { assertDistinctPaths } from './output-path.ts';
import { rendererOf } from './renderer.ts';
import { runtimeOf } from './runtime/runtime-of.ts';

/** The settings of a configuration that decide the generated files. */
export interface EmitSettings {
  readonly scope?: string;
  readonly version?: string;
  readonly license?: string;
  readonly packageJson?: ManifestSettings;
  readonly layout?: Layout;
  readonly output?: string;
  readonly validators?: boolean;
  /** The entries of the configuration, whose options the targets receive. */
  readonly targets?: readonly TargetEntry[];
  readonly importExtension?: '.js' | '.ts';
}

interface EmitOptions {
  readonly report?: ReportProgress;
  /** Compiles validators, and has cached those that the run compiled for examples. */
  readonly compiler?: ValidatorCompiler;
  /** The versions of the packages on disk, by target, where the packages keep them. */
  readonly versionsOnDisk?: ReadonlyMap<string, string>;
  /** The workspace that has the packages, if there is one. */
  readonly workspace?: PackageWorkspace;
  /** The package manager whose command the error about a missing package names; default npm. */
  readonly manager?: PackageManager;
  /** Returns where the contract states the value at a pointer, as a file and a JSON Pointer in it. */
  readonly placeOf?: (pointer: Pointer) => string | undefined;
  /** Formats a file, given its path and text. */
  readonly format?: (path: string, text: string) => Promise<string>;
}

/**
 * Returns all generated files of a contract, formatted and ordered by path. With `layout: 'folder'`, also returns the
 * packages that the application has to install. Does not touch the output folder.
 * @param targets in an order in which each follows the targets that it requires
 * @throws OutputError for an error of a target
 */
export async function emit(
  contract: Contract,
  targets: readonly Target[],
  settings: EmitSettings,
  options: EmitOptions = {},
): Promise<FolderOutput> {
  const { report = () => undefined, compiler, format = formatFile } = options;
  const { layout = 'packages', validators = true } = settings;
  const scope = scopeOf(settings);
  const packageNames: Record<string, string> = Object.create(null);
  const packages = [...targets.map(({ name }) => name), runtimePackage];
  for (const name of packages) packageNames[name] = `${scope}/${name}`;
  const versions = packageVersions(packages, settings.version, contract, options.versionsOnDisk);
  const packageContext = {
    ...optional('output', settings.output),
    ...optional('license', settings.license),
    ...optional('packageJson', settings.packageJson),
    ...optional('workspace', options.workspace),
    ...optional('placeOf', options.placeOf),
  };
  const names = { packageNames, packageVersions: versions };
  const optionsByTarget: Record<string, object> = Object.create(null);
  for (const entry of settings.targets ?? [])
    optionsByTarget[targetName(entry)] = targetOptions(entry);
  const shared = {
    scope,
    layout,
    validators,
    targetOptions: optionsByTarget,
    ...names,
    ...packageContext,
  };
  const queue = new TaskQueue(formattedAtATime);
  let done = 0;
  report({ stage: 'emit' });
  const finish = async (file: OutputFile): Promise<OutputFile> => {
    const guarded = guardFile(file);
    const { path, text, isFormatted } = guarded;
    const formatted =
      isFormatted === true
        ? text
        : await queue
            .run(() => format(path, text))
            .catch((error: unknown) => {
              const [pointer] = file.from;
              throw pointer === undefined ? error : toTargetError(error, pointer);
            });
    done += 1;
    report({ stage: 'emit', done });
    return { ...guarded, text: formatted };
  };
  const isFolder = layout === 'folder';
  // A target that waits for a thread lets the others run.
  const emitted = await allInOrder(
    targets.map(async (target) => {
      // The compiler owns threads, and targets from outside do not receive it.
      const isBuiltIn = (await findTarget(target.name)) === target;
      const context = {
        ...shared,
        options: optionsByTarget[target.name] ?? {},
        ...optional('compiler', isBuiltIn ? compiler : undefined),
      };
      return await runTarget(target, contract, context, {
        ...(isFolder ? {} : { finish }),
        ...optional('manager', options.manager),
      });
    }),
    withAllFailures,
  );
  assertDistinct(targets, emitted);
  const runtime = await runtimeOf(targets, contract, shared, emitted.flat());
  const complete = [
    ...emitted.flat(),
    ...(isFolder ? runtime : await finishAll(runtime.map(finish), contract, 'The runtime')),
  ];
  const output: FolderOutput = isFolder
    ? await toFolder(complete, settings.importExtension ?? '.js', settings.output)
    : { files: complete, needs: new Map() };
  const files = isFolder ? await finishAll(output.files.map(finish), contract) : output.files;
  assertDistinctPaths(files.map(({ path }) => path));
  return { ...output, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

/**
 * The number of files that are formatted concurrently. It is low because the formatter keeps memory for each thread
 * that it uses. Two allow the main thread to hand over the next file while another is formatted.
 */
const formattedAtATime = 2;

/**
 * Returns the files of a target, each processed by `finish`.
 * @throws OutputError `target-failed`, or the error of a file that is refused
 */
async function runTarget(
  target: Target,
  contract: Contract,
  shared: Omit<BuiltInContext, 'render'>,
  options: Pick<EmitOptions, 'manager'> & {
    readonly finish?: (file: OutputFile) => Promise<OutputFile>;
  },
): Promise<readonly OutputFile[]> {
  const { manager, finish = (file: OutputFile) => Promise.resolve(file) } = options;
  const files: Promise<OutputFile>[] = [];
  let context: BuiltInContext | undefined;
  try {
    context = { ...shared, render: await rendererOf(target, shared) };
    for await (const file of target.emit(contract, context)) {
      const finished = finish(assertFile(file));
      // It is awaited below.
      finished.catch(() => undefined);
      files.push(finished);
      // Lets the formatter receive its next file.
      await setImmediate();
    }
    return await allInOrder(files);
  } catch (error) {
    // No file may report progress after the failure.
    await Promise.allSettled(files);
    if (error instanceof MissingPackageError)
      throw missing(`The target "${target.name}"`, error, contract, manager);
    const hasPlace = error instanceof TargetError;
    const pointer =
      error instanceof Error && !hasPlace && context !== undefined
        ? await findLastRead(target, contract, context, error.message)
        : undefined;
    throw failure(`The target "${target.name}"`, error, contract, pointer);
  }
}

/** @throws OutputError `target-failed` for a file that cannot be formatted, or the error of a file that is refused */
async function finishAll(
  files: readonly Promise<OutputFile>[],
  contract: Contract,
  what = 'The conversion to a folder',
): Promise<readonly OutputFile[]> {
  try {
    return await allInOrder(files);
  } catch (error) {
    throw failure(what, error, contract);
  }
}

/**
 * Returns the results of all promises.
 * @param toError returns the error for all that failed, in the order of the promises; by default the first of them
 * @throws that error, when all of the promises have ended
 */
async function allInOrder<Result>(
  promises: readonly Promise<Result>[],
  toError: (errors: readonly unknown[]) => unknown = ([first]) => first,
): Promise<readonly Result[]> {
  const results = await Promise.allSettled(promises);
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length > 0) throw toError(errors);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Returns the first error, with the failures of all targets. */
function withAllFailures(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (!(first instanceof OutputError) || first.failures.length === 0) return first;
  const failures = errors.flatMap((error) => (error instanceof OutputError ? error.failures : []));
  return new OutputError(first.code, first.message, { cause: first.cause, failures });
}

/** @throws OutputError `duplicate-path` for a path that two targets emitted, or one target twice */
function assertDistinct(
  targets: readonly Target[],
  emitted: readonly (readonly OutputFile[])[],
): void {
  const origin = new Map<string, string>();
  for (const [index, { name }] of targets.entries()) {
    for (const { path } of emitted[index] ?? []) {
      const other = origin.get(path);
      if (other !== undefined) {
        const by = other === name ? `"${other}" twice` : `"${other}" and "${name}"`;
        const message = `${JSON.stringify(path)} was produced by ${by}.`;
        throw new OutputError('duplicate-path', message);
      }
      origin.set(path, name);
    }
  }
}

/**
 * Validates a file that a target yielded: a custom target may be plain JavaScript without type checks.
 * @throws TypeError
 */
function assertFile(file: unknown): OutputFile {
  if (!isJsonObject(file)) throw new TypeError('it yielded a value that is not a file');
  const { path, text, from, isFormatted } = file;
  if (typeof path !== 'string') throw new TypeError('it yielded a file without a path');
  if (typeof text !== 'string') throw new TypeError(`its file "${path}" has no text`);
  if (!Array.isArray(from)) throw new TypeError(`its file "${path}" has no list \`from\``);
  return { path, text, from, isFormatted: isFormatted === true };
}

function missing(
  what: string,
  error: MissingPackageError,
  { documents }: Contract,
  manager: PackageManager = 'npm',
): OutputError {
  const command = [packageManagers[manager].addDevelopment, ...error.packages].join(' ');
  const message = `${what} failed: ${error.message}: run \`${command}\`.`;
  const failures = [{ message, pointer: startOf(documents), help: error.help }];
  return new OutputError('target-failed', message, { cause: error, failures });
}

function failure(
  what: string,
  error: unknown,
  { documents }: Contract,
  place?: Pointer,
): OutputError {
  if (error instanceof OutputError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const message = `${what} failed: ${why}`;
  const pointer = error instanceof TargetError ? error.pointer : (place ?? startOf(documents));
  const failures = [{ message, pointer }];
  return new OutputError('target-failed', message, { cause: error, failures });
}

/** Returns the pointer to the start of the contract. */
function startOf({ openapi }: Contract['documents']): Pointer {
  return openapi === undefined ? 'asyncapi#' : 'openapi#';
}

/**
 * Returns all generated files of a contract, formatted and ordered by path. Does not touch the output folder.
 * @param file the configuration file that errors report
 * @throws ConfigError for targets that do not fit together
 * @throws OutputError for an error of a target
 */
export async function emitFiles(
  contract: Contract,
  config: EmitSettings & { readonly targets: readonly TargetEntry[] },
  file?: string,
  report: ReportProgress = () => undefined,
  placeOf?: EmitOptions['placeOf'],
): Promise<readonly OutputFile[]> {
  const targets = await resolveTargets(config.targets, file);
  const options = { report, ...optional('placeOf', placeOf) };
  return (await emit(contract, targets, config, options)).files;
}
