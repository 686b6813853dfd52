import { Node, ts, type ArrayLiteralExpression, type ObjectLiteralExpression } from 'ts-morph';
import type { List } from './list-insertion.ts';

/** Returns the positions of an object or array literal and its elements in the text of the file. */
export function readList(list: ObjectLiteralExpression | ArrayLiteralExpression): List {
  const text = list.getSourceFile().getFullText();
  const nodes = Node.isObjectLiteralExpression(list)
    ? list.compilerNode.properties
    : list.compilerNode.elements;
  const elements = nodes.map((node) => ({ start: node.getStart(), end: node.getEnd() }));
  const comma = nodes.hasTrailingComma ? nodes.end : undefined;
  const end = comma ?? elements.at(-1)?.end ?? list.getStart() + 1;
  return {
    text,
    open: list.getStart() + 1,
    close: list.getEnd() - 1,
    elements,
    ...(comma === undefined ? {} : { comma }),
    tail: ts.getTrailingCommentRanges(text, end)?.at(-1)?.end ?? end,
  };
}
