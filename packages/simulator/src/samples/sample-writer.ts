import type { JsonSchema } from 'countersign';
import { createDraw, type Draw } from 'countersign/companion/patterns';
import { escapeMember } from 'countersign/companion/values';
import type { Json, JsonType } from 'countersign/kit';
import { makeArray } from './array-sample.ts';
import {
  type Alternative,
  type Conjunction,
  conjoin,
  hintsOf,
  impliedType,
  isRefused,
} from './conjunction.ts';
import { NoSample } from './no-sample.ts';
import { makeNumber } from './number-sample.ts';
import { makeObject } from './object-sample.ts';
import { makeText } from './text-sample.ts';
import type { Place, SampleContext, SamplePlan, ValueWriter } from './value-writer.ts';

/** Limits the values in a sample, those of optional members that are left out included. */
const maxValues = 5000;
const maxCharacters = 1_000_000;
/** The depth from which alternatives with the least nesting come first. */
const flatDepth = 5;
const maxDepth = 100;
/** The refusals after which examples of objects and arrays are used. */
const refusalsBeforeExamples = 3;

/** Makes one value. */
export class SampleWriter implements ValueWriter {
  readonly context: SampleContext;
  readonly plan: SamplePlan;
  #values = 0;
  #characters = 0;

  constructor(context: SampleContext, plan: SamplePlan) {
    this.context = context;
    this.plan = plan;
  }

  /**
   * Makes a value that all of the schemas probably accept.
   * @throws NoSample if there is none, or none within the limits
   */
  write(schemas: readonly JsonSchema[], { pointer, depth, variant }: Place): Json {
    this.#values += 1;
    if (this.#values > maxValues || depth > maxDepth)
      throw new NoSample('It has too many values.', true);
    const refusals = (this.plan.refusals.get(pointer) ?? 0) + variant;
    const draw = createDraw(`${this.plan.seed} ${refusals} ${pointer}`);
    const place = { pointer, depth, variant };
    const order = this.#createOrder(depth, refusals, draw);
    const conjunction = conjoin(schemas, this.context.index, order);
    if (conjunction === undefined) throw new NoSample('Its schemas contradict each other.');
    const value = this.#make(conjunction, place, refusals, draw);
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > maxCharacters) throw new NoSample('Its texts are too long.', true);
    return value;
  }

  /** Makes the value of a member or an item. */
  writeChild(
    schemas: readonly JsonSchema[],
    { pointer, depth, variant }: Place,
    child: string | number,
    ownVariant: number = variant,
  ): Json {
    const member = typeof child === 'number' ? child : escapeMember(child);
    return this.write(schemas, {
      pointer: `${pointer}/${member}`,
      depth: depth + 1,
      variant: ownVariant,
    });
  }

  /**
   * Returns the order in which alternatives are tried: first those for values other than null, in the author's order or
   * from a random one. Each refusal moves on by one. The digits of the number of refusals belong to different unions.
   */
  #createOrder(
    depth: number,
    refusals: number,
    draw: Draw,
  ): <T extends Alternative>(alternatives: readonly T[]) => readonly T[] {
    let left = refusals;
    return (alternatives) => {
      const heights = new Map(
        alternatives.map((alternative) => [alternative, this.#heightOf(alternative, depth)]),
      );
      const sorted = alternatives.toSorted((a, b) => (heights.get(a) ?? 0) - (heights.get(b) ?? 0));
      const finite = sorted.filter((alternative) => heights.get(alternative) !== Infinity);
      const isRandom = this.plan.extent === 'random' && depth <= flatDepth;
      const start = isRandom ? draw.integer(0, Math.max(0, finite.length - 1)) : 0;
      const turn = (start + left) % Math.max(finite.length, 1);
      left = Math.floor(left / Math.max(finite.length, 1));
      return [...finite.slice(turn), ...finite.slice(0, turn)];
    };
  }

  /** Returns the rank of an alternative: its height where values have to end, else whether it is null or endless. */
  #heightOf({ schemas }: Alternative, depth: number): number {
    const isNull = schemas.some(
      (schema) => typeof schema === 'object' && (schema as { type?: unknown }).type === 'null',
    );
    if (depth <= flatDepth) return isNull ? 1 : 0;
    return Math.max(...schemas.map((schema) => this.context.heights.of(schema)));
  }

  #make(conjunction: Conjunction, place: Place, refusals: number, draw: Draw): Json {
    const usual = refusals === 0 && this.plan.extent !== 'random';
    const { values, negated } = conjunction;
    const turn = (this.plan.extent === 'random' ? draw.integer(0, 1000) : 0) + refusals;
    if (values !== undefined) {
      const possible = values.filter((value) => !isRefused(value, negated));
      const present = possible.filter((value) => value !== null);
      const ordered = [...present, ...possible.filter((value) => value === null)];
      const value = ordered[turn % Math.max(ordered.length, 1)];
      if (value === undefined) throw new NoSample('All its values are refused.');
      return value;
    }
    const hint = this.#hintOf(conjunction, refusals, draw);
    if (hint !== undefined) return hint;
    const type = this.#typeOf(conjunction, place.depth, turn, refusals);
    const { nodes } = conjunction;
    switch (type) {
      case 'object':
        return makeObject(this, conjunction, place, { draw, usual, refusals });
      case 'array':
        return makeArray(this, conjunction, place, { draw, usual, refusals });
      case 'boolean':
        return [true, false].filter((value) => !isRefused(value, negated))[turn % 2] ?? false;
      case 'integer':
      case 'number':
        return this.#retry(conjunction, draw, usual, (choices) =>
          makeNumber(nodes, type === 'integer', choices),
        );
      case 'null':
        return null;
      default:
        return this.#retry(conjunction, draw, usual, (choices) =>
          makeText(nodes, choices, this.context.patterns),
        );
    }
  }

  /** Makes a scalar again while a negated schema refuses it. */
  #retry<T extends Json>(
    { negated }: Conjunction,
    draw: Draw,
    usual: boolean,
    make: (choices: { readonly draw: Draw; readonly usual: boolean }) => T,
  ): T {
    let value = make({ draw, usual });
    for (let tries = 0; tries < 5 && isRefused(value, negated); tries += 1) {
      value = make({ draw, usual: false });
    }
    return value;
  }

  #hintOf(conjunction: Conjunction, refusals: number, draw: Draw): Json | undefined {
    const hints = hintsOf(conjunction);
    const isLarge = (hint: Json): boolean => typeof hint === 'object' && hint !== null;
    const scalars = hints.filter((hint) => !isLarge(hint) && hint !== null);
    const hint = scalars[refusals];
    if (this.plan.extent !== 'random') {
      if (hint !== undefined) return hint;
    } else if (hint !== undefined && draw.integer(0, 1) === 0) {
      return scalars[draw.integer(0, scalars.length - 1)];
    }
    return hints.filter(isLarge)[refusals - refusalsBeforeExamples];
  }

  #typeOf(conjunction: Conjunction, depth: number, turn: number, refusals: number): JsonType {
    const { nodes, negated } = conjunction;
    const implied = impliedType(nodes);
    const types = conjunction.types ?? [
      ...(implied === undefined ? (['string'] as const) : [implied]),
      ...(refusals === 0 ? [] : allTypes.filter((type) => type !== implied)),
    ];
    const allowed = types.filter(
      (type) =>
        !negated.some(
          (node) => node.types?.includes(type) === true && Object.keys(node.keywords).length === 1,
        ),
    );
    const isFlat = depth > flatDepth;
    const rank = (type: JsonType): number =>
      isFlat ? ranks.indexOf(type) : type === 'null' ? 1 : type === implied ? -1 : 0;
    const ordered = allowed.toSorted((a, b) => rank(a) - rank(b));
    const type = ordered[(isFlat ? refusals : turn) % Math.max(ordered.length, 1)];
    if (type === undefined) throw new NoSample('No type is allowed.');
    return type;
  }
}

const allTypes = ['string', 'integer', 'object', 'array', 'boolean', 'null', 'number'] as const;
/** The types in their order where values have to end. */
const ranks: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];
