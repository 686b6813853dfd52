import { essenceOf } from '@countersign/runtime/base';
import { formType } from '../media-type.ts';
import { elementsOf, memberOf, textOf } from '../sending/json-object.ts';
import { parsePointer, withValueAt } from '../sending/json-path.ts';
import type { Json } from 'countersign/kit';
import type { StepPlan } from './plan.ts';
import { selectPaths } from './json-path-query.ts';
import { resolveText } from './resolve-text.ts';
import { resolveValue, selectorType } from './resolve-value.ts';
import type { Scope } from './scope.ts';

/**
 * Returns the payload that the Request Body Object of a step states, with its replacements.
 * @param base the value that the payload and the replacements change
 */
export function requestPayload(step: StepPlan, scope: Scope): Json | undefined {
  const body = step.definition['requestBody'];
  const stated = memberOf(body, 'payload');
  const payload =
    typeof stated === 'string' && !stated.startsWith('$')
      ? parseText(resolveText(stated, scope), textOf(body, 'contentType'))
      : resolveValue(stated, scope);
  return replaceIn(payload, memberOf(body, 'replacements'), scope);
}

/** Sets the values of Payload Replacement Objects. A replacement without a value is left out. */
export function replaceIn(
  payload: Json | undefined,
  replacements: Json | undefined,
  scope: Scope,
): Json | undefined {
  return elementsOf(replacements).reduce<Json | undefined>((replaced, replacement) => {
    const value = resolveValue(memberOf(replacement, 'value'), scope);
    const target = textOf(replacement, 'target') ?? '';
    if (value === undefined) return replaced;
    const type = selectorType(memberOf(replacement, 'targetSelectorType'))?.type;
    const places =
      type === 'jsonpath' ? selectPaths(replaced ?? {}, target, scope) : [parsePointer(target)];
    return places.reduce<Json | undefined>(
      (all, place) => (place === undefined ? all : withValueAt(all, place, value)),
      replaced,
    );
  }, payload);
}

/** Reads a payload that is written as text: JSON, or a form. Nothing where it is neither. */
function parseText(text: string | undefined, contentType = 'application/json'): Json | undefined {
  if (text === undefined) return undefined;
  if (essenceOf(contentType) === formType) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
