import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import { isJsonObject } from '../json/json.ts';
import type { Documents } from './documents.ts';

/**
 * Returns the regular expressions of workflows: those of Criterion Objects, and those in the JSONPaths of criteria,
 * selectors and replacements. A character stands for each embedded expression, whose value is matched literally.
 */
export const workflowPatterns: (documents: Documents) => Promise<readonly WorkflowPattern[]> =
  memoize(async ({ workflows }: Documents) => {
    if (workflows === undefined) return [];
    const expressions = Cursor.ofDocument(workflows.root, 'workflows')
      .entries()
      .flatMap(([, document]) => expressionsIn(document));
    const isNeeded = expressions.some(({ isQuery, text }) => isQuery && /match|search/u.test(text));
    const parse = isNeeded ? (await import('jsonpath-rfc9535/parser')).default : undefined;
    return expressions.flatMap(({ isQuery, text, at }): readonly WorkflowPattern[] =>
      isQuery
        ? queryPatterns(text, parse).map((pattern) => ({ pattern, at }))
        : [{ pattern: text, at }],
    );
  });

/** A regular expression of a workflow, and the place of the expression that has it. */
export interface WorkflowPattern {
  readonly pattern: string;
  readonly at: Cursor;
}

/** A regular expression or a JSONPath. */
interface WorkflowExpression {
  readonly isQuery: boolean;
  readonly text: string;
  readonly at: Cursor;
}

function expressionsIn(at: Cursor): readonly WorkflowExpression[] {
  if (Array.isArray(at.value)) return at.items().flatMap(expressionsIn);
  if (!isJsonObject(at.value)) return [];
  const [type, targetType] = ['type', 'targetSelectorType'].map((name) => typeOf(at.child(name)));
  return [
    ...(type === 'regex' ? textsAt(at.child('condition'), false) : []),
    ...(type === 'jsonpath'
      ? ['condition', 'selector'].flatMap((name) => textsAt(at.child(name), true))
      : []),
    ...(targetType === 'jsonpath' ? textsAt(at.child('target'), true) : []),
    // The inputs of a workflow are a JSON Schema.
    ...at.entries().flatMap(([name, child]) => (name === 'inputs' ? [] : expressionsIn(child))),
  ];
}

/** Returns the type of a criterion or selector, which is a text or an Expression Type Object. */
function typeOf(at: Cursor): string | undefined {
  return at.text() ?? at.text('type');
}

function textsAt(at: Cursor, isQuery: boolean): readonly WorkflowExpression[] {
  const text = at.text();
  return text === undefined ? [] : [{ isQuery, text: text.replaceAll(/\{\$[^{}]+\}/gu, 'x'), at }];
}

/** Returns the patterns of the functions `match` and `search`; none of a JSONPath that is not valid. */
function queryPatterns(
  expression: string,
  parse: ((expression: string) => unknown) | undefined,
): readonly string[] {
  const patterns: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'FunctionExpr' && 'name' in node && 'arguments' in node) {
      const [, argument] = Array.isArray(node.arguments) ? (node.arguments as unknown[]) : [];
      const pattern = isJsonObject(argument) ? argument['value'] : undefined;
      if (typeof pattern === 'string' && node.name === 'search') patterns.push(pattern);
      if (typeof pattern === 'string' && node.name === 'match') patterns.push(`^(?:${pattern})$`);
    }
    for (const child of Object.values(node)) visit(child);
  };
  try {
    visit(parse?.(expression));
  } catch {
    // The simulator reports it.
  }
  return patterns;
}
