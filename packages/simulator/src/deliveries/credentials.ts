import { type Header, secretPlaceOf } from '../secret-places.ts';
import type { SchemeData } from '../service-description.ts';

/** Returns the credential of a scheme among credentials by name. */
export function credentialOf(
  { credential }: SchemeData,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return credential !== undefined && Object.hasOwn(credentials, credential)
    ? credentials[credential]
    : undefined;
}

/** Returns the header or the parameter of the query with the secret of a scheme. */
export function carryCredential(
  scheme: SchemeData,
  value: string | undefined,
): { readonly header?: Header; readonly query?: Header } {
  const { type, parameterName } = scheme;
  if (value === undefined || (type === 'apiKey' && parameterName === undefined)) return {};
  return secretPlaceOf(scheme)?.carry(parameterName ?? '', value) ?? {};
}
