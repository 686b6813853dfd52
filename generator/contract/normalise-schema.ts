import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { JsonSchema } from './contract.ts';
import { entries, items, referenceOf, type Cursor } from './cursor.ts';

/** What a schema's keywords mean depends on the document it was written in. */
export type Dialect = 'openapi-3.0' | '2020-12' | 'draft-07';

/** Finds the name under which the target of a local reference becomes a schema of the contract. */
export type ReferenceNames = (from: Cursor, reference: string) => string;

/**
 * Rewrites a schema of any dialect as JSON Schema 2020-12. References become `#/$defs/<name>`;
 * `allOf` with one reference and annotations around it becomes that reference with annotations.
 * Keywords keep the author's order. Annotations and `x-` keys stay.
 */
export function normaliseSchema(
  schema: Cursor,
  dialect: Dialect,
  nameOf: ReferenceNames,
): JsonSchema {
  const { value } = schema;
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return true;
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const target = { $ref: `#/$defs/${escapeName(nameOf(schema, reference))}` };
    return dialect === '2020-12'
      ? { ...target, ...keywords(schema, dialect, nameOf, ['$ref']) }
      : target;
  }
  return unwrapAllOf(translate(keywords(schema, dialect, nameOf, []), dialect));
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

/** Applies `change` to the subschemas that a normalised schema has itself, not to theirs. */
export function mapSubschemas(
  schema: JsonObject,
  change: (schema: JsonSchema) => JsonSchema,
): JsonObject {
  const into = (value: Json): Json =>
    isJsonObject(value) || typeof value === 'boolean' ? change(value) : value;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (value === undefined) return [keyword, value];
      if (schemaKeywords.has(keyword)) return [keyword, into(value)];
      if (schemaListKeywords.has(keyword) && Array.isArray(value)) {
        return [keyword, (value as readonly Json[]).map(into)];
      }
      if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([name, sub]) => [name, sub === undefined ? sub : into(sub)]),
          ),
        ];
      }
      return [keyword, value];
    }),
  );
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

function keywords(
  schema: Cursor,
  dialect: Dialect,
  nameOf: ReferenceNames,
  without: readonly string[],
): JsonObject {
  const deeper = (at: Cursor): JsonSchema => normaliseSchema(at, dialect, nameOf);
  return Object.fromEntries(
    entries(schema)
      .filter(([keyword]) => !without.includes(keyword) && !identityKeywords.has(keyword))
      .map(([keyword, at]) => {
        if (schemaListKeywords.has(keyword) && Array.isArray(at.value))
          return [keyword, items(at).map(deeper)];
        if (schemaKeywords.has(keyword)) return [keyword, deeper(at)];
        if (schemaMapKeywords.has(keyword)) {
          return [
            keyword,
            Object.fromEntries(entries(at).map(([name, sub]) => [name, deeper(sub)])),
          ];
        }
        if (keyword === 'dependencies') {
          return [
            keyword,
            Object.fromEntries(
              entries(at).map(([name, sub]) => [
                name,
                Array.isArray(sub.value) ? sub.value : deeper(sub),
              ]),
            ),
          ];
        }
        return [keyword, at.value];
      }),
  );
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
  const withExamples = exampleToExamples(schema);
  if (dialect === 'openapi-3.0') return fromOpenapi30(withExamples);
  if (dialect === 'draft-07') return fromDraft07(withExamples);
  return withExamples;
}

function exampleToExamples(schema: JsonObject): JsonObject {
  if (!Object.hasOwn(schema, 'example')) return schema;
  const { example, ...rest } = schema;
  return Array.isArray(rest['examples']) || example === undefined
    ? rest
    : { ...rest, examples: [example] };
}

/** OpenAPI 3.0.4, 4.7.24: `nullable`, and exclusive limits that are flags. */
function fromOpenapi30(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const limited = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (keyword === 'minimum' && exclusiveMinimum === true) return ['exclusiveMinimum', value];
      if (keyword === 'maximum' && exclusiveMaximum === true) return ['exclusiveMaximum', value];
      return [keyword, value];
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

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
