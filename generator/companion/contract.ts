/** For companions of the same version: what the kit does not export of the model of a contract and of its schemas. */
export { toEnumeration } from '../contract/enumerations.ts';
export { type EventKind, type Events, eventsOf } from '../contract/events.ts';
export { packageVersions } from '../contract/package-version.ts';
export { type Repetition, repetitionOf } from '../contract/repetition.ts';
export { semanticVersion, versionsOnDisk } from '../contract/semantic-version.ts';
export { filledUrl, type ServerVariable, usedVariables } from '../contract/servers.ts';
export { unstatedId } from '../contract/unstated-id.ts';
export { memoize } from '../execution/memoize.ts';
export { methodsOf } from '../recognition/routes.ts';
export { SchemaNode } from '../schema/node.ts';
export { indexSchemas, referencesOf, toReference } from '../schema/references.ts';
export { isSchema } from '../schema/visit.ts';
