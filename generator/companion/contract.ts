/** For companions of the same version: the model of a contract and its schemas, beyond the kit. */
export { describeChanges } from '../contract/answer-changes.ts';
export { toEnumeration } from '../contract/enumerations.ts';
export { type EventKind, type Events, eventsOf, wireSchema } from '../contract/events.ts';
export { describeForm } from '../contract/form.ts';
export { groupOf, inputParameters, isRequiredInput } from '../contract/inputs.ts';
export {
  furtherRisks,
  groupByState,
  riskiest,
  settleCommand,
  stateOf,
} from '../contract/ledger-states.ts';
export { absentValuesOf } from '../contract/normalization.ts';
export { openIdsIn } from '../contract/open-values.ts';
export { failuresOf } from '../contract/outcomes.ts';
export { notificationsWithSeveralPayloads } from '../contract/payload-alternatives.ts';
export { packageVersions } from '../contract/package-version.ts';
export { normalizeTemplate, templateNames } from '../contract/path-template.ts';
export { describePagination, proposePagination } from '../contract/proposed-pagination.ts';
export { type Repetition, repetitionOf } from '../contract/repetition.ts';
export { semanticVersion, versionsOnDisk } from '../contract/semantic-version.ts';
export { filledUrl, ownServerOf, type ServerVariable, usedVariables } from '../contract/servers.ts';
export { isKeyPair, namesKeys } from '../contract/signature-scheme.ts';
export { unstatedId } from '../contract/unstated-id.ts';
export type { TimestampFormat } from '../contract/vocabulary/types.ts';
export { methodsOf } from '../recognition/routes.ts';
export { SchemaNode } from '../schema/node.ts';
export { indexSchemas, referencesOf, toReference } from '../schema/references.ts';
export { usedSchemas } from '../schema/used-schemas.ts';
export { isSchema } from '../schema/visit.ts';
export { isMediaType, isRange, kindOf } from '../specification/media-type.ts';
export { createCheck } from '../validators/ajv.ts';
export { formats } from '../validators/formats.ts';
