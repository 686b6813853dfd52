import { type JsonType, SchemaNode, typeOf } from './node.ts';
import type { JsonSchema } from './model.ts';
import { type SchemaIndex, resolveSchema, toReference } from './references.ts';

/** A property of a body that is an object. */
export interface BodyProperty {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Returns the properties that a schema declares, including those of its references and of `allOf`, each once. */
export function bodyProperties(index: SchemaIndex, schemaName: string): readonly BodyProperty[] {
  const properties = new Map<string, JsonSchema>();
  const required = new Set<string>();
  for (const part of requiredParts(index, toReference(schemaName))) {
    for (const [name, property] of part.properties) properties.set(name, property);
    for (const name of part.required) required.add(name);
  }
  return Array.from(properties, ([name, schema]) => ({
    name,
    schema,
    required: required.has(name),
  }));
}

/**
 * Yields a schema and the schemas that a value must satisfy with it: targets of references and parts of `allOf`, at any
 * depth. Each comes after its own parts.
 */
function* requiredParts(
  index: SchemaIndex,
  schema: JsonSchema,
  seen: Set<string> = new Set(),
): Generator<SchemaNode> {
  const node = new SchemaNode(schema);
  const { reference, allOf } = node;
  if (reference !== undefined && !seen.has(reference)) {
    seen.add(reference);
    yield* requiredParts(index, index.get(reference)?.definition ?? true, seen);
  }
  for (const part of allOf) yield* requiredParts(index, part, seen);
  yield node;
}

/** Returns whether a schema accepts only strings, numbers, booleans and null, and no objects or arrays. */
export function isScalar(index: SchemaIndex, schema: JsonSchema | undefined): boolean {
  return isOfTypes(index, schema, scalarTypes);
}

/** Returns whether a schema accepts only scalars and arrays of scalars. */
export function isFlat(index: SchemaIndex, schema: JsonSchema): boolean {
  if (isScalar(index, schema)) return true;
  const resolved = resolveSchema(index, schema) ?? true;
  return (
    isOfTypes(index, resolved, flatTypes) &&
    isScalar(index, new SchemaNode(resolved).schema('items'))
  );
}

const scalarTypes: ReadonlySet<JsonType> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const flatTypes: ReadonlySet<JsonType> = new Set([...scalarTypes, 'array']);

/**
 * Returns whether a schema accepts only values of the given types. Checks each schema once, however many references
 * lead to it. Returns `false` for a schema that consists of a reference to itself.
 */
export function isOfTypes(
  index: SchemaIndex,
  schema: JsonSchema | undefined,
  types: ReadonlySet<JsonType>,
  results: Map<JsonSchema, boolean> = new Map(),
): boolean {
  if (typeof schema !== 'object') return false;
  const before = results.get(schema);
  if (before !== undefined) return before;
  results.set(schema, false);
  const result = haveTypes(index, new SchemaNode(schema), types, (part) =>
    isOfTypes(index, part, types, results),
  );
  results.set(schema, result);
  return result;
}

function haveTypes(
  index: SchemaIndex,
  node: SchemaNode,
  types: ReadonlySet<JsonType>,
  has: (part: JsonSchema | undefined) => boolean,
): boolean {
  const { reference, values, allOf } = node;
  if (reference !== undefined && has(index.get(reference)?.definition)) return true;
  if (node.types !== undefined) return node.types.every((type) => types.has(type));
  if (values !== undefined) return values.every((value) => types.has(typeOf(value)));
  return (
    allOf.some(has) ||
    [node.anyOf, node.oneOf].some((parts) => parts.length > 0 && parts.every(has))
  );
}

/**
 * Returns whether a body can have properties that `bodyProperties` does not find and whose values are not flat.
 * Always `true` for schemas without declared properties, and with `anyOf`, `oneOf`, `if` or `patternProperties`. In
 * other schemas, undeclared properties count only where `additionalProperties` describes them.
 */
export function hasOtherProperties(index: SchemaIndex, schemaName: string | undefined): boolean {
  if (schemaName === undefined || bodyProperties(index, schemaName).length === 0) return true;
  return [...requiredParts(index, toReference(schemaName))].some((part) => {
    const additionalSchema = part.schema('additionalProperties') ?? false;
    return (
      part.isAnything ||
      part.has('anyOf', 'oneOf', 'if', 'patternProperties') ||
      (additionalSchema !== false && !isFlat(index, additionalSchema))
    );
  });
}

/**
 * Returns whether a schema states `format: binary` of its values: itself, in a part of `allOf`, or in the only alternative
 * to null.
 */
export function hasBinaryFormat(index: SchemaIndex, schema: JsonSchema): boolean {
  const isBinary = (part: SchemaNode): boolean => part.text('format') === 'binary';
  return [...requiredParts(index, schema)].some((part) => {
    const [only, ...others] = [...part.anyOf, ...part.oneOf].filter(
      (alternative) => new SchemaNode(alternative).types?.join() !== 'null',
    );
    const isOnly = only !== undefined && others.length === 0;
    return isBinary(part) || (isOnly && [...requiredParts(index, only)].some(isBinary));
  });
}

/** Returns whether a schema is binary: `format: binary` in OpenAPI 3.0, a media type without encoding in 3.1. */
export function isBinaryString(node: SchemaNode): boolean {
  if (node.text('format') === 'binary') return true;
  return node.text('contentMediaType') !== undefined && !node.has('contentEncoding');
}
