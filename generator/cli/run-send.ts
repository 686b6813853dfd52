import { CommandError } from '../tools/command-error.ts';
import type { Invocation } from './command.ts';
import type { ExitCode } from './failure.ts';
import { refuseFormText } from './option-values.ts';

/** The options that only a delivery to `--to` has, by their names in camel case. */
const endpointOptions = [
  'appendLabel',
  'header',
  'headerEnv',
  'pathSecretEnv',
  'signature',
  'keyEnv',
  'publicUrl',
  'answer',
  'clientCert',
  'clientKey',
  'ca',
  'timeoutMs',
  'allowRemote',
  'scope',
] as const;

/** The options that only a delivery of the running simulator has, by their names in camel case. */
const simulatorOptions = ['payload', 'fault', 'allowInvalid', 'console'] as const;

/**
 * Sends a notification to the endpoint of `--to`. Without `--to`, the simulator that runs for this project sends it to
 * its receiver.
 * @throws CommandError `usage` for an option that the chosen way of sending does not have
 */
export async function runSend(invocation: Invocation): Promise<ExitCode> {
  const { options } = invocation;
  for (const name of ['data', 'payload']) refuseFormText(`--${name}`, options[name]);
  if (options['to'] === undefined) {
    for (const name of endpointOptions)
      if (options[name] !== undefined)
        throw new CommandError(
          'usage',
          `${flagOf(name, options)} requires --to: without it, the running simulator sends, with the settings of \`countersign simulate\`.`,
        );
    return await (await import('./send-from-simulator.ts')).sendFromSimulator(invocation);
  }
  for (const name of simulatorOptions)
    if (options[name] !== undefined)
      throw new CommandError(
        'usage',
        `${flagOf(name, options)} cannot be combined with --to: only the running simulator, which sends without --to, has it.`,
      );
  return await (await import('./send-to-endpoint.ts')).sendToEndpoint(invocation);
}

/** Returns an option as it is written on the command line. */
function flagOf(name: string, options: Invocation['options']): string {
  const words = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  return options[name] === false ? `--no-${words}` : `--${words}`;
}
