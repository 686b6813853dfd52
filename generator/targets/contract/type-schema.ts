import type { JsonSchema } from '../../contract/contract.ts';
import { definitionName } from '../../contract/normalise-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { literal } from '../escape.ts';
import { jsdocLines, type Documentation } from '../jsdoc.ts';

/** What the projection needs to know of the contract. */
export interface TypeSchemaContext {
  /** The identifier of the type of a schema. */
  typeNameOf(schemaName: string): string;
  /** A stand-in for a member name; the type emitter would read some names of members as keywords of its own. */
  placeholderOf(member: string): string;
  /** A stand-in for an object type, the same for all that are written alike: typing each once is enough. */
  standInFor(type: TypeSchema): TypeSchema;
  /** The identifier of the type that texts of a format have, where they have one of their own. */
  formatTypeOf(format: string): string | undefined;
  readonly sourceDocument: string | undefined;
}

/** A schema as json-schema-to-typescript reads it. `tsType` is text that it copies. */
export type TypeSchema = Readonly<Record<string, unknown>>;

/**
 * Bends a schema for json-schema-to-typescript, which reads its own dialect: every schema says one thing only,
 * references and literal types are `tsType`, comments are finished lines, limits and defaults (from which it would
 * make tuples and types) are gone, and so is every key of the contract that it could take for an instruction.
 */
export function toTypeSchema(definition: JsonSchema, context: TypeSchemaContext): TypeSchema {
  if (!isJsonObject(definition)) return definition ? anything : nothing;
  const parts = dropVague([
    ...referencePart(definition, context),
    ...literalPart(definition),
    ...(Object.hasOwn(definition, 'enum') || Object.hasOwn(definition, 'const')
      ? []
      : typePart(definition, context)),
    ...listPart(definition, 'anyOf', context),
    ...listPart(definition, 'oneOf', context),
    ...toList(definition['allOf']).map((member) => toTypeSchema(toSchema(member), context)),
  ]);
  if (parts.some((part) => part['tsType'] === 'never')) return nothing;
  const [only, ...others] = parts;
  if (only === undefined) return anything;
  return others.length === 0 ? only : { allOf: parts };
}

/** What a schema says about the value at its place, for the comment above a member. */
function documentationOf(
  schema: Json | undefined,
  sourceDocument: string | undefined,
): Documentation {
  if (!isJsonObject(schema)) return {};
  const itemText = isJsonObject(schema['items'])
    ? toText(schema['items']['description'])
    : undefined;
  const description = toText(schema['description']);
  return {
    summary: toText(schema['title']),
    description:
      itemText === undefined ? description : `${description ?? ''}\n\nItems: ${itemText}`,
    source: toSources(schema['x-source']),
    sourceDocument,
    deprecated: schema['deprecated'] === true,
    examples: toExamples(schema),
  };
}

const anything: TypeSchema = { tsType: 'unknown' };
const nothing: TypeSchema = { tsType: 'never' };

function referencePart(schema: JsonObject, context: TypeSchemaContext): readonly TypeSchema[] {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return [];
  return [{ tsType: context.typeNameOf(definitionName(reference)) }];
}

/** `enum` and `const`, restricted to the types that stand beside them. */
function literalPart(schema: JsonObject): readonly TypeSchema[] {
  const values = Object.hasOwn(schema, 'const')
    ? [schema['const'] ?? null]
    : Array.isArray(schema['enum'])
      ? (schema['enum'] as readonly Json[])
      : undefined;
  if (values === undefined) return [];
  const types = toTypes(schema['type']);
  const fitting = values.filter((value) => types === undefined || types.some(hasType(value)));
  const literals = [...new Set(fitting.map(toLiteralType))];
  if (literals.length === 0) return [nothing];
  return [{ tsType: literals.length === 1 ? literals[0] : `(${literals.join(' | ')})` }];
}

function typePart(schema: JsonObject, context: TypeSchemaContext): readonly TypeSchema[] {
  const types = toTypes(schema['type']) ?? impliedTypes(schema);
  if (types.length === 0 || (types.join() === 'object' && saysNoMember(schema))) return [];
  const members = [...new Set(types)]
    .filter((type) => type !== 'integer' || !types.includes('number'))
    .map((type) => singleType(type, schema, context));
  const [only, ...others] = members;
  return others.length === 0 && only !== undefined ? [only] : [{ anyOf: members }];
}

/** Without `type` a value of another type would be valid too; the type says what the contract speaks of. */
function impliedTypes(schema: JsonObject): readonly string[] {
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  return [
    ...(has('properties', 'patternProperties', 'additionalProperties', 'required')
      ? ['object']
      : []),
    ...(has('items', 'prefixItems') ? ['array'] : []),
  ];
}

/** `type: object` beside other schemas that describe the members: an index signature would only get in their way. */
function saysNoMember(schema: JsonObject): boolean {
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
  const speaks = ['properties', 'patternProperties', 'additionalProperties', 'required'].some(has);
  return !speaks && ['$ref', 'allOf', 'anyOf', 'oneOf'].some(has);
}

function singleType(type: string, schema: JsonObject, context: TypeSchemaContext): TypeSchema {
  switch (type) {
    case 'object':
      return objectType(schema, context);
    case 'array':
      return arrayType(schema, context);
    case 'integer':
    case 'number':
      return { type: 'number' };
    case 'string': {
      const { format } = schema;
      const own = typeof format === 'string' ? context.formatTypeOf(format) : undefined;
      return own === undefined ? { type } : { tsType: own };
    }
    case 'boolean':
    case 'null':
      return { type };
    default:
      return anything;
  }
}

function objectType(schema: JsonObject, context: TypeSchemaContext): TypeSchema {
  const declared = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = toList(schema['required']).filter((name) => typeof name === 'string');
  const names = [...new Set([...Object.keys(declared), ...required])];
  const index = indexSignature(schema, context);
  if (names.length === 0) {
    const closed = schema['additionalProperties'] === false;
    return { type: 'object', additionalProperties: index ?? (closed ? nothing : anything) };
  }
  return context.standInFor({
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => {
        const member = Object.hasOwn(declared, name) ? declared[name] : true;
        return [
          context.placeholderOf(name),
          withComment(toTypeSchema(toSchema(member), context), member, context),
        ];
      }),
    ),
    required: required.map((name) => context.placeholderOf(name)),
    additionalProperties: index ?? false,
  });
}

/** Members that are not declared are accepted, but get an index signature only where the contract speaks of them. */
function indexSignature(schema: JsonObject, context: TypeSchemaContext): TypeSchema | undefined {
  const { additionalProperties: others, patternProperties: patterns } = schema;
  const byPattern = isJsonObject(patterns) ? Object.values(patterns).map(toSchema) : [];
  if (others === undefined) return byPattern.length > 0 ? anything : undefined;
  const described = others === false ? byPattern : [...byPattern, toSchema(others)];
  const types = described.map((member) => toTypeSchema(member, context));
  const [only, ...rest] = types;
  if (only === undefined) return undefined;
  if (types.some((type) => type['tsType'] === 'unknown')) return anything;
  return rest.length === 0 ? only : { anyOf: types };
}

function arrayType(schema: JsonObject, context: TypeSchemaContext): TypeSchema {
  const first = toList(schema['prefixItems']).map((item) => toTypeSchema(toSchema(item), context));
  const { items } = schema;
  if (first.length === 0) {
    return {
      type: 'array',
      items: items === undefined ? anything : toTypeSchema(toSchema(items), context),
    };
  }
  return {
    type: 'array',
    items: first,
    minItems:
      typeof schema['minItems'] === 'number' ? Math.min(schema['minItems'], first.length) : 0,
    ...(items === false
      ? {}
      : {
          additionalItems: items === undefined ? anything : toTypeSchema(toSchema(items), context),
        }),
  };
}

function listPart(
  schema: JsonObject,
  keyword: 'anyOf' | 'oneOf',
  context: TypeSchemaContext,
): readonly TypeSchema[] {
  if (!Array.isArray(schema[keyword])) return [];
  const members = toList(schema[keyword])
    .map((member) => toTypeSchema(toSchema(member), context))
    .filter((member) => member['tsType'] !== 'never');
  if (members.some((member) => member['tsType'] === 'unknown')) return [];
  const [only, ...others] = members;
  if (only === undefined) return [nothing];
  return others.length === 0 ? [only] : [{ anyOf: members }];
}

/** In an intersection, what accepts anything adds nothing. */
function dropVague(parts: readonly TypeSchema[]): readonly TypeSchema[] {
  return parts.filter((part) => part['tsType'] !== 'unknown');
}

function withComment(
  type: TypeSchema,
  schema: Json | undefined,
  context: TypeSchemaContext,
): TypeSchema {
  const lines = jsdocLines(documentationOf(schema, context.sourceDocument));
  if (lines.length === 0) return type;
  // A comment belongs to the member, not to the type, of which another member could have the same.
  return { ...type, description: lines.join('\n') };
}

function toLiteralType(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toLiteralType).join(', ')}]`;
  if (!isJsonObject(value)) return literal(value).text;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${literal(name).text}: ${toLiteralType(member)}`],
  );
  return `{ ${members.join('; ')} }`;
}

function hasType(value: Json): (type: string) => boolean {
  return (type) => {
    if (type === 'integer') return Number.isInteger(value);
    if (type === 'null') return value === null;
    if (type === 'array') return Array.isArray(value);
    if (type === 'object') return isJsonObject(value);
    return typeof value === type;
  };
}

function toTypes(type: Json | undefined): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  return Array.isArray(type)
    ? (type as readonly Json[]).filter((member) => typeof member === 'string')
    : undefined;
}

function toSchema(value: Json | undefined): JsonSchema {
  return isJsonObject(value) || typeof value === 'boolean' ? value : true;
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function toText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function toSources(value: Json | undefined): readonly string[] {
  return (typeof value === 'string' ? [value] : toList(value)).filter(
    (section) => typeof section === 'string',
  );
}

function toExamples(schema: JsonObject): readonly Json[] {
  const { examples } = schema;
  return Array.isArray(examples) ? (examples as readonly Json[]) : [];
}
