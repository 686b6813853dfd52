import { optional } from '../json/json.ts';
import type { Contract, Operation, OwnServer, Server, Servers, TokenEndpoint } from './contract.ts';
import { openEntries, isStatedAt } from './ledger-entries.ts';
import { NameRegistry, toMemberName } from './names.ts';
import { templateNames } from './path-template.ts';

/** What decides where calls are sent. */
type Sources<Stated> = Pick<Contract, 'info' | 'security' | 'defaultSecurity'> & {
  readonly operations: readonly Stated[];
};

type StatedOperation = Pick<
  Operation,
  'id' | 'path' | 'servers' | 'security' | 'names' | 'ownServer'
>;

/**
 * Decides where calls are sent. An operation whose server equals that of the document uses the latter. In a document
 * without servers, the one that all operations have is the server of the document.
 */
export function assignServers<Stated extends StatedOperation>(
  sources: Sources<Stated>,
): { readonly servers: Servers; readonly operations: readonly Stated[] } {
  const { info } = sources;
  const [declared] = info.servers;
  const [first] = sources.operations[0]?.servers ?? [];
  const isShared =
    first !== undefined &&
    sources.operations.every(
      ({ servers: [server] }) => server !== undefined && isSame(server, first),
    );
  const root = declared ?? (isShared ? first : undefined);
  const overrides: OwnServer[] = [];
  const operations = sources.operations.map((stated): Stated => {
    const { ownServer: _, ...others } = stated;
    const operation = others as Stated;
    const [server] = operation.servers;
    if (server === undefined || (root !== undefined && isSame(server, root))) return operation;
    let entry = overrides.find((candidate) => isSame(candidate.server, server));
    if (entry === undefined) {
      const name = server.name ?? server.url;
      let key = name;
      for (let count = 2; overrides.some((other) => other.key === key); count += 1)
        key = `${name} (${count})`;
      entry = { key, server };
      overrides.push(entry);
    }
    return { ...operation, ownServer: entry.key };
  });
  return {
    operations,
    servers: {
      ...optional('root', root),
      isRootUsed:
        operations.length === 0 || operations.some(({ ownServer }) => ownServer === undefined),
      overrides,
      tokenEndpoints: tokenEndpointsOf(sources, root, new Set(overrides.map(({ key }) => key))),
    },
  };
}

/** Returns the own server of an operation; `undefined` if it is called at that of the document. */
export function ownServerOf(
  { servers }: Pick<Contract, 'servers'>,
  { ownServer }: Pick<Operation, 'ownServer'>,
): OwnServer | undefined {
  return servers.overrides.find(({ key }) => key === ownServer);
}

/** Returns the operations that have an own server. */
export function operationsAt({ operations }: Contract, key: string): readonly Operation[] {
  return operations.filter(({ ownServer }) => ownServer === key);
}

function tokenEndpointsOf(
  { security, operations, defaultSecurity = [] }: Sources<StatedOperation>,
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
  const names = new NameRegistry<string>();
  const calls = operations.filter((operation) => operation.names !== undefined);
  for (const { id, names: own } of calls) names.claim(own?.name ?? '', id);
  const paths = new Set(calls.map(({ path }) => path));
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
      variables: usedVariables({ url, variables: root?.variables ?? [] }),
    };
    const [firstId = ''] = users.map(({ id }) => id).toSorted();
    const servedPath = freePath(pathOf(url), paths);
    paths.add(servedPath);
    return {
      key,
      server,
      path: slash + (query ?? ''),
      schemes: users.map(({ id }) => id),
      name: names.claimFree(`${toMemberName(firstId)}Token`, `token endpoint ${key}`),
      servedPath,
    };
  });
}

/** Returns the path of a URL in segments of plain characters. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/iu, '').replaceAll(/[^\w/.~-]/gu, '-');
  const segments = path.split('/').filter((segment) => !/^\.{0,2}$/u.test(segment));
  return segments.length === 0 ? '/token' : `/${segments.join('/')}`;
}

function freePath(path: string, taken: ReadonlySet<string>): string {
  let free = path;
  for (let count = 2; taken.has(free); count += 1) free = `${path}-${count}`;
  return free;
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
export function usedVariables({
  url,
  variables,
}: Pick<Server, 'url' | 'variables'>): readonly ServerVariable[] {
  const used = new Set(templateNames(url));
  return variables.filter(({ name }) => used.has(name));
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
  const defaults = new Map(variables.map((variable) => [variable.name, variable.default]));
  return url.replaceAll(/\{([^{}]*)\}/gu, (whole, name: string) => defaults.get(name) ?? whole);
}
