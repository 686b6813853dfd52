import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import type { Parameter } from '../contract.ts';
import type { Condition, Conditions } from '../../schema/model.ts';
import { type Cursor, child, entries, follow, items, text } from '../../json/cursor.ts';
import { escapeMember } from '../../json/pointer.ts';

/** Reads `x-identified-by`: a list means OR, a map means AND. */
export function readIdentification(at: Cursor): readonly Conditions[] {
  const alternatives = Array.isArray(at.value) ? items(at) : [at];
  return alternatives.map(readConditions);
}

/** Reads a map from expression to JSON Schema (`false`: absent), in the author's order. */
export function readConditions(at: Cursor): Conditions {
  return entries(at).map(([expression, schema]): Condition => {
    const value = schema.value;
    return { expression, schema: isJsonObject(value) || typeof value === 'boolean' ? value : {} };
  });
}

/**
 * Derives the conditions that identify a notification from its required constant headers and its payload's required
 * constants. Headers come first, then members by their depth. Returns an empty list where there are no constants.
 * Ignores members that may be absent, and members that not every alternative of `oneOf` or `anyOf` has.
 */
export function deriveIdentification(
  payload: Cursor,
  headers: readonly Parameter[],
): readonly Conditions[] {
  const inHeaders = headers.flatMap(({ name, required, schema }) => {
    const constant = required ? constantOf(schema) : undefined;
    if (constant === undefined) return [];
    return [{ expression: `$request.header.${name}`, schema: { const: String(constant) } }];
  });
  const found = [...constantsIn(payload, { steps: 5000 })];
  const inBody = found
    .toSorted(([a], [b]) => depthOf(a) - depthOf(b))
    .map(([pointer, values]): Condition => {
      const [only = null, ...others] = values;
      return {
        expression: `$request.body#${pointer}`,
        schema: others.length === 0 ? { const: only } : { enum: [...values] },
      };
    });
  const conditions = [...inHeaders, ...inBody];
  return conditions.length > 0 ? [conditions] : [];
}

type Scalar = string | number | boolean | null;

/** The constant values of members, by the pointer of the member. */
type Constants = ReadonlyMap<string, readonly Scalar[]>;

/**
 * The remaining steps of a search. Hostile schemas multiply by nesting, so the search finds nothing more at 0 steps.
 */
interface Search {
  steps: number;
}

/** The maximum nesting. Deeper members rarely distinguish kinds, and recursive schemas have no deepest member. */
const maxNesting = 4;

/**
 * Returns the required constants of a schema and of the schemas in it.
 * @param outer the members that the surrounding schemas require of the same object
 */
function constantsIn(
  written: Cursor,
  search: Search,
  nesting = 0,
  outer: ReadonlySet<string> = nothing,
): Constants {
  search.steps -= 1;
  if (search.steps < 0 || nesting > maxNesting) return new Map();
  const schema = follow(written);
  // Many payloads refer to the same few schemas.
  const known = outer.size === 0 ? cachedConstants(schema)?.[nesting] : undefined;
  if (known !== undefined) return known;
  const required = new Set([...outer, ...requiredIn(schema)]);
  const found = new Map<string, readonly Scalar[]>();
  const add = (constants: Constants, below = ''): void => {
    for (const [at, values] of constants) if (!found.has(below + at)) found.set(below + at, values);
  };
  const inside: (readonly [string, Cursor])[] = [];
  for (const [name, property] of entries(child(schema, 'properties'))) {
    if (!required.has(name)) continue;
    const constant = constantOf(follow(property).value);
    if (constant === undefined) inside.push([toPointer(name), property]);
    else found.set(toPointer(name), [constant]);
  }
  const look = (part: Cursor): Constants => constantsIn(part, search, nesting + 1, required);
  for (const part of items(child(schema, 'allOf'))) add(look(part));
  for (const keyword of ['oneOf', 'anyOf'])
    add(commonConstants(items(child(schema, keyword)).map(look)));
  for (const [below, property] of inside) add(constantsIn(property, search, nesting + 1), below);
  const remembered = outer.size === 0 && search.steps >= 0 ? cachedConstants(schema) : undefined;
  if (remembered !== undefined) remembered[nesting] = found;
  return found;
}

const nothing: ReadonlySet<string> = new Set();

/** Returns the cached constants of a schema, by the nesting at which they were found. The caller adds to this list. */
function cachedConstants({ value }: Cursor): Constants[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const known = constantsBySchema.get(value) ?? [];
  constantsBySchema.set(value, known);
  return known;
}

const constantsBySchema = new WeakMap<JsonObject, Constants[]>();

/** Returns the members that a schema requires, itself or by its `allOf`. */
function requiredIn(schema: Cursor, nesting = 0): readonly string[] {
  const own = items(child(schema, 'required')).flatMap((name) => text(name) ?? []);
  if (nesting > maxNesting) return own;
  const parts = items(child(schema, 'allOf'));
  return [...own, ...parts.flatMap((part) => requiredIn(follow(part), nesting + 1))];
}

/** Returns the members for which every alternative has a constant, with the values of all alternatives. */
function commonConstants(alternatives: readonly Constants[]): Constants {
  const [first = new Map<string, readonly Scalar[]>(), ...others] = alternatives;
  const common = [...first.keys()].filter((at) => others.every((other) => other.has(at)));
  return new Map(
    common.map((at) => [at, [...new Set(alternatives.flatMap((each) => each.get(at) ?? []))]]),
  );
}

function constantOf(schema: unknown): Scalar | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { const: constant, enum: values } = schema;
  if (constant !== undefined) return isScalar(constant) ? constant : undefined;
  const [only] = Array.isArray(values) && values.length === 1 ? (values as readonly Json[]) : [];
  return isScalar(only) ? only : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function toPointer(name: string): string {
  return `/${escapeMember(name)}`;
}

function depthOf(pointer: string): number {
  return pointer.split('/').length;
}
