import type { ReadyKind } from 'countersign/companion/deliveries';
import { bodySignaturePlanner } from './body-signature.ts';
import { certificatePlanner } from './certificate.ts';
import type { ProofPlanner } from './planner.ts';
import { secretPlanner } from './secret.ts';
import { signaturePlanner } from './signature.ts';

/** How applications verify each kind of proof, in the order in which one is chosen. */
export const proofPlanners: { readonly [Kind in ReadyKind]: ProofPlanner<Kind> } = {
  signature: signaturePlanner,
  secret: secretPlanner,
  'body-signature': bodySignaturePlanner,
  certificate: certificatePlanner,
};
