import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Contract, JsonSchema, Schema } from './contract.ts';
import { findFormat } from './formats.ts';
import { definitionName, mapSchemas, referencesOf } from './normalise-schema.ts';

/** The schemas of a contract by name. */
export type SchemaIndex = ReadonlyMap<string, Schema>;

/** Indexes the schemas of a contract by name, in their order. */
export function indexSchemas(contract: Pick<Contract, 'schemas'>): SchemaIndex {
  return new Map(contract.schemas.map((schema) => [schema.name, schema]));
}

/**
 * The schema as it is published: JSON Schema 2020-12, self-contained, annotations and `x-` keys kept.
 * A reference to the schema itself is `#`; everything else that it needs is in `$defs` under its name.
 */
export function toPublishedSchema(index: SchemaIndex, name: string): JsonObject {
  const toReference = (target: string): string =>
    target === name ? '#' : `#/$defs/${escapeMember(target)}`;
  const reached = reachableFrom(index, name).filter((other) => other !== name);
  const definition = rewriteReferences(definitionOf(index, name), toReference);
  const root: JsonObject = isJsonObject(definition) ? definition : definition ? {} : { not: {} };
  const { $defs: _own, ...keywords } = root;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...keywords,
    ...(reached.length > 0
      ? {
          $defs: Object.fromEntries(
            reached.map((other) => [
              other,
              rewriteReferences(definitionOf(index, other), toReference),
            ]),
          ),
        }
      : {}),
  };
}

/**
 * The schema as the validator compiler reads it: only what decides whether a value is valid, so that no annotation
 * of the contract can mean anything to the compiler. `toReference` names the schemas referred to.
 */
export function toValidatorSchema(
  definition: JsonSchema,
  toReference: (name: string) => string,
): JsonSchema {
  return mapSchemas(rewriteReferences(definition, toReference), (schema) =>
    unwrap(checkProtoMember(withAssertionsOnly(schema))),
  );
}

/** Names of the schemas that one refers to, itself first, then in order of first appearance, depth first. */
export function reachableFrom(index: SchemaIndex, name: string): readonly string[] {
  const seen = new Set<string>();
  const stack = [name];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    stack.push(...referencesOf(definitionOf(index, next)).toReversed());
  }
  return [...seen];
}

/** The definition of a schema. Throws a TypeError for a name that the contract does not have. */
export function definitionOf(index: SchemaIndex, name: string): JsonSchema {
  const schema = index.get(name);
  if (schema === undefined) throw new TypeError(`The contract has no schema "${name}".`);
  return schema.definition;
}

/** The keywords of 2020-12 that decide about validity, besides `$ref`. */
const assertions: ReadonlySet<string> = new Set(
  (
    '$ref type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'format prefixItems items maxItems minItems uniqueItems contains maxContains minContains unevaluatedItems ' +
    'properties patternProperties additionalProperties required maxProperties minProperties propertyNames ' +
    'dependentRequired dependentSchemas unevaluatedProperties allOf anyOf oneOf not if then else'
  ).split(' '),
);

function withAssertionsOnly(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        assertions.has(keyword) &&
        (keyword !== 'format' || (typeof value === 'string' && findFormat(value) !== undefined)),
    ),
  );
}

/** Ajv leaves out a member `__proto__` of `properties`; as a pattern it is checked. */
function checkProtoMember(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const others = Object.entries(properties).filter(([name]) => name !== '__proto__');
  const proto = Object.entries(properties).find(([name]) => name === '__proto__')?.[1];
  return {
    ...schema,
    properties: Object.fromEntries(others),
    patternProperties: {
      ...(isJsonObject(patternProperties) ? patternProperties : {}),
      '^__proto__$': proto,
    },
  };
}

/** A list of one is that one, where nothing else is said: one function call less in every check. */
function unwrap(schema: JsonObject): JsonSchema {
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined) return true;
  if (others.length > 0 || (keyword !== 'allOf' && keyword !== 'anyOf' && keyword !== 'oneOf')) {
    return schema;
  }
  const list = schema[keyword];
  if (!Array.isArray(list) || list.length !== 1) return schema;
  const [only] = list as readonly Json[];
  return isJsonObject(only) || typeof only === 'boolean' ? only : schema;
}

function rewriteReferences(schema: JsonSchema, toReference: (name: string) => string): JsonSchema {
  return mapSchemas(schema, (sub) =>
    typeof sub['$ref'] === 'string'
      ? { ...sub, $ref: toReference(definitionName(sub['$ref'])) }
      : sub,
  );
}

/** RFC 6901 inside a URI fragment. */
function escapeMember(member: string): string {
  return encodeURIComponent(member.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
}
