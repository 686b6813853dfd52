import { isJsonObject } from '../../../json/json.ts';
import type { JsonSchema } from '../../../schema/model.ts';
import { SchemaNode } from '../../../schema/node.ts';
import type { SchemaIndex } from '../../../schema/references.ts';

/** What a schema declares about the members of an object, itself or by its parts. */
export interface DeclaredMembers {
  readonly members: ReadonlyMap<
    string,
    {
      readonly isRequired: boolean;
      /** Whether only alternatives declare it. */
      readonly isConditional: boolean;
    }
  >;
  /** The members that it requires and does not declare. */
  readonly onlyRequired: readonly string[];
  /** Whether its type includes null. */
  readonly isNullable: boolean;
  /** Whether its type is one object type, so that `keyof` names all members. */
  readonly isOneObject: boolean;
}

interface SchemaMembers {
  readonly declared: ReadonlySet<string>;
  readonly conditional: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** `undefined` where nothing excludes or names null. */
  readonly isNullable: boolean | undefined;
  readonly isOneObject: boolean;
}

const noMembers: SchemaMembers = {
  declared: new Set(),
  conditional: new Set(),
  required: new Set(),
  isNullable: undefined,
  isOneObject: true,
};

/**
 * Returns the function that finds what a schema declares by its name: itself, by references, by `allOf` and by
 * alternatives. Reads each schema once, however many references lead to it.
 */
export function declaredMembersIn(index: SchemaIndex): (schemaName: string) => DeclaredMembers {
  const cache = new Map<JsonSchema, SchemaMembers>();
  return (schemaName) => {
    const { declared, conditional, required, isNullable, isOneObject } = find(
      index,
      index.get(schemaName)?.definition ?? true,
      cache,
    );
    return {
      members: new Map(
        [...declared, ...conditional].map((name) => [
          name,
          { isRequired: required.has(name), isConditional: !declared.has(name) },
        ]),
      ),
      onlyRequired: [...required].filter((name) => !declared.has(name)),
      isNullable: isNullable === true,
      isOneObject,
    };
  };
}

/** @param cache what was found in other schemas; a schema declares nothing more by a reference to itself */
function find(
  index: SchemaIndex,
  schema: JsonSchema,
  cache: Map<JsonSchema, SchemaMembers>,
): SchemaMembers {
  if (!isJsonObject(schema)) return noMembers;
  const before = cache.get(schema);
  if (before !== undefined) return before;
  cache.set(schema, noMembers);
  const result = findNew(index, schema, cache);
  cache.set(schema, result);
  return result;
}

function findNew(
  index: SchemaIndex,
  schema: JsonSchema,
  cache: Map<JsonSchema, SchemaMembers>,
): SchemaMembers {
  const node = new SchemaNode(schema);
  const target = node.target(index);
  const parts = [...(target === undefined ? [] : [target]), ...node.allOf].map((part) =>
    find(index, part, cache),
  );
  const choices = [node.anyOf, node.oneOf]
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) =>
      choiceOf(
        alternatives.filter((part) => part !== false).map((part) => find(index, part, cache)),
      ),
    );
  const all = [...parts, ...choices];
  return {
    declared: union([
      new Set(node.properties.map(([name]) => name)),
      ...all.map((part) => part.declared),
    ]),
    conditional: union(all.map((part) => part.conditional)),
    required: union([new Set(node.required), ...all.map((part) => part.required)]),
    isNullable: every([ownNull(node), ...all.map((part) => part.isNullable)]),
    isOneObject:
      all.every((part) => part.isOneObject) &&
      (node.types ?? ['object']).every((type) => type === 'object') &&
      node.values === undefined,
  };
}

/** Returns what alternatives declare together: all their members, each under a condition. */
function choiceOf(alternatives: readonly SchemaMembers[]): SchemaMembers {
  const isNull = ({ isNullable, declared, conditional }: SchemaMembers): boolean =>
    isNullable === true && declared.size + conditional.size === 0;
  const objects = alternatives.filter((alternative) => !isNull(alternative));
  const [first, ...rest] = objects;
  return {
    declared: new Set(),
    conditional: union(objects.flatMap(({ declared, conditional }) => [declared, conditional])),
    required: new Set(
      [...(first?.required ?? [])].filter((name) =>
        rest.every(({ required }) => required.has(name)),
      ),
    ),
    isNullable: alternatives.some(({ isNullable }) => isNullable === true)
      ? true
      : every(alternatives.map(({ isNullable }) => isNullable)),
    isOneObject: false,
  };
}

function ownNull(node: SchemaNode): boolean | undefined {
  if (node.values !== undefined) return node.values.includes(null);
  if (node.types !== undefined) return node.types.includes('null');
  // Without `type`, these keywords stand for an object or an array.
  const isDescribed = node.has('properties', 'patternProperties', 'additionalProperties', 'items');
  return isDescribed ? false : undefined;
}

/** Returns `false` if one of several parts excludes null, and otherwise `true` if one names it. */
function every(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(true) ? true : undefined;
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
