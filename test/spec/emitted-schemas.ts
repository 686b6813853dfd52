import { fileURLToPath } from 'node:url';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { load } from '../../generator/load/load.ts';
import { publishSchemas } from '../../generator/schema/publish.ts';
import { lowerAndCheck } from '../rules/lower-and-check.ts';

const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
const folder = fileURLToPath(new URL('../../', import.meta.url));

/** The document `schemas.json`, which the target `contract` writes on request. */
const document = publishSchemas((await lowerAndCheck(await load(files, { folder }))).contract);

/** What a schema says of one member: what a table of the source document says of a field. */
export interface Field {
  /** JSON types other than null, sorted. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly required: boolean;
  readonly format: string | undefined;
}

/** A schema together with the document that its references lead into. */
export interface Place {
  readonly root: JsonObject;
  readonly schema: JsonObject;
}

/** The emitted JSON Schema of a name. */
export function readEmitted(name: string): Place {
  return { root: document, schema: definition(document, `#/$defs/${name}`) };
}

/** Names of the emitted JSON Schemas. */
export function emittedNames(): readonly string[] {
  const { $defs } = document;
  return isJsonObject($defs) ? Object.keys($defs).toSorted() : [];
}

/** The schema of a member such as `Pix.payer.name`; a path goes through arrays to their elements. */
export function memberAt(place: Place, path: string): Place {
  return path.split('.').reduce(member, place);
}

/** What a schema says of the member at a path. */
export function fieldAt(place: Place, path: string): Field {
  const names = path.split('.');
  const last = names.at(-1) ?? '';
  const owner = elementOf(names.slice(0, -1).reduce(member, place));
  const memberPlace = member(owner, last);
  const types = typesOf(memberPlace);
  return {
    types: types.filter((type) => type !== 'null').toSorted(),
    nullable: types.includes('null'),
    required: parts(owner).some(({ schema }) => listOf(schema['required']).includes(last)),
    format: parts(memberPlace)
      .flatMap(branches)
      .flatMap(({ schema }) => schema['format'] ?? [])[0] as string | undefined,
  };
}

/** Names of the members that a schema (or the element of an array) lists, in the author's order. */
export function memberNames(place: Place): readonly string[] {
  return parts(elementOf(place)).flatMap(({ schema }) =>
    isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [],
  );
}

/** The value of a keyword, references followed. */
export function keyword(place: Place, name: string): Json | undefined {
  return parts(place).find(({ schema }) => schema[name] !== undefined)?.schema[name];
}

/** Whether a schema, or the element of an array, accepts members that it does not list. */
export function isOpen(place: Place): boolean {
  return parts(elementOf(place)).every(
    ({ schema }) =>
      schema['unevaluatedProperties'] !== false &&
      [undefined, true].some((open) => schema['additionalProperties'] === open),
  );
}

function member(place: Place, name: string): Place {
  for (const { root, schema } of parts(elementOf(place))) {
    const { properties } = schema;
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
      const schema = properties[name];
      if (isJsonObject(schema)) return { root, schema };
    }
  }
  throw new TypeError(`no member ${name}`);
}

function elementOf(place: Place): Place {
  const items = keyword(place, 'items');
  return isJsonObject(items) ? { root: place.root, schema: items } : place;
}

/** The schema itself and everything that `$ref` and `allOf` add to it. */
function parts(place: Place): readonly Place[] {
  const { root, schema } = place;
  const { $ref, allOf } = schema;
  const referred = typeof $ref === 'string' ? parts({ root, schema: definition(root, $ref) }) : [];
  const all = listOf(allOf).filter(isJsonObject);
  return [place, ...referred, ...all.flatMap((part) => parts({ root, schema: part }))];
}

/** The schema itself, and the parts of its alternatives. */
function branches(place: Place): readonly Place[] {
  const { root, schema } = place;
  const inside = listOf(schema['anyOf'] ?? schema['oneOf']).filter(isJsonObject);
  return [place, ...inside.flatMap((branch) => parts({ root, schema: branch }))];
}

function typesOf(place: Place): readonly string[] {
  const declared = parts(place).flatMap(({ root, schema }) => {
    const { type, anyOf, oneOf } = schema;
    const either = listOf(anyOf ?? oneOf).filter(isJsonObject);
    if (either.length > 0) return [either.flatMap((part) => typesOf({ root, schema: part }))];
    return type === undefined ? [] : [typeof type === 'string' ? [type] : listOf(type)];
  });
  const [first = [], ...furtherTypes] = declared;
  return first
    .filter((type) => typeof type === 'string')
    .filter((type) => furtherTypes.every((types) => types.includes(type)));
}

function definition(root: JsonObject, reference: string): JsonObject {
  const name = /^#\/\$defs\/(?<name>[^/]+)$/.exec(reference)?.groups?.['name'];
  const namedSchema =
    isJsonObject(root['$defs']) && name !== undefined ? root['$defs'][name] : undefined;
  if (!isJsonObject(namedSchema))
    throw new TypeError(`${reference} leads out of the file or nowhere`);
  return namedSchema;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
