import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { JsonSchema, Schema, WithSchemas } from './model.ts';
import { findFormat } from './formats.ts';
import { definitionName, mapSchemas } from './normalise-schema.ts';
import { once } from '../execution/memoize.ts';

/** The schemas of a contract by name. */
export type SchemaIndex = ReadonlyMap<string, Schema>;

/** Indexes the schemas of a contract by name, in their order. */
export function indexSchemas({ schemas }: WithSchemas): SchemaIndex {
  return indexOf(schemas);
}

const indexOf = once(
  (schemas: readonly Schema[]): SchemaIndex =>
    new Map(schemas.map((schema) => [schema.name, schema])),
);

/** How a published schema has what it refers to: in itself, or in files beside it. */
export type PublishedForm = 'self-contained' | { readonly fileNames: ReadonlyMap<string, string> };

/**
 * Publishes schemas by name: JSON Schema 2020-12, annotations and `x-` keys kept. In the self-contained form a
 * reference to the schema itself is `#`, and everything else that it needs is in `$defs` under its name.
 */
export function createPublisher(
  index: SchemaIndex,
  form: PublishedForm,
): (name: string) => JsonObject {
  const toReference = (name: string): string =>
    form === 'self-contained'
      ? `#/$defs/${escapeMember(name)}`
      : encodeURIComponent(form.fileNames.get(name) ?? '');
  const rewritten = new Map<string, JsonSchema>();
  /** Most definitions are the same in every file; only those that refer to its root differ. */
  const definitionIn = (name: string, root: string): JsonSchema => {
    const schema = findSchema(index, name);
    if (schema.references.includes(root)) {
      return rewriteReferences(schema.definition, (to) => (to === root ? '#' : toReference(to)));
    }
    const known = rewritten.get(name);
    if (known !== undefined) return known;
    const definition = rewriteReferences(schema.definition, toReference);
    rewritten.set(name, definition);
    return definition;
  };
  return (name) => {
    const definition = definitionIn(name, name);
    const root: JsonObject = isJsonObject(definition) ? definition : definition ? {} : { not: {} };
    const { $defs: _own, ...keywords } = root;
    const others =
      form === 'self-contained' ? reachableFrom(index, name).filter((other) => other !== name) : [];
    const definitions = others.map((other) => [other, definitionIn(other, name)] as const);
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...keywords,
      ...(others.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    };
  };
}

/**
 * The schema as the validator compiler reads it: only what decides whether a value is valid, so that no annotation
 * of the contract can mean anything to the compiler. A `$ref` holds nothing but the name of the schema referred to.
 */
export function toValidatorSchema(definition: JsonSchema): JsonSchema {
  return isJsonObject(definition) ? reduce(definition) : definition;
}

/** Examples are judged by them before validators are made of them. */
const reduce = once((definition: JsonObject): JsonSchema => {
  const named = rewriteReferences(definition, (name) => name);
  return mapSchemas(named, (sub) => unwrap(checkProtoMember(withAssertionsOnly(sub))));
});

/** Names of the schemas that one refers to, itself first, then in order of first appearance, depth first. */
export function reachableFrom(index: SchemaIndex, name: string): readonly string[] {
  const seen = new Set<string>();
  const stack = [name];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    stack.push(...findSchema(index, next).references.toReversed());
  }
  return [...seen];
}

/** The schema of a name. Throws a TypeError for a name that the contract does not have. */
function findSchema(index: SchemaIndex, name: string): Schema {
  const schema = index.get(name);
  if (schema === undefined) throw new TypeError(`The contract has no schema "${name}".`);
  return schema;
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
  const decides = ([keyword, value]: readonly [string, Json | undefined]): boolean =>
    assertions.has(keyword) &&
    (keyword !== 'format' || (typeof value === 'string' && findFormat(value) !== undefined));
  const entries = Object.entries(schema);
  return entries.every(decides) ? schema : Object.fromEntries(entries.filter(decides));
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
