import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject } from '../json/json.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import { type Cursor, child, entries, items, lookUp, referenceOf } from '../json/cursor.ts';
import { hasAny } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';
import type { Rule } from './rule.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Checks that no schema applies itself to the same value (JSON Schema 2020-12, 9.4.1). A validator of it would never
 * terminate, and its type would be infinite. Members and items are other values, so recursion through them is allowed.
 */
export const endlessSchemas: Rule = {
  name: 'endless-schemas',
  codes: ['endless-schema'],
  *check({ documents }): Iterable<Diagnostic> {
    const search: Search = { finished: new Set(), open: new Map() };
    for (const place of placesOf(documents)) {
      // Most schemas have none of these keywords, and a contract can have many schemas.
      if (place.kind !== 'schema' || !hasAny(place.value, leading)) continue;
      for (const circle of circlesFrom(place, search)) {
        const names = new Set(circle.map(({ pointer }) => quote(nameOf(pointer))));
        const [first = '', ...others] = names;
        const way = others.length === 0 ? 'at once' : `through ${others.join(', ')}`;
        const message = `Whether a value is valid by ${first} depends on whether it is valid by ${first}, ${way}.`;
        const at = circle.at(-1) ?? place;
        yield diagnose(documents, 'endless-schema', at.pointer, message);
      }
    }
  },
};

interface Search {
  /** Schemas from which every path has been followed. */
  readonly finished: Set<unknown>;
  /** Schemas on the current path, with their indexes in it. */
  readonly open: Map<unknown, number>;
}

/** A schema on the current path, and the schemas it applies that are still to be visited. */
interface Step {
  readonly at: Cursor;
  readonly next: Cursor[];
}

/**
 * Yields each cycle of schemas that can be reached from `start`. Uses no recursion, because a path can exceed the call
 * stack.
 */
function* circlesFrom(start: Cursor, { finished, open }: Search): Iterable<readonly Cursor[]> {
  const way: Step[] = [];
  const enter = (at: Cursor): void => {
    open.set(at.value, way.length);
    way.push({ at, next: [...sameValue(at)] });
  };
  if (!finished.has(start.value)) enter(start);
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const to = step.next.shift();
    if (to === undefined) {
      way.pop();
      open.delete(step.at.value);
      finished.add(step.at.value);
      continue;
    }
    if (!isJsonObject(to.value) || finished.has(to.value)) continue;
    const known = open.get(to.value);
    if (known === undefined) enter(to);
    else yield way.slice(known).map(({ at }) => at);
  }
}

/** Yields the schemas that a schema applies to the same value. */
function* sameValue(schema: Cursor): Iterable<Cursor> {
  if (!isJsonObject(schema.value) || !hasAny(schema.value, leading)) return;
  const { value } = schema;
  const reference = referenceOf(schema);
  if (reference !== undefined) yield lookUp(schema, reference);
  const has = (keyword: string): boolean => Object.hasOwn(value, keyword);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'].filter(has))
    yield* items(child(schema, keyword));
  for (const keyword of ['not', 'if', 'then', 'else'].filter(has)) yield child(schema, keyword);
  for (const [, part] of has('dependentSchemas') ? entries(child(schema, 'dependentSchemas')) : [])
    yield part;
}

/** The keywords that apply other schemas to the same value. */
const leading = '$ref allOf anyOf oneOf not if then else dependentSchemas'.split(' ');

/** Returns the name of a component schema or of the one that contains the schema; otherwise the pointer. */
function nameOf(pointer: Pointer): string {
  const [components, schemas, name] = pointerMembers(pointer);
  const isNamed = components === 'components' && schemas === 'schemas';
  return isNamed && name !== undefined ? name : pointer;
}
