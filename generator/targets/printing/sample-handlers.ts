import type { Contract, Notification } from '../../contract/contract.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { conjunctsOf } from '../../schema/conjuncts.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas, type SchemaIndex } from '../../schema/references.ts';
import { code, type Code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { eventsOf } from '../../contract/events.ts';

/** A handler of an example, which writes a row for each event and checks its status. */
export interface SampleHandler {
  /** The kind. */
  readonly name: string;
  /**
   * The expression of the row's key: equal for deliveries of one event, and for no others. `undefined` where nothing in a
   * delivery says which event it is about: the content does not, because two payments can be equal.
   */
  readonly key: Code | undefined;
  /** A status that the handler checks; `undefined` where the payload or its examples have none. */
  readonly status: SampleStatus | undefined;
}

interface SampleStatus {
  /** The expression of the value, and that of the listed value. */
  readonly at: Code;
  readonly listed: Code;
  /** The name of the listed value. */
  readonly label: string;
  /** The const object of the listed values, which the contract's package exports. */
  readonly typeName: string;
}

/** Describes a handler for each kind, for examples on pages. */
export function sampleHandlers(contract: Contract): readonly SampleHandler[] {
  return eventsOf(contract).kinds.map(({ notification }) => ({
    name: notification.name,
    key: keyOf(contract, notification),
    status: statusOf(contract, notification),
  }));
}

/** Returns the const objects of listed values that the handlers use, as names of an import. */
export function listedTypes(handlers: readonly SampleHandler[]): Code | undefined {
  const names = new Set(handlers.flatMap(({ status }) => status?.typeName ?? []));
  return names.size === 0
    ? undefined
    : joinCode(
        Array.from(names, (name) => identifier(name)).toSorted((a, b) =>
          a.text < b.text ? -1 : 1,
        ),
      );
}

/**
 * Makes the key of the values by which the contract recognizes deliveries of one event. What orders events is no such
 * value: a row for each account or subject would replace one event by another.
 */
function keyOf(contract: Contract, notification: Notification): Code | undefined {
  const { dedupeBy } = notification;
  if (!Array.isArray(dedupeBy)) return undefined;
  const index = indexSchemas(contract);
  const paths = (dedupeBy as readonly string[]).map(pathOf);
  if (!paths.every((path) => isAlwaysThere(index, notification, path))) return undefined;
  const parts = new Map(paths.map((path) => [JSON.stringify(path), access(path ?? [])]));
  return code`[event.kind, ${[...parts.values()]}].join(' ')`;
}

/** Returns the members that lead to the value of an expression; `undefined` for one outside the body. */
function pathOf(expression: string): readonly string[] | undefined {
  const start = '$request.body#';
  return expression.startsWith(`${start}/`)
    ? pointerMembers(expression.slice(start.length))
    : undefined;
}

function isAlwaysThere(
  index: SchemaIndex,
  { payload }: Notification,
  path: readonly string[] | undefined,
): boolean {
  let schema = index.get(payload)?.definition;
  for (const member of path ?? []) schema = schema && requiredMembers(index, schema).get(member);
  return path !== undefined && schema !== undefined;
}

function statusOf(contract: Contract, notification: Notification): SampleStatus | undefined {
  const status = findStatus(indexSchemas(contract), notification);
  if (status === undefined) return undefined;
  const value = valueAt(notification.examples[0]?.value, status.path);
  const [member, ...otherNames] =
    status.schema.enumeration?.members.filter((candidate) => candidate.value === value) ?? [];
  // A value with several names has another meaning in another notification.
  if (member === undefined || otherNames.length > 0) return undefined;
  const { typeName } = status.schema;
  return {
    at: access(status.path),
    listed: code`${identifier(typeName)}${accessOf(member.name)}`,
    label: member.name,
    typeName,
  };
}

/** The number of levels of a payload that are searched, and of values at each level whose members are. */
const maxDepth = 4;
const maxWidth = 200;

/** Finds the first member with listed values, level by level, on a path of members that are always there. */
function findStatus(
  index: SchemaIndex,
  { payload }: Notification,
): { readonly path: readonly string[]; readonly schema: Schema } | undefined {
  const start = index.get(payload)?.definition;
  const searched = new Set<string>();
  let level: readonly { readonly path: readonly string[]; readonly schema: JsonSchema }[] =
    start === undefined ? [] : [{ path: [], schema: start }];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next = level.flatMap(({ path, schema }) =>
      Array.from(requiredMembers(index, schema), ([name, member]) => ({
        path: [...path, name],
        schema: member,
      })),
    );
    for (const { path, schema } of next) {
      const enumeration = enumerationOf(index, schema);
      if (enumeration !== undefined) return { path, schema: enumeration };
    }
    // What a schema contains was found at the first value that it describes.
    const further = next.filter(({ schema }) => {
      const { reference } = new SchemaNode(schema);
      if (reference === undefined) return true;
      const isNew = !searched.has(reference);
      searched.add(reference);
      return isNew;
    });
    level = further.slice(0, maxWidth);
  }
  return undefined;
}

/** Returns the named schema with listed values that a schema is. */
function enumerationOf(index: SchemaIndex, schema: JsonSchema): Schema | undefined {
  const node = new SchemaNode(schema);
  const target = index.get(node.reference ?? '');
  if (target?.enumeration !== undefined) return target;
  for (const part of node.allOf) {
    const enumeration = enumerationOf(index, part);
    if (enumeration !== undefined) return enumeration;
  }
  return undefined;
}

/** Returns the members that every value of a schema has; none for a schema that accepts other values than objects. */
function requiredMembers(index: SchemaIndex, schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const parts = conjunctsOf([schema], index);
  const types = parts.flatMap((part) => (part.types === undefined ? [] : [part.types.join()]));
  if (types.length > 0 && !types.includes('object')) return new Map();
  return new Map(
    parts
      .filter(({ anyOf, oneOf }) => anyOf.length + oneOf.length === 0)
      .flatMap(({ properties, required }) =>
        properties.filter(([name]) => required.includes(name)),
      ),
  );
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const member of path)
    at = isJsonObject(at) && Object.hasOwn(at, member) ? at[member] : undefined;
  return at;
}

function access(path: readonly string[]): Code {
  return code`event.data${joinCode(path.map(accessOf), '')}`;
}

function accessOf(name: string): Code {
  const memberCode = memberName(name);
  return memberCode.text === name ? code`.${identifier(name)}` : code`[${literal(name)}]`;
}
