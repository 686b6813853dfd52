import { catalogue } from '../diagnostics/catalogue.ts';
import type { Documents } from '../documents/documents.ts';
import { memoize } from '../execution/memoize.ts';
import { isJsonObject } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { type Place, isReference } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { isApplied, schemasAt } from './schema-members.ts';

/**
 * Checks that each name in `required` is a declared property. JSON Schema allows other names, but such a name is nearly
 * always a misspelling. Every value that the author intends is then invalid.
 */
export const requiredProperties: Rule = {
  codes: ['undeclared-property'],
  *check({ documents }) {
    let users: ReadonlyMap<unknown, readonly Place[]> | undefined;
    const declaredIn = memoize((outermost: Place) => {
      const around = schemasAround(outermost, (users ??= findUsers(documents)));
      return around === undefined ? undefined : declaredProperties(around);
    });
    for (const place of placesOf(documents, 'schema')) {
      if (!hasUndeclared(place)) continue;
      const outermost = outermostOf(place);
      const declared = outermost && declaredIn(outermost);
      if (declared === undefined || declared.size === 0) continue;
      for (const item of place.items('required')) {
        const name = item.text();
        if (name === undefined || declared.has(name)) continue;
        const hint = didYouMean(name, [...declared]);
        const { help } = catalogue['undeclared-property'];
        yield {
          pointer: item.pointer,
          message: `${quote(name)} is required, but the schema does not declare it.`,
          until: 'a member of any type is required',
          help: hint === undefined ? help : `${hint} ${help}`,
        };
      }
    }
  },
};

/**
 * Returns whether a schema requires a name that is not in its own `properties`. Most schemas do not, and need no
 * further check.
 */
function hasUndeclared(schema: Place): boolean {
  const required = schema.valueIn('required');
  if (!Array.isArray(required)) return false;
  const properties = schema.valueIn('properties');
  return required.some(
    (name) =>
      typeof name === 'string' && !(isJsonObject(properties) && Object.hasOwn(properties, name)),
  );
}

/**
 * Returns the outermost of the schemas that contain a schema and apply to the same value. What is around a schema is
 * around that one, so that deep nesting is read once. Returns `undefined` below `not`, where `required` forbids a name.
 */
const outermostOf: (place: Place) => Place | undefined = memoize((place: Place) => {
  if (place.member === 'not') return undefined;
  const { parent } = place;
  return parent?.kind === 'schema' && isApplied(place) ? outermostOf(parent) : place;
});

/**
 * Returns a schema and the schemas around it that apply to the same value. These contain it or refer to it, at any
 * distance, or describe the same property beside it. Each of them can declare a required property. Returns `undefined`
 * below `not`, where `required` forbids a name.
 */
function schemasAround(
  start: Place,
  users: ReadonlyMap<unknown, readonly Place[]>,
  visited: ReadonlySet<Place> = new Set(),
): readonly Cursor[] | undefined {
  const places = new Set([start]);
  const beside: Cursor[] = [];
  for (const place of places) {
    if (place.member === 'not') return undefined;
    for (const user of users.get(place.value) ?? []) places.add(user);
    const { parent } = place;
    if (parent?.kind !== 'schema') continue;
    if (isApplied(place)) places.add(parent);
    if (place.member !== 'properties' || visited.has(parent)) continue;
    const around = schemasAround(parent, users, new Set([...visited, parent])) ?? [];
    beside.push(...schemasAt(around, [place.key]));
  }
  return [...places, ...beside];
}

/** Returns the schemas that refer to each schema. */
function findUsers(documents: Documents): ReadonlyMap<unknown, readonly Place[]> {
  const references = placesOf(documents, 'schema').filter(isReference);
  return Map.groupBy(references, (place) => place.follow().value);
}

/**
 * Returns the names that schemas declare, including those of their subschemas for the same value. Returns `undefined`
 * if a property can be declared without its name: by a pattern, by a schema for all others, or in a missing part.
 */
function declaredProperties(schemas: Iterable<Cursor>): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const schema of schemasAt([...schemas], [])) {
    if (schema.value === undefined || describesOthers(schema)) return undefined;
    for (const [name] of schema.entries('properties')) names.add(name);
    const discriminator = schema.text('discriminator', 'propertyName');
    if (discriminator !== undefined) names.add(discriminator);
  }
  return names;
}

function describesOthers(schema: Cursor): boolean {
  return ['patternProperties', 'additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => schema.entries(keyword).length > 0,
  );
}
