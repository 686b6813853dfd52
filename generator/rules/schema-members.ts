import { isJsonObject } from '../json/json.ts';
import { child, entries, follow, isTrue, items, type Cursor } from '../json/cursor.ts';
import { isReference } from '../specification/walk.ts';

/**
 * Returns whether the schemas of a value declare a member at a path. Returns `no` only if the schemas declare
 * properties and the member is not one of them. Returns `unknown` if the schemas do not describe the path.
 */
export function declaresMember(
  schemas: readonly Cursor[],
  path: readonly string[],
): 'yes' | 'no' | 'unknown' {
  let here = schemas;
  for (const member of path) {
    const step = descend(here, member);
    if (step === 'no' || step === 'unknown') return step;
    here = step;
  }
  return 'yes';
}

/**
 * Returns the schemas that apply to the value at a path, including referenced schemas and subschemas for the same
 * value. Returns none if no schema describes the path.
 */
export function schemasAt(schemas: readonly Cursor[], path: readonly string[]): readonly Cursor[] {
  let here = schemas;
  for (const member of path) {
    const step = descend(here, member);
    if (typeof step === 'string') return [];
    here = step;
  }
  return parts(here);
}

function descend(schemas: readonly Cursor[], member: string): readonly Cursor[] | 'no' | 'unknown' {
  const found: Cursor[] = [];
  let described = false;
  for (const schema of parts(schemas)) {
    if (!isJsonObject(schema.value)) return 'unknown';
    const properties = child(schema, 'properties');
    if (isJsonObject(properties.value)) described = true;
    const property = child(properties, member);
    if (property.value !== undefined) found.push(property);
    else if (admitsOthers(schema)) return 'unknown';
    found.push(...itemsAt(schema, member));
  }
  if (found.length > 0) return found;
  return described ? 'no' : 'unknown';
}

/**
 * Returns the schemas that apply to one value: the given ones, their reference targets, and their subschemas for the
 * same value.
 */
function parts(schemas: readonly Cursor[]): readonly Cursor[] {
  const found: Cursor[] = [];
  const seen = new Set<unknown>();
  const stack = [...schemas];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next.value)) continue;
    seen.add(next.value);
    if (isReference(next)) stack.push(follow(next));
    if (!isReference(next) || hasSiblings(next)) found.push(next);
    const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => items(child(next, keyword)));
    const singles = ['if', 'then', 'else'].map((keyword) => child(next, keyword));
    const dependent = entries(child(next, 'dependentSchemas')).map(([, part]) => part);
    for (const part of [...lists, ...singles, ...dependent])
      if (part.value !== undefined) stack.push(part);
  }
  return found;
}

/** Returns whether a reference has sibling keywords, which JSON Schema 2020-12 applies as well. */
function hasSiblings({ value }: Cursor): boolean {
  return isJsonObject(value) && Object.keys(value).length > 1;
}

/** Returns whether a schema describes members of any name, beyond merely allowing them. */
function admitsOthers(schema: Cursor): boolean {
  return (
    entries(child(schema, 'patternProperties')).length > 0 ||
    ['additionalProperties', 'unevaluatedProperties'].some((keyword) => {
      const at = child(schema, keyword);
      return isTrue(at) || isJsonObject(at.value);
    })
  );
}

function itemsAt(schema: Cursor, member: string): readonly Cursor[] {
  if (!/^(?:0|[1-9]\d*)$/.test(member)) return [];
  return [
    child(schema, 'prefixItems', member),
    child(schema, 'items', member),
    child(schema, 'items'),
  ]
    .filter(({ value }) => isJsonObject(value))
    .slice(0, 1);
}
