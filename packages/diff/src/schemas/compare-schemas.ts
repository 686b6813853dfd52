import { createCheck, SchemaNode } from 'countersign/companion/contract';
import { isAnnotation } from 'countersign/companion/project';
import { toCanonical } from 'countersign/companion/values';
import type { JsonSchema, Pointer } from 'countersign';
import type { Json, SchemaIndex } from 'countersign/kit';
import { formatValue } from '../format-value.ts';
import { type Conjunct, ownerOf } from './choices.ts';
import { compareAnnotations } from './compare-annotations.ts';
import { compareShapes, placeOfShape } from './compare-shapes.ts';
import {
  acceptedAfter,
  type Findings,
  type PartPair,
  type SchemaDifference,
} from './difference.ts';
import { type Check, findWitnesses, valuesAround, type Witnesses } from './find-witness.ts';
import { type Part, type Place, type Side, within } from './place.ts';
import { withoutCovered } from './covers.ts';
import { createShapeKey } from './shape-key.ts';
import { areDisjoint, constantsOf, type Kind, kinds, type Shape, shapesOf } from './shapes.ts';

/** A difference, with those who use the schemas. */
export interface UsedDifference<Use> extends SchemaDifference {
  readonly uses: readonly Use[];
  /** The schema of the same value in the contract that `side` does not name. */
  readonly counterpart: Pointer | undefined;
  /** Where the two schemas are, if each is one schema. */
  readonly between: Readonly<Record<Side, Place>> | undefined;
  /** Whether it is certain that the schema accepts other values, as `accepts` says. */
  readonly isDecided: boolean;
  /** A value that only one side accepts, where the difference itself leaves open whether there is one. */
  readonly example?: Json;
}

/** Two named schemas that describe the same value before and after a change. */
export type NamePair = readonly [base: string, head: string];

/** The schemas of one value before and after the change. */
interface Unit<Use> extends PartPair {
  /** Whether the value is written as a text, as in a URL or a header. */
  readonly isText: boolean;
  readonly differences: SchemaDifference[];
  readonly parents: { readonly unit: Unit<Use>; readonly isCertain: boolean }[];
  readonly uses: Set<Use>;
  /** The kinds of values for which alternatives, or rules that are compared as they are written, decide. */
  readonly ambiguous: Set<Kind>;
  /** Whether a difference here is one of every value that contains it. */
  isCertain: boolean;
}

interface Found<Use> {
  readonly difference: SchemaDifference;
  readonly units: Unit<Use>[];
  isDecided: boolean;
  example: Json | undefined;
}

/** The number of pairs of schemas with different names for each schema, after which they are not compared. */
const maxPairsOfEach = 4;
const maxPairs = 1000;
/** The most units around one that are tried for a value that shows a difference in it. */
const maxOuter = 100;

/**
 * Compares the schemas of two contracts, by what they accept. Each pair of schemas is compared once, however many uses
 * it has. A difference in a schema that others refer to is one difference, with the uses of all of them.
 */
export class SchemaComparison<Use> {
  readonly #base: SchemaIndex;
  readonly #head: SchemaIndex;
  readonly #units = new Map<string, Unit<Use>>();
  readonly #queue: Unit<Use>[] = [];
  readonly #ids = new WeakMap<object, number>();
  readonly #pairs = new Map<string, NamePair>();
  readonly #most: number;
  readonly #keys: ShapeKeys;
  #lastId = 0;

  constructor(base: SchemaIndex, head: SchemaIndex) {
    this.#base = base;
    this.#head = head;
    this.#keys = { base: createShapeKey(base), head: createShapeKey(head) };
    this.#most = Math.max(maxPairs, maxPairsOfEach * (base.size + head.size));
  }

  /** Compares two schemas that one user sends or reads. */
  add(base: Part, head: Part, use: Use, isText = false): void {
    const unit = this.#unitOf({ base: [base], head: [head] }, isText);
    unit.isCertain = true;
    unit.uses.add(use);
    this.#run();
  }

  /** The named schemas that were found in the same places. */
  get names(): readonly NamePair[] {
    return [...this.#pairs.values()];
  }

  /** Returns the differences of everything that was added, each once. */
  differences(): readonly UsedDifference<Use>[] {
    this.#spreadCertainty();
    const found = new Map<string, Found<Use>>();
    for (const unit of this.#units.values()) this.#judge(unit);
    for (const unit of this.#units.values()) {
      for (const difference of unit.differences) {
        const { code, message, side, place } = difference;
        const key = toCanonical([code, message, side, place.pointer]);
        const isCertain = unit.isCertain && !difference.isOpen;
        const example = isCertain ? undefined : this.#exampleOf(difference, unit);
        const isDecided = difference.accepts === 'same' || isCertain || example !== undefined;
        const same = found.get(key);
        if (same === undefined) found.set(key, { difference, units: [unit], isDecided, example });
        else {
          same.units.push(unit);
          same.isDecided ||= isDecided;
          same.example ??= example;
        }
      }
    }
    return Array.from(found.values(), ({ difference, units, isDecided, example }) => ({
      ...difference,
      ...(example === undefined ? {} : { example }),
      uses: usesOf(units),
      isDecided,
      between: placesOf(units),
      counterpart: units[0]?.[difference.side === 'head' ? 'base' : 'head'][0]?.at.pointer,
    }));
  }

  #run(): void {
    for (let unit = this.#queue.shift(); unit !== undefined; unit = this.#queue.shift())
      this.#compare(unit);
  }

  #unitOf(pair: PartPair, isText: boolean): Unit<Use> {
    const [base, head] = [
      pair.base.map((part) => follow(part, this.#base)),
      pair.head.map((part) => follow(part, this.#head)),
    ];
    const key = `${this.#keyOf(base)} ${this.#keyOf(head)} ${isText}`;
    const before = this.#units.get(key);
    if (before !== undefined) return before;
    const unit: Unit<Use> = {
      base,
      head,
      isText,
      differences: [],
      parents: [],
      uses: new Set(),
      ambiguous: new Set(),
      isCertain: false,
    };
    this.#units.set(key, unit);
    this.#queue.push(unit);
    return unit;
  }

  #keyOf(parts: readonly Part[]): string {
    return parts
      .map(({ schema, at }) => {
        if (typeof schema === 'boolean') return `${at.pointer}=${schema}`;
        const id = this.#ids.get(schema) ?? (this.#lastId += 1);
        this.#ids.set(schema, id);
        return String(id);
      })
      .join('&');
  }

  #compare(unit: Unit<Use>): void {
    if (this.#isTooMany(unit)) return;
    const children: ChildPair[] = [];
    const findings = findingsOf(unit, children);
    const [base, head] = [splitParts(unit.base, this.#base), splitParts(unit.head, this.#head)];
    if (base !== undefined && head !== undefined) {
      compareAnnotations({ base: base.beside, head: head.beside }, findings);
      findings.compare({ base: [base.target], head: [head.target] });
    } else this.#compareAll(unit, findings);
    for (const child of children) {
      const isText = unit.isText && child.base[0]?.at.path.endsWith('/*') === true;
      this.#unitOf(child, isText || (unit.isText && base !== undefined)).parents.push({
        unit,
        isCertain: child.kind === undefined || !unit.ambiguous.has(child.kind),
      });
    }
  }

  /** Notes that two named schemas are in the same place, and returns whether there are too many such pairs. */
  #isTooMany({ base, head, differences }: Unit<Use>): boolean {
    const [was, is] = [base[0], head[0]];
    if (base.length !== 1 || head.length !== 1 || was === undefined || is === undefined)
      return false;
    if (was.name === undefined || is.name === undefined) return false;
    const key = toCanonical([was.name, is.name]);
    if (this.#pairs.has(key)) return false;
    if (was.name !== is.name && this.#pairs.size >= this.#most) {
      const [to, from] = [is, was].map(({ name = '' }) => formatValue(name));
      differences.push({
        code: 'rule-changed',
        message: `It is ${to} instead of ${from}, and too many schemas refer to others to compare these two.`,
        side: 'head',
        place: is.at,
        accepts: 'other',
        isOpen: true,
      });
      return true;
    }
    this.#pairs.set(key, [was.name, is.name]);
    return false;
  }

  #compareAll(unit: Unit<Use>, findings: KindFindings): void {
    const [all, allNow] = [shapesOf(unit.base, this.#base), shapesOf(unit.head, this.#head)];
    if (all === undefined || allNow === undefined) {
      for (const kind of kinds) unit.ambiguous.add(kind);
      const [before, after] = [unit.base, unit.head].map((parts) =>
        toCanonical(parts.map(({ schema }) => schema)),
      );
      const place = unit.head[0]?.at;
      if (before !== after && place !== undefined)
        findings.differ('rule-changed', 'Its alternatives are too many to compare.', place);
      return;
    }
    const [was, is] = [
      withoutCovered(all, this.#keys.base),
      withoutCovered(allNow, this.#keys.head),
    ];
    for (const kind of kinds)
      if (isAmbiguous(was, kind) || isAmbiguous(is, kind)) unit.ambiguous.add(kind);
    const split = splitAlternatives(unit, this.#base, this.#head);
    if (split === undefined) {
      const sets = { was, is, common: [], placeOf: placeOfShape, isSettled: () => false };
      compareKinds(unit, sets, findings);
      compareShapesOfKinds(sets, this.#keys, findings);
    } else {
      // What a named alternative accepts is compared once for the schema, and not in each union that has it.
      for (const pair of split.pairs) findings.compare(pair);
      compareAnnotations({ base: split.base.around, head: split.head.around }, findings);
      const alternatives = new Map<Shape, Alternative>();
      const shapesOfEach = (parts: readonly Alternative[], index: SchemaIndex): readonly Shape[] =>
        parts.flatMap((part) => {
          const shapes = (shapesOf([part], index) ?? []).map(toAlternative);
          for (const shape of shapes) alternatives.set(shape, part);
          return shapes;
        });
      const common = [
        shapesOfEach(
          split.pairs.flatMap(({ base }) => base),
          this.#base,
        ),
        shapesOfEach(
          split.pairs.flatMap(({ head }) => head),
          this.#head,
        ),
      ] as const;
      const rest = {
        was: withoutCovered(shapesOfEach(split.base.rest, this.#base), this.#keys.base, common[0]),
        is: withoutCovered(shapesOfEach(split.head.rest, this.#head), this.#keys.head, common[1]),
        common: common[0],
        placeOf: (shape: Shape) => alternatives.get(shape)?.from ?? placeOfShape(shape),
        // A schema that both contracts name is not another one of them under a new name.
        isSettled: (shape: Shape) => {
          const name = alternatives.get(shape)?.name;
          return name !== undefined && this.#base.has(name) && this.#head.has(name);
        },
        nameOf: (shape: Shape) => alternatives.get(shape)?.name,
      };
      compareKinds(unit, rest, findings);
      compareShapesOfKinds(rest, this.#keys, findings);
    }
  }

  /** Marks what is certain: a difference in a part of a union may be made up for by another alternative. */
  #spreadCertainty(): void {
    const children = new Map<Unit<Use>, Unit<Use>[]>();
    for (const unit of this.#units.values())
      for (const { unit: parent, isCertain } of unit.parents)
        if (isCertain) children.set(parent, [...(children.get(parent) ?? []), unit]);
    const stack = [...this.#units.values()].filter(({ isCertain }) => isCertain);
    for (let unit = stack.pop(); unit !== undefined; unit = stack.pop())
      for (const child of children.get(unit) ?? [])
        if (!child.isCertain) {
          child.isCertain = true;
          stack.push(child);
        }
  }

  readonly #witnesses = new Map<Unit<Use>, Witnesses>();

  /** Searches for values that only one side accepts, where the differences themselves leave that open. */
  #judge(unit: Unit<Use>): void {
    if (!isJudge(unit)) return;
    const differing = this.#differencesBelow(unit);
    if (!differing.some(({ accepts }) => accepts !== 'same')) return;
    const witnesses = this.#witnessesOf(unit);
    this.#witnesses.set(unit, witnesses);
    const at = unit.head[0]?.at;
    if (at === undefined) return;
    const names = (accepts: 'more' | 'fewer'): boolean =>
      differing.some(
        (difference) => difference.accepts === accepts || difference.accepts === 'other',
      );
    const { fewer, more } = witnesses;
    if (fewer !== undefined && !names('fewer'))
      unit.differences.push({
        code: 'value-refused',
        message: `${formatValue(fewer)} was valid and is refused.`,
        side: 'head',
        place: at,
        accepts: 'fewer',
        isOpen: false,
      });
    if (more !== undefined && !names('more'))
      unit.differences.push({
        code: 'value-admitted',
        message: `${formatValue(more)} was refused and is valid.`,
        side: 'head',
        place: at,
        accepts: 'more',
        isOpen: false,
      });
  }

  #differencesBelow(unit: Unit<Use>): readonly SchemaDifference[] {
    this.#children ??= this.#indexChildren();
    const seen = new Set([unit]);
    // The iteration includes units that are added during it.
    for (const next of seen) for (const child of this.#children.get(next) ?? []) seen.add(child);
    return [...seen].flatMap(({ differences }) => differences);
  }

  #children: ReadonlyMap<Unit<Use>, readonly Unit<Use>[]> | undefined;

  #indexChildren(): ReadonlyMap<Unit<Use>, readonly Unit<Use>[]> {
    const children = new Map<Unit<Use>, Unit<Use>[]>();
    for (const unit of this.#units.values())
      for (const { unit: parent } of unit.parents) {
        const list = children.get(parent);
        if (list === undefined) children.set(parent, [unit]);
        else list.push(unit);
      }
    return children;
  }

  #checks: { base?: ReturnType<typeof createCheck>; head?: ReturnType<typeof createCheck> } = {};

  #checkOf(parts: readonly Part[], side: 'base' | 'head'): Check {
    const create = (this.#checks[side] ??= createCheck(side === 'base' ? this.#base : this.#head));
    let validate: ((value: unknown) => boolean) | undefined;
    try {
      validate = create({ allOf: parts.map(({ schema }) => schema) });
    } catch {
      // Ajv refuses what it cannot compile, such as a reference without a target. Nothing is decided then.
      return () => undefined;
    }
    return (value) => {
      try {
        return validate(value);
      } catch {
        return undefined;
      }
    };
  }

  /** Returns a value that shows a difference; `undefined` if none was found. */
  #exampleOf({ accepts }: SchemaDifference, unit: Unit<Use>): Json | undefined {
    const judges = this.#judgesOf(unit);
    for (const judge of judges) {
      const { fewer, more } = this.#witnesses.get(judge) ?? {};
      const example = accepts === 'fewer' ? fewer : accepts === 'more' ? more : (fewer ?? more);
      if (example !== undefined) return example;
    }
    for (const direction of ['more', 'fewer'] as const) {
      if (accepts !== direction && accepts !== 'other') continue;
      const example = this.#exampleAround(direction, unit, new Set(judges));
      if (example !== undefined) return example;
    }
    return undefined;
  }

  readonly #local = new Map<Unit<Use>, Witnesses>();

  /**
   * Returns a value of a unit in which alternatives decide, built around a value that only one side of an inner unit
   * accepts: samples of the outer one hardly ever reach that deep.
   */
  #exampleAround(
    direction: 'more' | 'fewer',
    unit: Unit<Use>,
    judges: ReadonlySet<Unit<Use>>,
  ): Json | undefined {
    const local = this.#witnesses.get(unit) ?? this.#local.get(unit) ?? this.#witnessesOf(unit);
    this.#local.set(unit, local);
    const { [direction]: found } = local;
    if (found === undefined) return undefined;
    const seen = new Set([unit]);
    const queue: { readonly unit: Unit<Use>; readonly value: Json }[] = [{ unit, value: found }];
    // The iteration includes what is added during it.
    for (const inner of queue) {
      if (judges.has(inner.unit)) return inner.value;
      if (seen.size > maxOuter) return undefined;
      for (const { unit: outer } of inner.unit.parents) {
        if (seen.has(outer)) continue;
        seen.add(outer);
        const value = this.#around(direction, inner.value, inner.unit, outer);
        if (value !== undefined) queue.push({ unit: outer, value });
      }
    }
    return undefined;
  }

  /** Returns a value of an outer unit, with a value of an inner one in it, that only one side accepts. */
  #around(
    direction: 'more' | 'fewer',
    value: Json,
    inner: Unit<Use>,
    outer: Unit<Use>,
  ): Json | undefined {
    const side = direction === 'more' ? 'head' : 'base';
    const index = side === 'head' ? this.#head : this.#base;
    const key = this.#keyOf(inner[side]);
    const isPlace = (parts: readonly Part[]): boolean =>
      parts.length === inner[side].length &&
      this.#keyOf(parts.map((part) => follow(part, index))) === key;
    const [was, is] = [this.#checkOf(outer.base, 'base'), this.#checkOf(outer.head, 'head')];
    const [accepts, refuses] = direction === 'more' ? [is, was] : [was, is];
    const checkOf = (parts: readonly Part[]): Check => this.#checkOf(parts, side);
    return valuesAround(value, outer[side], { index, checkOf, isPlace }).find(
      (candidate) => accepts(candidate) === true && refuses(candidate) === false,
    );
  }

  #witnessesOf({ base, head }: Unit<Use>): Witnesses {
    return findWitnesses(
      { parts: base, index: this.#base, accepts: this.#checkOf(base, 'base') },
      { parts: head, index: this.#head, accepts: this.#checkOf(head, 'head') },
    );
  }

  /** Returns the outermost units above a unit, or itself, in which alternatives decide. */
  #judgesOf(unit: Unit<Use>): readonly Unit<Use>[] {
    const seen = new Set([unit]);
    // The iteration includes units that are added during it.
    for (const next of seen)
      if (!isJudge(next)) for (const { unit: parent } of next.parents) seen.add(parent);
    return [...seen].filter(isJudge);
  }
}

/** Returns whether alternatives in a unit decide, and none outside of it. */
function isJudge({ isCertain, ambiguous, differences }: Unit<unknown>): boolean {
  return isCertain && (ambiguous.size > 0 || differences.some(({ isOpen }) => isOpen));
}

/** Differences of rules that are compared as they are written. */
const openCodes: ReadonlySet<string> = new Set(['rule-added', 'rule-removed', 'rule-changed']);

function findingsOf(
  { differences, ambiguous }: Unit<unknown>,
  children: ChildPair[],
): KindFindings {
  const seen = new Set<string>();
  const findings: KindFindings = {
    differ(code, message, place, { side = 'head', accepts = acceptedAfter(code), member } = {}) {
      const key = toCanonical([code, message, place.pointer, side]);
      if (seen.has(key)) return;
      seen.add(key);
      const { kind } = findings;
      const isOpen = openCodes.has(code) || (kind !== undefined && ambiguous.has(kind));
      differences.push({
        code,
        message,
        place,
        side,
        accepts,
        isOpen,
        ...(member === undefined ? {} : { member }),
      });
    },
    compare(pair) {
      children.push({ ...pair, kind: findings.kind });
    },
    kind: undefined,
  };
  return findings;
}

/** Findings about values of one kind, while that is set. */
interface KindFindings extends Findings {
  kind: Kind | undefined;
}

interface ChildPair extends PartPair {
  readonly kind: Kind | undefined;
}

/** Returns where the schemas of a difference are: rather those that both contracts have in the same named schema. */
function placesOf<Use>(units: readonly Unit<Use>[]): UsedDifference<Use>['between'] {
  const pairs = units.map(({ base, head }) => {
    const [was, is] = [base[0], head[0]];
    if (base.length !== 1 || head.length !== 1 || was === undefined || is === undefined)
      return undefined;
    return { base: was.at, head: is.at };
  });
  if (pairs.includes(undefined)) return undefined;
  return pairs.find((pair) => pair?.base.owner === pair?.head.owner) ?? pairs[0];
}

/** Returns what a schema refers to, if it only refers to another one. */
function follow(part: Part, index: SchemaIndex): Part {
  const seen = new Set<string>();
  let next = part;
  for (;;) {
    const { reference, keywords } = new SchemaNode(next.schema);
    if (reference === undefined || Object.keys(keywords).length > 1 || seen.has(reference))
      return next;
    const target = targetOf(reference, index);
    if (target === undefined) return next;
    seen.add(reference);
    next = target;
  }
}

function targetOf(name: string, index: SchemaIndex): Part | undefined {
  const target = index.get(name);
  if (target === undefined) return undefined;
  const { definition, pointer } = target;
  return {
    schema: definition,
    at: { pointer, owner: ownerOf(target, index), path: '' },
    name,
  };
}

/** Returns the only schema that a value's schemas refer to, if beside it there are annotations alone. */
function splitParts(
  parts: readonly Part[],
  index: SchemaIndex,
): { readonly target: Part; readonly beside: readonly Conjunct[] } | undefined {
  const beside: Conjunct[] = [];
  const targets = new Map<string, Part>();
  const stack = [...parts];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const node = new SchemaNode(part.schema);
    const isPlain = Object.keys(node.keywords).every(
      (keyword) => keyword === '$ref' || keyword === 'allOf' || isAnnotation(keyword),
    );
    if (!isPlain) return undefined;
    if (node.reference !== undefined) {
      const target = targetOf(node.reference, index);
      if (target === undefined) return undefined;
      targets.set(node.reference, target);
    }
    beside.push({ node, at: part.at });
    for (const [position, schema] of node.allOf.entries())
      stack.push({ schema, at: within(part.at, 'allOf', position) });
  }
  const [target, ...others] = targets.values();
  return target === undefined || others.length > 0 ? undefined : { target, beside };
}

function isAmbiguous(shapes: readonly Shape[], kind: Kind): boolean {
  const alike = shapes.filter((shape) => shape.kind === kind);
  return (
    alike.some(isInvolved) ||
    alike.some((shape, position) =>
      alike.slice(position + 1).some((other) => !areDisjoint(shape, other)),
    )
  );
}

/** Returns whether keywords of a shape can make one another ineffective. */
function isInvolved({ kind, values, limits, rules, members }: Shape): boolean {
  const isListed = values !== undefined && kind !== 'null' && kind !== 'boolean';
  return (
    (isListed && limits.size + rules.size > 0) ||
    [...rules.values()].some(({ keyword }) => !plainRules.has(keyword)) ||
    rules.size + limits.size > 1 ||
    (kind === 'object' && limits.size > 0) ||
    [...members.values()].some(({ parts }) => parts.length > 1)
  );
}

const plainRules: ReadonlySet<string> = new Set([
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** The shapes before and after the change, without those of alternatives that both sides have (`common`). */
interface ShapeSets {
  readonly was: readonly Shape[];
  readonly is: readonly Shape[];
  readonly common: readonly Shape[];
  /** Returns where the union has the alternative that a shape is of. */
  readonly placeOf: (shape: Shape) => Place;
  /** Returns whether a shape is only paired with an equal one. */
  readonly isSettled: (shape: Shape) => boolean;
  /** Returns the name of the schema that is the alternative, if it has one. */
  readonly nameOf?: (shape: Shape) => string | undefined;
}

/** Functions that return the keys of shapes of each side. */
interface ShapeKeys {
  readonly base: (shape: Shape) => string;
  readonly head: (shape: Shape) => string;
}

/** Compares the shapes of each kind that both sides have. */
function compareShapesOfKinds(sets: ShapeSets, keys: ShapeKeys, findings: KindFindings): void {
  const { was, is, common } = sets;
  for (const kind of kinds) {
    findings.kind = kind;
    const before = was.filter((shape) => shape.kind === kind);
    const after = is.filter((shape) => shape.kind === kind);
    const isKept = common.some((shape) => shape.kind === kind);
    if (!isKept && (before.length === 0 || after.length === 0)) continue;
    const { pairs, come, gone } = pairShapes(before, after, keys, sets.isSettled);
    for (const [base, head] of pairs) {
      compareAnnotations({ base: base.choice.conjuncts, head: head.choice.conjuncts }, findings);
      compareShapes(base, head, findings);
    }
    for (const [name, place] of alternativesOfShapes(come, after, sets))
      findings.differ('alternative-added', `An alternative was added: ${name}.`, place);
    for (const [name, place] of alternativesOfShapes(gone, before, sets))
      findings.differ('alternative-removed', `An alternative was removed: ${name}.`, place, {
        side: 'base',
      });
  }
  findings.kind = undefined;
}

/** Returns the alternatives that came or went, each once: a schema can have several shapes. */
function alternativesOfShapes(
  changed: readonly Shape[],
  all: readonly Shape[],
  { placeOf, nameOf }: ShapeSets,
): readonly (readonly [name: string, place: Place])[] {
  const groups = Map.groupBy(changed, (shape) => placeOf(shape).pointer);
  return [...groups].flatMap(([pointer, shapes]) => {
    const [first] = shapes;
    if (first === undefined) return [];
    const isWhole = all.every(
      (shape) => placeOf(shape).pointer !== pointer || shapes.includes(shape),
    );
    const name = isWhole
      ? (nameOf?.(first) ?? (shapes.length > 1 ? outerLabel(first) : undefined))
      : undefined;
    if (name !== undefined) return [[formatValue(name), placeOf(first)] as const];
    return shapes.map((shape) => [summary(shape), placeOf(shape)] as const);
  });
}

function outerLabel({ choice }: Shape): string | undefined {
  return choice.labels[0];
}

function toAlternative(shape: Shape): Shape {
  return { ...shape, choice: { ...shape.choice, isAlternative: true } };
}

/** A side of two unions: what is not paired, and the schemas that have the unions. */
interface SplitSide {
  readonly rest: readonly Alternative[];
  readonly around: readonly Conjunct[];
}

/** A schema of a union, and where the union has it. */
interface Alternative extends Part {
  readonly from: Place;
}

/** The same schema in two unions. */
interface AlternativePair {
  readonly base: readonly Alternative[];
  readonly head: readonly Alternative[];
}

/** Pairs the alternatives of two unions that are the same named schema; `undefined` if there are none. */
function splitAlternatives(
  { base, head }: PartPair,
  baseIndex: SchemaIndex,
  headIndex: SchemaIndex,
):
  | {
      readonly pairs: readonly AlternativePair[];
      readonly base: SplitSide;
      readonly head: SplitSide;
    }
  | undefined {
  const [was, is] = [base[0], head[0]];
  if (was === undefined || is === undefined || base.length + head.length > 2) return undefined;
  const [before, after] = [alternativesOf(was, baseIndex), alternativesOf(is, headIndex)];
  const names = (list: readonly Part[]): readonly string[] =>
    list.flatMap(({ name }) => name ?? []);
  const whole = (part: Part): Alternatives => ({ list: [{ ...part, from: part.at }], around: [] });
  const isNamed = (part: Part, list: readonly Part[] = []): boolean =>
    part.name !== undefined && names(list).includes(part.name);
  const baseSide = before === undefined || isNamed(was, after?.list) ? whole(was) : before;
  const headSide = after === undefined || isNamed(is, before?.list) ? whole(is) : after;
  if (baseSide.list.length + headSide.list.length < 3) return undefined;
  const left = new Set(baseSide.list);
  const pairs: AlternativePair[] = [];
  const rest: Alternative[] = [];
  for (const part of headSide.list) {
    const twin = [...left].find(({ name }) => name !== undefined && name === part.name);
    if (twin === undefined) rest.push(part);
    else {
      left.delete(twin);
      pairs.push({ base: [twin], head: [part] });
    }
  }
  // A schema that only one contract has can be another one under a new name.
  const gone = [...left].filter(({ name }) => name !== undefined && !headIndex.has(name));
  const come = rest.filter(({ name }) => name !== undefined && !baseIndex.has(name));
  if (gone.length === come.length) {
    for (const [position, part] of come.entries()) {
      const twin = gone[position];
      if (twin === undefined) continue;
      left.delete(twin);
      rest.splice(rest.indexOf(part), 1);
      pairs.push({ base: [twin], head: [part] });
    }
  }
  if (pairs.length === 0) return undefined;
  return {
    pairs,
    base: { rest: [...left], around: baseSide.around },
    head: { rest, around: headSide.around },
  };
}

interface Alternatives {
  readonly list: readonly Alternative[];
  readonly around: readonly Conjunct[];
}

/** Returns the alternatives of a schema that is only a union. */
function alternativesOf({ schema, at }: Part, index: SchemaIndex): Alternatives | undefined {
  const node = new SchemaNode(schema);
  const { union } = node;
  if (union === undefined) return undefined;
  const isPlain = Object.keys(node.keywords).every(
    (keyword) => keyword === union.keyword || keyword === 'discriminator' || isAnnotation(keyword),
  );
  if (!isPlain) return undefined;
  return {
    around: [{ node, at }],
    list: withoutRepetitions(
      union.schemas.map((alternative, position) => {
        const from = within(at, union.keyword, position);
        return { ...follow({ schema: alternative, at: from }, index), from };
      }),
    ),
  };
}

/** Returns alternatives without those that name the same schema as an earlier one. */
function withoutRepetitions(parts: readonly Alternative[]): readonly Alternative[] {
  const seen = new Set<string>();
  return parts.filter(({ name }) => {
    if (name === undefined) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Compares the types of a value. A number in a text is a text. */
function compareKinds(
  { isText, head }: { readonly isText: boolean } & PartPair,
  { was, is, common, placeOf }: ShapeSets,
  findings: KindFindings,
): void {
  const [before, after] = [typesOf([...was, ...common]), typesOf([...is, ...common])];
  const gone = [...before].filter((type) => !after.has(type));
  const come = [...after].filter((type) => !before.has(type));
  if (gone.length + come.length === 0) return;
  const [from, to] = [before, after].map(namesOf);
  const message = `The type was ${from} and is ${to}.`;
  const at = placeOfTypes(is, come, placeOf) ?? head[0]?.at;
  if (at === undefined) return;
  // Keywords of a shape can exclude every value of a type that comes or goes.
  const isPossible = [...was, ...is].every(
    (shape) => !isInvolved(shape) && !shape.choice.isExclusive,
  );
  findings.kind = isPossible ? undefined : is[0]?.kind;
  const isFreeText = is.some(
    ({ kind, values, limits, rules }) =>
      kind === 'string' && values === undefined && limits.size + rules.size === 0,
  );
  const isScalar = (type: string): boolean => type !== 'object' && type !== 'array';
  if (isText && gone.length > 0 && isFreeText && gone.every(isScalar)) {
    findings.differ('text-type-widened', message, at);
    return;
  }
  const hasCommon =
    common.length > 0 || was.some(({ kind }) => is.some((shape) => shape.kind === kind));
  const isRead = before.has('string') && !after.has('string') && come.every(isScalar);
  if (isText && come.length > 0 && isRead) findings.differ('text-type-narrowed', message, at);
  else if (!hasCommon) findings.differ('type-changed', message, at);
  else {
    const code = come.length > 0 ? 'type-widened' : 'type-narrowed';
    findings.differ(come.length > 0 && gone.length > 0 ? 'type-changed' : code, message, at);
  }
}

/** Returns the place of the first type that came, or else of any: an alternative of a union, or the keyword. */
function placeOfTypes(
  is: readonly Shape[],
  come: readonly string[],
  placeOf: (shape: Shape) => Place,
): Place | undefined {
  const shape = is.find(({ kind }) => come.some((type) => kindOfType(type) === kind)) ?? is[0];
  return shape?.choice.isAlternative === true ? placeOf(shape) : shape?.valuesAt;
}

function typesOf(shapes: readonly Shape[]): ReadonlySet<string> {
  return new Set(
    shapes.flatMap(({ kind, isInteger, values }) => {
      if (kind !== 'number') return [kind];
      if (values !== undefined)
        return Array.from(values.values(), (value) =>
          Number.isInteger(value) ? 'integer' : 'fraction',
        );
      return isInteger ? ['integer'] : ['integer', 'fraction'];
    }),
  );
}

function kindOfType(type: string): Kind {
  return type === 'integer' || type === 'fraction' ? 'number' : (type as Kind);
}

function namesOf(types: ReadonlySet<string>): string {
  if (types.size === 0) return 'none';
  if (types.size === kinds.length + 1) return 'any';
  const names = [...types].filter((type) => type !== 'integer' || !types.has('fraction'));
  return names.map((type) => formatValue(type === 'fraction' ? 'number' : type)).join(' or ');
}

interface Pairing {
  readonly pairs: readonly (readonly [base: Shape, head: Shape])[];
  readonly come: readonly Shape[];
  readonly gone: readonly Shape[];
}

/**
 * Pairs shapes of one kind: first equal ones, then those that authors call the same, those with the same constants, and
 * those with values listed. The rest is paired by position if both sides have the same number left.
 */
function pairShapes(
  base: readonly Shape[],
  head: readonly Shape[],
  keys: ShapeKeys,
  isSettled: (shape: Shape) => boolean,
): Pairing {
  const pairs: (readonly [Shape, Shape])[] = [];
  const gone = new Set(base);
  const come = new Set(head);
  const settled = new Set<Shape>();
  const match = (
    keyOf: (shape: Shape) => string | undefined,
    keyOfHead: typeof keyOf = keyOf,
  ): void => {
    const byKey = Map.groupBy(gone, keyOf);
    for (const shape of come) {
      const key = keyOfHead(shape);
      const twin = key === undefined ? undefined : byKey.get(key)?.shift();
      if (twin === undefined) continue;
      pairs.push([twin, shape]);
      gone.delete(twin);
      come.delete(shape);
    }
  };
  const isMany = base.length > 1 || head.length > 1;
  if (isMany || [...base, ...head].some(isSettled)) match(keys.base, keys.head);
  for (const set of [gone, come])
    for (const shape of [...set].filter(isSettled)) {
      set.delete(shape);
      settled.add(shape);
    }
  if (isMany) {
    match(({ choice }) => (choice.labels.length === 0 ? undefined : toCanonical(choice.labels)));
    match((shape) => {
      const constants = constantsOf(shape);
      return constants.size === 0
        ? undefined
        : toCanonical([...constants].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    });
    match(({ values }) => (values === undefined ? undefined : 'values'));
  }
  const without = (list: readonly Shape[]): readonly Shape[] =>
    list.filter((shape) => settled.has(shape));
  if (gone.size !== come.size)
    return { pairs, come: [...without(head), ...come], gone: [...without(base), ...gone] };
  const rest = [...gone];
  for (const [position, shape] of [...come].entries()) {
    const twin = rest[position];
    if (twin !== undefined) pairs.push([twin, shape]);
  }
  return { pairs, come: without(head), gone: without(base) };
}

function summary({ choice, kind }: Shape): string {
  const [label] = choice.labels.toReversed();
  if (label !== undefined) return formatValue(label);
  const own = choice.conjuncts.find(({ outer }) => outer !== undefined);
  const schema: JsonSchema | undefined = own?.node.keywords;
  return formatValue(schema ?? kind);
}

/** Returns the uses of units and of everything that refers to them, in the order in which they were added. */
function usesOf<Use>(units: readonly Unit<Use>[]): readonly Use[] {
  const seen = new Set(units);
  // The iteration includes units that are added during it.
  for (const { parents } of seen) for (const { unit } of parents) seen.add(unit);
  return [...new Set([...seen].flatMap(({ uses }) => [...uses]))];
}
