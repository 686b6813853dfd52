import type { ServedScheme } from '../service.ts';
import { type CarriedSecret, carrySecret, secretPlaceOf } from '../secret-places.ts';

/** Returns the credential of a scheme among credentials by name. */
export function credentialOf(
  { credential }: ServedScheme,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return credential !== undefined && Object.hasOwn(credentials, credential)
    ? credentials[credential]
    : undefined;
}

/** Returns the header or the parameter of the query with the secret of a scheme. */
export function carryCredential(scheme: ServedScheme, value: string | undefined): CarriedSecret {
  const { type, parameterName } = scheme;
  const place = secretPlaceOf(scheme);
  if (place === undefined || value === undefined) return {};
  if (type === 'apiKey' && parameterName === undefined) return {};
  return carrySecret(place, parameterName ?? '', value);
}
