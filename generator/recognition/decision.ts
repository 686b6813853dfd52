import type { JsonSchema } from '../schema/model.ts';
import { bodyPathOf, containersOf, isAbove, type Read } from './reads.ts';
import {
  type ValueClass,
  type ValueType,
  holds,
  scalarsOf,
  typeOfScalar,
  valueTypes,
} from '../schema/value-set.ts';
import type { Scalar } from '../json/json.ts';

/** One way in which a delivery can match `name`: conditions that must all hold. `read` is the index of a value. */
export interface Alternative {
  readonly name: string;
  readonly conditions: readonly AlternativeCondition[];
}

/** A condition on one value. Where it is optional, a missing value satisfies it too. */
export interface AlternativeCondition {
  readonly read: number;
  readonly schema: JsonSchema;
  readonly optional?: boolean;
}

/** The next step of a decision: the index of a node, or the names that the decision results in. */
export type Next = number | readonly string[];

/** A step of a decision: checks one value, and continues according to the value or its type. */
export interface DecisionNode {
  readonly read: number;
  readonly values: readonly (readonly [Scalar, Next])[];
  readonly types: readonly (readonly [ValueType, Next])[];
  readonly rest: Next;
}

export interface Decision {
  readonly nodes: readonly DecisionNode[];
  readonly start: Next;
  /** Every list of names that the decision can result in. */
  readonly ends: readonly (readonly string[])[];
}

/** Limits on the size of a decision and on the work to create it. */
export interface DecisionLimits {
  /** Steps to create the decision. One step compares an alternative with a value. */
  readonly steps: number;
  /** Distinct results that have several names. */
  readonly unions: number;
}

/**
 * Combines many alternatives into one decision. It checks no value twice, and no value that can no longer change the
 * result. The names of a result are in the order of the alternatives.
 *
 * Returns `undefined` where a limit is exceeded: conditions about different values can hold in any combination, and
 * each combination is a separate result.
 * @throws TypeError for a condition that requires more than single values and types
 */
export function createDecision(
  alternatives: readonly Alternative[],
  reads: readonly Read[],
  limits: DecisionLimits = unlimited,
): Decision | undefined {
  const builder = new DecisionBuilder(alternatives, reads, limits);
  const start = builder.build();
  if (builder.isBeyond) return undefined;
  return { start, nodes: builder.nodes, ends: [...builder.ends.values()] };
}

const unlimited: DecisionLimits = { steps: Infinity, unions: Infinity };

class DecisionBuilder {
  readonly nodes: DecisionNode[] = [];
  readonly ends = new Map<string, readonly string[]>();
  readonly #order: readonly string[];
  readonly #start: readonly Alternative[];
  readonly #reads: readonly Read[];
  readonly #known = new Map<string, Next>();
  readonly #ids = new Map<Alternative, number>();
  readonly #limits: DecisionLimits;
  #steps = 0;
  #unions = 0;

  constructor(
    alternatives: readonly Alternative[],
    reads: readonly Read[],
    limits: DecisionLimits,
  ) {
    this.#limits = limits;
    this.#start = alternatives;
    this.#reads = reads;
    this.#order = [...new Set(alternatives.map(({ name }) => name))];
    for (const alternative of alternatives) this.#ids.set(alternative, this.#ids.size);
  }

  /** Whether a limit was exceeded. The decision is then incomplete. */
  get isBeyond(): boolean {
    return this.#steps > this.#limits.steps || this.#unions > this.#limits.unions;
  }

  build(): Next {
    return this.#decide(
      this.#start.map((origin) => ({ origin, open: new Set(origin.conditions.keys()) })),
      new Set(),
      new Map(),
    );
  }

  #decide(
    candidates: readonly Candidate[],
    found: ReadonlySet<string>,
    facts: ReadonlyMap<number, ValueType>,
  ): Next {
    if (this.isBeyond) return [];
    const names = new Set(found);
    for (const { origin, open } of candidates) if (open.size === 0) names.add(origin.name);
    const left = candidates.filter(({ origin }) => !names.has(origin.name));
    const read = this.#mostUsedRead(left);
    if (read === undefined) return this.#end(names);
    const key = this.#keyOf(left, names, facts);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const next = this.#branch(read, left, names, facts);
    this.#known.set(key, next);
    return next;
  }

  #branch(
    read: number,
    candidates: readonly Candidate[],
    names: ReadonlySet<string>,
    facts: ReadonlyMap<number, ValueType>,
  ): Next {
    const allowed = this.#allowedTypes(read, facts);
    const follow = (of: ValueClass): Next => {
      this.#steps += candidates.length;
      return this.#decide(
        candidates.flatMap((candidate) => restrict(candidate, read, of) ?? []),
        names,
        new Map([...facts, [read, of.type]]),
      );
    };
    const schemas = candidates.flatMap(({ origin, open }) =>
      [...open].flatMap((index) => {
        const condition = origin.conditions[index];
        return condition?.read === read ? [condition.schema] : [];
      }),
    );
    const scalars = [...new Set(schemas.flatMap(scalarsOf))];
    const values = scalars
      .filter((value) => allowed.includes(typeOfScalar(value)))
      .map((value) => [value, follow({ type: typeOfScalar(value), value })] as const);
    const types = allowed.map((type) => [type, follow({ type })] as const);
    const rest = mostCommon(types.map(([, next]) => next));
    const particular = types.filter(([, next]) => next !== rest);
    const restOf = (type: ValueType): Next =>
      particular.find(([candidate]) => candidate === type)?.[1] ?? rest;
    const named = values.filter(([value, next]) => next !== restOf(typeOfScalar(value)));
    if (particular.length === 0 && named.length === 0) return rest;
    return this.nodes.push({ read, values: named, types: particular, rest }) - 1;
  }

  /** Returns the value that most of the open conditions are about. */
  #mostUsedRead(candidates: readonly Candidate[]): number | undefined {
    const counts = new Map<number, number>();
    for (const { origin, open } of candidates) {
      for (const index of open) {
        const read = origin.conditions[index]?.read ?? 0;
        counts.set(read, (counts.get(read) ?? 0) + 1);
      }
    }
    let most: number | undefined;
    for (const [read, count] of counts) {
      const isMore = most === undefined || count > (counts.get(most) ?? 0);
      if (isMore) most = read;
    }
    return most;
  }

  /**
   * Returns the types that a value can have. A member can be present only where its container is an object or an array.
   */
  #allowedTypes(read: number, facts: ReadonlyMap<number, ValueType>): readonly ValueType[] {
    let allowed: readonly ValueType[] = valueTypes;
    const own = bodyPathOf(this.#reads[read]);
    if (own === undefined)
      return typeof this.#reads[read] === 'object' ? ['absent', 'string'] : ['string'];
    if (own.length === 0) allowed = allowed.filter((type) => type !== 'absent');
    for (const [other, type] of facts) {
      const path = bodyPathOf(this.#reads[other]);
      if (path === undefined) continue;
      const outer: readonly ValueType[] = containersOf(own[path.length]);
      if (isAbove(path, own) && !outer.includes(type)) return ['absent'];
      const containers: readonly ValueType[] = containersOf(path[own.length]);
      if (isAbove(own, path) && type !== 'absent')
        allowed = allowed.filter((candidate) => containers.includes(candidate));
    }
    return allowed;
  }

  #end(names: ReadonlySet<string>): readonly string[] {
    const end = this.#order.filter((name) => names.has(name));
    const key = JSON.stringify(end);
    const known = this.ends.get(key);
    if (known !== undefined) return known;
    this.ends.set(key, end);
    if (end.length > 1) this.#unions += 1;
    return end;
  }

  #keyOf(
    candidates: readonly Candidate[],
    names: ReadonlySet<string>,
    facts: ReadonlyMap<number, ValueType>,
  ): string {
    const reads = new Set<number>();
    const parts = candidates.map(({ origin, open }) => {
      for (const index of open) reads.add(origin.conditions[index]?.read ?? 0);
      return `${this.#ids.get(origin) ?? -1}:${[...open].join('.')}`;
    });
    const types = [...reads].map((read) => `${read}:${this.#allowedTypes(read, facts).join('.')}`);
    return JSON.stringify([parts, this.#order.filter((name) => names.has(name)), types]);
  }
}

/** An alternative, and the indexes of its conditions that are still undecided. */
interface Candidate {
  readonly origin: Alternative;
  readonly open: ReadonlySet<number>;
}

/** Returns what remains of an alternative once a value is known; `undefined` where the value contradicts it. */
function restrict(candidate: Candidate, read: number, of: ValueClass): Candidate | undefined {
  const open = new Set(candidate.open);
  for (const index of candidate.open) {
    const condition = candidate.origin.conditions[index];
    if (condition?.read !== read) continue;
    const isMissing = condition.optional === true && of.type === 'absent';
    if (!isMissing && !holds(condition.schema, of)) return undefined;
    open.delete(index);
  }
  return { origin: candidate.origin, open };
}

function mostCommon(all: readonly Next[]): Next {
  const counts = new Map<Next, number>();
  for (const next of all) counts.set(next, (counts.get(next) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? [];
}
