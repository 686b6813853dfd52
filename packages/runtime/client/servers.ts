import {
  type AddressOf,
  type CreateAddresses,
  missingBaseUrl,
  undescribed,
  unknownName,
  unknownServer,
} from './addresses.ts';
import { ClientError } from './client-error.ts';
import { toBase } from './draft.ts';
import type { ConnectionOptions } from './options.ts';
import type { ServerDescription, Servers } from './server-description.ts';

/**
 * Describes the servers of a service whose address is not one constant URL. An option that changes the address of the
 * service never leaves an operation that has its own server at the address of the contract: its call fails instead.
 * The returned function throws a ClientError `invalid-option` for an unusable address, an unknown server and an unknown
 * or invalid variable.
 */
export function serverAddresses(description: Servers): CreateAddresses {
  return (options) => addressesOf(options, description);
}

function addressesOf(
  options: ConnectionOptions,
  { root: server, ofOperations: servers = {}, isRootUsed = true }: Servers,
): AddressOf {
  const { baseUrl, baseUrls = {}, serverVariables = {} } = options;
  checkVariables(serverVariables, [
    ...(server === undefined ? [] : [server]),
    ...Object.values(servers),
  ]);
  const addresses = new Map<string, string>();
  for (const [key, url] of Object.entries(baseUrls)) {
    if (!Object.hasOwn(servers, key)) throw unknownName('baseUrls', key, Object.keys(servers));
    if (url === undefined) continue;
    const option = `baseUrls[${JSON.stringify(key)}]`;
    const address = toBase(url, option);
    if (servers[key]?.requiresTls === true && !isProtected(address))
      throw new ClientError('invalid-option', `The option ${option} must be an https URL.`);
    addresses.set(key, address);
  }
  let base = baseUrl === undefined ? undefined : toBase(baseUrl);
  const root = (): string => (base ??= rootAddress(server, serverVariables));
  if (isRootUsed) root();
  const setOfRoot =
    server === undefined
      ? []
      : variablesIn(server.url).filter((name) => isSet(serverVariables, name));

  const ownAddress = (id: string, key: string): string => {
    const description = Object.hasOwn(servers, key) ? servers[key] : undefined;
    const fault = (reason: string): ClientError => unknownServer(id, key, reason);
    if (description === undefined) throw fault(undescribed);
    if (baseUrl !== undefined) throw fault('The option baseUrl does not apply to it.');
    if (description.isOpen) throw fault('The contract leaves its address open.');
    const { url, missing } = fill(description, serverVariables);
    if (missing !== undefined) throw fault(missing);
    const isBelowRoot = /^\/(?![/\\])/.test(url);
    const names = variablesIn(description.url);
    const other = setOfRoot.find((name) => !names.includes(name));
    if (other !== undefined && !isBelowRoot)
      throw fault(`The server variable ${JSON.stringify(other)} does not apply to it.`);
    if (!isBelowRoot && !/^(?:https?:)?\/\//i.test(url))
      throw fault('The contract does not state its whole address.');
    const isWhole = !url.startsWith('/');
    const fullUrl = isWhole ? url : URL.canParse(url, root()) ? new URL(url, root()).href : url;
    let address: string;
    try {
      address = toBase(fullUrl);
    } catch {
      throw fault('Its address in the contract is not usable.');
    }
    if (description.requiresTls === true && !isProtected(address))
      throw fault('It requires https.');
    return address;
  };

  return ({ id, server: key }) => {
    if (key === undefined) return root();
    const cachedAddress = addresses.get(key);
    if (cachedAddress !== undefined) return cachedAddress;
    const address = ownAddress(id, key);
    addresses.set(key, address);
    return address;
  };
}

/** Returns the address of the contract for operations that do not have their own server. */
function rootAddress(
  server: ServerDescription | undefined,
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
): string {
  if (server === undefined) throw missingBaseUrl('');
  const fault = (reason: string): ClientError => missingBaseUrl(`${reason} `);
  if (server.isOpen) throw fault('The contract leaves the address open.');
  const { url, missing } = fill(server, serverVariables);
  if (missing !== undefined) throw fault(missing);
  if (url.startsWith('/') && !url.startsWith('//'))
    throw fault(
      `The contract states only the path of the service, ${JSON.stringify(url)}, as in https://service.example${url}.`,
    );
  try {
    return toBase(url);
  } catch {
    throw fault(
      `The server of the contract, ${JSON.stringify(url)}, is not an address that calls can be sent to.`,
    );
  }
}

/** Returns whether others cannot read what is sent to an address: it uses TLS, or is this machine. */
function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns the names of the variables in the URL of a server. */
function variablesIn(url: string): readonly string[] {
  return Array.from(url.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
}

function isSet(
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
  name: string,
): boolean {
  return Object.hasOwn(serverVariables, name) && serverVariables[name] !== undefined;
}

/** Replaces the variables of a URL by their values. `missing` describes a variable without a valid value. */
function fill(
  { url, variables = {} }: ServerDescription,
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
): { readonly url: string; readonly missing?: string } {
  let missing: string | undefined;
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isSet(serverVariables, name) ? serverVariables[name] : undefined;
    if (value !== undefined && variable?.enum?.includes(value) === false)
      missing = `Its variable ${JSON.stringify(name)} must be one of ${variable.enum.join(', ')}.`;
    const text = value ?? variable?.default;
    if (text === undefined) missing = `Its variable ${JSON.stringify(name)} has no default.`;
    return text ?? '';
  });
  return missing === undefined ? { url: filled } : { url: filled, missing };
}

/** Checks that each variable occurs in the URL of a server, and that one of these servers allows its value. */
function checkVariables(
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
  servers: readonly ServerDescription[],
): void {
  for (const [name, value] of Object.entries(serverVariables)) {
    if (value === undefined) continue;
    const option = `serverVariables[${JSON.stringify(name)}]`;
    if (typeof value !== 'string')
      throw new ClientError('invalid-option', `The option ${option} must be a text.`);
    const users = servers.filter(({ url }) => variablesIn(url).includes(name));
    if (users.length === 0)
      throw unknownName(
        'serverVariables',
        name,
        servers.flatMap(({ url }) => variablesIn(url)),
      );
    const allowed = users.map(({ variables = {} }) =>
      Object.hasOwn(variables, name) ? variables[name]?.enum : undefined,
    );
    if (allowed.some((values) => values === undefined || values.includes(value))) continue;
    throw new ClientError(
      'invalid-option',
      `The option ${option} must be one of ${[...new Set(allowed.flat())].join(', ')}.`,
    );
  }
}
