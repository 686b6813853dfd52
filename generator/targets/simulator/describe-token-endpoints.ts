import type { OperationData, SchemeData, ServiceData } from '@countersign/simulator';
import type { Contract } from '../../contract/contract.ts';
import { formType } from '../../specification/media-type.ts';
import { NameRegistry, toMemberName } from '../../contract/names.ts';
import { callsOf } from '../../contract/calls.ts';

/** The token endpoints that the simulator serves, as separate calls. */
export interface DescribedEndpoints {
  /** The paths of the endpoints by their keys in `baseUrls`. */
  readonly paths: NonNullable<ServiceData['tokenEndpoints']>;
  readonly operations: readonly OperationData[];
  /** How tokens are issued and sent, by the id of the security scheme. */
  readonly accessTokens: ReadonlyMap<string, NonNullable<SchemeData['accessToken']>>;
}

/** The lifetime of simulated tokens in seconds. */
const lifetime = 3600;

/**
 * Describes the token endpoints of the client credentials flow as operations. Their paths are those of the contract,
 * unless an operation has the same path.
 */
export function describeTokenEndpoints(contract: Contract): DescribedEndpoints {
  const calls = callsOf(contract);
  const names = new NameRegistry<string>();
  for (const { name, operation } of calls) names.claimFree(name, operation.id);
  const taken = new Set(calls.map(({ operation }) => operation.path));
  const described = contract.servers.tokenEndpoints.map(({ key, server, schemes }) => {
    const [first] = schemes;
    const name = names.claimFree(`${toMemberName(first ?? '')}Token`, `token endpoint ${key}`);
    let path = pathOf(server.url);
    for (let count = 2; taken.has(path); count += 1) path = `${pathOf(server.url)}-${count}`;
    taken.add(path);
    const operation: OperationData = {
      name,
      id: name,
      method: 'POST',
      path,
      summary: 'Issues an access token with the client credentials flow.',
      parameters: [],
      requestBody: {
        required: true,
        content: [{ mediaType: formType, examples: [], samples: [] }],
      },
      responses: [
        {
          status: '200',
          description: 'The access token.',
          headers: {},
          content: [
            {
              mediaType: 'application/json',
              examples: [
                {
                  name: 'token',
                  value: { access_token: '', token_type: 'Bearer', expires_in: lifetime },
                },
              ],
              samples: [],
            },
          ],
        },
      ],
      security: [],
      clientCredentials: schemes.flatMap(
        (id) => contract.security.find((scheme) => scheme.id === id)?.credential ?? [],
      ),
    };
    return { key, path, operation, schemes };
  });
  return {
    paths: Object.fromEntries(described.map(({ key, path }) => [key, path])),
    operations: described.map(({ operation }) => operation),
    accessTokens: new Map(
      described.flatMap(({ operation, schemes }) =>
        schemes.map((id) => [
          id,
          {
            operation: operation.name,
            token: '$response.body#/access_token',
            lifetime: '$response.body#/expires_in',
            value: 'Bearer {token}',
          },
        ]),
      ),
    ),
  };
}

/** Returns a path that the simulator can serve: segments of plain characters. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/iu, '').replaceAll(/[^\w/.~-]/gu, '-');
  const segments = path.split('/').filter((segment) => !/^\.{0,2}$/u.test(segment));
  return segments.length === 0 ? '/token' : `/${segments.join('/')}`;
}
