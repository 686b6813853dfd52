import type { Position } from './positions.ts';

/**
 * Finds places in a text that is YAML, as far as the ways to them lead through blocks with one entry a line, as in most of
 * what people write; `undefined` of any other, which only a parser finds. Reads no further than to the place.
 */
export function createBlockPositions(text: string): {
  find(members: readonly string[]): Position | undefined;
} {
  let reader: BlockReader | 'none' | undefined;
  return {
    find(members) {
      if (reader === undefined) {
        const lines = text.replace(/^---\n/u, '\n').split('\n');
        reader = lines.some((line) => isOdd.test(line)) ? 'none' : new BlockReader(lines);
      }
      if (reader === 'none') return undefined;
      let block = reader.blockFrom(0, 0, -1);
      for (const [index, member] of members.entries()) {
        const entry = block === undefined ? undefined : reader.find(block, member);
        if (entry === undefined) return undefined;
        if (index === members.length - 1) {
          return { line: entry.line + 1, column: entry.column + 1 };
        }
        block = reader.within(entry);
      }
      return undefined;
    },
  };
}

/** What begins another document, and what may make one entry out of several lines: then lines alone do not tell. */
const isOdd = /^(?:---|\.\.\.|%)|^\s*\?(?:\s|$)|\t/u;

/** Entries one below the other, each in this column; those of the first line may stand behind dashes. */
interface Block {
  readonly line: number;
  readonly column: number;
  readonly isList: boolean;
}

/** Where an entry begins, and where what it holds does. */
interface Entry {
  readonly line: number;
  readonly column: number;
  readonly value: number;
  readonly block: Block;
}

/** A key of a mapping, in a form that can be nothing else, and what stands behind it. */
const keyed = /^(?:"([^"\\]*)"|'([^']*)'|([\w$/.][^\s:#"']*)):(?= |$)/u;

/** What a line ends on that continues on the next, though not further in. */
const open = /^(?:[[{"'](?!.*[\]}"'] *(?:#.*)?$)|[&*!])/u;

class BlockReader {
  readonly #lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The block that begins at a place or below it, further in than `outer`; there a list may stand as far out as its key. */
  blockFrom(line: number, column: number, outer: number): Block | undefined {
    for (let at = line; at < this.#lines.length; at++) {
      const rest = (this.#lines[at] ?? '').slice(at === line ? column : 0);
      if (/^ *(?:#|$)/u.test(rest)) continue;
      const indent = indentOf(rest) + (at === line ? column : 0);
      const isList = /^ *-(?: |$)/u.test(rest);
      const further = indent > outer || (isList && indent === outer);
      return further ? { line: at, column: indent, isList } : undefined;
    }
    return undefined;
  }

  /** The entry of a block that has this name, or this place in a list. */
  find(block: Block, member: string): Entry | undefined {
    let index = 0;
    for (let at = block.line; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      const isFirst = at === block.line;
      if (!isFirst && /^ *(?:#|$)/u.test(line)) continue;
      const indent = isFirst ? block.column : indentOf(line);
      if (indent > block.column) continue;
      const rest = line.slice(block.column);
      const isItem = /^-(?: |$)/u.test(rest);
      // A list may stand as far out as the key before it.
      if (isItem && !block.isList && !isFirst && indent === block.column) continue;
      if (indent < block.column || block.isList !== isItem) return undefined;
      const key = block.isList ? undefined : keyed.exec(rest);
      if (!block.isList && key === null) return undefined;
      const name = key?.[1] ?? key?.[2] ?? key?.[3] ?? String(index);
      const begun = block.isList ? 1 : (key?.[0].length ?? 0);
      const value = block.column + begun + indentOf(rest.slice(begun));
      const held = line.slice(value);
      if (name === member) {
        if (block.isList && /^(?:#|[&*!]|$)/u.test(held)) return undefined;
        return { line: at, column: block.isList ? value : block.column, value, block };
      }
      if (open.test(held)) return undefined;
      index += 1;
    }
    return undefined;
  }

  /** The block that an entry holds, where it holds one. */
  within({ line, value, block }: Entry): Block | undefined {
    const rest = (this.#lines[line] ?? '').slice(value);
    if (rest !== '' && !rest.startsWith('#')) {
      // Behind a dash, a mapping may begin at once; behind a key, what stands there is no block.
      return block.isList && keyed.test(rest) ? { line, column: value, isList: false } : undefined;
    }
    const below = this.blockFrom(line + 1, 0, block.column);
    return below !== undefined && block.isList && below.column === block.column ? undefined : below;
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
