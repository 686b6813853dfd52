import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TlsIdentity } from '../sending/tls-identity.ts';
import type { Invocation } from 'countersign/companion/command';
import { CommandError } from 'countersign/companion/terminal';

/** The certificates with which a delivery is sent over TLS. */
export interface TlsFiles {
  /** The client certificate with its private key, in PEM. */
  readonly certificate?: TlsIdentity;
  /** The certificates of the authorities that are trusted, in PEM. */
  readonly ca?: string;
}

/** The options with these files. */
export interface TlsOptions {
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly ca?: string;
}

/**
 * Reads the files of `--client-cert`, `--client-key` and `--ca`.
 * @throws CommandError `usage` for one without the other, and for a file that cannot be read
 */
export async function readTlsFiles({
  options,
  terminal,
}: Pick<Invocation<TlsOptions>, 'options' | 'terminal'>): Promise<TlsFiles> {
  const read = async (flag: string, file: string): Promise<string> => {
    try {
      return await readFile(resolve(terminal.folder, file), 'utf8');
    } catch (error) {
      throw new CommandError('usage', `The file of ${flag} cannot be read.`, { cause: error });
    }
  };
  const { clientCert: cert, clientKey: key, ca } = options;
  if ((cert === undefined) !== (key === undefined))
    throw new CommandError('usage', '--client-cert and --client-key require each other.');
  return {
    ...(cert === undefined || key === undefined
      ? {}
      : {
          certificate: {
            cert: await read('--client-cert', cert),
            key: await read('--client-key', key),
          },
        }),
    ...(ca === undefined ? {} : { ca: await read('--ca', ca) }),
  };
}
