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

/** Whether a published schema contains the schemas that it refers to, or refers to other files by name. */
export type PublishedForm = 'self-contained' | { readonly fileNames: ReadonlyMap<string, string> };

/**
 * Creates the function that publishes a schema by name, as JSON Schema 2020-12 with annotations and `x-` keys. A
 * reference to the schema itself becomes `#`. In the self-contained form, `$defs` contains all other schemas that it
 * needs.
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
  /** Returns a definition for the file of `root`. Only definitions that refer to the root differ between files. */
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
 * Returns the schema that the validator compiler reads: only the keywords that decide whether a value is valid, so that
 * no annotation of the contract can affect the compiler. A `$ref` is the bare name of the referenced schema.
 */
export function toValidatorSchema(definition: JsonSchema): JsonSchema {
  return isJsonObject(definition) ? reduce(definition) : definition;
}

/** Memoized, because the same schemas validate examples before validators are emitted. */
const reduce = once((definition: JsonObject): JsonSchema => {
  const named = rewriteReferences(definition, (name) => name);
  return mapSchemas(named, (sub) => unwrap(checkProtoMember(withAssertionsOnly(sub))));
});

/**
 * Returns the names of all schemas that a schema refers to, directly or not, depth first. The first name is its own.
 * @throws TypeError for a name that the contract does not have
 */
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

/**
 * Returns the schema with a name.
 * @throws TypeError for a name that the contract does not have
 */
function findSchema(index: SchemaIndex, name: string): Schema {
  const schema = index.get(name);
  if (schema === undefined) throw new TypeError(`The contract has no schema "${name}".`);
  return schema;
}

/** The keywords of JSON Schema 2020-12 that decide whether a value is valid. */
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

/** Moves a member `__proto__` of `properties` to `patternProperties`, because Ajv ignores it in `properties`. */
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

/** Replaces a schema that is only a union or `allOf` of one schema by that schema, which saves a function call. */
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

/** Escapes a member name for a JSON Pointer (RFC 6901) in a URI fragment. */
function escapeMember(member: string): string {
  return encodeURIComponent(member.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
}
