/** The values that a target from outside needs besides the types of `countersign`. `docs/targets.md` has the rules. */
import '#require-node';

// The model.
export type * from './contract/contract.ts';
export type { SecretPlace } from './contract/proofs.ts';
export type { Json, JsonObject } from './json/json.ts';

// Reading a schema.
export type { ValueShape } from './schema/value-shape.ts';
export { SchemaNode, hasType, isJsonType, typeOf, type JsonType } from './schema/node.ts';
export {
  isSchema,
  mapSchema,
  mapSubschemas,
  subschemasOf,
  visitSchema,
  type Subschema,
} from './schema/visit.ts';
export {
  findSchema,
  indexSchemas,
  mapReferences,
  reachableFrom,
  referenceOf,
  referencesOf,
  resolveSchema,
  toReference,
  type SchemaIndex,
} from './schema/references.ts';
export {
  isAnnotation,
  isAssertion,
  schemaKeywords,
  type SchemaKeyword,
} from './specification/schema-keywords.ts';

// Names, from texts of a contract.
export {
  NameRegistry,
  toEnumMemberName,
  toEnvironmentName,
  toFileName,
  toMemberName,
  toTypeName,
} from './contract/names.ts';

// Text of a contract becomes code through these alone.
export { Code, code, generatedComment, joinCode } from './targets/code.ts';
export {
  identifier,
  literal,
  literalUnion,
  markdown,
  markdownCode,
  memberName,
  object,
  objectUnlessEmpty,
  plain,
} from './targets/escape.ts';
export { jsdoc, type Documentation, type DocumentedExample } from './targets/jsdoc.ts';

// A package.
export { packageTemplates } from './targets/built-in.ts';
export {
  emitPackageFrame,
  packageName,
  packageRange,
  packageVersion,
  webLibraries,
  type PackageDescription,
} from './targets/package/package-files.ts';

// Options and failures.
export {
  describe,
  list,
  members,
  oneOf,
  pattern,
  type Setting,
  type SettingCheck,
} from './diagnostics/setting-checks.ts';
export { TargetError, toTargetError } from './targets/target-error.ts';
