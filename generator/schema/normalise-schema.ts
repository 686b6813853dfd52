import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { type Cursor, child, entries, items, referenceOf } from '../json/cursor.ts';
import { fitValues } from './fit-value.ts';
import { mapItems, mapMembers, setMember } from './map-members.ts';
import { soundKeyword } from './sound-keywords.ts';
import { escapeMember } from '../json/pointer.ts';

/** What a schema's keywords mean depends on the document it was written in. */
export type Dialect = 'openapi-3.0' | '2020-12' | 'draft-07';

/** What a schema's keywords are read with. */
export interface Reading {
  readonly dialect: Dialect;
  /** Finds the name under which the target of a local reference becomes a schema of the contract. */
  readonly nameOf: (from: Cursor, reference: string) => string;
  /** What a `pattern` is in code; undefined for one that is not checked. */
  readonly patternOf: (written: string) => string | undefined;
}

/**
 * Rewrites a schema of any dialect as JSON Schema 2020-12. References become `#/$defs/<name>`;
 * `allOf` with one reference and annotations around it becomes that reference with annotations.
 * Keywords keep the author's order. Annotations and `x-` keys stay.
 */
export function normaliseSchema(schema: Cursor, reading: Reading): JsonSchema {
  const { value } = schema;
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return true;
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const target = { $ref: `#/$defs/${escapeMember(reading.nameOf(schema, reference))}` };
    if (reading.dialect !== '2020-12') return target;
    return { ...target, ...translate(keywords(schema, reading, ['$ref']), reading.dialect) };
  }
  return unwrapAllOf(translate(keywords(schema, reading, []), reading.dialect));
}

/** The name that `#/$defs/<name>` refers to. */
export function definitionName(reference: string): string {
  return reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Names of the schemas that a normalised schema refers to, each once, in order of appearance. */
export function referencesOf(schema: JsonSchema): readonly string[] {
  const names = new Set<string>();
  visitSchemas(schema, (sub) => {
    const reference = sub['$ref'];
    if (typeof reference === 'string') names.add(definitionName(reference));
  });
  return [...names];
}

/** Calls `visit` for a normalised schema and each of its subschemas, outermost first; data is not visited. */
export function visitSchemas(schema: Json | undefined, visit: (schema: JsonObject) => void): void {
  if (!isJsonObject(schema)) return;
  visit(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue;
    if (schemaKeywords.has(keyword)) visitSchemas(value, visit);
    else if (schemaListKeywords.has(keyword) && Array.isArray(value)) {
      for (const item of value as readonly Json[]) visitSchemas(item, visit);
    } else if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
      for (const item of Object.values(value)) visitSchemas(item, visit);
    }
  }
}

/** Applies `change` to a normalised schema and each of its subschemas, innermost first. */
export function mapSchemas(
  schema: JsonSchema,
  change: (schema: JsonObject) => JsonSchema,
): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  return change(mapSubschemas(schema, (sub) => mapSchemas(sub, change)));
}

/** Applies `change` to the subschemas that a normalised schema has itself, not to theirs; itself where nothing changes. */
export function mapSubschemas(
  schema: JsonObject,
  change: (schema: JsonSchema) => JsonSchema,
): JsonObject {
  const into = (value: Json): Json =>
    isJsonObject(value) || typeof value === 'boolean' ? change(value) : value;
  return mapMembers(schema, (value, keyword) => {
    if (schemaKeywords.has(keyword)) return into(value);
    if (typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      return schemaListKeywords.has(keyword) ? mapItems(value as readonly Json[], into) : value;
    }
    return schemaMapKeywords.has(keyword) && isJsonObject(value) ? mapMembers(value, into) : value;
  });
}

const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const schemaListKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
]);
const schemaMapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

const annotations: ReadonlySet<string> = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'readOnly',
  'title',
  'writeOnly',
  'xml',
]);

function keywords(schema: Cursor, reading: Reading, without: readonly string[]): JsonObject {
  const { value: written } = schema;
  const result: Record<string, Json | undefined> = {};
  if (!isJsonObject(written)) return result;
  for (const keyword of Object.keys(written)) {
    if (without.includes(keyword) || identityKeywords.has(keyword)) continue;
    const value = soundKeyword(keyword, written[keyword]);
    if (value === undefined) continue;
    const read = readKeyword(keyword, value, schema, reading);
    if (read !== undefined) setMember(result, keyword, read);
  }
  return result;
}

function readKeyword(
  keyword: string,
  value: Json,
  schema: Cursor,
  reading: Reading,
): Json | undefined {
  if (keyword === 'pattern' && typeof value === 'string') return reading.patternOf(value);
  const isScalar = typeof value !== 'object' && keyword !== 'dependencies';
  if (isScalar && !schemaKeywords.has(keyword)) return value;
  const deeper = (at: Cursor): JsonSchema => normaliseSchema(at, reading);
  const at = child(schema, keyword);
  if (schemaListKeywords.has(keyword) && (Array.isArray(value) || keyword !== 'items')) {
    return schemasOf(at).map(deeper);
  }
  if (schemaKeywords.has(keyword)) return typeof value === 'boolean' ? value : deeper(at);
  if (keyword === 'patternProperties') return patternProperties(at, reading, deeper);
  if (schemaMapKeywords.has(keyword)) {
    const schemas: Record<string, JsonSchema> = {};
    for (const [name, sub] of entries(at)) setMember(schemas, name, deeper(sub));
    return schemas;
  }
  if (keyword === 'dependencies') {
    const members = entries(at).map(
      ([name, sub]) => [name, Array.isArray(sub.value) ? sub.value : deeper(sub)] as const,
    );
    return Object.fromEntries(members);
  }
  return value;
}

/** The items of a list; an object in its place is a list whose indices became names, or the only item. */
function schemasOf(at: Cursor): readonly Cursor[] {
  if (Array.isArray(at.value)) return items(at);
  const members = entries(at);
  const isList = members.length > 0 && members.every(([name]) => /^\d+$/u.test(name));
  return isList ? members.map(([, member]) => member) : [at];
}

/** Where a pattern is not checked, any member may be one that it is about, as far as can be told. */
function patternProperties(
  at: Cursor,
  { patternOf }: Reading,
  deeper: (at: Cursor) => JsonSchema,
): JsonObject {
  const members = entries(at).map(([name, sub]) => [patternOf(name), deeper(sub)] as const);
  const [unread] = members.filter(([pattern]) => pattern === undefined);
  const read = members.flatMap(([pattern, sub]) =>
    pattern === undefined ? [] : [[pattern, sub] as const],
  );
  return Object.fromEntries([...read, ...(unread === undefined ? [] : [['', true] as const])]);
}

/** A bundled document has no use for them, and a second place to resolve references against would be ambiguous. */
const identityKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
]);

function translate(schema: JsonObject, dialect: Dialect): JsonObject {
  const withExamples = exampleToExamples(fitValues(schema));
  return dialect === 'draft-07' ? fromDraft07(withExamples) : fromOpenapi(withExamples);
}

function exampleToExamples(schema: JsonObject): JsonObject {
  if (!Object.hasOwn(schema, 'example')) return schema;
  const { example, ...rest } = schema;
  return Array.isArray(rest['examples']) || example === undefined
    ? rest
    : { ...rest, examples: [example] };
}

/**
 * OpenAPI 3.0.4, 4.7.24: `nullable`, and exclusive limits that are flags. None of them means anything else in 3.1, where
 * documents have them that were converted in part; nor does a list in `items`, which was a tuple up to draft 2019-09.
 */
function fromOpenapi(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, items } = schema;
  const isFlagged = typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean';
  if (nullable === undefined && !isFlagged && !Array.isArray(items)) return schema;
  const { nullable: _, ...rest } = schema;
  const limited = Object.fromEntries(
    Object.entries(rest).flatMap(([keyword, value]): readonly [string, Json | undefined][] => {
      if (keyword === 'minimum' && exclusiveMinimum === true) return [['exclusiveMinimum', value]];
      if (keyword === 'maximum' && exclusiveMaximum === true) return [['exclusiveMaximum', value]];
      const isFlag = keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum';
      if (isFlag && typeof value === 'boolean') return [];
      if (keyword === 'items' && Array.isArray(value)) return [['prefixItems', value]];
      return [[keyword, value]];
    }),
  );
  return nullable === true ? orNull(limited) : limited;
}

/** Without a `type`, `nullable` says nothing by the letter; whoever writes it beside `allOf` means that null may stand there. */
function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type === 'string') {
    const values = schema['enum'];
    const withNull =
      Array.isArray(values) && !values.includes(null)
        ? { enum: [...(values as readonly Json[]), null] }
        : {};
    return { ...schema, type: [type, 'null'], ...withNull };
  }
  const rules = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword));
  if (type !== undefined || rules.length === 0) return schema;
  const around = Object.entries(schema).filter(([keyword]) => isAnnotation(keyword));
  return {
    anyOf: [unwrapAllOf(Object.fromEntries(rules)), { type: 'null' }],
    ...Object.fromEntries(around),
  };
}

/** JSON Schema 2020-12, appendix of changes: what draft-07 wrote as `items`, `additionalItems`, `definitions` and `dependencies`. */
function fromDraft07(schema: JsonObject): JsonObject {
  const tuple = Array.isArray(schema['items']);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json | undefined][] => {
      if (keyword === 'items' && tuple) return [['prefixItems', value]];
      if (keyword === 'additionalItems') return tuple ? [['items', value]] : [];
      if (keyword === 'definitions') return [['$defs', value]];
      if (keyword === 'dependencies' && isJsonObject(value)) return splitDependencies(value);
      return [[keyword, value]];
    }),
  );
}

function splitDependencies(dependencies: JsonObject): [string, JsonObject][] {
  const lists = Object.entries(dependencies).filter(([, value]) => Array.isArray(value));
  const schemas = Object.entries(dependencies).filter(([, value]) => !Array.isArray(value));
  return [
    ...(lists.length > 0
      ? [['dependentRequired', Object.fromEntries(lists)] as [string, JsonObject]]
      : []),
    ...(schemas.length > 0
      ? [['dependentSchemas', Object.fromEntries(schemas)] as [string, JsonObject]]
      : []),
  ];
}

function unwrapAllOf(schema: JsonObject): JsonObject {
  const list = schema['allOf'];
  if (!Array.isArray(list) || list.length !== 1) return schema;
  const [only] = list as readonly Json[];
  if (!isJsonObject(only) || Object.keys(only).join() !== '$ref') return schema;
  const around = Object.entries(schema).filter(([keyword]) => keyword !== 'allOf');
  if (!around.every(([keyword]) => annotations.has(keyword) || keyword.startsWith('x-')))
    return schema;
  return { ...only, ...Object.fromEntries(around) };
}

/** Whether a keyword says something about a value without deciding whether it is valid. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}
