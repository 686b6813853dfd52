import { memoize } from '../../../execution/memoize.ts';
import { type Json, isJsonObject } from '../../../json/json.ts';
import type { JsonSchema } from '../../../schema/model.ts';
import { type JsonType, SchemaNode, hasType } from '../../../schema/node.ts';
import { literal, memberName } from '../../escape.ts';
import type { DeclaredMembers } from './declared-members.ts';
import {
  type TypeExpression,
  anything,
  arrayOf,
  intersection,
  named,
  nothing,
  objectOf,
  openTypeOf,
  openUnion,
  reference,
  tupleOf,
  union,
} from './type-expression.ts';

/** The names that writing a type needs besides its schema. */
export interface TypeNames {
  /** Returns the name of the type of a schema that the type refers to. */
  typeNameOf(schemaName: string): string;
  /** Returns the type of the listed values of a schema that is an enumeration; `undefined` for other schemas. */
  enumeratedTypeOf(schemaName: string): 'string' | 'number' | undefined;
  /** Returns the members that a schema declares, and whether it accepts null. */
  declaredBy(schemaName: string): DeclaredMembers;
  /** Returns the name of the type for strings of a format; `undefined` where that is `string`. */
  formatTypeOf(format: string): string | undefined;
  /** The types of a schema that is a file; without it, a file is a string. */
  readonly files?:
    | { readonly types: readonly string[]; readonly isFile: (node: SchemaNode) => boolean }
    | undefined;
  /** Returns the comment above a member with a schema; empty where it has none. */
  commentOf(member: JsonSchema): string;
}

/**
 * Writes the type of the values that a schema accepts. Without `type`, other keywords imply it: `properties` stands for
 * an object, `items` for an array.
 */
export function writeType(schema: JsonSchema, names: TypeNames): TypeExpression {
  const none = { required: new Set<string>(), declared: new Map(), isNullable: false };
  return writePart(new SchemaNode(schema), names, none);
}

/** What all schemas around a part of a schema, and the part itself, say about members of the same object. */
interface Members {
  readonly required: ReadonlySet<string>;
  /** The schema of each declared member, or the name of the schema that declares it. */
  readonly declared: ReadonlyMap<string, { readonly schema: JsonSchema } | { readonly in: string }>;
  /** Whether one of the schemas accepts null, which has no members. */
  readonly isNullable: boolean;
}

/** Writes the type of a schema that is part of another one, which may require or declare members of the same object. */
function writePart(node: SchemaNode, names: TypeNames, outer: Members): TypeExpression {
  if (node.isNever) return nothing;
  if (names.files?.isFile(node) === true) {
    const types = names.files.types.map((type) => named(type));
    return orNull(union(types), node.types?.includes('null') === true);
  }
  const hasNullablePart = hasPartForNull(node, names);
  const members: Members = {
    required: new Set([...outer.required, ...requiredMembers(node, names)]),
    declared: new Map([...outer.declared, ...declaredMembers(node, names)]),
    isNullable: node.types?.includes('null') ?? (outer.isNullable || hasNullablePart),
  };
  const write = (part: JsonSchema): TypeExpression =>
    writePart(new SchemaNode(part), names, members);
  const parts =
    node.reference === undefined ? [] : writeReference(node.reference, names, members.required);
  const ownType = writeValues(node) ?? writeTypes(node, names, members);
  if (ownType !== undefined) parts.push(ownType);
  const describesNoValue = ownType === undefined || ownType === anything;
  // `{}` excludes the null that a part accepts.
  if (describesNoValue && hasNullablePart && node.types?.includes('null') === false)
    parts.push(named('{}'));
  for (const alternatives of [node.anyOf, node.oneOf]) {
    if (alternatives.length === 0) continue;
    const types = alternatives.map((part) =>
      intersection([...writeRequired(new SchemaNode(part), names, members), write(part)]),
    );
    const enumerated = alternatives.flatMap((part) => {
      const { reference: target } = new SchemaNode(part);
      return (target === undefined ? undefined : names.enumeratedTypeOf(target)) ?? [];
    });
    parts.push(
      openUnion(
        types.filter((type) => type !== nothing),
        enumerated,
      ),
    );
  }
  return intersection([...parts, ...node.allOf.map(write)]);
}

/** Remembers a result for each schema: one that is written is also a part of those around it. */
function ofEachSchema<Result>(
  compute: (node: SchemaNode, names: TypeNames) => Result,
): (node: SchemaNode, names: TypeNames) => Result {
  type Results = WeakMap<object, { readonly result: Result }>;
  const results = memoize<TypeNames, Results>(() => new WeakMap());
  return (node, names) => {
    const known = results(names);
    const { keywords } = node;
    const entry = known.get(keywords) ?? { result: compute(node, names) };
    known.set(keywords, entry);
    return entry.result;
  };
}

/** Returns whether a part of a schema names null: the target of its reference, a part of `allOf` or an alternative. */
const hasPartForNull: (node: SchemaNode, names: TypeNames) => boolean = ofEachSchema(
  (node, names) => {
    const { reference: target } = node;
    if (target !== undefined && names.declaredBy(target).isNullable) return true;
    return [...node.allOf, ...node.anyOf, ...node.oneOf].some((schema) => {
      const part = new SchemaNode(schema);
      return part.types?.includes('null') ?? hasPartForNull(part, names);
    });
  },
);

/** Returns the members that a schema requires, itself, by `allOf`, or by a reference that does not declare them. */
const requiredMembers: (node: SchemaNode, names: TypeNames) => readonly string[] = ofEachSchema(
  (node, names) => {
    const { reference: target } = node;
    return [
      ...node.required,
      ...node.allOf.flatMap((part) => requiredMembers(new SchemaNode(part), names)),
      ...(target === undefined ? [] : names.declaredBy(target).onlyRequired),
    ];
  },
);

/** Returns the members that a schema declares, itself, by `allOf` or by a reference. */
const declaredMembers: (node: SchemaNode, names: TypeNames) => Members['declared'] = ofEachSchema(
  (node, names) => {
    const { reference: target } = node;
    const inTarget = target === undefined ? [] : [...names.declaredBy(target).members.keys()];
    return new Map([
      ...node.allOf.flatMap((part) => [...declaredMembers(new SchemaNode(part), names)]),
      ...inTarget.map((name) => [name, { in: target ?? '' }] as const),
      ...node.properties.map(([name, schema]) => [name, { schema }] as const),
    ]);
  },
);

/** Writes the members that an alternative requires, and that only the schemas around it declare. */
function writeRequired(
  alternative: SchemaNode,
  names: TypeNames,
  { required, declared, isNullable }: Members,
): readonly TypeExpression[] {
  const alternativeMembers = declaredMembers(alternative, names);
  const wanted = requiredMembers(alternative, names).filter(
    (name) => !required.has(name) && !alternativeMembers.has(name),
  );
  const members = [...new Set(wanted)].flatMap((name) => {
    const declaration = declared.get(name);
    return declaration !== undefined && 'schema' in declaration
      ? [
          {
            name: memberName(name).text,
            type: writeType(declaration.schema, names),
            optional: false,
            comment: '',
          },
        ]
      : [];
  });
  const byTarget = Map.groupBy(new Set(wanted), (name) => {
    const declaration = declared.get(name);
    return declaration !== undefined && 'in' in declaration ? declaration.in : undefined;
  });
  const inTargets = [...byTarget].flatMap(([target, inTarget]) =>
    target === undefined ? [] : [requireMembers(target, inTarget, names)],
  );
  const inPlace = members.length === 0 ? [] : [orNull(objectOf(members, undefined), isNullable)];
  return [...inPlace, ...inTargets];
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
  const { members, isOneObject } = names.declaredBy(schemaName);
  const lacking = [...members]
    .filter(([name, { isRequired }]) => !isRequired && required.has(name))
    .map(([name]) => name);
  if (lacking.length === 0) return [type];
  const withMembers = requireMembers(schemaName, lacking, names);
  return isOneObject ? [type, withMembers] : [withMembers];
}

/**
 * Writes the type of some members of a schema, all of them required. If the schema also accepts null or other types, or
 * has alternatives, writes all of its types, and requires the members of each object.
 */
function requireMembers(
  schemaName: string,
  members: readonly string[],
  names: TypeNames,
): TypeExpression {
  const typeName = names.typeNameOf(schemaName);
  // `Required<Pick<…>>` would mean something else where the contract has a schema of one of these names.
  const pick = (from: string): string =>
    `{ [key in keyof ${from} as key extends ${keys} ? key : never]-?: ${from}[key] }`;
  const keys = members.map((name) => literal(name).text).join(' | ');
  const declared = names.declaredBy(schemaName);
  if (declared.isOneObject) return named(pick(typeName), [typeName]);
  const conditionalNames = members.filter(
    (name) => declared.members.get(name)?.isConditional === true,
  );
  const unknowns = conditionalNames.map((name) => `${memberName(name).text}: unknown`).join('; ');
  const all = unknowns === '' ? pick('value') : `${pick('value')} & { ${unknowns} }`;
  // `keyof` of a union has only the members of all alternatives, and none beside null.
  const each = `value extends object ? value & ${all} : value`;
  return named(`(${typeName} extends infer value ? ${each} : never)`, [typeName]);
}

function orNull(type: TypeExpression, isNullable: boolean): TypeExpression {
  return isNullable ? union([type, named('null')]) : type;
}

/** Writes the values of `enum` or `const` that have one of the types in `type`. */
function writeValues({ values, types }: SchemaNode): TypeExpression | undefined {
  const validValues = values?.filter(
    (value) => types === undefined || types.some((type) => hasType(value, type)),
  );
  return validValues && union(validValues.map((value) => named(toLiteralType(value))));
}

function writeTypes(
  node: SchemaNode,
  names: TypeNames,
  members: Members,
): TypeExpression | undefined {
  const types = new Set(node.types ?? impliedTypes(node));
  if (types.has('number')) types.delete('integer');
  const isObject = types.size === 1 && types.has('object');
  if (types.size === 0 || (isObject && describesMembersElsewhere(node))) return undefined;
  const expression = union(
    Array.from(types, (type) => writeSingleType(type, node, names, members)),
  );
  const onlyRequires = !node.has(...objectKeywords.filter((keyword) => keyword !== 'required'));
  return orNull(expression, node.types === undefined && onlyRequires && members.isNullable);
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
  members: Members,
): TypeExpression {
  switch (type) {
    case 'object':
      return writeObject(node, names, members);
    case 'array':
      return writeArray(node, names);
    case 'integer':
    case 'number':
      return writeOpenValues(node, 'number') ?? named('number');
    case 'string': {
      const format = node.text('format');
      const typeName = format === undefined ? undefined : names.formatTypeOf(format);
      if (typeName !== undefined) return reference(typeName);
      return writeOpenValues(node, 'string') ?? named(type);
    }
    default:
      return named(type);
  }
}

/** Writes the known values of `x-extensible-enum` and all other values of a type. */
function writeOpenValues(node: SchemaNode, type: 'string' | 'number'): TypeExpression | undefined {
  const values = node.list('x-extensible-enum')?.filter((value) => typeof value === type) ?? [];
  if (values.length === 0) return undefined;
  return union([...values.map((value) => named(toLiteralType(value))), openTypeOf(type)]);
}

function writeObject(node: SchemaNode, names: TypeNames, members: Members): TypeExpression {
  const declared = new Map(node.properties);
  // Another part of the schema writes a member that it declares and this one only requires.
  const undeclared = node.required.filter((name) => !members.declared.has(name));
  const memberNames = new Set([...declared.keys(), ...undeclared]);
  const indexSignature = writeIndexSignature(node, names);
  if (memberNames.size === 0) {
    if (indexSignature === undefined && undeclared.length < node.required.length) return anything;
    const isClosed = node.schema('additionalProperties') === false;
    return objectOf([], indexSignature ?? (isClosed ? nothing : anything));
  }
  const typeMembers = Array.from(memberNames, (name) => {
    const member = declared.get(name);
    return {
      name: memberName(name).text,
      type: writeType(member ?? undeclaredMember(node), names),
      optional: !members.required.has(name),
      comment: names.commentOf(member ?? true),
    };
  });
  return objectOf(typeMembers, indexSignature);
}

/**
 * Returns the schema of a member that is required but not declared: that of `additionalProperties`, unless the name could
 * match a pattern.
 */
function undeclaredMember(node: SchemaNode): JsonSchema {
  const additionalSchema = node.schema('additionalProperties') ?? true;
  return additionalSchema === false || node.patternProperties.length > 0 ? true : additionalSchema;
}

/**
 * Writes the type of the index signature; `undefined` for none. Undeclared members are valid in any case, but only
 * `additionalProperties` and `patternProperties` lead to an index signature.
 */
function writeIndexSignature(node: SchemaNode, names: TypeNames): TypeExpression | undefined {
  const additionalSchema = node.schema('additionalProperties');
  const byPattern = node.patternProperties.map(([, schema]) => schema);
  if (additionalSchema === undefined) return byPattern.length > 0 ? anything : undefined;
  const described = additionalSchema === false ? byPattern : [...byPattern, additionalSchema];
  if (described.length === 0) return undefined;
  return union(described.map((member) => writeType(member, names)));
}

function writeArray(node: SchemaNode, names: TypeNames): TypeExpression {
  const first = node.prefixItems.map((item) => writeType(item, names));
  const itemsSchema = node.schema('items') ?? true;
  if (first.length === 0) return arrayOf(writeType(itemsSchema, names));
  const required = Math.min(node.number('minItems') ?? 0, first.length);
  return tupleOf(
    first,
    required,
    itemsSchema === false ? undefined : writeType(itemsSchema, names),
  );
}

function toLiteralType(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toLiteralType).join(', ')}]`;
  if (!isJsonObject(value)) return literal(value).text;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${literal(name).text}: ${toLiteralType(member)}`],
  );
  return `{ ${members.join('; ')} }`;
}
