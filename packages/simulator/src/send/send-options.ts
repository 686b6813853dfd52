import type { Invocation, Pairs } from 'countersign/companion/command';
import { readSecret, secretVariable } from 'countersign/companion/secrets';
import { CommandError } from 'countersign/companion/terminal';
import { isJsonObject } from 'countersign/companion/values';
import type { SendOptions } from '../sending/send-options.ts';
import { assertHeader, type DeliveryFlags, readDeliveryOptions } from './delivery-options.ts';
import { readJsonOption } from './json-option.ts';

/** The options of `send`, as they are given. */
export interface SendFlags extends DeliveryFlags {
  readonly example?: string;
  readonly mediaType?: string;
  readonly data?: string;
  readonly parameter?: Pairs;
  readonly payload?: string;
  readonly sample?: true;
  readonly fault?: readonly string[];
  readonly allowInvalid?: true;
  readonly console?: string;
  readonly appendLabel?: true;
  readonly header?: Pairs;
  readonly sign?: true;
  readonly timeoutMs?: number;
}

/** The command line of `send`. */
export type SendInvocation = Invocation<SendFlags, readonly [event: string]>;

/** What is sent to an endpoint, and how, validated as far as is possible without the contract. */
export interface EndpointOptions extends SendOptions {
  readonly to: URL;
  readonly example: string | undefined;
  /** One of the media types of the notification. */
  readonly mediaType: string | undefined;
  /** Whether a sample of the schema is sent in place of an example. */
  readonly isSample: boolean;
  readonly data: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  /** Values of headers without secrets, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the only signature of the contract signs, also if the contract does not state it for the notification. */
  readonly mustSign: boolean;
  /** The name of the environment variable with the key. */
  readonly keyVariable: string;
}

/**
 * Reads and validates the options of a delivery to `--to`.
 * @throws CommandError `usage`, with a message that repeats no value that can be secret; `missing-secret`
 */
export async function readSendOptions(
  invocation: Pick<SendInvocation, 'options' | 'terminal'>,
): Promise<EndpointOptions> {
  const { options, terminal } = invocation;
  const delivery = await readDeliveryOptions(invocation, (variable) =>
    readSecret(terminal.environment, variable),
  );
  const { to } = delivery;
  if (!(to instanceof URL)) throw wrong('Give the endpoint with --to.');
  const headers = (options.header ?? []).map(
    ([name, value]) => [name.toLowerCase(), assertHeader(name, value.trim())] as const,
  );
  return {
    ...delivery,
    to,
    appendLabel: options.appendLabel === true,
    ...(options.timeoutMs === undefined ? {} : { attemptTimeoutMs: options.timeoutMs }),
    example: options.example,
    mediaType: options.mediaType,
    isSample: options.sample === true,
    data: await readData(options.data, terminal.folder),
    parameters: new Map(
      (options.parameter ?? []).map(([name, value]) => [name, segment(name, value)]),
    ),
    headers: Object.fromEntries(headers),
    mustSign: options.sign === true,
    keyVariable: options.keyEnv ?? secretVariable,
  };
}

async function readData(value: string | undefined, folder: string): Promise<string | undefined> {
  const data = await readJsonOption('--data', value, folder);
  if (data === undefined || isJsonObject(JSON.parse(data))) return data;
  throw wrong('--data requires a JSON object.');
}

/**
 * Returns a value for one segment of a path.
 * @throws CommandError `usage` for a value that changes the path when the URL is normalized, such as `..`
 */
function segment(name: string, value: string): string {
  if (value !== '' && value !== '.' && value !== '..' && value.isWellFormed()) return value;
  throw wrong(`--parameter ${name}: this value would change the rest of the path.`);
}

function wrong(message: string): CommandError {
  return new CommandError('usage', message);
}
