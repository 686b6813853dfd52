import { elementsOf, isSameJson, memberOf, textOf, toText } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';
import { type Comparison, type Condition, parseCondition } from './condition.ts';
import { selectNodes } from './json-path-query.ts';
import { resolvePattern } from './resolve-text.ts';
import { resolveValue, selectorType } from './resolve-value.ts';
import { evaluate, type Scope } from './scope.ts';

/** The first criterion that is not met. */
export interface Unmet {
  /** The condition as it is written. */
  readonly condition: string;
  /** Why it could not be evaluated; absent where it is false. */
  readonly error?: string;
}

/** Returns the first Criterion Object that is not met, or nothing. A criterion that cannot be evaluated is not met. */
export function findUnmet(criteria: Json | undefined, scope: Scope): Unmet | undefined {
  for (const criterion of elementsOf(criteria)) {
    const condition = textOf(criterion, 'condition') ?? '';
    try {
      if (!isMet(criterion, condition, scope)) return { condition };
    } catch (error) {
      if (!(error instanceof SimulatorError)) throw error;
      return { condition, error: error.message };
    }
  }
  return undefined;
}

function isMet(criterion: Json, condition: string, scope: Scope): boolean {
  const type = selectorType(memberOf(criterion, 'type'))?.type ?? 'simple';
  if (type === 'simple') return isTruthy(evaluateCondition(parseCondition(condition), scope));
  const context = resolveValue(textOf(criterion, 'context'), scope);
  if (context === undefined || context === null) return false;
  if (type === 'regex') return isMatch(condition, toText(context), scope);
  if (type === 'jsonpath') return (selectNodes(context, condition, scope) ?? []).length > 0;
  throw new SimulatorError(
    'unsupported-workflow',
    `The simulator does not support conditions of the type "${type}".`,
  );
}

function isMatch(pattern: string, text: string, scope: Scope): boolean {
  const resolved = resolvePattern(pattern, scope);
  if (resolved === undefined) return false;
  let expression: RegExp;
  try {
    expression = new RegExp(resolved, 'u');
  } catch (cause) {
    // The cause has the values of the embedded expressions.
    const message = `"${pattern}" is not a regular expression once its embedded expressions have values.`;
    throw new SimulatorError('unsupported-workflow', message, { cause });
  }
  return scope.limit.run(pattern, () => expression.test(text));
}

/** Returns the value of a condition. */
function evaluateCondition(condition: Condition, scope: Scope): Json {
  switch (condition.kind) {
    case 'literal':
      return condition.value;
    case 'value':
      return evaluate(condition.expression, scope) ?? null;
    case 'not':
      return !isTruthy(evaluateCondition(condition.of, scope));
    case 'and':
      return (
        isTruthy(evaluateCondition(condition.left, scope)) &&
        isTruthy(evaluateCondition(condition.right, scope))
      );
    case 'or':
      return (
        isTruthy(evaluateCondition(condition.left, scope)) ||
        isTruthy(evaluateCondition(condition.right, scope))
      );
    default:
      return compare(
        condition.operator,
        evaluateCondition(condition.left, scope),
        evaluateCondition(condition.right, scope),
      );
  }
}

function isTruthy(value: Json): boolean {
  return value !== null && value !== false && value !== 0 && value !== '';
}

/** Compares as Arazzo requires: texts regardless of letter case, and a text with a number as numbers. */
function compare(operator: Comparison, left: Json, right: Json): boolean {
  const [a, b] = [toOperand(left, right), toOperand(right, left)];
  if (operator === '==') return isSameJson(a, b);
  if (operator === '!=') return !isSameJson(a, b);
  const isOrdered =
    (typeof a === 'number' && typeof b === 'number') ||
    (typeof a === 'string' && typeof b === 'string');
  if (!isOrdered) return false;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function toOperand(value: Json, other: Json): Json {
  if (typeof value !== 'string') return value;
  const isNumeric =
    typeof other === 'number' && value.trim() !== '' && !Number.isNaN(Number(value));
  return isNumeric ? Number(value) : value.toLowerCase();
}
