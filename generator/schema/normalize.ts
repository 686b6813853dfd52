import { type Json, type JsonObject, isJsonObject, textsIn } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import type { Cursor } from '../json/cursor.ts';
import { discriminatorOf } from './discriminator.ts';
import { inheritedDiscriminators, inheritedParts } from './inheritance.ts';
import { fitValues } from './fit-value.ts';
import { setMember } from '../json/map-members.ts';
import { maxLengthOf, normalizeKeyword } from './normalize-keyword.ts';
import { isAnnotation, schemaKeywords } from '../specification/schema-keywords.ts';
import { toReference } from './references.ts';

/** The dialect of JSON Schema that a schema is written in; its document determines it. */
export type SchemaDialect = 'openapi-3.0' | '2020-12' | 'draft-07';

/** The context in which the keywords of a schema are read. */
export interface SchemaContext {
  readonly dialect: SchemaDialect;
  /**
   * Returns the name under which the target of a local reference becomes a schema of the contract.
   * @param isPart whether the schema with the reference is composed of the target, so that heirs of the target are not
   * meant
   */
  readonly nameOf: (from: Cursor, reference: string, isPart: boolean) => string;
  /**
   * Returns a `pattern` as a regular expression for code; `undefined` for one that is not checked.
   * @param maxLength the `maxLength` beside it: a longer text is not matched
   */
  readonly patternOf: (pattern: string, maxLength?: number) => string | undefined;
}

/**
 * Rewrites a schema of any dialect as JSON Schema 2020-12. References become `#/$defs/<name>`. An `allOf` with only one
 * reference, beside annotations, becomes that reference with the annotations. Keywords keep the author's order.
 * Annotations and `x-` keys are kept.
 * @param isPart whether the schema is a part of another one, which is composed of it
 */
export function normalizeSchema(
  schema: Cursor,
  context: SchemaContext,
  isPart: boolean = false,
): JsonSchema {
  const { value } = schema;
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return true;
  const reference = schema.localReference;
  if (reference !== undefined) {
    const target = toReference(context.nameOf(schema, reference, isPart));
    if (context.dialect !== '2020-12') return target;
    return translate({ ...target, ...keywords(schema, context, isPart) }, context.dialect);
  }
  return unwrapAllOf(translate(keywords(schema, context, isPart), context.dialect));
}

/** Reads all keywords but `$ref`. */
function keywords(schema: Cursor, context: SchemaContext, isPart: boolean): JsonObject {
  const { value: source } = schema;
  const result: Record<string, Json | undefined> = {};
  if (!isJsonObject(source)) return result;
  for (const keyword of Object.keys(source)) {
    // A bundled document does not need identities, and a second base URI would make references ambiguous.
    const isIdentity = schemaKeywords.get(keyword)?.role === 'identity';
    if (keyword === '$ref' || isIdentity) continue;
    const value = normalizeKeyword(keyword, source[keyword]);
    if (value === undefined) continue;
    const read = readKeyword(keyword, value, schema, context, isPart);
    if (read !== undefined) setMember(result, keyword, read);
  }
  const discriminator = unionDiscriminator(schema);
  if (discriminator !== undefined) setMember(result, 'discriminator', discriminator);
  return result;
}

/** Returns the discriminator of a union that has no Discriminator Object: its own of AsyncAPI, or one that it inherits. */
function unionDiscriminator(schema: Cursor): JsonObject | undefined {
  if (isJsonObject(schema.valueIn('discriminator'))) return undefined;
  const keyword = unionKeywords.find((union) => schema.valueIn(union) !== undefined);
  if (keyword === undefined) return undefined;
  const union = discriminatorOf(schema, schemasOf(schema.child(keyword)));
  return union && { propertyName: union.property };
}

const unionKeywords: readonly string[] = ['oneOf', 'anyOf'];

function readKeyword(
  keyword: string,
  value: Json,
  schema: Cursor,
  context: SchemaContext,
  isPart: boolean,
): Json | undefined {
  if (keyword === 'pattern' && typeof value === 'string') {
    return context.patternOf(value, maxLengthOf(schema));
  }
  const holds = schemaKeywords.get(keyword)?.holds;
  if (holds === undefined) return value;
  const deeper = (at: Cursor): JsonSchema => normalizeSchema(at, context);
  const at = schema.child(keyword);
  if (holds === 'list' || (holds === 'schema-or-list' && Array.isArray(value))) {
    const items = schemasOf(at);
    if (keyword === 'allOf') {
      const arePart = isPart || !isOnlyAnnotated(schema);
      const parts = items.map((item) => normalizeSchema(item, context, arePart));
      return [...parts, ...inheritedParts(schema)];
    }
    const discriminator = unionKeywords.includes(keyword)
      ? discriminatorOf(schema, items)
      : undefined;
    return items.map((item) => discriminator?.narrow(item, deeper(item)) ?? deeper(item));
  }
  if (holds !== 'map') return typeof value === 'boolean' ? value : deeper(at);
  if (keyword === 'patternProperties') return patternProperties(at, context, deeper);
  const members: Record<string, Json> = {};
  for (const [name, sub] of at.entries()) {
    // `dependencies` has lists of names, too.
    setMember(members, name, Array.isArray(sub.value) ? sub.value : deeper(sub));
  }
  return members;
}

/**
 * Returns the items of a list of schemas. In place of a list, an object is read as a list if all its members are named
 * by indices, and otherwise as the only item.
 */
function schemasOf(at: Cursor): readonly Cursor[] {
  if (Array.isArray(at.value)) return at.items();
  const members = at.entries();
  const isList = members.length > 0 && members.every(([name]) => /^\d+$/u.test(name));
  return isList ? members.map(([, member]) => member) : [at];
}

/**
 * Returns `patternProperties` with patterns for code. Patterns that are not checked are replaced by the empty pattern
 * with the schema `true`: any member can match them, so `additionalProperties` must not reject it.
 */
function patternProperties(
  at: Cursor,
  { patternOf }: SchemaContext,
  deeper: (at: Cursor) => JsonSchema,
): JsonObject {
  const members = at.entries().map(([name, sub]) => [patternOf(name), deeper(sub)] as const);
  const [unread] = members.filter(([pattern]) => pattern === undefined);
  const read = members.flatMap(([pattern, sub]) =>
    pattern === undefined ? [] : [[pattern, sub] as const],
  );
  return Object.fromEntries([...read, ...(unread === undefined ? [] : [['', true] as const])]);
}

function translate(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  const withExamples = exampleToExamples(fitValues(schema));
  return fromOpenapi(dialect === 'draft-07' ? fromDraft07(withExamples) : withExamples);
}

function exampleToExamples(schema: JsonObject): JsonObject {
  if (!Object.hasOwn(schema, 'example')) return schema;
  const { example, ...rest } = schema;
  return Array.isArray(rest['examples']) || example === undefined
    ? rest
    : { ...rest, examples: [example] };
}

/**
 * Translates `nullable` and exclusive limits that are flags (OpenAPI 3.0.4, 4.7.24), and a list in `items`, which was a
 * tuple up to draft 2019-09. Applies to OpenAPI 3.1 and AsyncAPI too: documents that were converted in part, and AsyncAPI
 * documents with OpenAPI schemas, contain these forms, and no other dialect gives them another meaning.
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

/**
 * Adds null to the values that a schema accepts. By the specification `nullable` has no effect without a `type`, but
 * authors who write it beside `allOf` intend to allow null.
 */
function orNull(schema: JsonObject): JsonObject {
  const types = typesIn(schema['type']);
  if (types.length > 0 && !Object.hasOwn(schema, 'const')) {
    const values = schema['enum'];
    const withNull =
      Array.isArray(values) && !values.includes(null)
        ? { enum: [...(values as readonly Json[]), null] }
        : {};
    return { ...schema, type: [...new Set([...types, 'null'])], ...withNull };
  }
  const rules = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword));
  if (rules.length === 0) return schema;
  const around = Object.entries(schema).filter(([keyword]) => isAnnotation(keyword));
  return {
    anyOf: [unwrapAllOf(Object.fromEntries(rules)), { type: 'null' }],
    ...Object.fromEntries(around),
  };
}

function typesIn(type: Json | undefined): readonly string[] {
  return typeof type === 'string' ? [type] : textsIn(type);
}

/**
 * Translates the `items`, `additionalItems`, `definitions` and `dependencies` of draft-07, by the change logs of JSON
 * Schema 2019-09 and 2020-12.
 */
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
  const all = Object.entries(dependencies);
  const keywords: [string, JsonObject][] = [
    ['dependentRequired', Object.fromEntries(all.filter(([, value]) => Array.isArray(value)))],
    ['dependentSchemas', Object.fromEntries(all.filter(([, value]) => !Array.isArray(value)))],
  ];
  return keywords.filter(([, members]) => Object.keys(members).length > 0);
}

/** Returns whether a schema only adds annotations to the one schema in its `allOf`, without being an heir of it. */
function isOnlyAnnotated(schema: Cursor): boolean {
  return (
    schema.items('allOf').length === 1 &&
    schema.entries().every(([keyword]) => keyword === 'allOf' || isAnnotation(keyword)) &&
    inheritedDiscriminators(schema).length === 0
  );
}

function unwrapAllOf(schema: JsonObject): JsonObject {
  const list = schema['allOf'];
  if (!Array.isArray(list) || list.length !== 1) return schema;
  const [only] = list as readonly Json[];
  if (!isJsonObject(only) || Object.keys(only).join() !== '$ref') return schema;
  const around = Object.entries(schema).filter(([keyword]) => keyword !== 'allOf');
  if (!around.every(([keyword]) => isAnnotation(keyword))) return schema;
  return { ...only, ...Object.fromEntries(around) };
}
