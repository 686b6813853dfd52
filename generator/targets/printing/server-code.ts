import type { Contract, OwnServer, Server, TokenEndpoint } from '../../contract/contract.ts';
import {
  defaultAddress,
  filledUrl,
  hasOpenAddress,
  operationsAt,
  type ServerVariable,
  usedVariables,
} from '../../contract/servers.ts';
import { schemeOf } from '../../contract/authentication.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { type Code, code, imported, joinCode } from '../code.ts';
import { literal, literalUnion, memberName, object, objectUnlessEmpty } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';

/**
 * Describes the servers for the runtime, as members of the service. The code for variables and several servers is part
 * of a client only where the contract has them.
 */
export function describeServers(contract: Contract): Readonly<Record<string, Code | undefined>> {
  const { root, overrides, isRootUsed, tokenEndpoints } = contract.servers;
  const address = defaultAddress(contract, root);
  const isStated = address !== undefined || root === undefined || hasOpenAddress(contract, root);
  const isOnlyOne = overrides.length + tokenEndpoints.length === 0;
  if (isStated && isOnlyOne && settableVariables(contract).size === 0)
    return { baseUrl: address === undefined ? undefined : literal(address) };
  const servers = object({
    root: root && describeServer(contract, root),
    ofOperations: objectUnlessEmpty([
      ...overrides.map(({ key, server }) => [key, describeServer(contract, server)] as const),
      ...tokenEndpoints.map(
        ({ key, server }) => [key, describeServer(contract, server, literal(true))] as const,
      ),
    ]),
    isRootUsed: isRootUsed ? undefined : literal(false),
  });
  return { createAddresses: code`${imported('serverAddresses')}(${servers})` };
}

function describeServer(contract: Contract, server: Server, requiresTls?: Code): Code {
  return object({
    url: literal(server.url),
    variables: objectUnlessEmpty(
      usedVariables(server)
        .filter((variable) => variable.default !== undefined || variable.enum !== undefined)
        .map((variable) => [
          variable.name,
          object({
            default: variable.default === undefined ? undefined : literal(variable.default),
            enum: variable.enum === undefined ? undefined : literal(variable.enum),
          }),
        ]),
    ),
    isOpen: hasOpenAddress(contract, server) ? literal(true) : undefined,
    requiresTls,
  });
}

/** The options of a client that concern addresses, as members of an interface. */
export interface AddressOptions {
  /** Whether a client can be created without a base URL. */
  readonly hasDefault: boolean;
  readonly members: readonly Code[];
}

/** The maximum number of operations that a comment lists. */
const maxListed = 10;

/** Describes the options of a client that concern addresses. */
export function describeAddressOptions(contract: Contract): AddressOptions {
  const { root, overrides, isRootUsed, tokenEndpoints } = contract.servers;
  const address = defaultAddress(contract, root);
  const hasDefault = address !== undefined || !isRootUsed;
  const url = root === undefined ? '' : filledUrl(root);
  const isPath = address === undefined && /^\/./u.test(url);
  const about = [
    'The address that paths are appended to. It has no query, fragment or credentials.',
    ...(address === undefined ? [] : [`Default: \`${address}\`.`]),
    ...(isPath
      ? [
          `The contract states only the path of the service, \`${url}\`, which is part of this address, as in \`https://service.example${url}\`.`,
        ]
      : []),
    ...(overrides.length === 0
      ? []
      : [
          'Calls of operations that have their own server do not use it: they need an address in `baseUrls` if it is given.',
        ]),
    ...(tokenEndpoints.length === 0
      ? []
      : ['Token requests do not use it either: their addresses are in `baseUrls` too.']),
    ...(isRootUsed ? [] : ['No operation uses it: only `request()` does.']),
  ];
  const comment = jsdoc({
    summary: about.join(' '),
    questions: entriesAt(contract, ...contract.info.servers.map(({ pointer }) => pointer)),
  });
  const members = [code`${comment}\nreadonly baseUrl${hasDefault ? code`?` : code``}: string;`];
  if (overrides.length + tokenEndpoints.length > 0) {
    const about = [
      ...overrides.map((server) => [server.key, aboutServer(contract, server, address)] as const),
      ...tokenEndpoints.map(
        (endpoint) => [endpoint.key, aboutEndpoint(contract, endpoint, address)] as const,
      ),
    ];
    const addresses = about.map(
      ([key, summary]) => code`${jsdoc({ summary })}\nreadonly ${memberName(key)}?: string;`,
    );
    const summary = [
      ...(overrides.length === 0
        ? []
        : [
            'The addresses of operations that have their own server, by the URL or name of the server in the contract. If `baseUrl` is given, a call of such an operation fails with `invalid-option` unless its address is here.',
          ]),
      ...(tokenEndpoints.length === 0
        ? []
        : [
            'The addresses of token endpoints, by the URL in the contract. If `baseUrl` is given, a call that needs a token fails with `invalid-option` unless the address is here.',
          ]),
    ].join(' ');
    members.push(
      code`${jsdoc({ summary })}\nreadonly baseUrls?: {\n${joinCode(addresses, '\n')}\n};`,
    );
  }
  const variables = settableVariables(contract);
  if (variables.size > 0) {
    const summary =
      'The values of variables in the URLs of servers. If one changes the address of the service, a call of an operation with a server without this variable fails with `invalid-option` unless its address is in `baseUrls`.';
    const values = Array.from(variables, ([name, declared]) => variableMember(name, declared));
    members.push(
      code`${jsdoc({ summary })}\nreadonly serverVariables?: {\n${joinCode(values, '\n')}\n};`,
    );
  }
  return { hasDefault, members };
}

function aboutServer(
  contract: Contract,
  { key, server }: OwnServer,
  base: string | undefined,
): string {
  const operations = operationsAt(contract, key);
  const names = operations.slice(0, maxListed).map(({ name }) => `\`${name}\``);
  const more = operations.length > maxListed ? ` and ${operations.length - maxListed} more` : '';
  const address = defaultAddress(contract, server, base);
  const usual =
    address === undefined
      ? 'The contract states no address that they can be sent to.'
      : `Default, without \`baseUrl\`: \`${address}\`.`;
  const description = server.description === undefined ? '' : `${server.description}\n\n`;
  return `${description}The server of ${names.join(', ')}${more}. ${usual}`;
}

/** Returns the address of a token endpoint that the contract states; `undefined` where it states none. */
export function endpointAddress(
  contract: Contract,
  { server, path }: TokenEndpoint,
  base: string | undefined,
): string | undefined {
  const address = defaultAddress(contract, server, base);
  return address === undefined ? undefined : address + path;
}

function aboutEndpoint(
  contract: Contract,
  endpoint: TokenEndpoint,
  base: string | undefined,
): string {
  const names = endpoint.schemes
    .map((scheme) => `\`${schemeOf(contract, { scheme }).name}\``)
    .join(', ');
  const address = endpointAddress(contract, endpoint, base);
  const usual =
    address === undefined
      ? 'The contract states no address that requests can be sent to.'
      : `Default, without \`baseUrl\`: \`${address}\`.`;
  return `The token endpoint of ${names}. It requires https, except on this machine. ${usual}`;
}

/**
 * Returns the variables that a client can set, by their names, as each server declares them. A variable that is the
 * whole URL is left out: the options for the address have the same meaning.
 */
function settableVariables(contract: Contract): ReadonlyMap<string, readonly ServerVariable[]> {
  const { root, overrides, tokenEndpoints } = contract.servers;
  const servers = [
    ...(root === undefined ? [] : [root]),
    ...[...overrides, ...tokenEndpoints].map(({ server }) => server),
  ];
  const variablesByName = new Map<string, ServerVariable[]>();
  for (const server of servers) {
    for (const variable of usedVariables(server)) {
      if (server.url === `{${variable.name}}` && variable.enum === undefined) continue;
      const declared = variablesByName.get(variable.name) ?? [];
      declared.push(variable);
      variablesByName.set(variable.name, declared);
    }
  }
  return variablesByName;
}

function variableMember(name: string, declared: readonly ServerVariable[]): Code {
  const enums = declared.flatMap((variable) =>
    variable.enum === undefined ? [] : [variable.enum],
  );
  const type =
    enums.length === declared.length ? literalUnion([...new Set(enums.flat())]) : code`string`;
  const defaults = new Set(declared.flatMap((variable) => variable.default ?? []));
  const usual =
    defaults.size === 0
      ? 'The contract states no default.'
      : `Default: ${[...defaults].map((value) => `\`${value}\``).join(', or ')}.`;
  const description = declared.find((variable) => variable.description !== undefined)?.description;
  const summary = description === undefined ? usual : `${description}\n\n${usual}`;
  return code`${jsdoc({ summary })}\nreadonly ${memberName(name)}?: ${type};`;
}
