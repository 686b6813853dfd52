import { SimulatorError } from '../sending/simulator-error.ts';
import { type Expression, parseExpression } from './expression.ts';

export type Comparison = '==' | '!=' | '<=' | '>=' | '<' | '>';

/** A parsed simple condition. */
export type Condition =
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'and' | 'or';
      readonly left: Condition;
      readonly right: Condition;
    }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Condition;
      readonly right: Condition;
    };

const comparisons: readonly Comparison[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Operators, strings, and words: literals and expressions, which end at a space or an operator. */
const token = /\s*(?:(&&|\|\||[=!<>]=|[<>!()])|('(?:[^']|'')*')|([^\s'&|=!<>()]+))\s*/uy;

/**
 * Parses a simple condition. From loose to tight: `||`, `&&`, comparisons, `!`.
 * @see https://spec.openapis.org/arazzo/v1.1.0.html#criterion-object
 * @throws SimulatorError `unsupported-workflow`
 */
export function parseCondition(text: string): Condition {
  let at = 0;
  // Conditions of a contract are short; the limit prevents that thousands of parentheses exhaust the stack.
  let depth = 0;
  const fail = (): never => {
    throw new SimulatorError(
      'unsupported-workflow',
      `"${text}" is not a condition that the simulator supports.`,
    );
  };
  const tokens = readTokens(text, fail);
  const takes = (operator: string): boolean => {
    if (tokens[at] !== operator) return false;
    at += 1;
    return true;
  };

  const readOr = (): Condition => {
    let left = readAnd();
    while (takes('||')) left = { kind: 'or', left, right: readAnd() };
    return left;
  };
  const readAnd = (): Condition => {
    let left = readComparison();
    while (takes('&&')) left = { kind: 'and', left, right: readComparison() };
    return left;
  };
  const readComparison = (): Condition => {
    const left = readUnary();
    const operator = comparisons.find(takes);
    return operator === undefined ? left : { kind: 'compare', operator, left, right: readUnary() };
  };
  const readUnary = (): Condition => {
    depth += 1;
    if (depth > 100) fail();
    const unaryCondition: Condition = takes('!') ? { kind: 'not', of: readUnary() } : readOperand();
    depth -= 1;
    return unaryCondition;
  };
  const readOperand = (): Condition => {
    if (takes('(')) {
      const inner = readOr();
      return takes(')') ? inner : fail();
    }
    const word = tokens[at] ?? fail();
    at += 1;
    if (word.startsWith('$')) return { kind: 'value', expression: parseExpression(word) };
    if (word.startsWith("'"))
      return { kind: 'literal', value: word.slice(1, -1).replaceAll("''", "'") };
    const literal = literals.get(word) ?? (isNumber(word) ? Number(word) : undefined);
    if (word === 'null') return { kind: 'literal', value: null };
    return literal === undefined ? fail() : { kind: 'literal', value: literal };
  };

  const condition = readOr();
  return at === tokens.length ? condition : fail();
}

function readTokens(from: string, fail: () => never): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < from.length) {
    const match = token.exec(from) ?? fail();
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return tokens;
}

const literals: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function isNumber(word: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(word);
}
