import type { Contract } from '../../contract/contract.ts';
import { proofKindOf } from '../../contract/proof-kinds/kinds.ts';
import type { ReadyKind } from '../../contract/proofs.ts';
import type { DeliveryRequest } from './sending.ts';
import { signInBody } from './signers/body-signature.ts';
import { signInHeader } from './signers/signature.ts';
import type { RequestSigner, SignedParts, Signing } from './signers/signer.ts';

/** How the command makes each kind of proof over a request; options have the others. */
const signers: Readonly<Record<ReadyKind, RequestSigner | undefined>> = {
  signature: signInHeader,
  'body-signature': signInBody,
  certificate: undefined,
  secret: undefined,
};

/**
 * Returns what a signature changes in a request.
 * @throws CommandError `not-signable`, `usage`
 */
export async function signDelivery(
  contract: Contract,
  request: DeliveryRequest,
  signing: Signing,
): Promise<SignedParts> {
  const kind = proofKindOf(signing.security, contract);
  return (await (kind && signers[kind])?.(contract, request, signing)) ?? {};
}

/**
 * Returns a request with the signatures in its body.
 * @throws CommandError `not-signable`
 */
export async function signBodies(
  contract: Contract,
  request: DeliveryRequest,
  signings: readonly Signing[],
): Promise<DeliveryRequest> {
  let signed = request;
  for (const signing of signings)
    signed = { ...signed, ...(await signDelivery(contract, signed, signing)) };
  return signed;
}
