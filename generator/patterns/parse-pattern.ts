import { JS, type Char, type Concatenation, type Expression, type NoParent } from 'refa';

/** A parsed pattern. */
export interface ParsedPattern {
  readonly expression: Expression;
  readonly maxCharacter: Char;
}

/** The syntax tree of a pattern as it is written. */
export type SyntaxTree = JS.RegexppAst['pattern'];
export type SyntaxSequence = SyntaxTree['alternatives'][number];
export type SyntaxElement = SyntaxSequence['elements'][number];

/** The deepest nesting of groups that is analyzed. It keeps the analyses from exhausting the stack. */
const maxDepth = 50;

/**
 * Parses a pattern, which is an ECMA-262 regular expression, by default with the `u` flag, without simplifying it. Returns
 * `undefined` for a pattern that is not analyzed: it has a backreference, or is too long or too deep.
 */
export function parsePattern(pattern: string, flags = 'u'): ParsedPattern | undefined {
  if (isTooDeep(pattern)) return undefined;
  try {
    const parser = JS.Parser.fromLiteral({ source: pattern, flags });
    return parser.parse({ backreferences: 'throw', maxBackreferenceWords: 0, simplify: false });
  } catch {
    return undefined;
  }
}

/** Returns the syntax tree of a pattern; `undefined` for one with groups that are nested too deeply. */
export function syntaxTreeOf(pattern: string): SyntaxTree | undefined {
  if (isTooDeep(pattern)) return undefined;
  try {
    return JS.Parser.fromLiteral({ source: pattern, flags: 'u' }).ast.pattern;
  } catch {
    return undefined;
  }
}

/** Returns whether groups are nested deeper than the analyses support. */
function isTooDeep(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gsu)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Returns whether an alternative matches only at the start of the text. */
export function startsAtStart({ elements: [first] }: Concatenation): boolean {
  if (first?.type === 'Alternation') return first.alternatives.every(startsAtStart);
  return first?.type === 'Assertion' && first.kind === 'behind' && isEdge(first);
}

/** Returns whether an assertion is `^` or `$`. */
export function isEdge({
  negate,
  alternatives,
}: {
  readonly negate: boolean;
  readonly alternatives: readonly NoParent<Concatenation>[];
}): boolean {
  const [only] = alternatives[0]?.elements ?? [];
  return (
    negate &&
    alternatives.length === 1 &&
    alternatives[0]?.elements.length === 1 &&
    only?.type === 'CharacterClass' &&
    only.characters.isAll
  );
}
