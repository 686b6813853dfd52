import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Position } from '../../../generator/load/text/positions.ts';

/** Returns a function that finds the places of a text with another parser than the toolkit. */
export function createOracle(text: string): (members: readonly string[]) => Position {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, merge: true });
  return (members) => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const member of members) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === member);
        if (pair === undefined) break;
        offset = startOf(pair.key) ?? offset;
        node = pair.value;
      } else if (isSeq(node) && node.items[Number(member)] !== undefined) {
        node = node.items[Number(member)];
        offset = startOf(node) ?? offset;
      } else break;
    }
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}

/** Returns the path of each member and item of a value, and paths to some that are not there. */
export function pathsIn(
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))
      : [];
  return [path, [...path, 'absent'], ...inside];
}
