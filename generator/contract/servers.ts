import { memoize } from '../execution/memoize.ts';
import type { Contract, Operation, SecurityScheme, Server } from './contract.ts';
import { openEntries, isStatedAt } from './ledger-entries.ts';

/** The servers that calls are sent to. */
export interface Servers {
  /** The server of operations that do not have one: the first of the document. */
  readonly root: Server | undefined;
  /** Whether any operation is sent to `root`. */
  readonly isRootUsed: boolean;
  /** The servers of single operations or paths: the first of their lists. */
  readonly overrides: readonly OwnServer[];
  /** The own servers of operations. */
  readonly byOperation: ReadonlyMap<Operation, OwnServer>;
  /** The token endpoints of the security schemes that operations use. */
  readonly tokenEndpoints: readonly TokenEndpoint[];
}

/** An address at which security schemes obtain access tokens with the client credentials flow. */
export interface TokenEndpoint {
  /** The address as the contract states it; unique among own servers. The option `baseUrls` of clients uses it. */
  readonly key: string;
  /** The address without what follows it, which can be relative to the server of the document. */
  readonly server: Server;
  /** What follows the address: nothing, a slash or a query. */
  readonly path: string;
  readonly schemes: readonly SecurityScheme[];
}

/** A server of single operations, instead of that of the document. */
export interface OwnServer {
  /** Its name, or else its URL as the contract states it; unique. The option `baseUrls` of clients uses it. */
  readonly key: string;
  readonly server: Server;
  readonly operations: readonly Operation[];
}

/**
 * Returns the servers of a contract. An operation whose server equals that of the document uses the latter. In a
 * document without servers, the one that all operations have is the server of the document.
 */
export const serversOf: (contract: Contract) => Servers = memoize((contract) => {
  const { info, operations } = contract;
  const [declared] = info.servers;
  const [first] = operations[0]?.servers ?? [];
  const isShared =
    first !== undefined &&
    operations.every(({ servers: [server] }) => server !== undefined && isSame(server, first));
  const root = declared ?? (isShared ? first : undefined);
  const overrides: { key: string; server: Server; operations: Operation[] }[] = [];
  const byOperation = new Map<Operation, OwnServer>();
  for (const operation of operations) {
    const [server] = operation.servers;
    if (server === undefined || (root !== undefined && isSame(server, root))) continue;
    let entry = overrides.find((candidate) => isSame(candidate.server, server));
    if (entry === undefined) {
      const name = server.name ?? server.url;
      let key = name;
      for (let count = 2; overrides.some((other) => other.key === key); count += 1)
        key = `${name} (${count})`;
      entry = { key, server, operations: [] };
      overrides.push(entry);
    }
    entry.operations.push(operation);
    byOperation.set(operation, entry);
  }
  return {
    root,
    isRootUsed:
      operations.length === 0 || operations.some((operation) => !byOperation.has(operation)),
    overrides,
    byOperation,
    tokenEndpoints: tokenEndpointsOf(contract, root, new Set(overrides.map(({ key }) => key))),
  };
});

function tokenEndpointsOf(
  { security, operations, defaultSecurity = [] }: Contract,
  root: Server | undefined,
  taken: Set<string>,
): readonly TokenEndpoint[] {
  const requirements = [defaultSecurity, ...operations.map((operation) => operation.security)].flat(
    2,
  );
  const used = new Set(requirements.map(({ scheme }) => scheme));
  const schemes = security.filter(
    ({ id, clientCredentials }) => used.has(id) && clientCredentials !== undefined,
  );
  const byUrl = Map.groupBy(schemes, ({ clientCredentials }) => clientCredentials?.tokenUrl ?? '');
  return Array.from(byUrl, ([tokenUrl, users]) => {
    let key = tokenUrl;
    for (let count = 2; taken.has(key); count += 1) key = `${tokenUrl} (${count})`;
    taken.add(key);
    const [address = '', query] = tokenUrl.split(/(?=\?)/u, 2);
    const isHost = /^https?:\/\/[^/]*$/iu.test(address);
    const slash = isHost || address.endsWith('/') ? '/' : '';
    const url = toServerUrl(address.replace(/\/+$/u, ''), root);
    const server: Server = {
      kind: 'server',
      pointer: users[0]?.clientCredentials?.pointer ?? users[0]?.pointer ?? 'openapi#',
      source: [],
      url,
      // An address does not declare variables: those of the server can occur in it.
      variables: (root?.variables ?? []).filter(({ name }) => url.includes(`{${name}}`)),
    };
    return { key, server, path: slash + (query ?? ''), schemes: users };
  });
}

/** Returns the URL of a server for an address that can be relative to the URL of the document's server. */
function toServerUrl(address: string, root: Server | undefined): string {
  if (/^(?:https?:\/\/|\/)/iu.test(address)) return address;
  const path = (root?.url ?? '/').replace(/^https?:\/\/[^/]*/iu, '');
  return `${path.slice(0, path.lastIndexOf('/'))}/${address}`;
}

/** Returns whether two servers have the same address, whatever their variables are set to. */
function isSame(first: Server, second: Server): boolean {
  return first.url === second.url && addressText(first) === addressText(second);
}

function addressText({ name, variables }: Server): string {
  return JSON.stringify([
    name,
    variables.map((variable) => [variable.name, variable.default, variable.enum]),
  ]);
}

/** A variable that occurs in the URL of a server. */
export type ServerVariable = Server['variables'][number];

/** Returns the variables that occur in the URL of a server. */
export function usedVariables({ url, variables }: Server): readonly ServerVariable[] {
  return variables.filter(({ name }) => url.includes(`{${name}}`));
}

/**
 * Returns whether the ledger leaves open which address a server has: an entry at the server is neither settled nor has
 * an assumption.
 */
export function hasOpenAddress(contract: Contract, { pointer }: Server): boolean {
  return openEntries(contract).some(
    (entry) => entry.assumed === undefined && isStatedAt(entry, pointer),
  );
}

/**
 * Returns the address of a server with the defaults of its variables. `undefined` where a variable has none, where the
 * ledger leaves the address open, and where it is not an http or https URL that paths can be appended to.
 * @param base the address that a path such as `/v2` is relative to
 */
export function defaultAddress(
  contract: Contract,
  server: Server | undefined,
  base?: string,
): string | undefined {
  if (server === undefined || hasOpenAddress(contract, server)) return undefined;
  const variables = usedVariables(server);
  if (variables.some((variable) => variable.default === undefined)) return undefined;
  const url = filledUrl(server);
  const isPath = url.startsWith('/');
  if (!isPath && !/^https?:\/\//iu.test(url)) return undefined;
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, username, password, search, hash, href } = new URL(url, base);
  const isPlain = /^https?:$/u.test(protocol) && username + password + search + hash === '';
  return isPlain ? (isPath ? href : url) : undefined;
}

/** Returns the URL of a server with the defaults of its variables. Variables without a default stay in braces. */
export function filledUrl({ url, variables }: Server): string {
  return variables.reduce(
    (text, { name, default: value }) =>
      value === undefined ? text : text.replaceAll(`{${name}}`, () => value),
    url,
  );
}
