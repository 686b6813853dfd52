import { prepareSignature } from '../prepare-signature.ts';
import type { DeliveryProof } from './proof.ts';

/** Signatures in headers. */
export const signature: DeliveryProof = {
  isOf: (scheme) => scheme.signature !== undefined,
  isUsable: () => true,
  sign: (context, scheme) =>
    scheme.signature && prepareSignature(context, scheme, scheme.signature),
  keyUse: () => 'signs',
};
