import type { CallContext } from './call-context.ts';
import { ClientError } from './client-error.ts';
import type { Draft } from './draft.ts';
import type { CredentialPlace } from './security.ts';
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
  const schemes = new Set((operation.security ?? security).flat().map(schemeName));
  const isOpen = schemes.size === 0;
  /** Returns whether the contract declares a parameter which only other operations use for a credential. */
  const isParameter = (place: CredentialPlace['in'], name: string): boolean =>
    operation.responses !== undefined &&
    operation.parameters?.some((parameter) => parameter.in === place && parameter.name === name) ===
      true &&
    !Array.from(schemes, (id) => account.schemes[id]?.writes ?? [])
      .flat()
      .some((written) => written.in === place && written.name.toLowerCase() === name.toLowerCase());
  const ofAccount = account.inputs?.[operation.id];
  for (const place of ['headers', 'query', 'cookies'] as const) {
    const names = account.credentialNames[place];
    if (names.size === 0) continue;
    // Values that the client makes itself, and names that its credentials give to the token operation.
    const own = new Set(
      [
        ...values.filter((value) => value.in === place).map(({ name }) => name),
        ...Object.keys(ofAccount?.[place] ?? {}),
      ].map((name) => name.toLowerCase()),
    );
    const sent = sentValues[place](draft);
    // Inputs that the contract does not declare are not sent, but their caller believes it.
    const unsent = Object.entries(givenInput[place] ?? {}).filter(
      ([, value]) => value !== undefined,
    );
    for (const [name, value] of [...sent, ...unsent]) {
      const lower = name.toLowerCase();
      if (!names.has(lower) || own.has(lower) || isParameter(place, name)) continue;
      if (!isOpen)
        throw new ClientError(
          'invalid-input',
          `The ${place} of the call contain ${JSON.stringify(name)}, which names a credential. Pass the credentials of another account in the option credentials of the call.`,
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
  query: ({ url }) => new URLSearchParams(url.split('?').slice(1).join('?')),
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
