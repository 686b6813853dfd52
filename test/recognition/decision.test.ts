import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import {
  createDecision,
  type Alternative,
  type Decision as Made,
} from '../../generator/recognition/decision.ts';
import type { Read } from '../../generator/recognition/reads.ts';
import { decide, type Decision, type Readable } from '../../packages/runtime/webhooks/contract.ts';
import { runsOf } from '../some.ts';

const reads: readonly Read[] = [
  { body: ['a'] },
  { body: ['a', 'b'] },
  { body: ['a', 'b', '0'] },
  { body: ['c'] },
  { header: 'x-kind' },
];

const schemas: readonly (JsonObject | boolean)[] = [
  {},
  false,
  { const: 1 },
  { const: 'x' },
  { enum: [1, 2, null] },
  { not: { enum: [1, 'x'] } },
  { type: 'object' },
  { type: ['string', 'null'] },
  { type: 'number' },
  { not: { type: 'integer' } },
  { anyOf: [{ const: true }, { type: 'array' }] },
  { allOf: [{ type: 'integer' }, { not: { const: 2 } }] },
  { pattern: '^x' },
  { type: 'string', pattern: '^x' },
  { type: 'string', pattern: 'y$' },
  { type: 'string', not: { pattern: '^x' } },
  { anyOf: [{ const: 'y' }, { type: 'string', pattern: '^.y$' }] },
];

function readable(header: string | undefined): Readable {
  return {
    method: 'POST',
    path: '/',
    query: '',
    headers: (name) => (name === 'x-kind' && header !== undefined ? [header] : []),
    parameters: {},
    raw: new Uint8Array(),
    cache: new Map(),
  };
}

function create(list: readonly Alternative[]): Made {
  const decision = createDecision(list, reads);
  if (decision === undefined) throw new Error('There is a limit');
  return decision;
}

function toRuntime(decision: Made): Decision {
  return {
    start: decision.start,
    nodes: decision.nodes.map(({ read, pattern, values, types, rest }) => ({
      read,
      ...(pattern === undefined ? {} : { pattern: new RegExp(pattern, 'u') }),
      values: new Map(values),
      types: Object.fromEntries(types),
      rest,
    })),
  };
}

/** What the alternatives say, each by itself: the definition that a decision has to agree with. */
function matching(
  alternatives: readonly Alternative[],
  body: unknown,
  header?: string,
): readonly string[] {
  const names = alternatives.filter(({ conditions }) =>
    conditions.every(({ read, schema }) => satisfies(valueAt(read, body, header), schema)),
  );
  return [...new Set(alternatives.map(({ name }) => name))].filter((name) =>
    names.some((candidate) => candidate.name === name),
  );
}

function valueAt(read: number, body: unknown, header?: string): unknown {
  const place = reads[read];
  if (typeof place !== 'object' || !('body' in place)) return header;
  return place.body.reduce<unknown>(
    (here, member) =>
      typeof here === 'object' && here !== null
        ? (here as Readonly<Record<string, unknown>>)[member]
        : undefined,
    body,
  );
}

function satisfies(value: unknown, schema: JsonObject | boolean): boolean {
  if (value === undefined) return schema === false;
  if (typeof schema === 'boolean') return schema;
  const { const: constant, enum: values, type, pattern, not, anyOf, allOf } = schema;
  const is = (name: unknown): boolean => {
    if (name === 'integer') return Number.isInteger(value);
    if (name === 'null') return value === null;
    if (name === 'array') return Array.isArray(value);
    if (name === 'object')
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    return typeof value === name;
  };
  const all = (list: unknown): readonly JsonObject[] => (list ?? []) as readonly JsonObject[];
  return (
    (constant === undefined || value === constant) &&
    (values === undefined || (values as readonly unknown[]).includes(value)) &&
    (type === undefined || [type].flat().some(is)) &&
    (typeof pattern !== 'string' ||
      typeof value !== 'string' ||
      new RegExp(pattern, 'u').test(value)) &&
    (not === undefined || !satisfies(value, not as JsonObject)) &&
    (anyOf === undefined || all(anyOf).some((part) => satisfies(value, part))) &&
    all(allOf).every((part) => satisfies(value, part))
  );
}

const value = fc.constantFrom(1, 2, 3, 1.5, 'x', 'y', 'xy', 'zy', 'z', null, true, false, [], {});
const body = fc.oneof(
  fc.record(
    { a: fc.oneof(value, fc.record({ b: fc.oneof(value, fc.array(value)) })), c: value },
    { requiredKeys: [] },
  ),
  value,
);
const alternatives = fc.array(
  fc.record({
    name: fc.constantFrom('one', 'two', 'three', 'four'),
    conditions: fc.array(
      fc.record({ read: fc.nat(reads.length - 1), schema: fc.constantFrom(...schemas) }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 8 },
);

describe('a decision', () => {
  test('agrees with its alternatives taken one by one, for every body', () => {
    fc.assert(
      fc.property(
        alternatives,
        body,
        fc.option(fc.constantFrom('x', 'y', 'xy', 'z'), { nil: undefined }),
        (list, member, header) => {
          const decision = create(list);
          const ends = decide(toRuntime(decision), reads, readable(header), member);
          expect(ends).toEqual(matching(list, member, header));
          expect(decision.ends.map(String)).toContain(String(ends));
        },
      ),
      { numRuns: runsOf(5000) },
    );
  });

  test('asks for no value twice on any way', () => {
    fc.assert(
      fc.property(alternatives, (list) => {
        const { nodes, start } = create(list);
        const walk = (next: typeof start, asked: ReadonlySet<string>): void => {
          if (typeof next !== 'number') return;
          const node = nodes[next];
          if (node === undefined) throw new Error(`There is no node ${next}`);
          const question = `${node.read} ${node.pattern ?? ''}`;
          expect(asked).not.toContain(question);
          const more = new Set([...asked, question]);
          for (const way of [...node.values, ...node.types]) walk(way[1], more);
          walk(node.rest, more);
        };
        walk(start, new Set());
      }),
    );
  });

  test('of hundreds of kinds by a header and a member stays small', () => {
    const many = Array.from({ length: 600 }, (_, index) => ({
      name: `kind${index}`,
      conditions: [
        { read: 4, schema: { const: `event${index % 60}` } },
        { read: 3, schema: { const: `action${index}` } },
      ],
    }));
    const { nodes } = create(many);
    expect(nodes.length).toBeLessThanOrEqual(61);
  });

  test('is not made where each of many conditions can hold or not', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      name: `kind${index}`,
      conditions: [{ read: index, schema: {} }],
    }));
    const members = many.map(({ name }) => ({ body: [name] }));
    expect(createDecision(many, members, { steps: Infinity, unions: 4082 })).toBeUndefined();
    expect(createDecision(many, members, { steps: 1000, unions: Infinity })).toBeUndefined();
    const decision = createDecision(many, members, { steps: Infinity, unions: 4083 });
    expect(decision?.ends).toHaveLength(4096);
  });

  test('has no result for patterns that no text matches together', () => {
    const byPrefix = (count: number): readonly Alternative[] =>
      Array.from({ length: count }, (_, index) => ({
        name: `kind${index}`,
        conditions: [{ read: 4, schema: { pattern: `^k${index}-` } }],
      }));
    const { ends, nodes } =
      createDecision(byPrefix(40), reads, undefined, () => true) ?? create([]);
    expect(ends).toHaveLength(41);
    expect(nodes).toHaveLength(41);
    expect(create(byPrefix(2)).ends).toEqual([[], ['kind0', 'kind1'], ['kind0'], ['kind1']]);
    const few = { steps: Infinity, unions: 300 };
    expect(createDecision(byPrefix(10), reads, few)).toBeUndefined();
  });

  test('rejects a condition that constrains more than scalar values, types and patterns', () => {
    const bound = [{ name: 'one', conditions: [{ read: 0, schema: { minimum: 1 } }] }];
    expect(() => createDecision(bound, reads)).toThrow(/"minimum" constrains/);
  });
});
