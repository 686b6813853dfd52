import { ClientError } from './client-error.ts';
import { toBase } from './draft.ts';
import type { OperationData } from './operation.ts';
import type { ConnectionOptions } from './options.ts';

/** Returns the base address of an operation, without trailing slashes. Throws a ClientError `invalid-option`. */
export type AddressOf = (operation: Pick<OperationData, 'id' | 'server'>) => string;

/** Creates the function that returns the base addresses of operations. Throws a ClientError `invalid-option`. */
export type CreateAddresses = (options: ConnectionOptions) => AddressOf;

/** The addresses of a service. */
export interface ServiceAddresses {
  /** The address of all operations, if the contract states one. Default: the client requires `baseUrl`. */
  readonly baseUrl?: string;
  /** Takes the place of `baseUrl` where the contract states variables or several servers: `serverAddresses`. */
  readonly createAddresses?: CreateAddresses;
}

/**
 * Creates the function that returns the base addresses of operations. All have the same, unless the service describes
 * its servers.
 * @throws ClientError `invalid-option` for an unusable address, and for servers and variables that are not described
 */
export function createAddresses(
  options: ConnectionOptions,
  { baseUrl, createAddresses: describedAddresses }: ServiceAddresses,
): AddressOf {
  if (describedAddresses !== undefined) return describedAddresses(options);
  for (const option of ['baseUrls', 'serverVariables'] as const)
    for (const name of Object.keys(options[option] ?? {})) throw unknownName(option, name);
  const stated = options.baseUrl ?? baseUrl;
  if (stated === undefined) throw missingBaseUrl('');
  const base = toBase(stated);
  return ({ id, server }) => {
    if (server !== undefined) throw unknownServer(id, server, undescribed);
    return base;
  };
}

/** The reason for which an operation has no address if the service does not describe its server. */
export const undescribed = 'The service of this client does not describe it.';

/** Creates the error for an operation whose server has no known address. */
export function unknownServer(id: string, server: string, reason: string): ClientError {
  const name = JSON.stringify(server);
  return new ClientError(
    'invalid-option',
    `${id} has the server ${name}. ${reason} State its address in the option baseUrls[${name}].`,
  );
}

/** Creates the error for a client without the address of the service. */
export function missingBaseUrl(reason: string): ClientError {
  return new ClientError(
    'invalid-option',
    `The option baseUrl is missing. ${reason}State the address of the service, with its path.`,
  );
}

/** Creates the error for a member of an option that the contract does not have. */
export function unknownName(
  option: string,
  name: string,
  names: readonly string[] = [],
): ClientError {
  const nameList = names.length === 0 ? 'none' : [...new Set(names)].join(', ');
  return new ClientError(
    'invalid-option',
    `The option ${option} has no member ${JSON.stringify(name)}. The contract has ${nameList}.`,
  );
}
