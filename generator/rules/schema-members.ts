import { memoize } from '../execution/memoize.ts';
import { isJsonObject } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { subschemasAt } from '../schema/visit.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';
import { isReference, type Place } from '../specification/walk.ts';

/**
 * Returns whether the schemas of a value declare a member at a path. Returns `no` only if the schemas declare
 * properties and the member is not one of them. Returns `unknown` if the schemas do not describe the path.
 */
function declaresMember(
  schemas: readonly Cursor[],
  path: readonly string[],
): 'yes' | 'no' | 'unknown' {
  const descent = descendAll(schemas, path);
  return typeof descent === 'string' ? descent : 'yes';
}

/**
 * Returns whether none of the schemas declares a member at a path: several schemas of one body are alternatives. False
 * without a schema.
 */
export function allLack(schemas: readonly Cursor[], path: readonly string[]): boolean {
  return schemas.length > 0 && schemas.every((schema) => declaresMember([schema], path) === 'no');
}

/**
 * Returns the schemas that apply to the value at a path, including referenced schemas and subschemas for the same
 * value. Returns none if no schema describes the path.
 */
export function schemasAt(schemas: readonly Cursor[], path: readonly string[]): readonly Cursor[] {
  const descent = descendAll(schemas, path);
  return typeof descent === 'string' ? [] : parts(descent);
}

function descendAll(
  schemas: readonly Cursor[],
  path: readonly string[],
): readonly Cursor[] | 'no' | 'unknown' {
  let here = schemas;
  for (const member of path) {
    const step = descend(here, member);
    if (typeof step === 'string') return step;
    here = step;
  }
  return here;
}

function descend(schemas: readonly Cursor[], member: string): readonly Cursor[] | 'no' | 'unknown' {
  const members: Cursor[] = [];
  let described = false;
  for (const schema of parts(schemas)) {
    if (!isJsonObject(schema.value)) return 'unknown';
    const properties = schema.child('properties');
    if (isJsonObject(properties.value)) described = true;
    const property = properties.child(member);
    if (property.value !== undefined) members.push(property);
    else if (admitsOthers(schema)) return 'unknown';
    members.push(...itemsAt(schema, member));
  }
  if (members.length > 0) return members;
  return described ? 'no' : 'unknown';
}

/**
 * Returns the schemas that apply to one value: the given ones, their reference targets, and their subschemas for the
 * same value. Memoized, because a rule asks for many members of the same schemas.
 */
const parts = memoize((schemas: readonly Cursor[]): readonly Cursor[] => {
  const subschemas: Cursor[] = [];
  const seen = new Set<unknown>();
  const stack = [...schemas];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next.value)) continue;
    seen.add(next.value);
    if (isReference(next)) stack.push(next.follow());
    if (!isReference(next) || hasSiblings(next)) subschemas.push(next);
    const condition = next.child('if');
    stack.push(...subschemasAt(next, 'value'));
    if (condition.value !== undefined) stack.push(condition);
  }
  return subschemas;
});

/** Returns whether a reference has sibling keywords, which JSON Schema 2020-12 applies as well. */
function hasSiblings({ value }: Cursor): boolean {
  return isJsonObject(value) && Object.keys(value).length > 1;
}

/** Returns whether a schema describes members of any name, beyond merely allowing them. */
function admitsOthers(schema: Cursor): boolean {
  return (
    schema.entries('patternProperties').length > 0 ||
    ['additionalProperties', 'unevaluatedProperties'].some((keyword) => {
      const at = schema.child(keyword);
      return at.isTrue() || isJsonObject(at.value);
    })
  );
}

function itemsAt(schema: Cursor, member: string): readonly Cursor[] {
  if (!/^(?:0|[1-9]\d*)$/.test(member)) return [];
  return [schema.child('prefixItems', member), schema.child('items', member), schema.child('items')]
    .filter(({ value }) => isJsonObject(value))
    .slice(0, 1);
}

/** Returns whether the schema around a schema applies it to the same value. */
export function isApplied({ member }: Place): boolean {
  const applies = schemaKeywords.get(member)?.appliesTo;
  return applies === 'value' || applies === 'test';
}

/** Returns a schema and the schemas around it that apply to the same value, innermost first. */
export function enclosingSchemas(schema: Place): readonly Place[] {
  const enclosing = [schema];
  for (const { member, parent } of enclosing) {
    if (parent?.kind === 'schema' && schemaKeywords.get(member)?.appliesTo === 'value')
      enclosing.push(parent);
  }
  return enclosing;
}

/** Returns whether a schema is within `not` or `if`, at any depth. There it tests a value, and states nothing. */
export function isInTest(schema: Place): boolean {
  for (let here: Place | undefined = schema; here?.kind === 'schema'; here = here.parent) {
    if (schemaKeywords.get(here.member)?.appliesTo === 'test') return true;
  }
  return false;
}
