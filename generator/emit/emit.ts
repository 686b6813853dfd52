import { packageVersion } from '../contract/lower/package-version.ts';
import type { Contract } from '../contract/contract.ts';
import { concurrently } from '../execution/concurrently.ts';
import { isJsonObject } from '../json/json.ts';
import { optional } from '../json/cursor.ts';
import type { ReportProgress } from '../execution/progress.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import { type FolderOutput, toFolder } from '../targets/folder/to-folder.ts';
import { formatFile } from '../targets/format.ts';
import { resolveTargets } from '../targets/registry.ts';
import { scopeOf } from '../targets/scope.ts';
import type { Layout, NestedArrays, OutputFile, Target, TargetContext } from '../targets/target.ts';
import { guardFiles } from './guard.ts';
import { OutputError } from './output-error.ts';
import { rendererOf } from './renderer.ts';

/** The settings of a configuration that decide the generated files. */
export interface EmitSettings {
  readonly scope?: string;
  readonly version?: string;
  readonly license?: string;
  readonly layout?: Layout;
  readonly validators?: boolean;
  readonly nestedArrays?: NestedArrays;
  readonly importExtension?: '.js' | '.ts';
}

interface EmitOptions {
  readonly report?: ReportProgress;
  /** Compiles validators, and has cached those that the run compiled for examples. */
  readonly compiler?: ValidatorCompiler;
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
  const { layout = 'packages', validators = true, nestedArrays = 'indices' } = settings;
  const scope = scopeOf(settings);
  const packageNames: Record<string, string> = Object.create(null);
  for (const { name } of targets) packageNames[name] = `${scope}/${name}`;
  const version = packageVersion(settings.version, contract);
  const own = { ...optional('license', settings.license), ...optional('compiler', compiler) };
  const shared = { scope, layout, validators, nestedArrays, version, packageNames, ...own };
  const origin = new Map<string, string>();
  const emitted: OutputFile[] = [];
  for (const target of targets) {
    report({ stage: 'emit', target: target.name });
    for (const file of await runTarget(target, contract, shared, report)) {
      const other = origin.get(file.path);
      if (other !== undefined) {
        const by = other === target.name ? `"${other}" twice` : `"${other}" and "${target.name}"`;
        const message = `${JSON.stringify(file.path)} was produced by ${by}.`;
        throw new OutputError('duplicate-path', message);
      }
      origin.set(file.path, target.name);
      emitted.push(file);
    }
  }
  const output: FolderOutput =
    layout === 'packages'
      ? { files: emitted, needs: new Map() }
      : await toFolder(emitted, settings.importExtension ?? '.js');
  const guarded = guardFiles(output.files).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  let done = 0;
  report({ stage: 'format', done, of: guarded.length });
  const formatOne = async (file: OutputFile): Promise<OutputFile> => {
    try {
      const text = file.isFormatted === true ? file.text : await format(file.path, file.text);
      done += 1;
      report({ stage: 'format', done, of: guarded.length });
      return { ...file, text };
    } catch (error) {
      throw failure(origin.get(file.path) ?? '', error);
    }
  };
  const files = await concurrently(guarded, formatOne, formattedAtATime);
  return { ...output, files };
}

/**
 * The number of files that are formatted concurrently. It is low because the formatter keeps memory for each thread
 * that it uses. Two allow the main thread to hand over the next file while another is formatted.
 */
const formattedAtATime = 2;

async function runTarget(
  target: Target,
  contract: Contract,
  shared: Omit<TargetContext, 'render'>,
  report: ReportProgress,
): Promise<readonly OutputFile[]> {
  try {
    const context: TargetContext = { ...shared, render: await rendererOf(target) };
    const files: OutputFile[] = [];
    for await (const file of target.emit(contract, context)) {
      files.push(assertFile(file));
      report({ stage: 'emit', target: target.name, done: files.length });
    }
    return files;
  } catch (error) {
    throw failure(target.name, error);
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

function failure(target: string, error: unknown): OutputError {
  const why = error instanceof Error ? error.message : String(error);
  return new OutputError('target-failed', `The target "${target}" failed: ${why}`, {
    cause: error,
  });
}

/**
 * Returns all generated files of a contract, formatted and ordered by path. Does not touch the output folder.
 * @param file the configuration file that errors report
 * @throws ConfigError for targets that do not fit together
 * @throws OutputError for an error of a target
 */
export async function emitFiles(
  contract: Contract,
  config: EmitSettings & { readonly targets: readonly (string | Target)[] },
  file?: string,
  report: ReportProgress = () => undefined,
): Promise<readonly OutputFile[]> {
  const targets = await resolveTargets(config.targets, file);
  return (await emit(contract, targets, config, { report })).files;
}
