import type { SchemaIndex } from '../../contract/json-schema.ts';
import { definitionName } from '../../contract/normalise-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { escapeMember } from '../../pointer.ts';

/** A property of a body that is an object. */
export interface BodyProperty {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** The properties that a schema declares, those of its references and of `allOf` included, each once. */
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

/** How bytes come into a multipart body: not at all, as one file, or as a list of files. */
export function binaryForm(index: SchemaIndex, schema: Json): 'none' | 'one' | 'list' {
  const resolved = resolve(index, schema);
  if (!isJsonObject(resolved)) return 'none';
  if (isBinaryString(resolved)) return 'one';
  const items = isJsonObject(resolved['items']) ? resolve(index, resolved['items']) : undefined;
  return isJsonObject(items) && isBinaryString(items) ? 'list' : 'none';
}

/** OpenAPI 3.0 says `format: binary`; 3.1 says a media type without an encoding. */
function isBinaryString(schema: JsonObject): boolean {
  if (schema['format'] === 'binary') return true;
  const { contentMediaType, contentEncoding } = schema;
  return typeof contentMediaType === 'string' && contentEncoding === undefined;
}

function resolve(index: SchemaIndex, schema: Json): Json | undefined {
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
