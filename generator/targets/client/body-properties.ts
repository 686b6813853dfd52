import type { SchemaIndex } from '../../schema/json-schema.ts';
import { definitionName } from '../../schema/normalise-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { escapeMember } from '../../json/pointer.ts';

/** A property of a body that is an object. */
export interface BodyProperty {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** Returns the properties that a schema declares, including those of its references and of `allOf`, each once. */
export function bodyProperties(index: SchemaIndex, schemaName: string): readonly BodyProperty[] {
  const found = new Map<string, Json>();
  const required = new Set<string>();
  const seen = new Set<string>();
  const visit = (schema: Json | undefined): void => {
    if (!isJsonObject(schema)) return;
    const target = referenceOf(schema);
    if (target !== undefined && !seen.has(target)) {
      seen.add(target);
      visit(index.get(target)?.definition);
    }
    if (Array.isArray(schema['allOf'])) for (const part of schema['allOf']) visit(part as Json);
    if (isJsonObject(schema['properties'])) {
      for (const [name, property] of Object.entries(schema['properties'])) {
        if (property !== undefined) found.set(name, property);
      }
    }
    if (Array.isArray(schema['required'])) {
      for (const name of schema['required']) if (typeof name === 'string') required.add(name);
    }
  };
  visit({ $ref: `#/$defs/${escapeMember(schemaName)}` });
  return Array.from(found, ([name, schema]) => ({ name, schema, required: required.has(name) }));
}

/** Returns whether a schema accepts only strings, numbers, booleans and null, and no objects or arrays. */
export function isScalar(index: SchemaIndex, schema: Json | undefined): boolean {
  return isOfTypes(index, schema, scalarTypes);
}

/** Returns whether a schema accepts only scalars and arrays of scalars. */
export function isFlat(index: SchemaIndex, schema: Json): boolean {
  if (isScalar(index, schema)) return true;
  const resolved = resolve(index, schema);
  return (
    isJsonObject(resolved) &&
    isOfTypes(index, resolved, flatTypes) &&
    isScalar(index, resolved['items'])
  );
}

const scalarTypes: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const flatTypes: ReadonlySet<unknown> = new Set([...scalarTypes, 'array']);

/**
 * Returns whether a schema accepts only values of the given types. Checks each schema once, however many references
 * lead to it. Returns `false` for a schema that consists of a reference to itself.
 */
export function isOfTypes(
  index: SchemaIndex,
  schema: Json | undefined,
  types: ReadonlySet<unknown>,
  known: Map<Json, boolean> = new Map(),
): boolean {
  if (!isJsonObject(schema)) return false;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, false);
  const result = haveTypes(index, schema, types, (part) => isOfTypes(index, part, types, known));
  known.set(schema, result);
  return result;
}

function haveTypes(
  index: SchemaIndex,
  schema: JsonObject,
  types: ReadonlySet<unknown>,
  has: (part: Json | undefined) => boolean,
): boolean {
  const target = referenceOf(schema);
  if (target !== undefined && has(index.get(target)?.definition)) return true;
  const { type, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return [type].flat().every((name) => types.has(name));
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) {
    return values.every((value) => types.has(value === null ? 'null' : typeof value));
  }
  if (Array.isArray(allOf) && allOf.some((part) => has(part as Json))) return true;
  return [anyOf, oneOf].some(
    (parts) => Array.isArray(parts) && parts.length > 0 && parts.every((part) => has(part as Json)),
  );
}

/**
 * Returns whether a body can have properties that `bodyProperties` does not find and whose values are not flat.
 * Always `true` for schemas without declared properties, and with `anyOf`, `oneOf`, `if` or `patternProperties`. In
 * other schemas, undeclared properties count only where `additionalProperties` describes them.
 */
export function hasOtherProperties(index: SchemaIndex, schemaName: string | undefined): boolean {
  const seen = new Set([schemaName]);
  const isOpen = (schema: Json | undefined): boolean => {
    if (!isJsonObject(schema)) return true;
    const { additionalProperties, allOf } = schema;
    const target = referenceOf(schema);
    const parts = Array.isArray(allOf) ? allOf : [];
    const isNew = target !== undefined && !seen.has(target);
    if (isNew) seen.add(target);
    return (
      ['anyOf', 'oneOf', 'if', 'patternProperties'].some((word) => Object.hasOwn(schema, word)) ||
      (additionalProperties !== undefined &&
        additionalProperties !== false &&
        !isFlat(index, additionalProperties)) ||
      parts.some((part) => isOpen(part as Json)) ||
      (isNew && isOpen(index.get(target)?.definition))
    );
  };
  if (schemaName === undefined || bodyProperties(index, schemaName).length === 0) return true;
  return isOpen(index.get(schemaName)?.definition);
}

/** Returns whether a property of a multipart body holds no bytes, one file, or a list of files. */
export function binaryForm(index: SchemaIndex, schema: Json): 'none' | 'one' | 'list' {
  const resolved = resolve(index, schema);
  if (!isJsonObject(resolved)) return 'none';
  if (isBinaryString(resolved)) return 'one';
  const items = isJsonObject(resolved['items']) ? resolve(index, resolved['items']) : undefined;
  return isJsonObject(items) && isBinaryString(items) ? 'list' : 'none';
}

/** Returns whether a schema is binary: `format: binary` in OpenAPI 3.0, a media type without encoding in 3.1. */
function isBinaryString(schema: JsonObject): boolean {
  if (schema['format'] === 'binary') return true;
  const { contentMediaType, contentEncoding } = schema;
  return typeof contentMediaType === 'string' && contentEncoding === undefined;
}

/** Returns the schema that a chain of references leads to. */
export function resolve(index: SchemaIndex, schema: Json): Json | undefined {
  const seen = new Set<string>();
  let resolved: Json | undefined = schema;
  while (isJsonObject(resolved)) {
    const target = referenceOf(resolved);
    if (target === undefined || seen.has(target)) break;
    seen.add(target);
    resolved = index.get(target)?.definition;
  }
  return resolved;
}

function referenceOf(schema: JsonObject): string | undefined {
  return typeof schema['$ref'] === 'string' ? definitionName(schema['$ref']) : undefined;
}
