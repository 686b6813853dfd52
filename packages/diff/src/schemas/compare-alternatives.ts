import { SchemaNode } from 'countersign/companion/contract';
import { isAnnotation } from 'countersign/companion/project';
import { toCanonical } from 'countersign/companion/values';
import type { JsonSchema } from 'countersign';
import { formatValue } from '../format-value.ts';
import type { SchemaChangeCode } from '../verdicts/schema.ts';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

/**
 * Makes two schemas comparable if only one of them is a union: wraps the rules of the other one in a union with one
 * alternative.
 */
export function asAlternatives(
  base: SchemaNode,
  head: SchemaNode,
): readonly [base: SchemaNode, head: SchemaNode] {
  if (isUnion(base) === isUnion(head)) return [base, head];
  return isUnion(base) ? [base, wrapped(head, base)] : [wrapped(base, head), head];
}

function isUnion(schema: SchemaNode): boolean {
  const rules = Object.keys(schema.keywords).filter((keyword) => !isAnnotation(keyword));
  return rules.length === 1 && schema.union !== undefined;
}

function wrapped({ keywords }: SchemaNode, { union }: SchemaNode): SchemaNode {
  const [annotations, rules] = [true, false].map((wanted) =>
    Object.fromEntries(
      Object.entries(keywords).filter(([keyword]) => isAnnotation(keyword) === wanted),
    ),
  );
  return new SchemaNode({ ...annotations, [union?.keyword ?? 'oneOf']: [rules ?? {}] });
}

/** Compares intersections (`allOf`) and unions (`oneOf`, `anyOf`). */
export function* compareAlternatives(pair: SchemaPair): Generator<SchemaDifference> {
  const { base, head } = pair;
  yield* compareLists(
    pair,
    { keyword: 'allOf', schemas: base.allOf },
    { keyword: 'allOf', schemas: head.allOf },
    [
      ['rule-added', 'The values must match another schema'],
      ['rule-removed', 'The values need not match a schema'],
    ],
  );
  const [was, is] = [base.union, head.union];
  if (was === undefined || is === undefined) {
    if (is !== undefined)
      yield pair.differ('rule-added', 'It must match one of several schemas.', is.keyword);
    if (was !== undefined)
      yield pair.differ('rule-removed', 'It need not match one of several schemas.', was.keyword);
    return;
  }
  if (was.keyword !== is.keyword) {
    yield is.keyword === 'oneOf'
      ? pair.differ('rule-added', 'A value must not match several schemas.', is.keyword)
      : pair.differ('rule-removed', 'A value can match several schemas.', is.keyword);
  }
  yield* compareLists(pair, was, is, [
    ['alternative-added', 'An alternative was added'],
    ['alternative-removed', 'An alternative was removed'],
  ]);
}

/** A keyword with a list of schemas for the same value. */
interface SchemaList {
  readonly keyword: string;
  readonly schemas: readonly JsonSchema[];
}

type ListChange = readonly [code: SchemaChangeCode, message: string];

function* compareLists(
  pair: SchemaPair,
  base: SchemaList,
  head: SchemaList,
  [added, removed]: readonly [ListChange, ListChange],
): Generator<SchemaDifference> {
  const { pairs, come, gone } = pairUp(base.schemas, head.schemas);
  for (const [baseIndex, headIndex] of pairs)
    yield* pair.compare(base.schemas[baseIndex] ?? true, head.schemas[headIndex] ?? true, {
      base: [base.keyword, baseIndex],
      head: [head.keyword, headIndex],
    });
  for (const index of come) {
    const message = `${added[1]}: ${summary(head.schemas[index])}.`;
    yield pair.differ(added[0], message, head.keyword, index);
  }
  for (const index of gone) {
    const message = `${removed[1]}: ${summary(base.schemas[index])}.`;
    yield pair.differ(removed[0], message, base.keyword, index);
  }
}

interface Pairing {
  readonly pairs: readonly (readonly [base: number, head: number])[];
  readonly come: Iterable<number>;
  readonly gone: Iterable<number>;
}

/**
 * Pairs the subschemas of two lists: first equal ones, then those with the same reference, title or constants. The rest
 * is paired by position if both lists have the same number left.
 */
function pairUp(base: readonly JsonSchema[], head: readonly JsonSchema[]): Pairing {
  const pairs: [number, number][] = [];
  const gone = new Set(base.keys());
  const come = new Set(head.keys());
  const match = (keyOf: (schema: JsonSchema) => string | undefined): void => {
    const keys = base.map(keyOf);
    for (const headIndex of come) {
      const key = keyOf(head[headIndex] ?? true);
      const baseIndex = [...gone].find((index) => key !== undefined && keys[index] === key);
      if (baseIndex === undefined) continue;
      pairs.push([baseIndex, headIndex]);
      gone.delete(baseIndex);
      come.delete(headIndex);
    }
  };
  match(toCanonical);
  match((schema) => new SchemaNode(schema).reference);
  match((schema) => new SchemaNode(schema).text('title'));
  match(constantsOf);
  if (gone.size !== come.size) return { pairs, come, gone };
  const rest = [...gone];
  return {
    pairs: [
      ...pairs,
      ...Array.from(come, (headIndex, index) => [rest[index] ?? 0, headIndex] as const),
    ],
    come: [],
    gone: [],
  };
}

/** Returns the `const` members of an object schema, which usually distinguish the alternatives of a union. */
function constantsOf(schema: JsonSchema): string | undefined {
  const constants = new SchemaNode(schema).properties.flatMap(([name, member]) => {
    const { keywords } = new SchemaNode(member);
    return keywords['const'] === undefined ? [] : [[name, keywords['const']]];
  });
  return constants.length === 0 ? undefined : toCanonical(constants);
}

function summary(schema: JsonSchema = true): string {
  const node = new SchemaNode(schema);
  return formatValue(node.reference ?? node.text('title') ?? schema);
}
