import { elementsOf, isObject, memberOf, membersOf, textOf } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';
import { parseCondition } from './condition.ts';
import { parseExpression } from './expression.ts';
import { checkQuery } from './json-path-query.ts';
import { embeddedExpression } from './resolve-text.ts';
import { expressionsIn, isSelector, selectorType } from './resolve-value.ts';

/** What a runner does not support at a place of an object. */
export interface UnsupportedValue {
  /** The members from the object. */
  readonly path: readonly string[];
  readonly message: string;
  readonly help: string;
}

/** A value with its place in an object. */
export interface Placed {
  readonly path: readonly string[];
  readonly value: Json;
}

const useSupported = 'Use a simple condition, a regular expression or a JSONPath of RFC 9535.';

/** Checks a Criterion Object. */
export function inCriterion({ path, value }: Placed): readonly UnsupportedValue[] {
  const { type = 'simple', version } = selectorType(memberOf(value, 'type')) ?? {};
  const condition = textOf(value, 'condition') ?? '';
  if (type === 'simple') {
    const at = [...path, 'condition'];
    return attempt(at, useSupported, () => parseCondition(condition));
  }
  const context = textOf(value, 'context');
  const wrong = ['context', 'condition'].flatMap((name) =>
    inValue({ path: [...path, name], value: memberOf(value, name) ?? null }),
  );
  if (wrong.length > 0) return wrong;
  if (context === undefined) {
    const message = `A condition of the type "${type}" needs a context.`;
    return [{ path, message, help: 'Add `context` with a runtime expression.' }];
  }
  if (type === 'regex')
    return attempt(
      [...path, 'condition'],
      'Correct the regular expression.',
      // Each value is a pattern that matches the value alone.
      () => new RegExp(condition.replaceAll(embeddedExpression, 'x'), 'u'),
    );
  return type === 'jsonpath' && version !== 'draft-goessner-dispatch-jsonpath-00'
    ? attempt([...path, 'condition'], 'Correct the JSONPath.', () => checkQuery(condition))
    : [
        {
          path: [...path, 'type'],
          message: `The simulator does not support conditions of the type "${version ?? type}".`,
          help: useSupported,
        },
      ];
}

/** Checks the expressions and selectors of a value. */
export function inValue({ path, value }: Placed): readonly UnsupportedValue[] {
  const help = 'Correct the runtime expression.';
  if (Array.isArray(value))
    return elementsOf(value).flatMap((element, index) =>
      inValue({ path: [...path, String(index)], value: element }),
    );
  if (isObject(value) && isSelector(value)) {
    const { type = '', version } = selectorType(value['type']) ?? {};
    const isSupported =
      type === 'jsonpointer' ||
      (type === 'jsonpath' && version !== 'draft-goessner-dispatch-jsonpath-00');
    if (isSupported) {
      const selector = textOf(value, 'selector') ?? '';
      const inSelector = [
        ...Array.from(selector.matchAll(embeddedExpression)).flatMap(([, expression = '']) =>
          attempt([...path, 'selector'], help, () => parseExpression(expression)),
        ),
        ...(type === 'jsonpath'
          ? attempt([...path, 'selector'], 'Correct the JSONPath.', () => checkQuery(selector))
          : []),
      ];
      return [
        ...inValue({ path: [...path, 'context'], value: value['context'] ?? null }),
        ...inSelector,
      ];
    }
    const message = `The simulator does not support selectors of the type "${version ?? type}".`;
    return [{ path: [...path, 'type'], message, help: 'Use `jsonpath` or `jsonpointer`.' }];
  }
  if (isObject(value))
    return membersOf(value).flatMap(([name, member]) =>
      inValue({ path: [...path, name], value: member }),
    );
  return expressionsIn(value).flatMap((expression) =>
    attempt(path, help, () => parseExpression(expression)),
  );
}

/** Returns a finding where an action throws because a text is not valid. */
export function attempt(
  path: readonly string[],
  help: string,
  action: () => unknown,
): readonly UnsupportedValue[] {
  try {
    action();
    return [];
  } catch (error) {
    if (!(error instanceof SimulatorError) && !(error instanceof SyntaxError)) throw error;
    return [{ path, message: error.message, help }];
  }
}
