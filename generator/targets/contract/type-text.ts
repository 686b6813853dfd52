import type { Json } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { type JsonType, SchemaNode, hasType } from '../../schema/node.ts';
import { literal, memberName } from '../escape.ts';
import { memberComment } from './member-comment.ts';
import {
  type TypeExpression,
  anything,
  arrayOf,
  intersection,
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
  /** Returns the names of the members that a schema declares and does not require. */
  optionalMembersOf(schemaName: string): readonly string[];
  /** Returns the name of the type for strings of a format; `undefined` where that is `string`. */
  formatTypeOf(format: string): string | undefined;
  /** The title of the document that `x-source` cites. */
  readonly sourceDocument: string | undefined;
}

/**
 * Writes the type of the values that a schema accepts. Without `type`, other keywords imply it: `properties` stands for
 * an object, `items` for an array.
 */
export function writeType(schema: JsonSchema, names: TypeNames): TypeExpression {
  return writePart(new SchemaNode(schema), names, []);
}

/** Writes the type of a schema that is part of another one, which may require members that the part declares. */
function writePart(node: SchemaNode, names: TypeNames, outer: Iterable<string>): TypeExpression {
  if (node.isNever) return nothing;
  const required = new Set([...outer, ...requiredMembers(node)]);
  const write = (part: JsonSchema): TypeExpression =>
    writePart(new SchemaNode(part), names, required);
  const parts = node.reference === undefined ? [] : writeReference(node.reference, names, required);
  const ownType = writeValues(node) ?? writeTypes(node, names, required);
  if (ownType !== undefined) parts.push(ownType);
  for (const alternatives of [node.anyOf, node.oneOf]) {
    if (alternatives.length === 0) continue;
    parts.push(union(alternatives.map(write).filter((type) => type !== nothing)));
  }
  return intersection([...parts, ...node.allOf.map(write)]);
}

/** Returns the members that a schema requires, itself or by `allOf`. */
function requiredMembers(node: SchemaNode): readonly string[] {
  return [...node.required, ...node.allOf.flatMap((part) => requiredMembers(new SchemaNode(part)))];
}

/**
 * Writes a reference. Where members are required that the schema declares as optional, an intersection with
 * `{ name: unknown }` would leave `undefined` in their type.
 */
function writeReference(
  schemaName: string,
  names: TypeNames,
  required: ReadonlySet<string>,
): TypeExpression[] {
  const typeName = names.typeNameOf(schemaName);
  const type = reference(typeName);
  if (required.size === 0) return [type];
  const members = names.optionalMembersOf(schemaName).filter((name) => required.has(name));
  if (members.length === 0) return [type];
  const keys = members.map((name) => literal(name).text).join(' | ');
  // `Required<Pick<…>>` would mean something else where the contract has a schema of one of these names.
  const mapped = `{ [key in keyof ${typeName} as key extends ${keys} ? key : never]-?: ${typeName}[key] }`;
  return [type, named(mapped, [typeName])];
}

/** Writes the values of `enum` or `const` that have one of the types in `type`. */
function writeValues({ values, types }: SchemaNode): TypeExpression | undefined {
  const valid = values?.filter(
    (value) => types === undefined || types.some((type) => hasType(value, type)),
  );
  return valid && union(valid.map((value) => named(toLiteralType(value))));
}

function writeTypes(
  node: SchemaNode,
  names: TypeNames,
  required: ReadonlySet<string>,
): TypeExpression | undefined {
  const types = new Set(node.types ?? impliedTypes(node));
  if (types.has('number')) types.delete('integer');
  const isObject = types.size === 1 && types.has('object');
  if (types.size === 0 || (isObject && describesMembersElsewhere(node))) return undefined;
  return union(Array.from(types, (type) => writeSingleType(type, node, names, required)));
}

const objectKeywords = ['properties', 'patternProperties', 'additionalProperties', 'required'];

/**
 * Returns the types that the keywords of a schema without `type` describe. Values of other types are valid too, but the
 * contract does not describe them.
 */
function impliedTypes(node: SchemaNode): readonly JsonType[] {
  const types: JsonType[] = [];
  if (node.has(...objectKeywords)) types.push('object');
  if (node.has('items', 'prefixItems')) types.push('array');
  return types;
}

/**
 * Returns whether a schema leaves the description of members to the schemas of `$ref`, `allOf`, `anyOf` or `oneOf`.
 * Then `type: object` adds no index signature, which would allow members of any name.
 */
function describesMembersElsewhere(node: SchemaNode): boolean {
  return !node.has(...objectKeywords) && node.has('$ref', 'allOf', 'anyOf', 'oneOf');
}

function writeSingleType(
  type: JsonType,
  node: SchemaNode,
  names: TypeNames,
  required: ReadonlySet<string>,
): TypeExpression {
  switch (type) {
    case 'object':
      return writeObject(node, names, required);
    case 'array':
      return writeArray(node, names);
    case 'integer':
    case 'number':
      return named('number');
    case 'string': {
      const format = node.text('format');
      const typeName = format === undefined ? undefined : names.formatTypeOf(format);
      return typeName === undefined ? named(type) : reference(typeName);
    }
    default:
      return named(type);
  }
}

function writeObject(
  node: SchemaNode,
  names: TypeNames,
  required: ReadonlySet<string>,
): TypeExpression {
  const declared = new Map(node.properties);
  const memberNames = new Set([...declared.keys(), ...node.required]);
  const others = writeIndexSignature(node, names);
  if (memberNames.size === 0) {
    const isClosed = node.schema('additionalProperties') === false;
    return objectOf([], others ?? (isClosed ? nothing : anything));
  }
  const members = Array.from(memberNames, (name) => {
    const member = declared.get(name) ?? true;
    return {
      name: memberName(name).text,
      type: writeType(member, names),
      optional: !required.has(name),
      comment: memberComment(member, names.sourceDocument),
    };
  });
  return objectOf(members, others);
}

/**
 * Writes the type of the index signature; `undefined` for none. Undeclared members are valid in any case, but only
 * `additionalProperties` and `patternProperties` lead to an index signature.
 */
function writeIndexSignature(node: SchemaNode, names: TypeNames): TypeExpression | undefined {
  const others = node.schema('additionalProperties');
  const byPattern = node.patternProperties.map(([, schema]) => schema);
  if (others === undefined) return byPattern.length > 0 ? anything : undefined;
  const described = others === false ? byPattern : [...byPattern, others];
  if (described.length === 0) return undefined;
  return union(described.map((member) => writeType(member, names)));
}

function writeArray(node: SchemaNode, names: TypeNames): TypeExpression {
  const first = node.prefixItems.map((item) => writeType(item, names));
  const others = node.schema('items') ?? true;
  if (first.length === 0) return arrayOf(writeType(others, names));
  const required = Math.min(node.number('minItems') ?? 0, first.length);
  return tupleOf(first, required, others === false ? undefined : writeType(others, names));
}

function toLiteralType(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toLiteralType).join(', ')}]`;
  if (!isJsonObject(value)) return literal(value).text;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${literal(name).text}: ${toLiteralType(member)}`],
  );
  return `{ ${members.join('; ')} }`;
}
