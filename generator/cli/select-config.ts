import type { Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { CommandError } from '../tools/command-error.ts';
import { createUnknownNameError } from '../tools/unknown-name-error.ts';
import type { Invocation, ScopeOption } from './command.ts';

/**
 * Returns the configuration of the one contract that a command works on, which `--scope` can select.
 * @throws CommandError `usage` if no single contract is selected
 */
export function selectConfig(
  { configs }: LoadedConfig,
  { options: { scope } }: Pick<Invocation<ScopeOption>, 'options'>,
): Config {
  const scopes = configs.map(nameOf);
  const [config, ...moreConfigs] = configs.filter(
    (candidate) => scope === undefined || nameOf(candidate) === scope,
  );
  if (config === undefined) throw createUnknownNameError('contract of the scope', scope, scopes);
  if (moreConfigs.length === 0) return config;
  throw new CommandError(
    'usage',
    `The configuration has several contracts. Select one with --scope: ${scopes.join(', ')}.`,
  );
}

/** Returns the value of `--scope` that selects a contract. */
export function nameOf({ scope, output }: Config): string {
  return scope ?? output;
}

/** Creates the error for a contract with errors, which are shown before. */
export function createInvalidError(command: string): CommandError {
  const message = `The contract has errors. Correct them, then run \`${command}\` again.`;
  return new CommandError('invalid-contract', message);
}
