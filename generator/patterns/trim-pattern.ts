import {
  parsePattern,
  syntaxTreeOf,
  type SyntaxElement,
  type SyntaxSequence,
} from './parse-pattern.ts';

/**
 * Returns a pattern that matches the same texts, with the fewest repetitions at its ends: a text contains `.*a+` if it
 * contains `a`. An engine that searches for the shorter pattern takes less time, often linear instead of quadratic.
 */
export function trimPattern(pattern: string): string {
  // A pattern with backreferences is left as it is: the texts of its groups would change.
  if (parsePattern(pattern) === undefined) return pattern;
  const tree = syntaxTreeOf(pattern);
  return tree === undefined ? pattern : trimAlternatives(tree.alternatives, ['start', 'end']);
}

type Side = 'start' | 'end';

function trimAlternatives(alternatives: readonly SyntaxSequence[], sides: readonly Side[]): string {
  return alternatives.map(({ elements }) => trimSequence(elements, sides)).join('|');
}

function trimSequence(elements: readonly SyntaxElement[], sides: readonly Side[]): string {
  let [first, last] = [0, elements.length];
  const isDropped = (element: SyntaxElement | undefined): boolean =>
    element?.type === 'Quantifier' && element.min === 0;
  while (sides.includes('start') && first < last && isDropped(elements[first])) first += 1;
  while (sides.includes('end') && first < last && isDropped(elements[last - 1])) last -= 1;
  const kept = elements.slice(first, last);
  return kept
    .map((element, index) => {
      const elementSides = sides.filter(
        (side) => index === (side === 'start' ? 0 : kept.length - 1),
      );
      return elementSides.length === 0 ? element.raw : trimElement(element, elementSides);
    })
    .join('');
}

function trimElement(element: SyntaxElement, sides: readonly Side[]): string {
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return `(?:${trimAlternatives(element.alternatives, sides)})`;
  }
  if (element.type !== 'Quantifier') return element.raw;
  const { min, element: repeated } = element;
  const inner = (innerSides: readonly Side[]): string => trimElement(repeated, innerSides);
  if (min === 1) return inner(sides);
  // The first and the last repetition are trimmed apart from those between them.
  const between = min - sides.length;
  return [
    sides.includes('start') ? inner(['start']) : '',
    between === 0 ? '' : `${repeated.raw}${between === 1 ? '' : `{${between}}`}`,
    sides.includes('end') ? inner(['end']) : '',
  ].join('');
}
