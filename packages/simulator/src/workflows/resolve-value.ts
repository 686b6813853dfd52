import { elementsOf, isObject, memberOf, textOf } from '../sending/json-object.ts';
import { parsePointer, valueAt } from '../sending/json-path.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';
import { isExpression, parseExpression } from './expression.ts';
import { selectNodes } from './json-path-query.ts';
import { embeddedExpression, resolveText } from './resolve-text.ts';
import { evaluate, type Scope } from './scope.ts';

/**
 * Returns a value in which runtime expressions, embedded expressions and Selector Objects are replaced by what they
 * stand for. Nothing where the whole value is an expression without a value; members without a value are left out.
 * @throws SimulatorError `unsupported-workflow` for an expression that is not valid
 */
export function resolveValue(value: Json | undefined, scope: Scope): Json | undefined {
  if (typeof value === 'string')
    return isExpression(value)
      ? evaluate(parseExpression(value), scope)
      : resolveText(value, scope);
  if (Array.isArray(value))
    return elementsOf(value).map((element) => resolveValue(element, scope) ?? null);
  if (!isObject(value)) return value;
  if (isSelector(value)) return select(value, scope);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const resolved = resolveValue(member, scope);
      return resolved === undefined ? [] : [[name, resolved] as const];
    }),
  );
}

/** Returns the expressions that a value contains. */
export function expressionsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string')
    return isExpression(value)
      ? [value]
      : Array.from(value.matchAll(embeddedExpression), ([, expression = '']) => expression);
  if (Array.isArray(value)) return elementsOf(value).flatMap(expressionsIn);
  if (!isObject(value)) return [];
  return isSelector(value)
    ? expressionsIn(value['context'])
    : Object.values(value).flatMap(expressionsIn);
}

/** Returns whether a value is a Selector Object. */
export function isSelector(value: Json | undefined): boolean {
  return (
    textOf(value, 'context')?.startsWith('$') === true &&
    textOf(value, 'selector') !== undefined &&
    selectorType(memberOf(value, 'type')) !== undefined
  );
}

/** Returns the type of a selector, which is a text or an Expression Type Object, with the version where it is stated. */
export function selectorType(
  type: Json | undefined,
): { readonly type: string; readonly version?: string } | undefined {
  if (typeof type === 'string') return { type };
  const stated = textOf(type, 'type');
  const version = textOf(type, 'version');
  if (stated === undefined) return undefined;
  return version === undefined ? { type: stated } : { type: stated, version };
}

function select(selector: Json, scope: Scope): Json | undefined {
  const context = resolveValue(textOf(selector, 'context'), scope);
  const expression = textOf(selector, 'selector') ?? '';
  if (context === undefined) return undefined;
  if (selectorType(memberOf(selector, 'type'))?.type === 'jsonpointer') {
    const pointer = resolveText(expression, scope);
    const path = pointer === undefined ? undefined : parsePointer(pointer);
    return path && valueAt(context, path);
  }
  try {
    return selectNodes(context, expression, scope)?.[0];
  } catch (error) {
    // An expression is known completely only when its embedded expressions are evaluated.
    if (error instanceof SimulatorError) return undefined;
    throw error;
  }
}
