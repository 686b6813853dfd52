import { memberSchemas } from '../../schema/conjuncts.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { NodeGroups } from '../../schema/node-groups.ts';
import { SchemaNode } from '../../schema/node.ts';
import type { SchemaIndex } from '../../schema/references.ts';
import { subschemasOf } from '../../schema/visit.ts';

/**
 * A location of a value at or below which a number can be, also as a text. Locations are a list, because a schema can
 * contain itself.
 */
type NumberPlace = {
  /** Whether the value itself can be a number, or a text that writes one. */
  readonly number?: true;
  /** Members at or below which a number can be, with the index of their place. */
  readonly members?: readonly (readonly [member: string, place: number])[];
  /** The index of the place for the elements of an array. */
  readonly items?: number;
  /** The index of the place for members that `members` does not have. */
  readonly undeclared?: number;
  /** The declared members, where the value must not have others. */
  readonly declared?: readonly string[];
};

/** The places of numbers in the values of schemas. */
export interface NumberPlaces {
  readonly places: readonly NumberPlace[];
  /** The index of the place of a schema's value, by the name of the schema; left out for a schema without numbers. */
  readonly roots: ReadonlyMap<string, number>;
}

/**
 * Returns where values of schemas can have numbers, also as texts: by a format of numbers, a pattern for decimal numbers,
 * or values that are some. It lists a place too many rather than one too few: alternatives count as if all of them applied,
 * and a schema that states no type allows a number.
 * @param admitsDecimal returns whether a pattern is one for decimal numbers
 */
export function numberPlacesOf(
  schemas: readonly Schema[],
  index: SchemaIndex,
  admitsDecimal: (pattern: string) => boolean,
): NumberPlaces {
  const groups = new NodeGroups();
  const placeOf = (parts: readonly JsonSchema[]): number =>
    groups.numberOf(applicable(parts, index));
  const verdicts: NumberVerdicts = new Map();
  const isNumber = (node: SchemaNode): boolean =>
    writesNumber(node, admitsDecimal) || allowsNumber(node, index, verdicts);
  const roots = schemas.map(({ name, definition }) => [name, placeOf([definition])] as const);
  const places: NumberPlace[] = [];
  for (const group of groups) places.push(toPlace(group, isNumber, placeOf));
  return withoutIdle(places, roots);
}

function toPlace(
  group: readonly SchemaNode[],
  isNumber: (node: SchemaNode) => boolean,
  placeOf: (parts: readonly JsonSchema[]) => number,
): NumberPlace {
  const patterned = group.flatMap((node) => node.patternProperties.map(([, schema]) => schema));
  const undeclared = group.flatMap((node) => [
    ...present(['additionalProperties', 'unevaluatedProperties'].map((word) => node.schema(word))),
    ...node.patternProperties.map(([, schema]) => schema),
  ]);
  const allowed = undeclared.filter((schema) => schema !== false);
  const elements = group.flatMap((node) => [
    ...present(
      ['items', 'additionalItems', 'unevaluatedItems', 'contains'].map((word) => node.schema(word)),
    ),
    ...node.prefixItems,
  ]);
  const items = elements.filter((schema) => schema !== false);
  const members = Array.from(memberSchemas(group), ([name, declared]) => {
    // A pattern can apply to a declared name as well.
    return [name, placeOf([...declared, ...patterned])] as const;
  });
  const closed = group.filter((node) => node.schema('additionalProperties') === false);
  const [first, ...more] = closed.map((node) => new Set(node.properties.map(([name]) => name)));
  const hasPattern = closed.some((node) => node.patternProperties.length > 0);
  return {
    ...(group.some(isNumber) ? { number: true } : {}),
    ...(members.length > 0 ? { members } : {}),
    ...(items.length > 0 ? { items: placeOf(items) } : {}),
    ...(allowed.length > 0 ? { undeclared: placeOf(allowed) } : {}),
    ...(first === undefined || hasPattern
      ? {}
      : { declared: [...first].filter((name) => more.every((names) => names.has(name))) }),
  };
}

function present(schemas: readonly (JsonSchema | undefined)[]): readonly JsonSchema[] {
  return schemas.filter((schema) => schema !== undefined);
}

/** Returns the schemas that can apply to the same value: targets of references, parts, and all alternatives. */
function applicable(schemas: readonly JsonSchema[], index: SchemaIndex): readonly SchemaNode[] {
  const nodes = new Map<JsonSchema, SchemaNode>();
  const stack = schemas.toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next === false || nodes.has(next)) continue;
    const node = new SchemaNode(next);
    nodes.set(next, node);
    const target = node.target(index);
    stack.push(
      ...subschemasOf(next, 'value').map(({ schema }) => schema),
      ...(target === undefined ? [] : [target]),
    );
  }
  return [...nodes.values()];
}

/** The formats of numbers in the OpenAPI Format Registry, and what authors call them. As a text, they write a number. */
const numberFormats: ReadonlySet<string> = new Set(
  (
    'decimal decimal128 double double-int float int8 int16 int32 int64 uint8 uint16 uint32 uint64 sf-decimal sf-integer ' +
    'bigdecimal big-decimal int integer long number numeric'
  ).split(' '),
);

/** A text that is a decimal number. */
const decimalText = /^[+-]?[\d.,\s]*[.,]\d+\s*$/u;

/** Returns whether a schema by itself, without its parts and alternatives, describes texts that write numbers. */
function writesNumber(node: SchemaNode, admitsDecimal: (pattern: string) => boolean): boolean {
  if (node.types?.includes('string') === false) return false;
  const pattern = node.text('pattern');
  return (
    numberFormats.has(node.text('format')?.toLowerCase() ?? '') ||
    (pattern !== undefined && admitsDecimal(pattern)) ||
    node.values?.some((value) => typeof value === 'string' && decimalText.test(value)) === true
  );
}

/** Whether schemas accept a number, by their keywords. */
type NumberVerdicts = Map<SchemaNode['keywords'], boolean>;

/** Maximum number of parts and references that are followed from a schema. Below, a number counts as accepted. */
const maxDepth = 200;

/**
 * Returns whether a schema accepts a number, as far as its types, its values, its parts and its alternatives state. Each
 * schema is judged once, because parts can refer to the same schemas again and again. One that is being judged counts as
 * if it accepted one, which lists a place too many rather than one too few.
 */
function allowsNumber(
  node: SchemaNode,
  index: SchemaIndex,
  verdicts: NumberVerdicts,
  depth = 0,
): boolean {
  if (node.isNever) return false;
  const earlier = verdicts.get(node.keywords);
  if (earlier !== undefined) return earlier;
  if (depth === maxDepth) return true;
  verdicts.set(node.keywords, true);
  const verdict = judgeNumber(node, index, verdicts, depth);
  verdicts.set(node.keywords, verdict);
  return verdict;
}

function judgeNumber(
  node: SchemaNode,
  index: SchemaIndex,
  verdicts: NumberVerdicts,
  depth: number,
): boolean {
  const { types, values } = node;
  if (types !== undefined && !types.includes('number') && !types.includes('integer')) return false;
  if (values?.every((value) => typeof value !== 'number') === true) return false;
  const allows = (schema: JsonSchema): boolean =>
    allowsNumber(new SchemaNode(schema), index, verdicts, depth + 1);
  const target = node.target(index);
  return (
    (target === undefined || allows(target)) &&
    node.allOf.every(allows) &&
    [node.anyOf, node.oneOf].every((union) => union.length === 0 || union.some(allows))
  );
}

/** Removes the places at and below which no number can be. Those of equal content become one. */
function withoutIdle(
  places: readonly NumberPlace[],
  roots: readonly (readonly [name: string, place: number])[],
): NumberPlaces {
  const users = new Map<number, number[]>();
  for (const [at, { members = [], items, undeclared }] of places.entries())
    for (const below of [...members.map(([, place]) => place), items, undeclared])
      if (below !== undefined) users.set(below, [...(users.get(below) ?? []), at]);
  const useful = new Set<number>();
  const stack = places.flatMap(({ number }, at) => (number === true ? [at] : []));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (useful.has(next)) continue;
    useful.add(next);
    stack.push(...(users.get(next) ?? []));
  }
  const leaf = places.findIndex((place) => isLeaf(place));
  const shared = (at: number): number => (isLeaf(places[at] ?? {}) ? leaf : at);
  const kept = places.flatMap((_, at) => (useful.has(at) && shared(at) === at ? [at] : []));
  const moved = new Map(kept.map((at, position) => [at, position]));
  const placeOf = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : moved.get(shared(at));
  return {
    places: kept.map((at) => {
      const { number, members = [], items, undeclared, declared } = places[at] ?? {};
      const left = members.flatMap(([name, place]) => {
        const target = placeOf(place);
        return target === undefined ? [] : [[name, target] as const];
      });
      const [elements, rest] = [placeOf(items), placeOf(undeclared)];
      return {
        ...(number === undefined ? {} : { number }),
        ...(left.length > 0 ? { members: left } : {}),
        ...(elements === undefined ? {} : { items: elements }),
        ...(rest === undefined ? {} : { undeclared: rest }),
        ...(declared === undefined ? {} : { declared }),
      };
    }),
    roots: new Map(
      roots.flatMap(([name, place]) => {
        const target = placeOf(place);
        return target === undefined ? [] : [[name, target] as const];
      }),
    ),
  };
}

/** Returns whether a place is a number alone. */
function isLeaf({ number, members, items, undeclared, declared }: NumberPlace): boolean {
  return (
    number === true &&
    members === undefined &&
    items === undefined &&
    undeclared === undefined &&
    declared === undefined
  );
}
