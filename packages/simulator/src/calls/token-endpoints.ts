import { formType } from '../media-type.ts';
import type { ServedOperation, Service } from '../service.ts';

/** The lifetime of simulated tokens in seconds. */
const lifetime = 3600;

/** Returns a service that also answers token requests with the client credentials flow (RFC 6749, section 4.4). */
export function withTokenEndpoints(service: Service): Service {
  const { tokenEndpoints } = service.servers;
  const issuing = new Map(
    tokenEndpoints.flatMap(({ name, schemes }) => schemes.map((id) => [id, name] as const)),
  );
  return {
    ...service,
    operations: [...service.operations, ...tokenEndpoints.map(toOperation)],
    security: service.security.map((scheme) => {
      const operation = issuing.get(scheme.id);
      if (operation === undefined) return scheme;
      const token = '$response.body#/access_token';
      const lifetime = '$response.body#/expires_in';
      return { ...scheme, accessToken: { operation, token, lifetime, value: 'Bearer {token}' } };
    }),
  };
}

/** Returns the names of the credentials that can authenticate a token request; none for another operation. */
export function clientCredentialsOf(
  { servers, security }: Pick<Service, 'servers' | 'security'>,
  { name }: Pick<ServedOperation, 'name'>,
): readonly string[] {
  const { schemes = [] } = servers.tokenEndpoints.find((endpoint) => endpoint.name === name) ?? {};
  return schemes.flatMap((id) => security.find((scheme) => scheme.id === id)?.credential ?? []);
}

function toOperation({
  name,
  servedPath,
}: Service['servers']['tokenEndpoints'][number]): ServedOperation {
  const token = { access_token: '', token_type: 'Bearer', expires_in: lifetime };
  return {
    id: name,
    name,
    method: 'POST',
    path: servedPath,
    summary: 'Issues an access token with the client credentials flow.',
    security: [],
    parameters: [],
    requestBody: { required: true, content: [{ mediaType: formType, examples: [] }] },
    responses: [
      {
        status: '200',
        description: 'The access token.',
        fixedHeaders: {},
        content: [{ mediaType: 'application/json', examples: [{ name: 'token', value: token }] }],
      },
    ],
  };
}
