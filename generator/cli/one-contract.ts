import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import { readContract } from '../generate.ts';
import { optional } from '../json/json.ts';
import type { Documents } from '../documents/documents.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { Progress } from '../execution/progress.ts';
import type { Invocation, ScopeOption } from './command.ts';
import type { Contracts } from './named-contract.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { createInvalidError, selectConfig } from './select-config.ts';
import { showDiagnostics } from './show-diagnostics.ts';

/** A contract without errors, with its configuration. */
export interface OneContract {
  readonly config: Config;
  readonly loaded: Contracts;
  readonly contract: Contract;
  readonly documents: Documents;
}

/** A contract that a configuration file states. */
export interface ConfiguredContract extends OneContract {
  readonly loaded: LoadedConfig;
}

/**
 * Reads the one contract that a command works on. `--scope` selects it by the scope of its packages, or by its output
 * folder if it has no scope. Without `--scope`, the configuration must have exactly one contract. Shows the diagnostics
 * of a contract with errors, unless `--json` is given.
 * @throws CommandError `usage` if no single contract is selected, `invalid-contract` if it has errors
 * @throws ConfigError for a configuration that cannot be used
 */
export async function readOneContract(
  invocation: Invocation<ScopeOption>,
): Promise<ConfiguredContract> {
  const { flags, terminal } = invocation;
  const loaded = await loadConfig(terminal.folder, flags.config);
  const config = selectConfig(loaded, invocation);
  return { config, loaded, ...(await readWithoutErrors(config, loaded, invocation)) };
}

/** Where the files of a contract are. */
interface PlaceToRead {
  readonly folder: string;
  readonly file?: string | undefined;
  readonly texts?: ReadonlyMap<string, string>;
}

/**
 * Reads a contract. Shows its diagnostics if it has errors, unless `--json` is given.
 * @param place the folder that the paths of the configuration are relative to, and its file if there is one, absolute;
 * `texts` has files that are not written yet, by their absolute paths
 * @param progress the progress of the command, if it reads the contract again
 * @throws CommandError `invalid-contract` if it has errors
 */
export async function readWithoutErrors(
  config: Config,
  { folder, file, texts }: PlaceToRead,
  { command, flags, terminal }: Invocation,
  progress: ProgressLine = createProgressLine(terminal, flags),
): Promise<Pick<OneContract, 'contract' | 'documents'>> {
  const report = (step: Progress): void => progress.show(step);
  const read = await readContract(config, folder, {
    report,
    configFile: file,
    ...optional('texts', texts),
  }).finally(() => progress.clear());
  const { contract, documents, diagnostics, files } = read;
  if (contract !== undefined) return { contract, documents };
  if (!flags.json) await showDiagnostics(diagnostics, files, flags, terminal, folder);
  throw createInvalidError(command);
}
