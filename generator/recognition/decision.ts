import type { JsonSchema } from '../schema/model.ts';
import { bodyPathOf, containersOf, isAbove, type Read } from './reads.ts';
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
  readonly #order: readonly string[];
  readonly #start: readonly Alternative[];
  readonly #reads: readonly Read[];
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
    const follow = (of: ValueClass): Next => {
      this.#steps += candidates.length;
      return this.#decide(
        candidates.flatMap((candidate) => restrict(candidate, read, of) ?? []),
        names,
        { ...facts, types: new Map([...facts.types, [read, of.type]]) },
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
    for (const [other, type] of facts) {
      const path = bodyPathOf(this.#reads[other]);
      if (path === undefined) continue;
      const outer: readonly ValueType[] = containersOf(bodyPath[path.length]);
      if (isAbove(path, bodyPath) && !outer.includes(type)) return ['absent'];
      const containers: readonly ValueType[] = containersOf(path[bodyPath.length]);
      if (isAbove(bodyPath, path) && type !== 'absent')
        allowed = allowed.filter((candidate) => containers.includes(candidate));
    }
    return allowed;
  }

  #end(names: ReadonlySet<string>): readonly string[] {
    const end = this.#order.filter((name) => names.has(name));
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
    return JSON.stringify([parts, this.#order.filter((name) => names.has(name)), types, patterns]);
  }
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
