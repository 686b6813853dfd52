import type { JsonSchema, Pointer } from 'countersign';
import { memoize, SchemaNode } from 'countersign/companion/contract';
import { escapeMember, toPointer } from 'countersign/companion/values';
import type { Json, JsonObject, SchemaIndex } from 'countersign/kit';
import { formatChange, formatValue } from '../format-value.ts';
import { asAlternatives, compareAlternatives } from './compare-alternatives.ts';
import { compareAnnotations } from './compare-annotations.ts';
import { compareEnumerations } from './compare-enumerations.ts';
import { compareMembers } from './compare-members.ts';
import { compareRules } from './compare-rules.ts';
import { compareTypes } from './compare-types.ts';
import type { SchemaDifference, SchemaPair, SchemaPath, SchemaSide } from './schema-pair.ts';

/**
 * Compares two schemas. If both have the same reference, it is not followed: its target is compared under its own name.
 * Different references are compared by their targets.
 */
export function compareSchemas(base: SchemaSide, head: SchemaSide): Iterable<SchemaDifference> {
  return new Comparison(base, head).compareAll(base.definition, head.definition, {
    base: base.pointer,
    head: head.pointer,
    path: '',
  });
}

/** The places of two corresponding subschemas, and the path of the value that they describe. */
interface PairPlace {
  readonly base: Pointer;
  readonly head: Pointer;
  readonly path: string;
}

/** The most pairs of different references that are followed in one another. Deeper pairs are compared afterwards. */
const maxOpen = 50;

/** The number of followed pairs after which a pair is compared only at its first place: places can double with each schema. */
const maxFollowed = 1000;

/**
 * The number of followed pairs for each schema after which no pair is followed. Cycles of different lengths have as many
 * pairs as the product of their lengths.
 */
const maxFollowedOfEach = 4;

/** Returns the pairs of two contracts without a difference, so that schemas that refer to them do not follow them again. */
const equalPairsOf = memoize((_base: SchemaIndex) =>
  memoize((_head: SchemaIndex) => new Set<string>()),
);

class Comparison {
  readonly #base: SchemaSide;
  readonly #head: SchemaSide;
  readonly #most: number;
  readonly #equal: Set<string>;
  /** The pairs of schemas whose references are being followed; recursive schemas end here. */
  readonly #open = new Set<string>();
  /** All pairs that were followed so far. */
  readonly #followed = new Set<string>();
  #count = 0;
  readonly #later: (() => Generator<SchemaDifference>)[] = [];

  constructor(base: SchemaSide, head: SchemaSide) {
    this.#base = base;
    this.#head = head;
    const schemas = base.schemas.size + head.schemas.size;
    this.#equal = equalPairsOf(base.schemas)(head.schemas);
    this.#most = Math.max(maxFollowed, maxFollowedOfEach * schemas);
  }

  *compareAll(base: JsonSchema, head: JsonSchema, at: PairPlace): Generator<SchemaDifference> {
    let isEqual = true;
    for (const difference of this.#compareEach(base, head, at)) {
      isEqual = false;
      yield difference;
    }
    if (isEqual) for (const key of this.#followed) this.#equal.add(key);
  }

  *#compareEach(base: JsonSchema, head: JsonSchema, at: PairPlace): Generator<SchemaDifference> {
    yield* this.compare(base, head, at);
    // The iteration includes pairs that are added during it.
    for (const compareLater of this.#later) yield* compareLater();
  }

  *compare(base: JsonSchema, head: JsonSchema, at: PairPlace): Generator<SchemaDifference> {
    const [baseNode, headNode] = alignReferences(new SchemaNode(base), new SchemaNode(head));
    if (baseNode.reference === headNode.reference) {
      yield* this.#compareKeywords(...asAlternatives(baseNode, headNode), at);
      return;
    }
    const key = JSON.stringify([baseNode.reference, headNode.reference, base, head]);
    if (this.#open.has(key) || this.#equal.has(key)) return;
    if (this.#count >= maxFollowed && this.#followed.has(key)) return;
    if (this.#count >= this.#most) {
      this.#followed.add(key);
      yield {
        code: 'rule-changed',
        side: 'head',
        pointer: at.head,
        path: at.path,
        message: `It is ${nameOf(headNode)} instead of ${nameOf(baseNode)}, and too many schemas refer to others to compare these two.`,
      };
      return;
    }
    this.#count += 1;
    this.#followed.add(key);
    const follow = (): Generator<SchemaDifference> =>
      this.compare(resolve(baseNode, this.#base), resolve(headNode, this.#head), at);
    if (this.#open.size >= maxOpen) {
      this.#later.push(follow);
      return;
    }
    this.#open.add(key);
    yield* follow();
    this.#open.delete(key);
  }

  *#compareKeywords(
    base: SchemaNode,
    head: SchemaNode,
    at: PairPlace,
  ): Generator<SchemaDifference> {
    const pair: SchemaPair = {
      base,
      head,
      differ(code, message, ...keyword) {
        const isGone = keyword.length > 0 && !has(head, keyword) && has(base, keyword);
        const side = isGone ? 'base' : 'head';
        return { code, side, pointer: toPointer(at[side], ...keyword), path: at.path, message };
      },
      differIn(code, keyword) {
        const values = [base.keywords[keyword], head.keywords[keyword]] as const;
        return pair.differ(code, formatChange(`\`${keyword}\``, ...values), keyword);
      },
      compare: (baseSchema, headSchema, { base: basePath, head: headPath, member }) =>
        this.compare(baseSchema, headSchema, {
          base: toPointer(at.base, ...basePath),
          head: toPointer(at.head, ...headPath),
          path: member === undefined ? at.path : `${at.path}/${escapeMember(member)}`,
        }),
    };
    const types = compareTypes(pair);
    if (types !== undefined) yield types;
    yield* compareAnnotations(pair);
    // Values without a common type need no further comparison.
    if (types?.code === 'type-changed') return;
    yield* compareEnumerations(pair);
    yield* compareRules(pair);
    yield* compareMembers(pair);
    yield* compareAlternatives(pair);
  }
}

/**
 * Returns two schemas with their references written alike. A reference is in `allOf` if keywords are beside it that
 * apply to the value too; such a keyword must not change the comparison of the reference.
 */
function alignReferences(base: SchemaNode, head: SchemaNode): readonly [SchemaNode, SchemaNode] {
  const [alignedBase, alignedHead] = [withReference(base), withReference(head)];
  return alignedBase.reference === alignedHead.reference
    ? [alignedBase, alignedHead]
    : [base, head];
}

function withReference(node: SchemaNode): SchemaNode {
  const [only, ...rest] = node.allOf;
  if (node.reference !== undefined || only === undefined || rest.length > 0) return node;
  const { reference, keywords } = new SchemaNode(only);
  if (reference === undefined || Object.keys(keywords).length > 1) return node;
  const { allOf: _, ...beside } = node.keywords;
  return new SchemaNode({ ...keywords, ...beside });
}

function nameOf({ reference }: SchemaNode): string {
  return reference === undefined ? 'a schema without a name' : formatValue(reference);
}

/** Returns the target of a reference, merged with the keywords beside the reference. */
function resolve({ reference, keywords }: SchemaNode, { schemas }: SchemaSide): JsonSchema {
  if (reference === undefined) return keywords;
  const { $ref: _, ...beside } = keywords;
  const target = new SchemaNode(schemas.get(reference)?.definition ?? true);
  return { ...target.keywords, ...beside };
}

function has({ keywords }: SchemaNode, path: SchemaPath): boolean {
  let value: Json | undefined = keywords;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as JsonObject)[key];
  }
  return value !== undefined;
}
