import { toText } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { parseExpression } from './expression.ts';
import { evaluate, type Scope } from './scope.ts';

/** A runtime expression in a text: `{$inputs.id}`. */
export const embeddedExpression: RegExp = /\{(\$[^{}]+)\}/gu;

/**
 * Replaces `{$…}` in a text. An object or array is written as JSON. Nothing where an expression has no value.
 * @param write writes a value, or refuses it
 */
export function resolveText(
  text: string,
  scope: Scope,
  write: (value: Json) => string | undefined = toText,
): string | undefined {
  let isKnown = true;
  const resolved = text.replaceAll(embeddedExpression, (_, expression: string) => {
    const value = evaluate(parseExpression(expression), scope);
    const replacement = value === undefined ? undefined : write(value);
    isKnown &&= replacement !== undefined;
    return replacement ?? '';
  });
  return isKnown ? resolved : undefined;
}

/** Replaces `{$…}` in a regular expression by patterns that match the values. */
export function resolvePattern(pattern: string, scope: Scope): string | undefined {
  return resolveText(pattern, scope, (value) => escapePattern(toText(value)));
}

/**
 * Returns a pattern that matches a text itself. Each character is escaped, so that none of them means something where
 * the pattern is inserted, such as a number in a repetition.
 */
export function escapePattern(text: string): string {
  return Array.from(
    text,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ).join('');
}
