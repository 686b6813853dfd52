import {
  isJsonObject,
  toObject,
  withoutMembers,
  type Json,
  type JsonObject,
} from '../../json/json.ts';
import { referenceOf } from '../../json/descend.ts';
import { mapReferences } from '../../json/map-members.ts';
import {
  resolveVocabulary,
  vocabulary,
  vocabularySchema,
  type ExtensionPlace,
} from './vocabulary.ts';

/** The published JSON Schemas that the schemas for editors are created from. */
export interface PublishedSchemas {
  /** OpenAPI 3.1, without the keywords of schemas. */
  readonly openapi: JsonObject;
  /** The keywords that OpenAPI 3.1 adds to JSON Schema. */
  readonly openapiKeywords: JsonObject;
  /** AsyncAPI 3.1, whose definitions have no `$id`. */
  readonly asyncapi: JsonObject;
  /** The vocabularies of JSON Schema 2020-12. */
  readonly jsonSchema: readonly JsonObject[];
}

/**
 * Creates the JSON Schemas with which editors complete, describe and check documents: the published ones with the keys
 * of the vocabulary on the objects that may have them. Every `$ref` of a schema is inside it, so that editors need no
 * network. Keys that start with `x-` and are not part of the vocabulary stay allowed.
 * @returns the schemas by file name
 */
export function createEditorSchemas(
  published: PublishedSchemas,
): Readonly<Record<string, JsonObject>> {
  const openapi = createOpenapiSchema(published);
  return {
    'openapi.json': openapi,
    'asyncapi.json': createAsyncapiSchema(published),
    // For files with one JSON Schema, to which a document refers.
    'schema.json': {
      $schema: openapi['$schema'],
      $comment: origin('JSON Schema 2020-12 and OpenAPI 3.1'),
      title: 'A JSON Schema of an OpenAPI 3.1 document',
      $ref: '#/$defs/schema',
      $defs: openapi['$defs'],
    },
  };
}

/** The origin and the licences of the schemas for editors, as Markdown. */
export const editorSchemaLicenses = `# Licences of these schemas

The files are created from JSON Schemas that others publish, and changed: the keys of countersign are added, references
are made local, and places that differ from the text of the specification are corrected.

- OpenAPI 3.1: the OpenAPI Initiative, Apache-2.0 (LICENSE-Apache-2.0.txt)
- AsyncAPI 3.1: the AsyncAPI Initiative, Apache-2.0 (LICENSE-Apache-2.0.txt)
- JSON Schema 2020-12 and draft-07: the JSON Schema organization, BSD-3-Clause, Copyright (c) 2022 JSON Schema
  Specification Authors
`;

function origin(specification: string): string {
  return `Created from the published JSON Schemas of ${specification} (Apache-2.0 and BSD-3-Clause; see LICENSES.md), with the x- keys of countersign added.`;
}

function createOpenapiSchema({
  openapi,
  openapiKeywords,
  jsonSchema,
}: PublishedSchemas): JsonObject {
  const definitions = toObject(openapi['$defs']);
  const keywords = [...jsonSchema, openapiKeywords];
  const keywordDefinitions = Object.fromEntries(
    keywords.flatMap(({ $defs }) =>
      Object.entries(toObject($defs)).map(([name, schema]) => [
        `keyword.${name}`,
        toKeyword(schema ?? true),
      ]),
    ),
  );
  const schema = {
    type: ['object', 'boolean'],
    properties: Object.assign(
      {},
      ...keywords.map(({ properties }) => toKeyword(properties ?? {})),
    ) as JsonObject,
    patternProperties: { '^x-': true },
  };
  const places: Readonly<Record<string, readonly ExtensionPlace[]>> = {
    info: ['info'],
    components: ['components'],
    'security-scheme': ['security-scheme'],
    parameter: ['parameter'],
    operation: ['operation', 'message'],
    schema: ['schema'],
  };
  const extendedDefinitions = Object.entries({
    ...definitions,
    ...corrections(definitions),
    schema,
  }).map(([name, definition]) =>
    name === 'specification-extensions'
      ? [name, definition]
      : [name, withKeys(definition, places[name] ?? [], '$defs')],
  );
  const root = withKeys(withoutMembers(openapi, '$id', '$defs'), ['document'], '$defs');
  return toObject(
    toStatic({
      ...toObject(root),
      $comment: origin('OpenAPI 3.1 and JSON Schema 2020-12'),
      title: 'An OpenAPI 3.1 document',
      $defs: {
        ...Object.fromEntries(extendedDefinitions),
        ...keywordDefinitions,
        ...keyDefinitions('$defs'),
      },
    }),
  );
}

/** Returns definitions that the published schema of OpenAPI 3.1 has otherwise than the specification. */
function corrections(definitions: JsonObject): JsonObject {
  const pathItem = toObject(definitions['path-item']);
  const server = toObject(definitions['server']);
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  return {
    // A licence needs a name alone.
    license: withoutMembers(toObject(definitions['license']), 'oneOf'),
    // URLs can be relative, and those of servers have variables in braces.
    uri: { type: 'string', format: 'uri-reference' },
    server: {
      ...server,
      properties: { ...toObject(server['properties']), url: { type: 'string' } },
    },
    // Editors propose members, and not what a pattern matches.
    'path-item': {
      ...withoutMembers(pathItem, 'patternProperties'),
      properties: {
        $ref: { $ref: '#/$defs/uri' },
        ...toObject(pathItem['properties']),
        ...Object.fromEntries(methods.map((method) => [method, { $ref: '#/$defs/operation' }])),
      },
    },
    link: {
      ...toObject(definitions['link']),
      properties: {
        ...toObject(toObject(definitions['link'])['properties']),
        server: { $ref: '#/$defs/server' },
      },
    },
  };
}

/** Rewrites references between the definitions of a vocabulary of JSON Schema. */
function toKeyword(schema: Json): Json {
  return mapReferences(schema, (reference) => reference.replace('#/$defs/', '#/$defs/keyword.'));
}

function createAsyncapiSchema({ asyncapi }: PublishedSchemas): JsonObject {
  const definitions = toObject(asyncapi['definitions']);
  const places: Readonly<Record<string, readonly ExtensionPlace[]>> = {
    components: ['components'],
    infoExtensions: ['info'],
    messageObject: ['message'],
    messageTrait: ['message'],
  };
  const extendedDefinitions = Object.entries(definitions).map(([name, definition]) => {
    if (name === 'schema') return [name, withSchemaKeys(toObject(definition))];
    const isScheme = schemesOf(definitions).has(name);
    const ofDefinition = isScheme ? (['security-scheme'] as const) : (places[name] ?? []);
    return [name, withKeys(definition ?? true, ofDefinition, 'definitions')];
  });
  const root = toObject(
    withKeys(withoutMembers(asyncapi, 'definitions'), ['document'], 'definitions'),
  );
  const version = { enum: ['3.0.0', '3.1.0'], type: 'string' };
  return toObject(
    toStatic({
      ...withoutMembers(root, '$id', 'description'),
      $comment: origin('AsyncAPI 3.1'),
      title: 'An AsyncAPI 3 document',
      properties: { ...toObject(root['properties']), asyncapi: version },
      definitions: { ...Object.fromEntries(extendedDefinitions), ...keyDefinitions('definitions') },
    }),
  );
}

/** Returns the names of the definitions of security schemes, which `SecurityScheme` and others list. */
function schemesOf(definitions: JsonObject, from = 'SecurityScheme'): ReadonlySet<string> {
  const alternatives = toObject(definitions[from])['oneOf'];
  if (!Array.isArray(alternatives)) return new Set([from]);
  const names = (alternatives as readonly Json[]).flatMap(
    (alternative) => referenceOf(alternative)?.replace('#/definitions/', '') ?? [],
  );
  return new Set(names.flatMap((name) => [...schemesOf(definitions, name)]));
}

/** AsyncAPI's schemas are JSON Schema draft-07, extended in the last entry of `allOf`. */
function withSchemaKeys(schema: JsonObject): JsonObject {
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Json[]) : [];
  return {
    ...schema,
    allOf: parts.map((part, index) =>
      index === parts.length - 1 ? withKeys(part, ['schema'], 'definitions') : part,
    ),
  };
}

/** Adds the keys of places to a schema of an object, and those of any place if the object allows extensions. */
function withKeys(schema: Json, places: readonly ExtensionPlace[], definitions: string): Json {
  if (!isJsonObject(schema)) return schema;
  const isOpen = JSON.stringify(schema).includes('specification-extensions');
  const patterns = Object.keys(toObject(schema['patternProperties']));
  const allowedPlaces: readonly ExtensionPlace[] =
    places.length > 0 || isOpen || patterns.some((pattern) => pattern.startsWith('^x-'))
      ? [...places, 'anywhere']
      : [];
  const keys = Object.entries(vocabulary).filter(([, definition]) =>
    definition.places.some((place) => allowedPlaces.includes(place)),
  );
  if (keys.length === 0) return schema;
  const references = keys.map(([key]) => [key, { $ref: `#/${definitions}/${key}` }]);
  return {
    ...schema,
    properties: { ...toObject(schema['properties']), ...Object.fromEntries(references) },
  };
}

/** Returns the definitions of the vocabulary: each key under its name, and what they share. */
function keyDefinitions(definitions: string): JsonObject {
  const { properties, $defs } = vocabularySchema;
  const shared = Object.entries(toObject($defs)).map(([name, schema]) => [`x-${name}`, schema]);
  const keys = Object.entries(toObject(properties)).map(([key, schema]) => [
    key,
    withOneDescription(toObject(schema)),
  ]);
  const all = Object.fromEntries([...keys, ...shared]) as JsonObject;
  return toObject(
    mapReferences(withoutOwnKeywords(all), (reference) =>
      reference.startsWith('#/$defs/')
        ? reference.replace('#/$defs/', `#/${definitions}/x-`)
        : `#/${definitions}/schema`,
    ),
  );
}

/**
 * Replaces the branches of a key by what they refer to, without its description. Editors show the description of a
 * branch instead of that of the key.
 */
function withOneDescription(schema: JsonObject): JsonObject {
  const inline = (branch: Json | undefined): Json | undefined => {
    const reference = referenceOf(branch);
    if (reference === undefined) return branch;
    return withoutMembers(toObject(resolveVocabulary(reference)), 'description');
  };
  if (schema['description'] === undefined || schema['if'] === undefined) return schema;
  return { ...schema, then: inline(schema['then']), else: inline(schema['else']) };
}

/** Removes the keywords that only this toolkit reads. Draft-07 ignores what is beside `$ref`, so it gets `allOf`. */
function withoutOwnKeywords(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutOwnKeywords);
  if (!isJsonObject(value)) return value;
  const { 'x-places': _, 'x-words': __, $ref: reference, ...rest } = value;
  const members = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, withoutOwnKeywords(member ?? null)]),
  );
  if (reference === undefined) return members;
  return Object.keys(members).length === 0
    ? { $ref: reference }
    : { ...members, allOf: [{ $ref: reference }] };
}

/**
 * Replaces dynamic references, which many editors do not follow, by references to the definition of schemas. Removes
 * examples, some of which refer to files.
 */
function toStatic(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(toStatic);
  if (!isJsonObject(value)) return value;
  // A member of `properties` can have the name of a keyword. Its value is a schema, and not a string.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member = null]) => {
      if (name === 'examples' && Array.isArray(member)) return [];
      if (typeof member !== 'string' || !name.startsWith('$dynamic'))
        return [[name, toStatic(member)]];
      return name === '$dynamicRef' ? [['$ref', '#/$defs/schema']] : [];
    }),
  );
}
