import { CommandError, type ExitCode } from 'countersign/companion/terminal';
import { refuseFormText } from './json-option.ts';
import type { SendFlags, SendInvocation } from './send-options.ts';

/** The options that only a delivery to `--to` has, by their names in camel case. */
const endpointOptions = [
  'appendLabel',
  'header',
  'headerEnv',
  'pathSecretEnv',
  'signature',
  'sign',
  'keyEnv',
  'publicUrl',
  'answer',
  'mediaType',
  'clientCert',
  'clientKey',
  'ca',
  'timeoutMs',
  'allowRemote',
  'scope',
] as const satisfies readonly (keyof SendFlags)[];

/**
 * Sends a notification to the endpoint of `--to`. Without `--to`, the simulator that runs for this project sends it to
 * its receiver.
 * @throws CommandError `usage` for an option that the chosen way of sending does not have
 */
export async function runSend(invocation: SendInvocation): Promise<ExitCode> {
  const { options } = invocation;
  for (const name of ['data', 'payload'] as const) refuseFormText(`--${name}`, options[name]);
  if (options.to === undefined) {
    for (const name of endpointOptions)
      if (options[name] !== undefined)
        throw new CommandError(
          'usage',
          `${flagOf(name, options)} requires --to: without it, the running simulator sends, with the settings of \`countersign simulate\`.`,
        );
    return await (await import('./send-from-simulator.ts')).sendFromSimulator(invocation);
  }
  return await (await import('./send-to-endpoint.ts')).sendToEndpoint(invocation);
}

/** Returns an option as it is written on the command line. */
function flagOf(name: (typeof endpointOptions)[number], options: SendFlags): string {
  const words = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  return options[name] === false ? `--no-${words}` : `--${words}`;
}
