import type { SimulatorContext } from '../../context.ts';
import {
  carriesKey,
  secretPlaceOf,
  carryCredential,
  credentialOf,
} from '../../sending/secret-places.ts';
import type { ServedScheme } from '../../service.ts';
import type { DeliveryProof } from './proof.ts';

/** Secrets that requests carry. An option has a secret in the path. */
export const secret: DeliveryProof = {
  isOf: (scheme) => secretPlaceOf(scheme) !== undefined,
  isUsable(scheme, { options: { authentication } }) {
    if (scheme.in === 'path') return authentication?.pathSecret !== undefined;
    if (scheme.accessToken !== undefined) return false;
    // A scheme of notifications alone has no credential of a client.
    const hasKey = authentication?.key !== undefined && carriesKey(scheme);
    return scheme.credential !== undefined || hasKey;
  },
  help({ in: place, parameterName, credential }) {
    if (place === 'path')
      return 'by a secret in the path. Set it in `authentication.pathSecret` (`--path-secret-env`)';
    if (place !== 'header' || parameterName === undefined || credential !== undefined)
      return undefined;
    return `by a secret in the header ${parameterName}. Set it in \`authentication.headers\` (\`countersign simulate --header-env ${parameterName}=VARIABLE\`)`;
  },
  carry: (context, scheme, isSigned) =>
    carryCredential(scheme, secretOf(context, scheme, isSigned)),
  keyUse: (scheme) => (carriesKey(scheme) ? 'carries' : undefined),
};

/**
 * Returns the secret of a scheme: the credential of the options, their key unless that signs, or else the credential that
 * was made. A key in a header is the credential, or one of the headers of the options.
 */
function secretOf(
  { options, credentials }: SimulatorContext,
  scheme: ServedScheme,
  isSigned: boolean,
): string | undefined {
  const isHeader = secretPlaceOf(scheme) === 'header';
  const key = isSigned || isHeader ? undefined : options.authentication?.key;
  return (
    credentialOf(scheme, options.credentials ?? {}) ?? key ?? credentialOf(scheme, credentials)
  );
}
