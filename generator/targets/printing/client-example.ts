import type { Contract, Operation } from '../../contract/contract.ts';
import { toEnvironmentName } from '../../contract/names.ts';
import { defaultAddress, ownServerOf } from '../../contract/servers.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas } from '../../schema/references.ts';
import { code, type Code } from '../code.ts';
import { literal, object, objectUnlessEmpty } from '../escape.ts';
import type { ConnectionCode } from './connection-code.ts';
import type { TypedCredential } from './security-code.ts';
import type { Call } from '../../contract/calls.ts';
import { endpointAddress } from './server-code.ts';
import { neededSchemes } from '../../contract/used-schemes.ts';

/**
 * Returns the options of a client for pages, with credentials from environment variables: all required credentials, and
 * those that a call needs.
 * @param operation the call that the example makes, whose server and security the options have to cover; default: the
 *   one that issues a token
 */
export function exampleOf(
  contract: Contract,
  calls: readonly Call[],
  connection: ConnectionCode,
  operation?: Operation,
): {
  readonly exampleOptions: Code;
  /** Whether the client requests access tokens. */
  readonly token: boolean;
} {
  const { security, questions, needsBaseUrl } = connection;
  const first = calls.find((call) => security.operations.has(call.operation.id));
  const { tokenEndpoints } = contract.servers;
  const called = operation ?? first?.operation;
  const schemes = neededSchemes(contract, called);
  const needed = contract.security.filter(({ id }) => schemes.includes(id));
  const names = new Set(needed.map(({ credential }) => credential));
  // A token operation has credentials as its input.
  const issuing = new Set([called?.id, ...needed.map(({ accessToken }) => accessToken?.operation)]);
  const issuingNames = calls
    .filter(({ operation }) => issuing.has(operation.id))
    .map(({ name }) => name);
  const credentials = security.credentials
    .filter(
      ({ required, name, sentBy }) =>
        required ||
        (sentBy === undefined
          ? names.has(name)
          : sentBy.isOptional !== true && issuingNames.includes(sentBy.operation)),
    )
    .map((credential) => [credential.name, exampleValue(contract, credential)] as const);
  const operationServers = [operation, first?.operation].flatMap(
    (call) => (call && ownServerOf(contract, call)) ?? [],
  );
  const endpoints = tokenEndpoints.filter((endpoint) =>
    endpoint.schemes.some((id) => schemes.includes(id)),
  );
  const ofService = (member: string): Code =>
    variable(toEnvironmentName(contract.info.title, member));
  const addresses = new Map([
    ...operationServers.map(({ key, server }) => {
      const address = defaultAddress(contract, server);
      return [key, address === undefined ? ofService('otherUrl') : literal(address)] as const;
    }),
    ...endpoints.map((endpoint) => {
      const address = endpointAddress(contract, endpoint, undefined);
      return [
        endpoint.key,
        address === undefined ? ofService('tokenUrl') : literal(address),
      ] as const;
    }),
  ]);
  const options = objectUnlessEmpty([
    ['baseUrl', needsBaseUrl ? ofService('baseUrl') : undefined],
    ['baseUrls', needsBaseUrl ? objectUnlessEmpty(addresses) : undefined],
    ['credentials', objectUnlessEmpty(credentials)],
    ...questions.required(),
  ]);
  return {
    exampleOptions: options ?? code``,
    token: first !== undefined || endpoints.length > 0,
  };
}

/** Returns an expression of the type of a credential, with values of environment variables. */
function exampleValue(contract: Contract, { name, type, sentBy }: TypedCredential): Code {
  const { schema = true } = sentBy ?? {};
  const environment = toEnvironmentName(contract.info.title, name);
  if (type.text.includes('username'))
    return object({
      username: variable(`${environment}_USERNAME`),
      password: variable(`${environment}_PASSWORD`),
    });
  if (type.imports.includes('ClientCredentials'))
    return object({
      clientId: variable(`${environment}_CLIENT_ID`),
      clientSecret: variable(`${environment}_CLIENT_SECRET`),
    });
  const schemaNode = new SchemaNode(schema);
  const node = new SchemaNode(schemaNode.target(indexSchemas(contract)) ?? schema);
  const [value] = node.values ?? [];
  if (value !== undefined) return literal(value);
  const [kind] = node.types ?? [];
  if (kind === 'integer' || kind === 'number') return code`Number(${variable(environment)})`;
  if (kind === 'boolean') return literal(true);
  if (kind === 'array') return code`[${variable(environment)}]`;
  return variable(environment);
}

function variable(name: string): Code {
  return code`process.env[${literal(name)}] ?? ''`;
}
