/** For companions of the same version: what the kit does not export of the model of a contract and of its schemas. */
export {
  proofsOf,
  readyProofs,
  schemesOfNotifications,
  verifiableProofs,
} from '../contract/authentication.ts';
export { describeProofPlace } from '../contract/declared-proofs.ts';
export { toEnumeration } from '../contract/enumerations.ts';
export { type EventKind, type Events, eventsOf } from '../contract/events.ts';
export { packageVersions } from '../contract/package-version.ts';
export { normalizeTemplate, templateNames } from '../contract/path-template.ts';
export { nounOf } from '../contract/proof-kinds/kinds.ts';
export { signsHost } from '../contract/proof-kinds/signature.ts';
export type {
  DeclaredProof,
  Proof,
  ProofOf,
  ReadyKind,
  ReadyProof,
  UnreadyProof,
} from '../contract/proofs.ts';
export { type Repetition, repetitionOf } from '../contract/repetition.ts';
export { semanticVersion, versionsOnDisk } from '../contract/semantic-version.ts';
export { filledUrl, type ServerVariable, usedVariables } from '../contract/servers.ts';
export { unstatedId } from '../contract/unstated-id.ts';
export { statesCredentials } from '../contract/used-schemes.ts';
export { methodsOf } from '../recognition/routes.ts';
export { distinguish, type Distinction, isAsyncapi2 } from '../rules/distinguishing-overlay.ts';
export { groupsToDistinguish } from '../rules/notifications.ts';
export { SchemaNode } from '../schema/node.ts';
export { indexSchemas, referencesOf, toReference } from '../schema/references.ts';
export { isSchema } from '../schema/visit.ts';
export { createCheck } from '../validators/ajv.ts';
export { formats } from '../validators/formats.ts';
