import { isJsonObject } from '../json/json.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { subschemasAt } from '../schema/visit.ts';
import { placesOf } from '../documents/places.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Checks that no schema applies itself to the same value (JSON Schema 2020-12, 9.4.1). A validator of it would never
 * terminate, and its type would be infinite. Members and items are other values, so recursion through them is allowed.
 */
export const endlessSchemas: Rule = {
  codes: ['endless-schema'],
  *check({ documents }) {
    const search: CycleSearch = { finished: new Set(), open: new Map() };
    for (const place of placesOf(documents, 'schema')) {
      for (const circle of cyclesFrom(place, search)) {
        const names = new Set(circle.map(({ pointer }) => quote(nameOf(pointer))));
        const [first = '', ...otherNames] = names;
        const way = otherNames.length === 0 ? '' : ` through ${otherNames.join(', ')}`;
        const message = `The schema ${first} applies itself to the same value${way}, without end.`;
        const at = circle.at(-1) ?? place;
        yield { pointer: at.pointer, message };
      }
    }
  },
};

interface CycleSearch {
  /** Schemas from which every path has been followed. */
  readonly finished: Set<unknown>;
  /** Schemas on the current path, with their indexes in it. */
  readonly open: Map<unknown, number>;
}

/** A schema on the current path, and the schemas it applies that are still to be visited, the next one last. */
interface PathStep {
  readonly at: Cursor;
  readonly next: Cursor[];
}

/**
 * Yields each cycle of schemas that can be reached from `start`. Uses no recursion, because a path can exceed the call
 * stack.
 */
function* cyclesFrom(start: Cursor, { finished, open }: CycleSearch): Iterable<readonly Cursor[]> {
  const way: PathStep[] = [];
  const enter = (at: Cursor): void => {
    open.set(at.value, way.length);
    way.push({ at, next: appliedSchemas(at).toReversed() });
  };
  if (!finished.has(start.value)) enter(start);
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const to = step.next.pop();
    if (to === undefined) {
      way.pop();
      open.delete(step.at.value);
      finished.add(step.at.value);
      continue;
    }
    if (!isJsonObject(to.value) || finished.has(to.value)) continue;
    const position = open.get(to.value);
    if (position === undefined) enter(to);
    else yield way.slice(position).map(({ at }) => at);
  }
}

/** Returns the schemas that a schema applies to the same value. */
function appliedSchemas(schema: Cursor): Cursor[] {
  const reference = schema.localReference;
  const target = reference === undefined ? [] : [schema.lookUp(reference)];
  return [...target, ...subschemasAt(schema, 'value', 'test')];
}

/** Returns the name of a component schema or of the one that contains the schema; otherwise the pointer. */
function nameOf(pointer: Pointer): string {
  const [components, schemas, name] = pointerMembers(pointer);
  const isNamed = components === 'components' && schemas === 'schemas';
  return isNamed && name !== undefined ? name : pointer;
}
