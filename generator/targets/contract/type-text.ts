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
  const node = new SchemaNode(schema);
  if (node.isNever) return nothing;
  const write = (part: JsonSchema): TypeExpression => writeType(part, names);
  const parts = node.reference === undefined ? [] : [reference(names.typeNameOf(node.reference))];
  const ownType = writeValues(node) ?? writeTypes(node, names);
  if (ownType !== undefined) parts.push(ownType);
  for (const alternatives of [node.anyOf, node.oneOf]) {
    if (alternatives.length === 0) continue;
    parts.push(union(alternatives.map(write).filter((type) => type !== nothing)));
  }
  return intersection([...parts, ...node.allOf.map(write)]);
}

/** Writes the values of `enum` or `const` that have one of the types in `type`. */
function writeValues({ values, types }: SchemaNode): TypeExpression | undefined {
  const valid = values?.filter(
    (value) => types === undefined || types.some((type) => hasType(value, type)),
  );
  return valid && union(valid.map((value) => named(toLiteralType(value))));
}

function writeTypes(node: SchemaNode, names: TypeNames): TypeExpression | undefined {
  const types = new Set(node.types ?? impliedTypes(node));
  if (types.has('number')) types.delete('integer');
  const isObject = types.size === 1 && types.has('object');
  if (types.size === 0 || (isObject && describesMembersElsewhere(node))) return undefined;
  return union(Array.from(types, (type) => writeSingleType(type, node, names)));
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

function writeSingleType(type: JsonType, node: SchemaNode, names: TypeNames): TypeExpression {
  switch (type) {
    case 'object':
      return writeObject(node, names);
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
    case 'boolean':
    case 'null':
      return named(type);
  }
}

function writeObject(node: SchemaNode, names: TypeNames): TypeExpression {
  const required = new Set(node.required);
  const declared = new Map(node.properties);
  const others = writeIndexSignature(node, names);
  if (declared.size + required.size === 0) {
    const isClosed = node.schema('additionalProperties') === false;
    return objectOf([], others ?? (isClosed ? nothing : anything));
  }
  const members = Array.from(new Set([...declared.keys(), ...required]), (name) => {
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
