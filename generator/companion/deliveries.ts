/** For companions of the same version: what calls and deliveries carry, and which notification a body is. */
export {
  proofsOf,
  readyProofs,
  schemesOfNotifications,
  verifiableProofs,
} from '../contract/authentication.ts';
export { callsOf } from '../contract/calls.ts';
export { describeProofPlace } from '../contract/declared-proofs.ts';
export { labelParameters, sentAs, toIdentified } from '../contract/delivery.ts';
export { requestContent, responseContent } from '../contract/media-types.ts';
export { nounOf } from '../contract/proof-kinds/kinds.ts';
export { signsHost } from '../contract/proof-kinds/signature.ts';
export type {
  DeclaredProof,
  Proof,
  ProofOf,
  ReadyKind,
  ReadyProof,
  SecretProof,
  UnreadyProof,
} from '../contract/proofs.ts';
export {
  headersToGive,
  schemesBeside,
  secretsBeside,
  signedSchemes,
  signingCredential,
  type SigningSchemes,
  statedSchemes,
  statedSignatures,
} from '../contract/sent-proofs.ts';
export { openAuthentication } from '../contract/shared-entries.ts';
export { statesCredentials } from '../contract/used-schemes.ts';
export { normalizationNodesOf } from '../contract/normalization.ts';
export { signedElementMembers, withSignedMembers } from '../contract/signed-members.ts';
export { describeFields } from '../contract/written-fields.ts';
export { kindsOfBody } from '../recognition/body-kinds.ts';
export type { Decision } from '../recognition/decision.ts';
export { matchVariant } from '../recognition/match-variant.ts';
export type { Read } from '../recognition/reads.ts';
export { describeChoice, describeUnion, labelWords } from '../recognition/union-words.ts';
export { describeRecognition, describeSteps } from '../recognition/words.ts';
export { shapeOf } from '../schema/value-shape.ts';
