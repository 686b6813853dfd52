import { packageVersion } from '../contract/lower/package-version.ts';
import type { Contract } from '../contract/contract.ts';
import type { ReportProgress } from '../execution/progress.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import { type FolderOutput, toFolder } from '../targets/folder/to-folder.ts';
import { formatFile } from '../targets/format.ts';
import { resolveTargets } from '../targets/registry.ts';
import { scopeOf } from '../targets/scope.ts';
import type { Layout, NestedArrays, OutputFile, Target } from '../targets/target.ts';
import { collectFiles } from './collect-files.ts';

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

export interface EmitOptions {
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
  const own = settings.license === undefined ? {} : { license: settings.license };
  const context = { scope, layout, validators, nestedArrays, version, packageNames, ...own };
  let needs: FolderOutput['needs'] = new Map();
  const arrange = async (emitted: readonly OutputFile[]): Promise<readonly OutputFile[]> => {
    if (layout === 'packages') return emitted;
    const folder = await toFolder(emitted, settings.importExtension ?? '.js');
    ({ needs } = folder);
    return folder.files;
  };
  const shared = compiler === undefined ? context : { ...context, compiler };
  const files = await collectFiles(targets, contract, shared, report, arrange, format);
  return { files, needs };
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
