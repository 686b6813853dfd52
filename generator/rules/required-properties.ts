import { catalogue } from '../diagnostics/catalogue.ts';
import type { Documents } from '../documents/documents.ts';
import { memoize } from '../execution/memoize.ts';
import { isJsonObject } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { type Place, isReference } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { discriminatingProperty } from '../schema/discriminator-values.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
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
    let surroundings: Surroundings | undefined;
    const declaredIn = memoize((start: Place) => {
      const around = surroundings?.of(start);
      return around === undefined ? undefined : declaredProperties(around);
    });
    const indexOf = memoize((names: ReadonlySet<string>) => new NameIndex(names));
    for (const place of placesOf(documents, 'schema')) {
      if (!hasUndeclared(place)) continue;
      const outermost = outermostOf(place);
      surroundings ??= new Surroundings(documents);
      const declared = outermost && declaredIn(surroundings.topOf(outermost));
      if (declared === undefined || declared.size === 0) continue;
      for (const item of place.items('required')) {
        const name = item.text();
        if (name === undefined || declared.has(name)) continue;
        const hint = didYouMean(name, indexOf(declared));
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

/** Returns a schema and the schemas around it that apply to the same value, for schemas of documents. */
class Surroundings {
  readonly #users: ReadonlyMap<unknown, readonly Place[]>;
  readonly #known = new Map<Place, Around>();
  readonly #tops = new Map<Place, Place>();
  /** How many results of schemas that contain themselves can be computed. More of them depend on one another. */
  #left: number;

  constructor(documents: Documents) {
    this.#users = findUsers(documents);
    this.#left = 4 * placesOf(documents, 'schema').length;
  }

  /**
   * Returns a schema and the schemas around it that apply to the same value. These contain it or refer to it, at any
   * distance, or describe the same property beside it. Each of them can declare a required property. Returns
   * `undefined` below `not`, where `required` forbids a name, and where too many schemas contain one another.
   */
  of(place: Place): readonly Cursor[] | undefined {
    const { schemas } = this.#known.get(place) ?? this.#find(place);
    return this.#left > 0 ? schemas : undefined;
  }

  /**
   * Returns the outermost schema that everything around a schema is around, too, so that what declares names for it is
   * read once for all its parts. Of a long chain, it is the first that is far enough.
   */
  topOf(place: Place, distance = 0): Place {
    const known = this.#tops.get(place);
    if (known !== undefined) return known;
    if (distance >= maxDistance) return place;
    // A schema that leads back to itself.
    this.#tops.set(place, place);
    const users = this.#users.get(place.value) ?? [];
    const { parent, member } = place;
    const wholes = parent?.kind === 'schema' && isApplied(place) ? [...users, parent] : users;
    // Others are beside a property, and nothing is required below `not`.
    if (member === 'properties' || member === 'not') return place;
    const [top = place, ...others] = new Set(
      wholes.map((whole) => this.topOf(whole, distance + 1)),
    );
    if (others.length === 0) this.#tops.set(place, top);
    return others.length === 0 ? top : place;
  }

  /** Searches without recursion, because a chain of schemas can be longer than the stack. */
  #find(start: Place): Around {
    /** The results that only hold while some schemas are searched: `undefined` for these schemas. */
    const begun = new Map<Place, Around | undefined>();
    const begin = (place: Place): { readonly place: Place; readonly search: Search } => {
      begun.set(place, undefined);
      return { place, search: this.#search(place) };
    };
    const open = [begin(start)];
    let answer: Around | undefined;
    for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
      const { done, value } = current.search.next(answer ?? unknown);
      if (done === true) {
        open.pop();
        answer = value;
        if (value.isPartial) this.#left -= 1;
        (value.isPartial ? begun : this.#known).set(current.place, value);
        continue;
      }
      answer = this.#known.get(value) ?? begun.get(value);
      if (answer !== undefined) continue;
      if (begun.has(value) || this.#left <= 0) answer = unknown;
      else open.push(begin(value));
    }
    return answer ?? unknown;
  }

  /** Asks for what is around other schemas, by yielding them. */
  *#search(start: Place): Search {
    const places = new Set([start]);
    const beside: Cursor[] = [];
    let isPartial = false;
    for (const place of places) {
      if (place.member === 'not') return { schemas: undefined, isPartial: false };
      for (const user of this.#users.get(place.value) ?? []) places.add(user);
      const { parent } = place;
      if (parent?.kind !== 'schema') continue;
      if (isApplied(place)) places.add(parent);
      if (place.member !== 'properties') continue;
      const around = yield parent;
      isPartial ||= around.isPartial;
      beside.push(...schemasAt(around.schemas ?? [], [place.key]));
    }
    return { schemas: [...places, ...beside], isPartial };
  }
}

type Search = Generator<Place, Around, Around>;

/** How many schemas away the outermost schema is looked for. */
const maxDistance = 100;

/** The schemas around one; `undefined` below `not`. */
interface Around {
  readonly schemas: readonly Cursor[] | undefined;
  /** Whether the schemas around a schema are missing that is being searched itself. */
  readonly isPartial: boolean;
}

/** What is around a schema that is being searched itself. */
const unknown: Around = { schemas: [], isPartial: true };

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
    const discriminator = discriminatingProperty(schema);
    if (discriminator !== undefined) names.add(discriminator);
  }
  return names;
}

function describesOthers(schema: Cursor): boolean {
  return ['patternProperties', 'additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => schema.entries(keyword).length > 0,
  );
}
