import { SchemaNode } from 'countersign/companion/contract';
import { isJsonObject } from 'countersign/companion/values';
import type { Schema } from 'countersign';
import type { SchemaIndex } from 'countersign/kit';
import { type Part, type Place, within } from './place.ts';

/** Keywords of one schema that a value has to satisfy. */
export interface Conjunct {
  readonly node: SchemaNode;
  readonly at: Place;
  /** The schema that contains it, or refers to it, for the same value. */
  readonly outer?: Conjunct | undefined;
}

/** One way to be valid: the keywords of several schemas, all of which have to accept the value. */
export interface Choice {
  readonly conjuncts: readonly Conjunct[];
  /** What authors call it: names of schemas and titles, from the outside in. */
  readonly labels: readonly string[];
  /** The index of the alternative in each union that it comes from. */
  readonly isAlternative: boolean;
  /** Whether another alternative of a `oneOf` must not accept the value. */
  readonly isExclusive: boolean;
}

/** The number of choices after which unions are compared as they are written. */
const maxChoices = 1000;

/** The choices of a value, or `undefined` if there are too many. Unions become choices; references are followed. */
export function choicesOf(
  parts: readonly Part[],
  index: SchemaIndex,
): readonly Choice[] | undefined {
  return product(parts.map((part) => read(part, undefined, new Set(), index)));
}

const anything: Choice = {
  conjuncts: [],
  labels: [],
  isAlternative: false,
  isExclusive: false,
};

function read(
  { schema, at }: Part,
  outer: Conjunct | undefined,
  open: ReadonlySet<string>,
  index: SchemaIndex,
): readonly Choice[] | undefined {
  const node = new SchemaNode(schema);
  if (isNever(node)) return [];
  const own: Conjunct = { node, at, outer };
  const deeper = (keyword: string): readonly (readonly Choice[] | undefined)[] =>
    (keyword === 'allOf' ? node.allOf : keyword === 'oneOf' ? node.oneOf : node.anyOf).map(
      (sub, position) => read({ schema: sub, at: within(at, keyword, position) }, own, open, index),
    );
  const factors: (readonly Choice[] | undefined)[] = [
    [{ ...anything, conjuncts: [own] }],
    ...deeper('allOf'),
  ];
  const { reference } = node;
  // A schema that refers to itself for the same value adds no rule.
  if (reference !== undefined && !open.has(reference)) {
    const target = index.get(reference);
    if (target !== undefined) {
      const place = { pointer: target.pointer, owner: ownerOf(target, index), path: '' };
      const followed = read(
        { schema: target.definition, at: place },
        own,
        new Set([...open, reference]),
        index,
      );
      factors.push(followed?.map((choice) => labelled(choice, target.variantOf ?? reference)));
    }
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    if (node.list(keyword) === undefined) continue;
    const alternatives = deeper(keyword);
    if (alternatives.includes(undefined)) return undefined;
    factors.push(
      alternatives.flatMap((alternative) =>
        (alternative ?? []).map((choice) => ({
          ...choice,
          isAlternative: choice.isAlternative || alternatives.length > 1,
          isExclusive: choice.isExclusive || (keyword === 'oneOf' && alternatives.length > 1),
        })),
      ),
    );
  }
  const title = node.text('title');
  return product(factors)?.map((choice) =>
    title === undefined ? choice : labelled(choice, title),
  );
}

/** Returns whether a schema accepts nothing: `false`, or `not` with a schema that accepts everything. */
function isNever({ keywords }: SchemaNode): boolean {
  const { not } = keywords;
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0);
}

/** Returns the subject of changes in a named schema; empty for one that the contract does not name. */
export function ownerOf(schema: Schema, index: SchemaIndex): string {
  const written = schema.origin === 'request' ? index.get(schema.variantOf ?? '') : schema;
  return written?.origin === 'component' ? `schema ${written.name}` : '';
}

function labelled(choice: Choice, label: string): Choice {
  return { ...choice, labels: [label, ...choice.labels] };
}

function product(
  factors: readonly (readonly Choice[] | undefined)[],
): readonly Choice[] | undefined {
  let choices: readonly Choice[] = [anything];
  for (const factor of factors) {
    if (factor === undefined || choices.length * factor.length > maxChoices) return undefined;
    choices = choices.flatMap((left) =>
      factor.map((right) => ({
        conjuncts: [...left.conjuncts, ...right.conjuncts],
        labels: [...left.labels, ...right.labels],
        isAlternative: left.isAlternative || right.isAlternative,
        isExclusive: left.isExclusive || right.isExclusive,
      })),
    );
  }
  return choices;
}
