import type { SecretProof } from '../../contract/proofs.ts';
import { secretHeaderOf } from '../../contract/sent-proofs.ts';
import type { DeliveryRequest } from './sending.ts';

/** Returns the first secret that the command adds to a request; `undefined` if the request has one in its place. */
export function secretToCarry(
  [stated]: readonly SecretProof[],
  { headers, url }: DeliveryRequest,
): SecretProof | undefined {
  if (stated === undefined) return undefined;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isGiven =
    stated.place === 'query'
      ? url.searchParams.has(stated.parameterName)
      : names.has(secretHeaderOf(stated, '').name);
  return isGiven ? undefined : stated;
}

/** Returns a request with a secret. */
export function carrySecret(
  request: DeliveryRequest,
  secret: SecretProof,
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
