import { expectLinear, workOf } from '../counted-work.ts';
import { describe, expect, it } from 'vitest';
import { keepNeededConditions } from '../../generator/recognition/needed-conditions.ts';
import type { Recognizable } from '../../generator/recognition/recognizable.ts';
import { recognize } from '../../generator/recognition/recognize.ts';
import type { Condition, Conditions, JsonSchema } from '../../generator/schema/model.ts';

const condition = (expression: string, schema: JsonSchema): Condition => ({ expression, schema });
const body = (path: string): string => `$request.body#${path}`;
const derived = (
  ...conditions: Conditions
): Pick<Recognizable, 'identifiedBy' | 'identifiedByOrigin'> => ({
  identifiedBy: [conditions],
  identifiedByOrigin: 'derived',
});

describe('conditions that are needed', () => {
  it('are found by looking constants up, not by comparing each pair', async () => {
    const kinds: Readonly<Record<string, (index: number) => ReturnType<typeof derived>>> = {
      'a header and members': (index) =>
        derived(
          condition('$request.header.x-kind', { const: `k${index}` }),
          condition(body('/kind'), { const: `k${index}` }),
          condition(body('/version'), { const: 1 }),
        ),
      'two members': (index) =>
        derived(
          condition(body('/kind'), { const: `k${index % 9}` }),
          condition(body('/state'), { const: `s${Math.floor(index / 9)}` }),
          condition(body('/data/state'), { const: `s${Math.floor(index / 9)}` }),
        ),
      'a member of its own': (index) =>
        derived(
          condition(body('/kind'), { const: `k${index}` }),
          condition(body(`/m${index}`), { const: 1 }),
        ),
      'lists of values': (index) =>
        derived(condition(body('/kind'), { enum: [`k${index}`, `l${index}`] })),
    };
    for (const kindOf of Object.values(kinds)) {
      await expectLinear(
        (size) => keepNeededConditions(Array.from({ length: size }, (_, index) => kindOf(index))),
        200,
        /\/generator\/(?:recognition|schema)\//u,
      );
    }
  });
});

describe('a decision', () => {
  const recognizable = (index: number, conditions: Conditions): Recognizable => ({
    name: `kind${index}`,
    pointer: 'openapi#',
    label: { path: `/kinds/${index % 7}` },
    headers: [],
    contentType: 'application/json',
    payload: 'Body',
    identifiedBy: [conditions],
    identifiedByOrigin: 'declared',
  });

  it.each([
    ['constants', (index: number) => [condition(body('/kind'), { const: `k${index}` })]],
    [
      'constants that can be missing',
      (index: number) => [
        { ...condition(body('/kind'), { const: `k${index}` }), optional: true as const },
      ],
    ],
    [
      'two constants',
      (index: number) => [
        condition(body('/kind'), { const: `k${index % 20}` }),
        condition(body('/state'), { const: `s${Math.floor(index / 20)}` }),
      ],
    ],
  ])('by %s costs no more than its values', async (_, conditionsOf) => {
    await expectLinear(
      (size) =>
        recognize(
          Array.from({ length: size }, (_, index) => recognizable(index, conditionsOf(index))),
          [],
        ),
      200,
      /\/generator\/(?:recognition|schema)\//u,
    );
  });

  /** Returns kinds, each with as many alternatives of three headers, so that the headers can be there in any combination. */
  const combined = (size: number): readonly Recognizable[] =>
    Array.from({ length: 2 }, (_, kind) => ({
      ...recognizable(kind, []),
      identifiedBy: Array.from({ length: size }, (__, index) =>
        [index * 7 + kind, index * 11 + 3 * kind + 1, index * 5 + 2 + kind].map((header) =>
          condition(`$request.header.x-h${header % size}`, { type: 'string' }),
        ),
      ),
    }));

  it('by headers in any combination has a budget in proportion to the alternatives', async () => {
    const works: number[] = [];
    for (const size of [20, 40, 80, 160])
      works.push(await workOf(() => recognize(combined(size), []), /\/generator\/recognition\//u));
    // Twice the alternatives have twice the budget, and none have more.
    for (const [index, work] of works.slice(1).entries())
      expect(work / (works[index] ?? 0)).toBeLessThan(2.5);
  });

  it('distinguishes two thousand kinds by one value', () => {
    const { kindOf, passedOver } = recognize(
      Array.from({ length: 2000 }, (_, index) =>
        recognizable(index, [condition(body('/kind'), { const: `k${index}` })]),
      ),
      [],
    );
    expect(passedOver).toEqual([]);
    expect(kindOf.ends.filter((end) => end.length === 1)).toHaveLength(2000);
  });
});
