import type { Contract, Notification } from '../../contract/contract.ts';
import {
  describeSecrets,
  secretHeaderOf,
  type SecretCode,
} from '../../targets/printing/secret-code.ts';
import type { DeliveryRequest } from './sending.ts';

/**
 * Returns the secret by which the contract authenticates a notification and that the command adds to a request: HTTP
 * Basic, a bearer token, or a key in the query or in a cookie. Returns `undefined` where there is none, or where the
 * request has one in its place.
 */
export function secretToCarry(
  contract: Contract,
  { security }: Notification,
  { headers, url }: DeliveryRequest,
): SecretCode | undefined {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const secrets = describeSecrets(contract);
  const stated = security
    .flat()
    .flatMap(({ scheme }) => secrets.find((secret) => secret.security.id === scheme) ?? [])
    .find(({ place }) => place !== 'header' && place !== 'path');
  if (stated === undefined) return undefined;
  const isGiven =
    stated.place === 'query'
      ? url.searchParams.has(stated.parameterName)
      : names.has(secretHeaderOf(stated, '').name);
  return isGiven ? undefined : stated;
}

/** Returns a request with a secret. */
export function carrySecret(
  request: DeliveryRequest,
  secret: SecretCode,
  value: string,
): DeliveryRequest {
  if (secret.place !== 'query') {
    const header = secretHeaderOf(secret, value);
    return { ...request, headers: { ...request.headers, [header.name]: header.value } };
  }
  const url = new URL(request.url);
  const parameter = new URLSearchParams([[secret.parameterName, value]]).toString();
  url.search = [url.search.slice(1), parameter].filter(Boolean).join('&');
  return { ...request, url };
}
