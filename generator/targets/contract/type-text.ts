import type { JsonSchema } from '../../schema/model.ts';
import { definitionName } from '../../schema/normalise-schema.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { literal, memberName } from '../escape.ts';
import { memberComment } from './member-comment.ts';
import {
  type TypeExpression,
  anything,
  intersection,
  listOf,
  named,
  nothing,
  objectOf,
  reference,
  tupleOf,
  union,
} from './type-expression.ts';

/** The names that writing a type needs besides its schema. */
export interface TypeNames {
  /** Returns the name of the type of a schema that the type refers to. */
  typeNameOf(schemaName: string): string;
  /** Returns the name of the type for strings of a format; `undefined` where that is `string`. */
  formatTypeOf(format: string): string | undefined;
  /** The title of the document that `x-source` cites. */
  readonly sourceDocument: string | undefined;
}

/**
 * Writes the type of the values that a schema accepts. Without `type`, other keywords imply it: `properties` stands for
 * an object, `items` for an array.
 */
export function writeType(definition: JsonSchema, names: TypeNames): TypeExpression {
  if (!isJsonObject(definition)) return definition ? anything : nothing;
  return intersection([
    ...referencePart(definition, names),
    ...literalPart(definition),
    ...(Object.hasOwn(definition, 'enum') || Object.hasOwn(definition, 'const')
      ? []
      : typePart(definition, names)),
    ...listPart(definition, 'anyOf', names),
    ...listPart(definition, 'oneOf', names),
    ...toList(definition['allOf']).map((member) => writeType(toSchema(member), names)),
  ]);
}

function referencePart(schema: JsonObject, names: TypeNames): readonly TypeExpression[] {
  const target = schema['$ref'];
  return typeof target === 'string' ? [reference(names.typeNameOf(definitionName(target)))] : [];
}

/** Writes the values of `enum` or `const` that have one of the types in `type`. */
function literalPart(schema: JsonObject): readonly TypeExpression[] {
  const values = Object.hasOwn(schema, 'const')
    ? [schema['const'] ?? null]
    : Array.isArray(schema['enum'])
      ? (schema['enum'] as readonly Json[])
      : undefined;
  if (values === undefined) return [];
  const types = toTypes(schema['type']);
  const fitting = values.filter((value) => types === undefined || types.some(hasType(value)));
  return [union(fitting.map((value) => named(toLiteralType(value))))];
}

function typePart(schema: JsonObject, names: TypeNames): readonly TypeExpression[] {
  const types = toTypes(schema['type']) ?? impliedTypes(schema);
  if (types.length === 0 || (types.join() === 'object' && saysNoMember(schema))) return [];
  const members = [...new Set(types)].filter(
    (type) => type !== 'integer' || !types.includes('number'),
  );
  return [union(members.map((type) => singleType(type, schema, names)))];
}

/**
 * Returns the types that the keywords of a schema without `type` describe. Values of other types are valid too, but the
 * contract does not describe them.
 */
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

/**
 * Returns whether a schema leaves the description of members to the schemas of `$ref`, `allOf`, `anyOf` or `oneOf`.
 * Then `type: object` adds no index signature, which would allow members of any name.
 */
function saysNoMember(schema: JsonObject): boolean {
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
  const speaks = ['properties', 'patternProperties', 'additionalProperties', 'required'].some(has);
  return !speaks && ['$ref', 'allOf', 'anyOf', 'oneOf'].some(has);
}

function singleType(type: string, schema: JsonObject, names: TypeNames): TypeExpression {
  switch (type) {
    case 'object':
      return objectType(schema, names);
    case 'array':
      return arrayType(schema, names);
    case 'integer':
    case 'number':
      return named('number');
    case 'string': {
      const { format } = schema;
      const typeName = typeof format === 'string' ? names.formatTypeOf(format) : undefined;
      return typeName === undefined ? named(type) : reference(typeName);
    }
    case 'boolean':
    case 'null':
      return named(type);
    default:
      return anything;
  }
}

function objectType(schema: JsonObject, names: TypeNames): TypeExpression {
  const declared = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(toList(schema['required']).filter((name) => typeof name === 'string'));
  const all = new Set([...Object.keys(declared), ...required]);
  const others = indexSignature(schema, names);
  if (all.size === 0) {
    const closed = schema['additionalProperties'] === false;
    return objectOf([], others ?? (closed ? nothing : anything));
  }
  const members = Array.from(all, (name) => {
    const member = Object.hasOwn(declared, name) ? declared[name] : true;
    return {
      name: memberName(name).text,
      type: writeType(toSchema(member), names),
      optional: !required.has(name),
      comment: memberComment(member, names.sourceDocument),
    };
  });
  return objectOf(members, others);
}

/**
 * Returns the type of the index signature; `undefined` for none. Undeclared members are valid in any case, but only
 * `additionalProperties` and `patternProperties` lead to an index signature.
 */
function indexSignature(schema: JsonObject, names: TypeNames): TypeExpression | undefined {
  const { additionalProperties: others, patternProperties: patterns } = schema;
  const byPattern = isJsonObject(patterns) ? Object.values(patterns).map(toSchema) : [];
  if (others === undefined) return byPattern.length > 0 ? anything : undefined;
  const described = others === false ? byPattern : [...byPattern, toSchema(others)];
  if (described.length === 0) return undefined;
  return union(described.map((member) => writeType(member, names)));
}

function arrayType(schema: JsonObject, names: TypeNames): TypeExpression {
  const first = toList(schema['prefixItems']).map((item) => writeType(toSchema(item), names));
  const { items, minItems } = schema;
  const others = items === undefined ? anything : writeType(toSchema(items), names);
  if (first.length === 0) return listOf(others);
  const least = typeof minItems === 'number' ? Math.min(minItems, first.length) : 0;
  return tupleOf(first, least, items === false ? undefined : others);
}

function listPart(
  schema: JsonObject,
  keyword: 'anyOf' | 'oneOf',
  names: TypeNames,
): readonly TypeExpression[] {
  if (!Array.isArray(schema[keyword])) return [];
  const members = toList(schema[keyword]).map((member) => writeType(toSchema(member), names));
  return [union(members.filter((member) => member !== nothing))];
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
