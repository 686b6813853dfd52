import type { DeliveryProof } from './proof.ts';

/** Client certificates. */
export const certificate: DeliveryProof = {
  isOf: ({ type }) => type === 'mutualTLS',
  isUsable: (_, { options }) => options.authentication?.clientCertificate !== false,
  hasCertificate: true,
};
