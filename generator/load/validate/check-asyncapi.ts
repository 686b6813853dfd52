import { createRequire } from 'node:module';
import type specifications from '@asyncapi/specs';
import { objectsIn, referenceOf } from '../../json/descend.ts';
import { isJsonObject, type Json, type JsonObject, optional } from '../../json/json.ts';
import { createOwnCheck } from '../../validators/own-schemas.ts';
import type { OwnSchema } from '../../validators/own-schema.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import type { SchemaError } from '../../validators/schema-error.ts';
import { schemaFormatOf } from '../../specification/schema-formats.ts';
import { toProblems } from './schema-errors.ts';

type AsyncapiVersion = keyof typeof specifications.schemasWithoutId;

/**
 * Returns the specification's own JSON Schema. Its version is the first patch of a minor version, because patches
 * change no rule.
 */
function asyncapiSchema(version: AsyncapiVersion): OwnSchema {
  return {
    name: `asyncapi-${version}`,
    draft: 'draft-07',
    parts: ['#'],
    schema() {
      const { schemasWithoutId } = createRequire(import.meta.url)(
        '@asyncapi/specs',
      ) as typeof specifications;
      const schema = mapObjects(schemasWithoutId[version] as JsonObject, acceptOpenapiReference);
      return version.startsWith('2.') ? acceptReferences(schema) : schema;
    },
  };
}

/**
 * Returns a schema of AsyncAPI 2 in which a reference may also match the form of the object that it replaces. The schemas
 * of 2.0 to 2.4 accept a `$ref` in a Parameter Object too, and `oneOf` would then refuse every reference to one.
 */
function acceptReferences(schema: JsonObject): JsonObject {
  return mapObjects(schema, (value) => {
    const { oneOf, ...rest } = value;
    if (!Array.isArray(oneOf) || !oneOf.some(isReferenceForm)) return value;
    return { ...rest, anyOf: oneOf as readonly Json[] };
  });
}

/**
 * Accepts a reference in place of a schema whose format is OpenAPI's: the specification's JSON Schema describes only
 * references inside of it.
 */
function acceptOpenapiReference(value: JsonObject): JsonObject {
  const replaced = Object.entries(value).map(([name, member]) => {
    const isSchema = referenceOf(member)?.endsWith('/openapiSchema_3_0') === true;
    if (!isSchema || (name !== 'payload' && name !== 'schema')) return [name, member];
    const then = { $ref: '#/definitions/Reference' };
    return [name, { if: { required: ['$ref'] }, then, else: member }];
  });
  return Object.fromEntries(replaced);
}

function isReferenceForm(value: Json): boolean {
  return referenceOf(value)?.endsWith('/Reference') === true;
}

/** Returns a copy of a value in which every object is replaced, inner ones first. */
function mapObjects(value: JsonObject, map: (object: JsonObject) => JsonObject): JsonObject {
  const copy = (of: Json): Json => {
    if (Array.isArray(of)) return (of as readonly Json[]).map(copy);
    return isJsonObject(of) ? mapObjects(of, map) : of;
  };
  const members = Object.entries(value).map(
    ([name, member]) => [name, copy(member ?? null)] as const,
  );
  return map(Object.fromEntries(members));
}

/** The schemas of AsyncAPI 3.0 and 3.1, which are compiled when the toolkit is built. */
export const asyncapiSchemas: readonly OwnSchema[] = [
  asyncapiSchema('3.0.0'),
  asyncapiSchema('3.1.0'),
];

const checks = new Map<AsyncapiVersion, ReturnType<typeof createOwnCheck>>();

/** Validates a bundled AsyncAPI document against the JSON Schema of its version of the specification. */
export function checkAsyncapi(root: JsonObject, version: string): readonly LocatedProblem[] {
  const first = version.replace(/\d+$/u, '0') as AsyncapiVersion;
  const check = checks.get(first) ?? createOwnCheck(asyncapiSchema(first));
  checks.set(first, check);
  const isVersion2 = version.startsWith('2.');
  const document = isVersion2 ? withTraitFormats(root) : root;
  const errors = check('#', { ...document, asyncapi: first });
  const meant = isVersion2 ? withoutAlternatives(errors) : errors;
  return toProblems(meant, 'invalid-asyncapi', { root, name: 'asyncapi' });
}

/**
 * Returns a document in which each message has the `schemaFormat` of its traits: the specification's JSON Schema checks a
 * payload by the format of the message alone. A document without such traits is returned as it is.
 */
function withTraitFormats(root: JsonObject): JsonObject {
  const formatOf = (message: JsonObject): string | undefined =>
    message.payload === undefined || message.traits === undefined
      ? undefined
      : schemaFormatOf(message, root);
  for (const message of objectsIn(root)) {
    const format = formatOf(message);
    if (format === undefined || format === message.schemaFormat) continue;
    return mapObjects(root, (value) => ({
      ...value,
      ...optional('schemaFormat', formatOf(value) ?? value.schemaFormat),
    }));
  }
  return root;
}

/**
 * Removes the errors of the form `{ oneOf: [...] }` that a message of AsyncAPI 2 can have. A message of the other form
 * violates it with every member, so a member is unexpected only if both forms report it.
 */
function withoutAlternatives(errors: readonly SchemaError[]): readonly SchemaError[] {
  const isOfForm = ({ keyword, params }: SchemaError): boolean =>
    keyword === 'required' && params.missingProperty === 'oneOf';
  const messages = new Set(errors.filter(isOfForm).map(({ instancePath }) => instancePath));
  const seen = new Set<string>();
  return errors.filter((error) => {
    if (!messages.has(error.instancePath)) return true;
    if (isOfForm(error)) return false;
    if (error.keyword !== 'additionalProperties') return true;
    const key = JSON.stringify([error.instancePath, error.params.additionalProperty]);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}
