import type { Assertion, CharSet, Concatenation, Element, Quantifier } from 'refa';
import { isEdge, parsePattern, startsAtStart } from './parse-pattern.ts';

/**
 * Returns whether the pattern is proven to match any text in linear time: at most `maxSteps` steps for each character.
 * The proof counts the paths that a backtracking engine can take. A decision counts once if the next character decides
 * it, because the engine gives up the other branches after one step. The proof is cheap and incomplete: `false` means
 * that it is not known.
 * @param maxLength the length of the longest text that is matched, in characters
 */
export function isProvenLinear(pattern: string, maxLength: number = Infinity): boolean {
  const alternatives = parsePattern(pattern)?.expression.alternatives;
  if (alternatives === undefined) return false;
  // A bounded repetition counts either with its bound or with the length of the text, whichever makes a proof.
  return [smallBound, largeBound].some((bound) => {
    try {
      const { degree, factor } = costOfSearch(alternatives, bound);
      return factor * (degree <= 1 ? 1 : maxLength ** (degree - 1)) <= maxSteps;
    } catch (error) {
      if (error === unproven) return false;
      throw error;
    }
  });
}

/** Returns the cost of searching the whole text for a match, with an attempt at each of its characters. */
function costOfSearch(alternatives: readonly Concatenation[], bound: number): Bound {
  const analysis = new CostAnalysis(bound);
  // Once a path comes to the repetitions at the end of the pattern, it succeeds, so that these are matched only once.
  const tails: Element[] = [];
  const costs = withoutTails(alternatives, tails).map((alternative) => {
    const { cost } = analysis.ofAlternatives([alternative], end);
    if (startsAtStart(alternative)) return cost;
    if (cost.degree === 0) return multiply(cost, linear);
    return add(multiply(cost, overlappingAttempts(alternative, bound)), linear);
  });
  const tailCosts = tails.map((element) => analysis.ofSequence([element], end).cost);
  return [...costs, ...tailCosts].reduce(add, noMatches);
}

/**
 * Returns alternatives that fail where the given ones fail, without the repetitions at their ends.
 * @param tails receives the removed repetitions
 */
function withoutTails(alternatives: readonly Concatenation[], tails: Element[]): Concatenation[] {
  return alternatives.map((alternative) => {
    const elements = [...alternative.elements];
    for (let last = elements.pop(); last !== undefined; last = elements.pop()) {
      if (last.type === 'Quantifier' && last.max > last.min) tails.push(last);
      if (last.type === 'Quantifier' && last.min === 0) continue;
      if (last.type === 'Alternation') {
        elements.push({ ...last, alternatives: withoutTails(last.alternatives, tails) });
      } else if (last.type === 'Quantifier') {
        const inner = last.min === 1 ? withoutTails(last.alternatives, tails) : last.alternatives;
        elements.push({ ...last, max: last.min, alternatives: inner });
      } else elements.push(last);
      break;
    }
    return { ...alternative, elements };
  });
}

/**
 * Returns the number of attempts, from different start positions, that can read the same character. An attempt that
 * gets past the first characters of the pattern has read them. Where no long repetition reads one of them, an attempt
 * can read only a few of it, and therefore the starts of only few other attempts.
 */
function overlappingAttempts({ elements }: Concatenation, bound: number): Bound {
  const read: { readonly characters: CharSet; readonly times: number }[] = [];
  const visit = (element: Element, times: number): void => {
    if (element.type === 'Unknown') throw unproven;
    if (element.type === 'CharacterClass') {
      read.push({ characters: element.characters, times });
      return;
    }
    const count = element.type === 'Quantifier' ? element.max : 1;
    for (const inner of element.alternatives.flatMap((alternative) => alternative.elements))
      visit(inner, times * count);
  };
  for (const element of elements) visit(element, 1);
  const counts = leadingCharacters(elements).map((leading) => {
    const same = read.filter(({ characters }) => !characters.isDisjointWith(leading));
    return same.reduce((sum, { times }) => sum + times, 0);
  });
  const fewest = Math.min(...counts);
  return fewest <= bound ? { degree: 0, factor: fewest + 1 } : linear;
}

/** Returns the classes of the characters with which each match starts. */
function leadingCharacters(elements: readonly Element[]): readonly CharSet[] {
  const [first, ...rest] = elements;
  if (first?.type === 'CharacterClass') return [first.characters, ...leadingCharacters(rest)];
  if (first?.type !== 'Alternation' || first.alternatives.length !== 1) return [];
  return leadingCharacters([...(first.alternatives[0]?.elements ?? []), ...rest]);
}

/**
 * The steps for one character of a text that are allowed. The bound is far above what an engine takes: the proven
 * patterns of public contracts match a text of 1 MB within a second.
 */
const maxSteps = 5000;
const smallBound = 32;
const largeBound = 1000;

/** An upper bound for a number: `factor` times the length of the text to the power of `degree`. */
interface Bound {
  readonly degree: number;
  readonly factor: number;
}

const noMatches: Bound = { degree: 0, factor: 0 };
const constant: Bound = { degree: 0, factor: 1 };
const linear: Bound = { degree: 1, factor: 1 };

function add(left: Bound, right: Bound): Bound {
  return { degree: Math.max(left.degree, right.degree), factor: left.factor + right.factor };
}

function multiply(left: Bound, right: Bound): Bound {
  const factor = left.factor * right.factor;
  return factor === 0 ? noMatches : { degree: left.degree + right.degree, factor };
}

function larger(left: Bound, right: Bound): Bound {
  return {
    degree: Math.max(left.degree, right.degree),
    factor: Math.max(left.factor, right.factor),
  };
}

function isOne({ degree, factor }: Bound): boolean {
  return degree === 0 && factor <= 1;
}

/** What can come after a part of a pattern. */
interface Continuation {
  /** The characters with which the rest can start; `undefined` for the empty set. */
  readonly first: CharSet | undefined;
  /** Whether the rest can match nothing, so that the match can end. */
  readonly isNullable: boolean;
  /** Whether the rest contains an assertion that can fail at any character. */
  readonly isUnknown: boolean;
}

const nothing: Continuation = { first: undefined, isNullable: false, isUnknown: false };
/** The end of the pattern, where the match has succeeded, or an assertion that only the end of the text fulfils. */
const end: Continuation = { first: undefined, isNullable: true, isUnknown: false };
const anything: Continuation = { first: undefined, isNullable: true, isUnknown: true };

function either(left: Continuation, right: Continuation): Continuation {
  const first =
    left.first === undefined || right.first === undefined
      ? (left.first ?? right.first)
      : left.first.union(right.first);
  return {
    first,
    isNullable: left.isNullable || right.isNullable,
    isUnknown: left.isUnknown || right.isUnknown,
  };
}

/** Returns whether the next character decides which of the two can follow. */
function areDisjoint(left: Continuation, right: Continuation): boolean {
  if (left.isUnknown || right.isUnknown || (left.isNullable && right.isNullable)) return false;
  return (
    left.first === undefined || right.first === undefined || left.first.isDisjointWith(right.first)
  );
}

/** The result for a part of a pattern, matched from one position. */
interface Costs {
  /** The number of paths through the part after which the next character fits. */
  readonly ways: Bound;
  /** The number of steps. */
  readonly cost: Bound;
  /** The number of steps of a lookaround, which can read the same characters again in each repetition. */
  readonly lookaround: Bound;
  /** What comes next, seen from the start of the part. */
  readonly from: Continuation;
}

/** Thrown where the analysis proves nothing. */
const unproven = Symbol('unproven');

class CostAnalysis {
  readonly #bound: number;
  readonly #starts = new WeakMap<readonly Concatenation[], Continuation>();

  /** @param bound the largest count of a repetition that counts as a constant */
  constructor(bound: number) {
    this.#bound = bound;
  }

  ofAlternatives(alternatives: readonly Concatenation[], next: Continuation): Costs {
    const all = alternatives.map(({ elements }) => this.ofSequence(elements, next));
    const from = all.map((costs) => costs.from).reduce(either, nothing);
    const { isDisjoint } = all.reduce(
      ({ seen, isDisjoint: sofar }, costs) => ({
        seen: either(seen, costs.from),
        isDisjoint: sofar && areDisjoint(seen, costs.from),
      }),
      { seen: nothing, isDisjoint: true },
    );
    const total = (key: 'ways' | 'cost' | 'lookaround'): Bound =>
      all.map((costs) => costs[key]).reduce(key === 'ways' && isDisjoint ? larger : add, noMatches);
    return {
      ways: larger(total('ways'), constant),
      cost: add(total('cost'), constant),
      lookaround: total('lookaround'),
      from,
    };
  }

  ofSequence(elements: readonly Element[], next: Continuation): Costs {
    let rest: Costs = { ways: constant, cost: constant, lookaround: noMatches, from: next };
    for (const element of elements.toReversed()) {
      const { ways, cost, lookaround, from } = this.#ofElement(element, rest.from);
      rest = {
        ways: multiply(ways, rest.ways),
        cost: add(cost, multiply(ways, rest.cost)),
        lookaround: add(lookaround, rest.lookaround),
        from,
      };
    }
    return rest;
  }

  #ofElement(element: Element, next: Continuation): Costs {
    switch (element.type) {
      case 'CharacterClass': {
        const from = { first: element.characters, isNullable: false, isUnknown: false };
        return { ways: constant, cost: constant, lookaround: noMatches, from };
      }
      case 'Alternation':
        return this.ofAlternatives(element.alternatives, next);
      case 'Quantifier':
        return this.#ofQuantifier(element, next);
      case 'Assertion':
        return this.#ofAssertion(element);
      default:
        throw unproven;
    }
  }

  #ofQuantifier({ alternatives, min, max }: Quantifier, next: Continuation): Costs {
    if (max === 0) return { ways: constant, cost: constant, lookaround: noMatches, from: next };
    const start = this.#startOf(alternatives);
    if (start.isNullable && max > 1) throw unproven;
    const body = this.ofAlternatives(alternatives, max === 1 ? next : either(start, next));
    const isOptional = min === 0 || start.isNullable;
    const from = isOptional ? either(start, next) : start;
    // The next character decides whether to repeat. At the end of the pattern, to leave is to succeed.
    const isDecided = min === max || areDisjoint({ ...start, isNullable: false }, next);
    const isBounded = max <= this.#bound;
    const count = isBounded ? { degree: 0, factor: max } : linear;
    const lookaround = multiply(count, body.lookaround);
    if (isOne(body.ways) && !start.isNullable) {
      // There is one path, whose repetitions read different characters.
      const reads = { degree: Math.max(count.degree, body.cost.degree), factor: body.cost.factor };
      const few = multiply(count, body.cost);
      const cost = add(reads.degree < few.degree ? reads : few, lookaround);
      const leaves = isBounded ? { degree: 0, factor: max - min + 1 } : linear;
      return { ways: isDecided ? constant : leaves, cost: add(cost, constant), lookaround, from };
    }
    if (!isBounded) throw unproven;
    let [ways, cost, power] = [min === 0 ? constant : noMatches, constant, constant];
    for (let times = 1; times <= max; times += 1) {
      cost = add(cost, multiply(power, body.cost));
      power = multiply(power, larger(body.ways, constant));
      if (times >= min) ways = add(ways, power);
    }
    return { ways, cost, lookaround, from };
  }

  #ofAssertion(assertion: Assertion): Costs {
    const { kind, alternatives } = assertion;
    const isEnd = kind === 'ahead' && isEdge(assertion);
    const from = isEnd ? end : anything;
    if (kind === 'behind') {
      const isShort = alternatives.every(
        ({ elements }) => elements.length <= 1 && elements[0]?.type === 'CharacterClass',
      );
      if (!isShort) throw unproven;
    }
    // A lookaround is matched once and never re-entered.
    const { cost } = this.ofAlternatives(alternatives, end);
    return { ways: constant, cost, lookaround: cost, from };
  }

  /** Returns what alternatives can start with; `isNullable` is whether they match the empty text themselves. */
  #startOf(alternatives: readonly Concatenation[]): Continuation {
    const cachedStart = this.#starts.get(alternatives);
    if (cachedStart !== undefined) return cachedStart;
    const start = alternatives
      .map(({ elements }) =>
        elements.reduceRight((rest, element) => this.#startOfElement(element, rest), end),
      )
      .reduce(either, nothing);
    this.#starts.set(alternatives, start);
    return start;
  }

  #startOfElement(element: Element, rest: Continuation): Continuation {
    if (element.type === 'CharacterClass') return { ...nothing, first: element.characters };
    if (element.type === 'Assertion' || element.type === 'Unknown') return either(anything, rest);
    const start = this.#startOf(element.alternatives);
    const isOptional = start.isNullable || (element.type === 'Quantifier' && element.min === 0);
    return isOptional ? { ...either(start, rest), isNullable: rest.isNullable } : start;
  }
}
