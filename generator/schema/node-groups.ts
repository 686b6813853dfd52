import type { SchemaNode } from './node.ts';

/**
 * Numbers groups of schemas that apply to one value: groups of the same schemas have the same number. A traversal by
 * groups instead of recursion ends for schemas that contain themselves, and that refer to one another thousands deep.
 */
export class NodeGroups {
  readonly #groups: (readonly SchemaNode[])[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #ids = new Map<SchemaNode['keywords'], number>();

  /** Returns the number of a group, which is its place in the iteration. */
  numberOf(group: readonly SchemaNode[]): number {
    const key = group
      .map((node) => this.#idOf(node))
      .toSorted((a, b) => a - b)
      .join(' ');
    const number = this.#numbers.get(key) ?? this.#groups.push(group) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Iterates over the groups in the order of their numbers, with those that are added in the meantime. */
  [Symbol.iterator](): Iterator<readonly SchemaNode[]> {
    return this.#groups[Symbol.iterator]();
  }

  #idOf({ keywords }: SchemaNode): number {
    const id = this.#ids.get(keywords) ?? this.#ids.size;
    this.#ids.set(keywords, id);
    return id;
  }
}
