import type { SecurityScheme } from '../contract.ts';
import type { SecretPlace } from '../proofs.ts';
import { isSeparateSecret, secretPlaceOf } from '../secret-places.ts';
import type { ProofFacts, Sources } from './facts.ts';

/** The facts of secrets that requests carry. */
export const secret: ProofFacts<'secret'> = {
  noun: 'the secret',
  isOf: (scheme, sources) => placeOf(scheme, sources) !== undefined,
  isCombined(scheme, sources) {
    const place = placeOf(scheme, sources);
    return place !== undefined && !isSeparateSecret(place);
  },
  describe(scheme, common, sources) {
    const place = placeOf(scheme, sources);
    if (place === undefined || (!common.isAlone && isSeparateSecret(place))) return undefined;
    return { ...common, kind: 'secret', place, parameterName: scheme.parameterName ?? '' };
  },
};

/** Only the operation that issues an access token can tell whether it is one. */
function placeOf(scheme: SecurityScheme, sources: Sources): SecretPlace | undefined {
  return scheme.accessToken === undefined ? secretPlaceOf(scheme, sources) : undefined;
}
