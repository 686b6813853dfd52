import type { CharSet, Concatenation, Element } from 'refa';
import { parsePattern } from './parse-pattern.ts';

/**
 * Returns whether a pattern is one for decimal numbers: whether what it spells out matches a digit, a full stop or a comma,
 * and a digit. Of these three, one can be a class that also has letters, so that `^\d+.\d{2}$` counts and `^.+$` does not.
 * A pattern that is not analyzed counts.
 */
export function admitsDecimal(pattern: string): boolean {
  const alternatives = parsePattern(pattern)?.expression.alternatives;
  return (
    alternatives === undefined ||
    (new DecimalSearch().after(alternatives, start) & completeNumber) !== 0
  );
}

/**
 * How far the last characters are a decimal number, as sets of bits: nothing of one; a digit, by the number of its classes
 * without letters (0 or 1); a separator behind it, by the number of such classes of both (0 to 2); all of one.
 */
const start = 1;
const digit = [2, 4] as const;
const separator = [8, 16, 32] as const;
const completeNumber = 64;

/** Follows a pattern from sets of states to the sets of states behind it. Lookarounds are not required to match. */
class DecimalSearch {
  /** The results so far, by element and by states. It keeps nested repetitions from taking exponential time. */
  readonly #statesBehind = new Map<Element, Map<number, number>>();

  after(alternatives: readonly Concatenation[], states: number): number {
    let all = 0;
    for (const { elements } of alternatives)
      all |= elements.reduce((reached, element) => this.#afterElement(element, reached), states);
    return all;
  }

  #afterElement(element: Element, states: number): number {
    if (element.type === 'CharacterClass') return afterCharacter(element.characters, states);
    const elementResults = this.#statesBehind.get(element) ?? new Map<number, number>();
    this.#statesBehind.set(element, elementResults);
    const reached = elementResults.get(states) ?? this.#judge(element, states);
    elementResults.set(states, reached);
    return reached;
  }

  #judge(element: Exclude<Element, { type: 'CharacterClass' }>, states: number): number {
    switch (element.type) {
      case 'Alternation':
        return this.after(element.alternatives, states);
      case 'Assertion':
        return element.negate
          ? states
          : states | (this.after(element.alternatives, states) & completeNumber);
      case 'Quantifier': {
        let all = element.min === 0 ? states : 0;
        let last = states;
        for (let times = 1; times <= element.max; times += 1) {
          const before = all;
          last = this.after(element.alternatives, last);
          all |= last;
          if (all === before) break;
        }
        return all;
      }
      default:
        return states;
    }
  }
}

function afterCharacter(characters: CharSet, states: number): number {
  const isLoose = letters.some((letter) => characters.has(letter));
  const strictCount = isLoose ? 0 : 1;
  let reached = characters.isEmpty ? 0 : start | (states & completeNumber);
  if (digits.some((code) => characters.has(code))) {
    reached |= digit[strictCount];
    for (const [count, state] of separator.entries())
      if ((states & state) !== 0 && count + strictCount >= 2) reached |= completeNumber;
  }
  if (separators.some((code) => characters.has(code)))
    for (const [count, state] of digit.entries())
      if ((states & state) !== 0) reached |= separator[count + strictCount] ?? 0;
  return reached;
}

const codesOf = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);
const digits = codesOf('0123456789');
const separators = codesOf('.,');
/** All but those of an exponent: a class with these can be one for the characters of numbers. */
const letters = codesOf('abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ');
