import { prepareBodySignature } from '../prepare-signature.ts';
import type { DeliveryProof } from './proof.ts';

/** Signatures in the body. */
export const bodySignature: DeliveryProof = {
  isOf: (scheme) => scheme.bodyScheme !== undefined,
  isUsable: () => true,
  signBody: (context, scheme, hasOptionKey) =>
    scheme.bodyScheme && prepareBodySignature(context, scheme, scheme.bodyScheme, hasOptionKey),
  // The key of the options can be that of another scheme.
  keyUse: ({ credential = '' }, key, credentials) =>
    credentials[credential] === key ? 'signs' : undefined,
};
