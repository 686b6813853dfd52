import type { JsonSchema } from 'countersign';
import { SchemaNode } from 'countersign/companion/contract';
import { findSchema, reachableFrom, type SchemaIndex } from 'countersign/kit';

/** The rounds after which a height that is not known counts as endless. */
const maxRounds = 200;

/**
 * Knows how deeply the values of a schema are nested at least. A required member that contains its own schema again has
 * an endless height. Constraints on scalars are not considered, so a value of that height can be invalid.
 */
export class ValueHeights {
  readonly #index: SchemaIndex;
  readonly #heights = new Map<string, number>();

  constructor(index: SchemaIndex) {
    this.#index = index;
  }

  /** Returns the least height of the values of a schema: 0 for a scalar, `Infinity` if no value ends. */
  of(schema: JsonSchema): number {
    const node = new SchemaNode(schema);
    if (node.isNever) return Infinity;
    const { reference } = node;
    const parts = [
      this.#ofOwn(node),
      ...(reference === undefined ? [] : [this.#ofNamed(reference)]),
      ...node.allOf.map((part) => this.of(part)),
      ...[node.anyOf, node.oneOf].flatMap((union) =>
        union.length === 0 ? [] : [Math.min(...union.map((part) => this.of(part)))],
      ),
    ];
    return Math.max(...parts);
  }

  #ofNamed(name: string): number {
    if (!this.#heights.has(name) && this.#index.has(name)) this.#settle(name);
    return this.#heights.get(name) ?? Infinity;
  }

  /** Computes the heights of all schemas that a schema refers to, until they no longer change. */
  #settle(name: string): void {
    const names = reachableFrom(this.#index, name).filter((other) => !this.#heights.has(other));
    for (const other of names) this.#heights.set(other, Infinity);
    let changed = true;
    for (let round = 0; changed && round < maxRounds; round += 1) {
      changed = false;
      for (const other of names.toReversed()) {
        const height = this.of(findSchema(this.#index, other).definition);
        changed ||= height !== this.#heights.get(other);
        this.#heights.set(other, height);
      }
    }
  }

  #ofOwn(node: SchemaNode): number {
    if (node.values !== undefined) return 0;
    const { types } = node;
    const isScalar = types?.some((type) => type !== 'object' && type !== 'array') ?? false;
    if (isScalar) return 0;
    const heights: number[] = [];
    if (types?.includes('array') !== true && node.required.length > 0) {
      const members = node.required.map((name) => this.of(node.property(name) ?? true));
      heights.push(1 + Math.max(...members));
    }
    if (types?.includes('object') !== true && (node.number('minItems') ?? 0) > 0) {
      const [first] = node.prefixItems;
      heights.push(1 + this.of(first ?? node.schema('items') ?? true));
    }
    return heights.length === 0 ? 0 : Math.min(...heights);
  }
}
