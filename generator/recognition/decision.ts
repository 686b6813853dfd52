import type { JsonSchema } from '../schema/model.ts';
import { bodyPathOf, containersOf, outerPositions, type Read } from './reads.ts';
import {
  type ValueClass,
  type ValueType,
  holds,
  holdsForText,
  patternsOf,
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
interface AlternativeCondition {
  readonly read: number;
  readonly schema: JsonSchema;
  readonly optional?: boolean;
}

/** The next step of a decision: the index of a node, or the names that the decision results in. */
export type Next = number | readonly string[];

/**
 * A step of a decision: checks one value, and continues according to the value or its type. With a pattern, the value is
 * whether it is a text that the pattern matches: `values` has the step for `true`, and `rest` is the other one.
 */
export interface DecisionNode {
  readonly read: number;
  readonly pattern?: string;
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
 * @param areDisjoint returns whether no text matches both of two patterns, so that no result needs both
 * @throws TypeError for a condition that requires more than single values, types and patterns
 */
export function createDecision(
  alternatives: readonly Alternative[],
  reads: readonly Read[],
  limits: DecisionLimits = unlimited,
  areDisjoint: DisjointPatterns = () => false,
): Decision | undefined {
  const builder = new DecisionBuilder(alternatives, reads, limits, areDisjoint);
  const start = builder.build();
  if (builder.isBeyond) return undefined;
  return { start, nodes: builder.nodes, ends: [...builder.ends.values()] };
}

/** Returns whether it is proven that no text matches both patterns. */
export type DisjointPatterns = (a: string, b: string) => boolean;

const unlimited: DecisionLimits = { steps: Infinity, unions: Infinity };

class DecisionBuilder {
  readonly nodes: DecisionNode[] = [];
  readonly ends = new Map<string, readonly string[]>();
  readonly #positions: ReadonlyMap<string, number>;
  readonly #start: readonly Alternative[];
  readonly #reads: readonly Read[];
  readonly #nested: readonly NestedReads[];
  readonly #nextByState = new Map<string, Next>();
  readonly #ids = new Map<Alternative, number>();
  readonly #limits: DecisionLimits;
  readonly #areDisjoint: DisjointPatterns;
  #steps = 0;
  #unions = 0;

  constructor(
    alternatives: readonly Alternative[],
    reads: readonly Read[],
    limits: DecisionLimits,
    areDisjoint: DisjointPatterns,
  ) {
    this.#limits = limits;
    this.#areDisjoint = areDisjoint;
    this.#start = alternatives;
    this.#reads = reads;
    this.#nested = nestedReads(reads);
    this.#positions = new Map(
      Array.from(new Set(alternatives.map(({ name }) => name)), (name, index) => [name, index]),
    );
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
      { types: new Map(), patterns: new Map() },
    );
  }

  #decide(candidates: readonly Candidate[], decidedNames: ReadonlySet<string>, facts: Facts): Next {
    if (this.isBeyond) return [];
    const names = new Set(decidedNames);
    for (const { origin, open } of candidates) if (open.size === 0) names.add(origin.name);
    const left = candidates.filter(({ origin }) => !names.has(origin.name));
    const question = this.#mostUsedQuestion(left, facts);
    if (question === undefined) return this.#end(names);
    // The facts are copied and compared as well.
    this.#steps += facts.types.size;
    const key = this.#keyOf(left, names, facts);
    const cachedNext = this.#nextByState.get(key);
    if (cachedNext !== undefined) return cachedNext;
    const { read, pattern } = question;
    const next =
      pattern === undefined
        ? this.#branch(read, left, names, facts)
        : this.#branchByPattern(read, pattern, left, names, facts);
    this.#nextByState.set(key, next);
    return next;
  }

  #branch(
    read: number,
    candidates: readonly Candidate[],
    names: ReadonlySet<string>,
    facts: Facts,
  ): Next {
    const allowed = this.#allowedTypes(read, facts.types);
    const follow = (type: ValueType, remaining: readonly Candidate[]): Next =>
      this.#decide(remaining, names, {
        ...facts,
        types: new Map([...facts.types, [read, type]]),
      });
    const byType = new Map(
      allowed.map((type) => [
        type,
        candidates.map((candidate) => restrict(candidate, read, { type })),
      ]),
    );
    this.#steps += candidates.length * allowed.length;
    const values: (readonly [Scalar, Next])[] = [];
    for (const [value, remaining] of remainingByValue(candidates, read, byType)) {
      this.#steps += remaining.length;
      if (this.isBeyond) break;
      values.push([value, follow(typeOfScalar(value), remaining)]);
    }
    const types = Array.from(byType, ([type, remaining]): readonly [ValueType, Next] => [
      type,
      follow(
        type,
        remaining.filter((left) => left !== undefined),
      ),
    ]);
    const rest = mostCommon(types.map(([, next]) => next));
    const particular = types.filter(([, next]) => next !== rest);
    const restOf = (type: ValueType): Next =>
      particular.find(([candidate]) => candidate === type)?.[1] ?? rest;
    const named = values.filter(([value, next]) => next !== restOf(typeOfScalar(value)));
    if (particular.length === 0 && named.length === 0) return rest;
    return this.nodes.push({ read, values: named, types: particular, rest }) - 1;
  }

  #branchByPattern(
    read: number,
    pattern: string,
    candidates: readonly Candidate[],
    names: ReadonlySet<string>,
    facts: Facts,
  ): Next {
    const matchedPatterns = facts.patterns.get(read) ?? new Map<string, boolean>();
    const follow = (added: readonly (readonly [string, boolean])[]): Next => {
      this.#steps += candidates.length;
      const patterns = new Map([...matchedPatterns, ...added]);
      return this.#decide(
        candidates.flatMap((candidate) => restrictText(candidate, read, patterns) ?? []),
        names,
        { ...facts, patterns: new Map([...facts.patterns, [read, patterns]]) },
      );
    };
    const testedPatterns = new Set(
      candidates.flatMap(({ origin, open }) =>
        [...open].flatMap((index) => {
          const condition = origin.conditions[index];
          return condition?.read === read ? patternsOf(condition.schema) : [];
        }),
      ),
    );
    const excluded = [...testedPatterns].filter(
      (other) =>
        other !== pattern && !matchedPatterns.has(other) && this.#areDisjoint(pattern, other),
    );
    const matched = follow([[pattern, true], ...excluded.map((other) => [other, false] as const)]);
    const rest = follow([[pattern, false]]);
    if (matched === rest) return rest;
    return this.nodes.push({ read, pattern, values: [[true, matched]], types: [], rest }) - 1;
  }

  /** Returns the value, or the pattern of a text that is known otherwise, which most of the open conditions are about. */
  #mostUsedQuestion(candidates: readonly Candidate[], facts: Facts): Question | undefined {
    const counts = new Map<string, { readonly question: Question; count: number }>();
    for (const { origin, open } of candidates) {
      for (const index of open) {
        const condition = origin.conditions[index];
        if (condition === undefined) continue;
        for (const question of questionsOf(condition, facts)) {
          const key = `${question.read} ${question.pattern ?? ''}`;
          const counted = counts.get(key) ?? { question, count: 0 };
          counted.count += 1;
          counts.set(key, counted);
        }
      }
    }
    let most: { readonly question: Question; readonly count: number } | undefined;
    for (const counted of counts.values())
      if (most === undefined || counted.count > most.count) most = counted;
    return most?.question;
  }

  /**
   * Returns the types that a value can have. A member can be present only where its container is an object or an array.
   */
  #allowedTypes(read: number, facts: ReadonlyMap<number, ValueType>): readonly ValueType[] {
    let allowed: readonly ValueType[] = valueTypes;
    const bodyPath = bodyPathOf(this.#reads[read]);
    if (bodyPath === undefined)
      return typeof this.#reads[read] === 'object' ? ['absent', 'string'] : ['string'];
    if (bodyPath.length === 0) allowed = allowed.filter((type) => type !== 'absent');
    const { outer = [], inner = [] } = this.#nested[read] ?? {};
    for (const { read: container, containers } of outer) {
      const type = facts.get(container);
      if (type !== undefined && !containers.includes(type)) return ['absent'];
    }
    for (const { read: member, containers } of inner) {
      const type = facts.get(member);
      if (type !== undefined && type !== 'absent')
        allowed = allowed.filter((candidate) => containers.includes(candidate));
    }
    return allowed;
  }

  #inOrder(names: ReadonlySet<string>): readonly string[] {
    const positionOf = (name: string): number => this.#positions.get(name) ?? 0;
    return [...names].toSorted((a, b) => positionOf(a) - positionOf(b));
  }

  #end(names: ReadonlySet<string>): readonly string[] {
    const end = this.#inOrder(names);
    const key = JSON.stringify(end);
    const cachedEnd = this.ends.get(key);
    if (cachedEnd !== undefined) return cachedEnd;
    this.ends.set(key, end);
    if (end.length > 1) this.#unions += 1;
    return end;
  }

  #keyOf(candidates: readonly Candidate[], names: ReadonlySet<string>, facts: Facts): string {
    const reads = new Set<number>();
    const texts = new Set<number>();
    const parts = candidates.map(({ origin, open }) => {
      for (const index of open) {
        const read = origin.conditions[index]?.read ?? 0;
        (facts.types.has(read) ? texts : reads).add(read);
      }
      return `${this.#ids.get(origin) ?? -1}:${[...open].join('.')}`;
    });
    const types = [...reads].map(
      (read) => `${read}:${this.#allowedTypes(read, facts.types).join('.')}`,
    );
    const patterns = [...texts].map((read) => [read, ...(facts.patterns.get(read) ?? [])]);
    return JSON.stringify([parts, this.#inOrder(names), types, patterns]);
  }
}

/** A read, and the types that the outer one of two values has if the inner one is present. */
interface NestedRead {
  readonly read: number;
  readonly containers: readonly ValueType[];
}

/** The reads of the containers of a value, and those of what is in it. */
interface NestedReads {
  readonly outer: NestedRead[];
  readonly inner: NestedRead[];
}

function nestedReads(reads: readonly Read[]): readonly NestedReads[] {
  const paths = reads.map(bodyPathOf);
  const nested = reads.map((): NestedReads => ({ outer: [], inner: [] }));
  for (const [inner, positions] of outerPositions(paths).entries()) {
    for (const outer of positions) {
      const containers = containersOf(paths[inner]?.[paths[outer]?.length ?? 0]);
      nested[inner]?.outer.push({ read: outer, containers });
      nested[outer]?.inner.push({ read: inner, containers });
    }
  }
  return nested;
}

/** An alternative, and the indexes of its conditions that are still undecided. */
interface Candidate {
  readonly origin: Alternative;
  readonly open: ReadonlySet<number>;
}

/** What is known about values: their types, and for texts that no condition names, which patterns match them. */
interface Facts {
  readonly types: ReadonlyMap<number, ValueType>;
  readonly patterns: ReadonlyMap<number, ReadonlyMap<string, boolean>>;
}

/** What a node checks: a value, or whether a pattern matches it. */
interface Question {
  readonly read: number;
  readonly pattern?: string;
}

/** Returns what can decide an open condition. Where its value is known, that is a text, and its patterns decide. */
function questionsOf({ read, schema }: AlternativeCondition, facts: Facts): readonly Question[] {
  if (!facts.types.has(read)) return [{ read }];
  const decidedPatterns = facts.patterns.get(read);
  return patternsOf(schema)
    .filter((pattern) => decidedPatterns?.has(pattern) !== true)
    .map((pattern) => ({ read, pattern }));
}

/** Returns what remains of an alternative once a value is known; `undefined` where the value contradicts it. */
function restrict(candidate: Candidate, read: number, of: ValueClass): Candidate | undefined {
  if (of.type === 'string' && of.value === undefined)
    return restrictText(candidate, read, new Map());
  return restrictBy(
    candidate,
    read,
    ({ schema, optional }) => (optional === true && of.type === 'absent') || holds(schema, of),
  );
}

/**
 * Yields what remains of alternatives for each value that their conditions name, of the types that are possible. A
 * condition without patterns treats all values alike that it does not name, so that it is evaluated only for its own.
 * @param byType what remains of each alternative for another value of a type
 */
function* remainingByValue(
  candidates: readonly Candidate[],
  read: number,
  byType: ReadonlyMap<ValueType, readonly (Candidate | undefined)[]>,
): Generator<readonly [Scalar, readonly Candidate[]]> {
  const positionsOf = new Map<Scalar, Set<number>>();
  const matching: number[] = [];
  for (const [position, { origin, open }] of candidates.entries()) {
    for (const index of open) {
      const condition = origin.conditions[index];
      if (condition?.read !== read) continue;
      for (const value of scalarsOf(condition.schema)) {
        if (!byType.has(typeOfScalar(value))) continue;
        const positions = positionsOf.get(value) ?? new Set();
        positionsOf.set(value, positions.add(position));
      }
      if (patternsOf(condition.schema).length > 0) matching.push(position);
    }
  }
  const others = new Map(
    Array.from(byType, ([type, remaining]) => [
      type,
      remaining.flatMap((left, position) => (left === undefined ? [] : [{ left, position }])),
    ]),
  );
  for (const [value, naming] of positionsOf) {
    const type = typeOfScalar(value);
    const own = new Set([...naming, ...matching]);
    const evaluated = [...own].flatMap((position) => {
      const candidate = candidates[position];
      const left = candidate && restrict(candidate, read, { type, value });
      return left === undefined ? [] : [{ left, position }];
    });
    const unnamed = (others.get(type) ?? []).filter(({ position }) => !own.has(position));
    const remaining = [...unnamed, ...evaluated].toSorted((a, b) => a.position - b.position);
    yield [value, remaining.map(({ left }) => left)];
  }
}

/** Returns what remains of an alternative once a value is a text that no condition names, and patterns are matched. */
function restrictText(
  candidate: Candidate,
  read: number,
  patterns: ReadonlyMap<string, boolean>,
): Candidate | undefined {
  return restrictBy(candidate, read, ({ schema }) => holdsForText(schema, patterns));
}

/** @param verdict returns whether a condition holds; `undefined` where that is not known yet */
function restrictBy(
  candidate: Candidate,
  read: number,
  verdict: (condition: AlternativeCondition) => boolean | undefined,
): Candidate | undefined {
  const open = new Set(candidate.open);
  for (const index of candidate.open) {
    const condition = candidate.origin.conditions[index];
    if (condition?.read !== read) continue;
    const isMet = verdict(condition);
    if (isMet === false) return undefined;
    if (isMet === true) open.delete(index);
  }
  return { origin: candidate.origin, open };
}

function mostCommon(all: readonly Next[]): Next {
  const counts = new Map<Next, number>();
  for (const next of all) counts.set(next, (counts.get(next) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? [];
}
