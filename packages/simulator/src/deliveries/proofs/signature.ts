import { keyPairSchemeOf } from '../../key-pairs.ts';
import { prepareSignature } from '../prepare-signature.ts';
import type { DeliveryProof } from './proof.ts';

/** Signatures in headers. */
export const signature: DeliveryProof = {
  isOf: (scheme) => scheme.signature !== undefined,
  isUsable: () => true,
  sign: (context, scheme) =>
    scheme.signature && prepareSignature(context, scheme, scheme.signature),
  keyPairScheme: keyPairSchemeOf,
  keyUse: () => 'signs',
};
