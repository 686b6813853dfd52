import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { PublicUrl } from '@countersign/runtime/base';
import type { Invocation, Pairs, ScopeOption } from 'countersign/companion/command';
import { readSecret } from 'countersign/companion/secrets';
import { CommandError } from 'countersign/companion/terminal';
import { isJsonObject } from 'countersign/companion/values';
import { readJsonOption } from './json-option.ts';
import type { TlsOptions } from './tls-files.ts';

/** The timeout of a delivery in milliseconds, if `--timeout-ms` does not state it. */
const defaultTimeoutMs = 10_000;

/** The options of `send`, as they are given. */
export interface SendFlags extends TlsOptions, ScopeOption {
  readonly to?: string;
  readonly example?: string;
  readonly data?: string;
  readonly parameter?: Pairs;
  readonly payload?: string;
  readonly sample?: true;
  readonly fault?: readonly string[];
  readonly allowInvalid?: true;
  readonly console?: string;
  readonly appendLabel?: true;
  readonly header?: Pairs;
  readonly headerEnv?: Pairs;
  readonly pathSecretEnv?: string;
  readonly signature?: string | boolean;
  readonly keyEnv?: string;
  readonly publicUrl?: string;
  readonly answer?: Pairs;
  readonly timeoutMs?: number;
  readonly allowRemote?: true;
}

/** The command line of `send`. */
export type SendInvocation = Invocation<SendFlags, readonly [event: string]>;

/** The options of a delivery, validated as far as is possible without the contract. */
export interface SendOptions {
  readonly to: URL;
  readonly example: string | undefined;
  /** Whether a sample of the schema is sent in place of an example. */
  readonly isSample: boolean;
  readonly data: string | undefined;
  readonly appendsLabel: boolean;
  readonly parameters: ReadonlyMap<string, string>;
  /** Header values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A secret segment behind the path of `to`. */
  readonly pathSecret: string | undefined;
  /** The name of a scheme, `true` for the only one, `false` for none; `undefined` if the option is not given. */
  readonly signature: string | boolean | undefined;
  /** The name of the environment variable with the key. */
  readonly secretVariable: string;
  /** What senders call instead of `to`, where a proxy changes the URL; the signature covers it. */
  readonly publicUrl: PublicUrl | undefined;
  /** Values that are redacted from the response before it is shown. */
  readonly secrets: readonly string[];
  /** The timeout in milliseconds. */
  readonly timeoutMs: number;
  readonly allowsRemote: boolean;
}

/**
 * Reads and validates the options of a delivery to `--to`.
 * @throws CommandError `usage`, with a message that repeats no value that can be secret; `missing-secret`
 */
export async function readSendOptions({ options, terminal }: SendInvocation): Promise<SendOptions> {
  const to = readUrl(options.to);
  const fromEnvironment = (options.headerEnv ?? []).map(
    ([name, variable]) => [name, readSecret(terminal.environment, variable)] as const,
  );
  const headers = [...(options.header ?? []), ...fromEnvironment].map(
    ([name, value]) => [name.toLowerCase(), assertHeader(name, value.trim())] as const,
  );
  const { pathSecretEnv: pathVariable } = options;
  const pathSecret =
    pathVariable === undefined ? undefined : readSecret(terminal.environment, pathVariable);
  return {
    to,
    pathSecret,
    example: options.example,
    isSample: options.sample === true,
    data: await readData(options.data, terminal.folder),
    appendsLabel: options.appendLabel === true,
    parameters: new Map(
      (options.parameter ?? []).map(([name, value]) => [name, segment(name, value)]),
    ),
    headers: Object.fromEntries(headers),
    signature: options.signature,
    secretVariable: options.keyEnv ?? 'WEBHOOK_SECRET',
    publicUrl: readPublicUrl(options.publicUrl),
    secrets: [
      ...fromEnvironment.map(([, value]) => value),
      ...(pathSecret === undefined ? [] : [pathSecret]),
      // Values of up to 3 characters are hardly secrets, and redacting them would garble other text.
      ...Array.from(to.searchParams.values()).filter((value) => value.length > 3),
    ],
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    allowsRemote: options.allowRemote === true,
  };
}

/**
 * Reads the option `--to`.
 * @throws CommandError `usage`
 */
export function readUrl(value = ''): URL {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw wrong('--to requires a URL such as http://127.0.0.1:3000/webhooks.');
  if (url.username !== '' || url.password !== '')
    throw wrong('--to must not contain credentials. Give them with --header-env.');
  url.hash = '';
  return url;
}

/** Reads the option `--public-url`: a URL or a path, or `<received>=<called>`. */
export function readPublicUrl(publicUrl: string | undefined): PublicUrl | undefined {
  const [, received, called] = /^(\/[^=]*)=(.*)$/su.exec(publicUrl ?? '') ?? [];
  return received === undefined || called === undefined ? publicUrl : { received, called };
}

async function readData(value: string | undefined, folder: string): Promise<string | undefined> {
  const data = await readJsonOption('--data', value, folder);
  if (data === undefined || isJsonObject(JSON.parse(data))) return data;
  throw wrong('--data requires a JSON object.');
}

/**
 * Returns the value of a header.
 * @throws CommandError `usage` if HTTP does not allow the name or the value
 */
export function assertHeader(name: string, value: string): string {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw wrong('The name or value of a header is not valid in HTTP.');
  }
  return value;
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
