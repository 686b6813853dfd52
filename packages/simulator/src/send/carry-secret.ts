import type { UnsignedRequest } from '../sending/compose-request.ts';
import { carrySecret } from '../sending/secret-places.ts';
import type { SecretProof } from 'countersign/companion/deliveries';

/**
 * Returns the first secret that the command adds to a request; `undefined` if the request has one in its place. An option
 * has the secret of a path.
 */
export function secretToCarry(
  [stated]: readonly SecretProof[],
  { url, headers }: Pick<UnsignedRequest, 'url' | 'headers'>,
): SecretProof | undefined {
  if (stated === undefined) return undefined;
  const { header, query } = carrySecret(stated.place, stated.parameterName, '');
  const hasHeader = headers.some(([name]) => name.toLowerCase() === header?.[0].toLowerCase());
  const isFree =
    header === undefined ? query !== undefined && !url.searchParams.has(query[0]) : !hasHeader;
  return isFree ? stated : undefined;
}
