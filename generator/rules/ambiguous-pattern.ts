import type { CharSet, NFA } from 'refa';

/**
 * A prefix and a repeatable text with which the ways to match a pattern multiply: `prefix` leads to a state of the
 * automaton, and `round` leads from that state back to it in two ways.
 */
export interface Pump {
  readonly prefix: string;
  readonly round: string;
}

/** The largest automaton that is searched, in states. The time of the search grows with their third power. */
const maxStates = 150;

/**
 * Creates a search for exponential ambiguity. It finds a state to which one text leads back in two ways, so that each
 * repetition of the text doubles the number of ways to match (Weber and Seidl, 1991: EDA). The search ignores
 * assertions, so the caller has to try the result. It returns `undefined` for an unambiguous pattern and for one with
 * more than 150 states. It throws for a pattern that has no automaton, such as one with a backreference.
 */
export async function createPumpSearch(): Promise<(pattern: string) => Pump | undefined> {
  const { JS, NFA: Automaton } = await import('refa');
  return (pattern) => {
    const literal = JS.Parser.fromLiteral({ source: pattern, flags: 'u' });
    const { expression, maxCharacter } = literal.parse({ backreferences: 'throw' });
    const automaton = Automaton.fromRegex(expression, { maxCharacter }, { assertions: 'ignore' });
    const states = wordsFrom(automaton.initial);
    if (states.size > maxStates) return undefined;
    for (const [state, prefix] of states) {
      const round = findRound(state);
      if (round !== undefined) return { prefix, round };
    }
    return undefined;
  };
}

/** Returns the states that can be reached from a state, each with a text that leads to it. */
function wordsFrom(start: NFA.ReadonlyNode): ReadonlyMap<NFA.ReadonlyNode, string> {
  const words = new Map<NFA.ReadonlyNode, string>([[start, '']]);
  for (const [state, word] of words) {
    for (const [next, characters] of state.out) {
      if (!words.has(next)) words.set(next, word + oneOf(characters));
    }
  }
  return words;
}

/** The states of two simultaneous paths that read the same text. `parted` is true once the two states have differed. */
interface StatePair {
  readonly left: NFA.ReadonlyNode;
  readonly right: NFA.ReadonlyNode;
  readonly parted: boolean;
  readonly word: string;
}

/** Returns a text that leads from a state back to it in two ways. */
function findRound(start: NFA.ReadonlyNode): string | undefined {
  const seen = new Map<NFA.ReadonlyNode, Set<NFA.ReadonlyNode>>();
  const isNew = (left: NFA.ReadonlyNode, right: NFA.ReadonlyNode): boolean => {
    const rights = seen.get(left) ?? new Set();
    seen.set(left, rights);
    if (rights.has(right)) return false;
    rights.add(right);
    return true;
  };
  const pairs: StatePair[] = Array.from(wordsFrom(start), ([state, word]) => ({
    left: state,
    right: state,
    parted: false,
    word,
  }));
  // The loop body appends to the list.
  for (const { left, right, parted, word } of pairs) {
    if (left === start && right === start && parted) return word;
    for (const [nextLeft, ofLeft] of left.out) {
      for (const [nextRight, ofRight] of right.out) {
        const both = ofLeft.intersect(ofRight);
        if (both.isEmpty) continue;
        const isParted = parted || nextLeft !== nextRight;
        if (isParted && isNew(nextLeft, nextRight))
          pairs.push({ left: nextLeft, right: nextRight, parted: true, word: word + oneOf(both) });
      }
    }
  }
  return undefined;
}

function oneOf(characters: CharSet): string {
  return String.fromCodePoint(characters.ranges[0]?.min ?? 0);
}
