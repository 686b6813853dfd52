import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { PublicUrl } from '@countersign/runtime/base';
import type { Invocation, Pairs, ScopeOption } from 'countersign/companion/command';
import { CommandError } from 'countersign/companion/terminal';
import type { SendOptions } from '../sending/send-options.ts';
import { readTlsFiles, type TlsOptions } from './tls-files.ts';

/** The options of deliveries, as `simulate` and `send --to` are given them. */
export interface DeliveryFlags extends TlsOptions, ScopeOption {
  readonly to?: string;
  readonly answer?: Pairs;
  readonly signature?: string | false;
  readonly keyEnv?: string;
  readonly headerEnv?: Pairs;
  readonly pathSecretEnv?: string;
  readonly publicUrl?: string;
  readonly allowRemote?: true;
}

/**
 * Reads and validates the options of deliveries.
 * @param read returns the value of an environment variable
 * @throws CommandError `usage`, with a message that repeats no value that can be secret; and the errors of `read`
 */
export async function readDeliveryOptions(
  { options, terminal }: Pick<Invocation<DeliveryFlags>, 'options' | 'terminal'>,
  read: (variable: string) => string,
): Promise<SendOptions> {
  const { to, signature, headerEnv = [], pathSecretEnv } = options;
  const publicUrl = readPublicUrl(options.publicUrl);
  const url = to === undefined ? undefined : readUrl(to);
  const headers = headerEnv.map(
    ([name, variable]) => [name.toLowerCase(), assertHeader(name, read(variable))] as const,
  );
  const { certificate, ca } = await readTlsFiles({ options, terminal });
  return {
    ...(url === undefined ? {} : { to: url }),
    ...(ca === undefined ? {} : { ca }),
    allowRemote: options.allowRemote === true,
    answers: Object.fromEntries(options.answer ?? []),
    authentication: {
      ...(signature === undefined ? {} : { signature }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(pathSecretEnv === undefined ? {} : { pathSecret: read(pathSecretEnv) }),
      ...(certificate === undefined ? {} : { clientCertificate: certificate }),
      headers: Object.fromEntries(headers),
    },
  };
}

/** Reads the option `--to`. */
function readUrl(value: string): URL {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw wrong('--to requires a URL such as http://127.0.0.1:3000/webhooks.');
  if (url.username !== '' || url.password !== '')
    throw wrong('--to must not contain credentials. Give them with --header-env.');
  url.hash = '';
  return url;
}

/** Reads the option `--public-url`: a URL or a path, or `<received>=<called>`. */
function readPublicUrl(publicUrl: string | undefined): PublicUrl | undefined {
  const [, received, called] = /^(\/[^=]*)=(.*)$/su.exec(publicUrl ?? '') ?? [];
  return received === undefined || called === undefined ? publicUrl : { received, called };
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

function wrong(message: string): CommandError {
  return new CommandError('usage', message);
}
