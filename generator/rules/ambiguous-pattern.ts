import type { CharSet, NFA } from 'refa';

/** Texts on which a pattern may take exponentially many ways: a text that leads to a loop, and one that goes round it in two. */
export interface Pump {
  readonly prefix: string;
  readonly round: string;
}

/** States beyond which nothing is looked for; the search takes time that grows with their third power. */
const mostStates = 150;

/**
 * Finds two ways in which a pattern can read one text and be in the same state before and after it: repeating the text
 * doubles the ways each time (Weber and Seidl, 1991: EDA). Assertions are passed over, so that what is found is to be
 * tried. Undefined where there is none, and for patterns that no automaton can be made of.
 */
export async function createPumpSearch(): Promise<(pattern: string) => Pump | undefined> {
  const { JS, NFA: Automaton } = await import('refa');
  return (pattern) => {
    const literal = JS.Parser.fromLiteral({ source: pattern, flags: 'u' });
    const { expression, maxCharacter } = literal.parse({ backreferences: 'throw' });
    const automaton = Automaton.fromRegex(expression, { maxCharacter }, { assertions: 'ignore' });
    const states = wordsFrom(automaton.initial);
    if (states.size > mostStates) return undefined;
    for (const [state, prefix] of states) {
      const round = findRound(state);
      if (round !== undefined) return { prefix, round };
    }
    return undefined;
  };
}

/** The states that can be reached from one, each with a text that leads to it. */
function wordsFrom(start: NFA.ReadonlyNode): ReadonlyMap<NFA.ReadonlyNode, string> {
  const words = new Map<NFA.ReadonlyNode, string>([[start, '']]);
  for (const [state, word] of words) {
    for (const [next, characters] of state.out) {
      if (!words.has(next)) words.set(next, word + oneOf(characters));
    }
  }
  return words;
}

/** Two ways side by side; `parted` once they have been in different states. */
interface Pair {
  readonly left: NFA.ReadonlyNode;
  readonly right: NFA.ReadonlyNode;
  readonly parted: boolean;
  readonly word: string;
}

/** A text that leads from a state back to it in two ways. */
function findRound(start: NFA.ReadonlyNode): string | undefined {
  const seen = new Map<NFA.ReadonlyNode, Set<NFA.ReadonlyNode>>();
  const isNew = (left: NFA.ReadonlyNode, right: NFA.ReadonlyNode): boolean => {
    const rights = seen.get(left) ?? new Set();
    seen.set(left, rights);
    if (rights.has(right)) return false;
    rights.add(right);
    return true;
  };
  const pairs: Pair[] = Array.from(wordsFrom(start), ([state, word]) => ({
    left: state,
    right: state,
    parted: false,
    word,
  }));
  // The list grows while it is walked.
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
