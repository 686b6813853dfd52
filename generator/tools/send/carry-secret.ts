import type * as Sending from '@countersign/simulator/sending';
import type { SecretProof } from '../../contract/proofs.ts';
import type { DeliveryRequest } from './sending.ts';

/**
 * Returns the first secret that the command adds to a request; `undefined` if the request has one in its place. An option
 * has the secret of a path.
 */
export function secretToCarry(
  { carrySecret }: Pick<typeof Sending, 'carrySecret'>,
  [stated]: readonly SecretProof[],
  { url, headers }: DeliveryRequest,
): SecretProof | undefined {
  if (stated === undefined) return undefined;
  const { header, query } = carrySecret(stated.place, stated.parameterName, '');
  const hasHeader = Object.keys(headers).some(
    (name) => name.toLowerCase() === header?.[0].toLowerCase(),
  );
  const isFree =
    header === undefined ? query !== undefined && !url.searchParams.has(query[0]) : !hasHeader;
  return isFree ? stated : undefined;
}

/** Returns a request with a secret. */
export function withSecret(
  { addQuery, carrySecret }: Pick<typeof Sending, 'addQuery' | 'carrySecret'>,
  request: DeliveryRequest,
  { place, parameterName }: SecretProof,
  value: string,
): DeliveryRequest {
  const { header, query } = carrySecret(place, parameterName, value);
  return {
    ...request,
    url: query === undefined ? request.url : addQuery(request.url, [query]),
    headers:
      header === undefined ? request.headers : { ...request.headers, [header[0]]: header[1] },
  };
}
