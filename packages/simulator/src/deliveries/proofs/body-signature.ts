import { prepareBodySignature } from '../prepare-signature.ts';
import type { DeliveryProof } from './proof.ts';

/** Signatures in the body. */
export const bodySignature: DeliveryProof = {
  isOf: (scheme) => scheme.bodySignature !== undefined,
  isUsable: () => true,
  signBody: (context, scheme, hasOptionKey) =>
    scheme.bodySignature &&
    prepareBodySignature(context, scheme, scheme.bodySignature, hasOptionKey),
  // The key of the options can be that of another scheme.
  keyUse: ({ credential = '' }, key, credentials) =>
    credentials[credential] === key ? 'signs' : undefined,
};
