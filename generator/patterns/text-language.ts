import {
  type Char,
  CharSet,
  type Concatenation,
  DFA,
  type Element,
  isDisjointWith,
  NFA,
  type NoParent,
  type Quantifier,
  Transformers,
  transform,
} from 'refa';
import { isEdge, type ParsedPattern, parsePattern } from './parse-pattern.ts';

/** The texts in which a pattern matches, as an automaton without transitions that read nothing. */
export type TextLanguage = NFA;

type Sequence = NoParent<Concatenation>;

/** Limits the states of an automaton, because a short pattern can need exponentially many. */
const maxStates = 20_000;
/** The count from which a repetition counts as endless. The automaton then accepts longer texts than the pattern. */
const endlessCount = 1000;
const maxAlternatives = 200;

/**
 * Returns the texts in which a pattern matches. Where the pattern has assertions in its middle, the result is an
 * approximation, so that its texts have to be checked. Returns `undefined` if the pattern is not supported or needs too
 * many states.
 */
export function languageOf(pattern: string, flags?: string): TextLanguage | undefined {
  const parsed = parsePattern(pattern, flags);
  if (parsed === undefined) return undefined;
  try {
    return searchLanguage(parsed.expression.alternatives, parsed, { start: false, end: false });
  } catch {
    return undefined;
  }
}

/**
 * Returns a language with every text in which a pattern matches, and possibly others. Returns `undefined` where that is not
 * certain: if the pattern looks around, has many alternatives, or needs too many states.
 */
export function provenLanguageOf(pattern: string): TextLanguage | undefined {
  const parsed = parsePattern(pattern);
  if (parsed === undefined) return undefined;
  const { alternatives } = parsed.expression;
  if (hasLookaround(alternatives) || countAlternatives(alternatives) > maxProven) return undefined;
  return languageOf(pattern);
}

/** Splitting groups at the edges of a pattern with fewer alternatives reaches no limit. */
const maxProven = 7;

function countAlternatives(alternatives: readonly Sequence[]): number {
  return alternatives.reduce(
    (sum, { elements }) =>
      elements.reduce(
        (inner, element) =>
          element.type === 'Alternation' || element.type === 'Quantifier'
            ? inner + countAlternatives(element.alternatives) - 1
            : inner,
        sum + 1,
      ),
    0,
  );
}

function hasLookaround(alternatives: readonly Sequence[]): boolean {
  return alternatives.some(({ elements }) =>
    elements.some((element) => {
      if (element.type === 'CharacterClass') return false;
      if (element.type === 'Assertion') return !isEdge(element);
      return element.type === 'Unknown' || hasLookaround(element.alternatives);
    }),
  );
}

/** The states of two languages that are compared. */
const maxCompared = 5000;

/** Returns whether it is proven that two languages have no common text. */
export function areDisjointLanguages(left: TextLanguage, right: TextLanguage): boolean {
  try {
    return isDisjointWith(left, right, maxCompared);
  } catch {
    return false;
  }
}

/** Returns the texts that both languages contain; `undefined` if the result needs too many states. */
export function intersect(left: TextLanguage, right: TextLanguage): TextLanguage | undefined {
  try {
    return NFA.fromIntersection(left, right, factory());
  } catch {
    return undefined;
  }
}

function factory(): NFA.LimitedNodeFactory {
  return new NFA.LimitedNodeFactory(maxStates);
}

/** The edges of the text at which a match has to be, in addition to the assertions of the pattern. */
interface Anchors {
  readonly start: boolean;
  readonly end: boolean;
}

function searchLanguage(
  alternatives: readonly Sequence[],
  parsed: ParsedPattern,
  anchors: Anchors,
): NFA {
  const flat = alternatives.flatMap(splitEdges).slice(0, maxAlternatives);
  const languages = flat.map(({ elements }) => sequenceLanguage(elements, parsed, anchors));
  const result = NFA.empty({ maxCharacter: parsed.maxCharacter });
  for (const language of languages) result.union(language, factory());
  return result;
}

/** Splits a sequence that starts or ends with a group, so that `^` and `$` in the group are at the edge of a sequence. */
function splitEdges(sequence: Sequence): readonly Sequence[] {
  const { elements } = sequence;
  const split = (at: number): readonly Sequence[] | undefined => {
    const group = elements.at(at);
    if (group?.type !== 'Alternation') return undefined;
    const edges = group.alternatives.some((alternative) => {
      const outer = alternative.elements.at(at);
      return outer?.type === 'Assertion' || outer?.type === 'Alternation';
    });
    if (!edges) return undefined;
    return group.alternatives.slice(0, maxAlternatives).map((alternative) => ({
      ...sequence,
      elements:
        at === 0
          ? [...alternative.elements, ...elements.slice(1)]
          : [...elements.slice(0, -1), ...alternative.elements],
    }));
  };
  return split(0)?.flatMap(splitEdges) ?? split(-1)?.flatMap(splitEdges) ?? [sequence];
}

function sequenceLanguage(
  all: readonly NoParent<Element>[],
  parsed: ParsedPattern,
  anchors: Anchors,
): NFA {
  const elements = [...all];
  let { start, end } = anchors;
  /** Languages that contain the whole text as well, and whether it must not be in them. */
  const lookarounds: { readonly language: NFA; readonly negate: boolean }[] = [];
  for (let [first] = elements; first?.type === 'Assertion'; [first] = elements) {
    const { kind, negate, alternatives } = first;
    if (kind === 'behind' && !isEdge(first)) break;
    if (kind === 'ahead' && isEdge(first)) break;
    if (kind === 'ahead') {
      const language = searchLanguage(alternatives, parsed, { start: true, end: false });
      lookarounds.push({ language, negate });
    }
    // A lookahead is read as one from the start of the text.
    start = true;
    elements.shift();
  }
  for (let last = elements.at(-1); last?.type === 'Assertion'; last = elements.at(-1)) {
    const { kind, negate, alternatives } = last;
    if (kind === 'ahead' && !isEdge(last)) break;
    if (kind === 'behind' && isEdge(last)) break;
    if (kind === 'behind') {
      const language = searchLanguage(alternatives, parsed, { start: false, end: true });
      lookarounds.push({ language, negate });
    }
    end = true;
    elements.pop();
  }
  const any = anyCharacters(parsed.maxCharacter);
  const body = [...(start ? [] : [any]), ...elements, ...(end ? [] : [any])];
  let result = bodyLanguage(body, parsed);
  for (const { language, negate } of lookarounds) {
    result = negate
      ? NFA.fromIntersection(result, complement(language), factory())
      : NFA.fromIntersection(result, language, factory());
  }
  return result;
}

/** Returns the part of a pattern that matches any characters, as `[^]*` does. */
function anyCharacters(maxCharacter: Char): NoParent<Quantifier> {
  const characters = CharSet.all(maxCharacter);
  return {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [{ type: 'Concatenation', elements: [{ type: 'CharacterClass', characters }] }],
  };
}

function complement(language: NFA): DFA {
  const dfa = DFA.fromFA(language, new DFA.LimitedNodeFactory(maxStates));
  dfa.complement(new DFA.LimitedNodeFactory(maxStates));
  return dfa;
}

function bodyLanguage(
  elements: readonly NoParent<Element>[],
  { maxCharacter }: ParsedPattern,
): NFA {
  const sequence: Sequence = { type: 'Concatenation', elements: [...elements] };
  const build = (alternatives: readonly Sequence[], assertions: 'throw' | 'ignore'): NFA =>
    NFA.fromRegex(
      alternatives,
      { maxCharacter },
      { assertions, infinityThreshold: endlessCount },
      factory(),
    );
  if (!hasAssertion([sequence])) return build([sequence], 'throw');
  const applied = transform(Transformers.applyAssertions(), {
    type: 'Expression',
    alternatives: [sequence],
  });
  return build(applied.alternatives, 'ignore');
}

function hasAssertion(alternatives: readonly Sequence[]): boolean {
  return alternatives.some(({ elements }) =>
    elements.some(
      (element) =>
        element.type === 'Assertion' ||
        ((element.type === 'Alternation' || element.type === 'Quantifier') &&
          hasAssertion(element.alternatives)),
    ),
  );
}
