import { paths, query } from 'jsonpath-rfc9535';
import parseJsonPath from 'jsonpath-rfc9535/parser';
import { elementsOf, isObject, memberOf, textOf, toText } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';
import { embeddedExpression, escapePattern, resolveText } from './resolve-text.ts';
import type { Scope } from './scope.ts';

type JsonValue = Parameters<typeof query>[0];

/** A JSONPath that can be evaluated. */
interface ResolvedQuery {
  /** As the contract states it. */
  readonly stated: string;
  /** With the values of its embedded expressions. */
  readonly resolved: string;
}

/**
 * Returns the nodes that a JSONPath selects; nothing where an embedded expression has no value.
 * @throws SimulatorError `unsupported-workflow` for a JSONPath that is not valid or takes too long
 */
export function selectNodes(
  context: Json,
  expression: string,
  scope: Scope,
): readonly Json[] | undefined {
  const resolved = resolveQuery(expression, scope);
  if (resolved === undefined) return undefined;
  return run({ stated: expression, resolved }, scope, (value) => query(value, resolved), context);
}

/**
 * Returns the paths to the nodes that a JSONPath selects.
 * @throws SimulatorError `unsupported-workflow` for a JSONPath that is not valid or takes too long
 */
export function selectPaths(
  context: Json,
  expression: string,
  scope: Scope,
): readonly (readonly string[])[] {
  checkQuery(expression);
  const resolvedQuery = { stated: expression, resolved: expression };
  return run(resolvedQuery, scope, (value) => paths(value, expression), context).map((path) =>
    parseJsonPath(path).segments.flatMap(({ node }) =>
      node.type === 'BracketedSelection'
        ? node.selectors.flatMap((selector) =>
            selector.type === 'NameSelector' || selector.type === 'IndexSelector'
              ? [String(selector.value)]
              : [],
          )
        : [],
    ),
  );
}

function run<T>(
  { stated, resolved }: ResolvedQuery,
  { limit }: Scope,
  evaluate: (value: JsonValue) => T,
  context: Json,
): T {
  const value = structuredClone(context) as JsonValue;
  try {
    return limit.run(stated, () => evaluate(value));
  } catch (cause) {
    throw cause instanceof SimulatorError ? cause : unsupported(stated, resolved, cause);
  }
}

/**
 * Checks that the simulator can evaluate a JSONPath. One with embedded expressions outside of texts is only checked
 * when it has their values.
 * @throws SimulatorError `unsupported-workflow`
 */
export function checkQuery(expression: string): void {
  refuseMarkers(expression);
  if (quotesOf(expression).every((quote) => quote !== undefined))
    patternsOf(expression.replaceAll(embeddedExpression, markerAt(0)), expression);
}

/**
 * Returns a JSONPath with the values of its embedded expressions. In a text, a value is that text, whatever characters
 * it has; in a pattern, it matches itself. Elsewhere, a value is a number, a literal or the name of a member. A value
 * therefore never changes what the JSONPath does.
 * @throws SimulatorError `unsupported-workflow`
 */
function resolveQuery(expression: string, scope: Scope): string | undefined {
  if (!expression.includes('{$')) {
    patternsOf(expression, expression);
    return expression;
  }
  refuseMarkers(expression);
  const places = quotesOf(expression);
  const values: string[] = [];
  let index = 0;
  // A mark stands for each value in a text until it is known which of the texts are patterns.
  const marked = resolveText(expression, scope, (value) => {
    const isText = places[index] !== undefined;
    values[index] = toText(value);
    const mark = markerAt(index);
    index += 1;
    return isText ? mark : plainText(value);
  });
  if (marked === undefined) return undefined;
  const inPatterns = new Set(
    patternsOf(marked, expression).flatMap((pattern) => pattern.match(marker) ?? []),
  );
  return marked.replaceAll(marker, (mark) => {
    const value = values[indexOf(mark)];
    if (value === undefined) return mark;
    return escapeText(inPatterns.has(mark) ? escapePattern(value) : value);
  });
}

/** Characters for private use stand for embedded expressions. */
const marker = /[\u{E000}-\u{F8FF}]/gu;

function markerAt(index: number): string {
  return String.fromCodePoint(0xe000 + Math.min(index, 0x18ff));
}

function refuseMarkers(expression: string): void {
  if (!expression.includes('{$') || expression.search(marker) === -1) return;
  throw unsupported(expression, expression, undefined);
}

function indexOf(mark: string): number {
  return (mark.codePointAt(0) ?? 0) - 0xe000;
}

/** Returns, for each embedded expression, the quote of the text that it is in; `undefined` outside of texts. */
function quotesOf(expression: string): readonly (string | undefined)[] {
  const starts = new Map(
    Array.from(expression.matchAll(embeddedExpression), ({ 0: text, index }) => [index, text]),
  );
  const quotes: (string | undefined)[] = [];
  let quote: string | undefined;
  for (let at = 0; at < expression.length; at += 1) {
    const embedded = starts.get(at);
    if (embedded !== undefined) {
      quotes.push(quote);
      at += embedded.length - 1;
      continue;
    }
    const character = expression[at];
    if (quote !== undefined && character === '\\') at += 1;
    else if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = undefined;
  }
  return quotes;
}

/** Writes a value outside of a text; nothing for one that could be more than a single name or literal. */
function plainText(value: Json): string | undefined {
  const text = toText(value);
  return typeof value === 'object' && value !== null
    ? undefined
    : /^(?:[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/u.test(text)
      ? text
      : undefined;
}

/** Escapes a value in a text of either quotes. */
function escapeText(value: string): string {
  return value.replaceAll(/["'\\\p{Cc}]/gu, hexEscape);
}

function hexEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns the patterns of `match` and `search` in a JSONPath.
 * @throws SimulatorError `unsupported-workflow` for a JSONPath that is not valid, and for a pattern that is a value:
 * the sender of the value would choose the pattern
 */
function patternsOf(expression: string, stated: string): readonly string[] {
  let parsed: Json;
  try {
    parsed = parseJsonPath(expression);
  } catch (cause) {
    throw unsupported(stated, stated, cause);
  }
  const patterns: string[] = [];
  const visit = (node: Json | undefined): void => {
    if (Array.isArray(node)) {
      for (const element of elementsOf(node)) visit(element);
      return;
    }
    if (!isObject(node)) return;
    const name = textOf(node, 'name');
    if (textOf(node, 'type') === 'FunctionExpr' && (name === 'match' || name === 'search')) {
      const [, argument] = elementsOf(node['arguments']);
      const pattern = memberOf(argument, 'value');
      if (textOf(argument, 'type') !== 'Literal')
        throw new SimulatorError(
          'unsupported-workflow',
          `"${stated}" takes the pattern of \`${name}\` from a value. Write the pattern as a text.`,
        );
      if (typeof pattern === 'string') patterns.push(pattern);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parsed);
  return patterns;
}

function unsupported(stated: string, resolved: string, cause: unknown): SimulatorError {
  const values = stated === resolved ? '' : ' once its embedded expressions have values';
  return new SimulatorError(
    'unsupported-workflow',
    `"${stated}" is not a JSONPath that the simulator supports${values}.`,
    { cause },
  );
}
