import type { CallContext } from './call-context.ts';
import { ClientError } from './client-error.ts';
import type { Draft } from './draft.ts';
import { placeKey } from './security.ts';
import { schemeName, type Service } from './service.ts';

/**
 * Asserts that neither the caller nor an option of the client writes where the client writes credentials. The call would
 * otherwise be made for another account than its caller believes. An operation without security has no such places; the
 * values that are given for them are removed from errors.
 * @param draft the request before the credentials are written
 * @throws ClientError `invalid-input`
 */
export function refuseCredentials(
  draft: Draft,
  { security }: Service,
  { account, operation, givenInput, values }: CallContext,
): void {
  const { credentialPlaces, inputs, schemes } = account;
  const needed = (operation.security ?? security).flat().map(schemeName);
  const credentialKeys = needed.flatMap((id) => schemes[id]?.writes ?? []).map(placeKey);
  // A parameter can have a name that only other operations use for a credential.
  const declared = operation.responses === undefined ? [] : (operation.parameters ?? []);
  const parameters = declared.map(placeKey).filter((key) => !credentialKeys.includes(key));
  const ofClient = values.map(placeKey);
  for (const place of ['headers', 'query', 'cookies'] as const) {
    const ofAccount = Object.keys(inputs?.[operation.id]?.[place] ?? {});
    const free = [
      ...parameters,
      ...ofClient,
      ...ofAccount.map((name) => placeKey({ in: place, name })),
    ];
    // Inputs that the contract does not declare are not sent, but their caller believes it.
    const callerEntries: readonly (readonly [string, unknown])[] = Object.entries(
      givenInput[place] ?? {},
    );
    for (const [name, value] of [...sentValues[place](draft), ...callerEntries]) {
      const key = placeKey({ in: place, name });
      if (value === undefined || !credentialPlaces.has(key) || free.includes(key)) continue;
      if (needed.length > 0)
        throw new ClientError(
          'invalid-input',
          `The ${place} of the call contain ${JSON.stringify(name)}, which names a credential. Use the option credentials for another account.`,
        );
      if (typeof value === 'string') draft.secrets.add(value);
    }
  }
}

/** Returns the names and values that a request has at each place. */
const sentValues: Readonly<
  Record<'headers' | 'query' | 'cookies', (draft: Draft) => Iterable<readonly [string, unknown]>>
> = {
  headers: ({ headers }) => headers,
  query: ({ url }) => new URLSearchParams(url.replace(/^[^?]*/, '')),
  cookies: ({ headers }) =>
    (headers.get('cookie') ?? '').split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name.trim()), value.join('=').trim()] as const;
    }),
};

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
