import { type ArrayLiteralExpression, Node, Project, ts } from 'ts-morph';
import type { LintException } from '../../config/lint-settings.ts';
import { lineStart } from './layout.ts';
import { isJson, syntaxErrors } from './syntax-errors.ts';

/**
 * Returns the text of a configuration without exceptions of lint, each with its comments. Every other character stays.
 * Returns `undefined` if the text does not have each exception as a literal in exactly one place.
 * @param name the name of the file, whose extension is that of its language
 */
export function removeExceptions(
  name: string,
  text: string,
  exceptions: readonly LintException[],
): string | undefined {
  let left: string | undefined = text;
  for (const exception of exceptions) left = left && removeException(name, left, exception);
  if (left === undefined) return undefined;
  const isRead = name.endsWith('.json') ? isJson(left) : syntaxErrors(name, left).length === 0;
  return isRead ? left : undefined;
}

function removeException(
  name: string,
  text: string,
  { rule, at }: LintException,
): string | undefined {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  // Positions are those of the text, which may begin with a byte order mark.
  const file = project.createSourceFile(`/${name}`, text.replace(/^\ufeff/u, ' '));
  const [element, ...others] = file
    .getDescendants()
    .filter(Node.isObjectLiteralExpression)
    .filter((literal) => valueOf(literal, 'rule') === rule && valueOf(literal, 'at') === at);
  const list = element?.getParent();
  if (element === undefined || others.length > 0 || !Node.isArrayLiteralExpression(list))
    return undefined;
  const { from, to } = rangeOf(element, list, text);
  return text.slice(0, from) + text.slice(to);
}

/** Returns the range of an element with its comma, and with its lines where it has lines of its own. */
function rangeOf(
  element: Node,
  list: ArrayLiteralExpression,
  text: string,
): { readonly from: number; readonly to: number } {
  const elements: readonly Node[] = list.getElements();
  const index = elements.indexOf(element);
  const previous = elements[index - 1];
  const [comma] = /^\s*,/u.exec(text.slice(element.getEnd())) ?? [];
  // The last element may have no comma after it, so the one before it goes.
  if (comma === undefined && previous !== undefined)
    return { from: previous.getEnd(), to: element.getEnd() };
  const [comment] = ts.getLeadingCommentRanges(text, element.getFullStart()) ?? [];
  const start = comment?.pos ?? element.getStart();
  const end = element.getEnd() + (comma?.length ?? 0);
  const trailing = ts.getTrailingCommentRanges(text, end)?.at(-1)?.end ?? end;
  const line = lineStart(text, start);
  const [rest] = /^[^\S\n\r]*(?:\r\n|\n|\r)/u.exec(text.slice(trailing)) ?? [];
  if (rest !== undefined && text.slice(line, start).trim() === '')
    return { from: line, to: trailing + rest.length };
  const [space = ''] = /^[^\S\n\r]*/u.exec(text.slice(end)) ?? [];
  return { from: start, to: end + space.length };
}

/** Returns the text of a property that is a string. */
function valueOf(literal: Node, name: string): string | undefined {
  if (!Node.isObjectLiteralExpression(literal)) return undefined;
  const value = literal
    .getProperties()
    .filter(Node.isPropertyAssignment)
    .find((property) => property.getName().replaceAll(/^["']|["']$/gu, '') === name)
    ?.getInitializer();
  return Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)
    ? value.getLiteralText()
    : undefined;
}
