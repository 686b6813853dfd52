/** For companions of the same version: the model of a contract and its schemas, beyond the kit. */
export { toEnumeration } from '../contract/enumerations.ts';
export { type EventKind, type Events, eventsOf, wireSchema } from '../contract/events.ts';
export { toEnvironmentName } from '../contract/names.ts';
export { packageVersions } from '../contract/package-version.ts';
export { normalizeTemplate, templateNames } from '../contract/path-template.ts';
export { type Repetition, repetitionOf } from '../contract/repetition.ts';
export { semanticVersion, versionsOnDisk } from '../contract/semantic-version.ts';
export { filledUrl, type ServerVariable, usedVariables } from '../contract/servers.ts';
export { unstatedId } from '../contract/unstated-id.ts';
export { methodsOf } from '../recognition/routes.ts';
export { SchemaNode } from '../schema/node.ts';
export { indexSchemas, referencesOf, toReference } from '../schema/references.ts';
export { usedSchemas } from '../schema/used-schemas.ts';
export { isSchema } from '../schema/visit.ts';
export { createCheck } from '../validators/ajv.ts';
export { formats } from '../validators/formats.ts';
