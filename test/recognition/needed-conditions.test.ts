import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areExclusiveConditions,
  canonicalExpression,
} from '../../generator/recognition/exclusive-conditions.ts';
import { keepNeededConditions } from '../../generator/recognition/needed-conditions.ts';
import type { Recognizable } from '../../generator/recognition/recognizable.ts';
import type { Condition, Conditions, JsonSchema } from '../../generator/schema/model.ts';
import { runsOf } from '../some.ts';

type Identified = Pick<Recognizable, 'identifiedBy' | 'identifiedByOrigin'>;

const condition = (expression: string, schema: JsonSchema): Condition => ({ expression, schema });
const derived = (...conditions: Conditions): Identified => ({
  identifiedBy: conditions.length === 0 ? [] : [conditions],
  identifiedByOrigin: 'derived',
});
const body = (path: string): string => `$request.body#${path}`;

/** The conditions that are needed, found by comparing each pair of notifications. */
function neededByPairs(notifications: readonly Identified[]): readonly Identified[] {
  const needed = new Set<string>();
  for (const [index, { identifiedBy }] of notifications.entries()) {
    for (const later of notifications.slice(index + 1)) {
      for (const a of identifiedBy) {
        for (const b of later.identifiedBy) {
          const [nearest] = a
            .flatMap((one, first) => b.map((other, second) => ({ one, other, first, second })))
            .filter(({ one, other }) =>
              areExclusiveConditions(
                condition(one.expression, one.schema),
                condition(other.expression, other.schema),
              ),
            )
            .toSorted((x, y) => x.first + x.second - y.first - y.second || x.first - y.first);
          for (const { expression } of nearest === undefined ? [] : [nearest.one, nearest.other])
            needed.add(canonicalExpression(expression));
        }
      }
    }
  }
  return notifications.map((notification) => {
    if (notification.identifiedByOrigin === 'declared') return notification;
    const identifiedBy = notification.identifiedBy.map((conditions) => {
      const kept = conditions.filter(({ expression }) =>
        needed.has(canonicalExpression(expression)),
      );
      return kept.length === 0 ? conditions : kept;
    });
    return { ...notification, identifiedBy };
  });
}

const expressions = fc.constantFrom(
  ...['/kind', '/data', '/data/kind', '/data/state', '/version', ''].map(body),
  '$request.header.x-kind',
  '$request.header.X-Kind',
  '$method',
);
const schemas: fc.Arbitrary<JsonSchema> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ const: fc.constantFrom('a', 'b', 'c', 1, null, true) }) },
  fc.record({ enum: fc.subarray(['a', 'b', 'c', 1]) }),
  fc.constantFrom<JsonSchema>(
    false,
    {},
    { type: 'string' },
    { type: 'object' },
    { not: { const: 'a' } },
  ),
  fc.constantFrom<JsonSchema>({ pattern: '^a' }, { type: 'string', pattern: '^b' }),
);
const lists = fc.array(
  fc.record(
    { expression: expressions, schema: schemas },
    { requiredKeys: ['expression', 'schema'] },
  ),
  { maxLength: 4 },
);
const identified: fc.Arbitrary<Identified> = fc.oneof(
  { weight: 3, arbitrary: lists.map((conditions) => derived(...conditions)) },
  fc.array(lists, { maxLength: 3 }).map((identifiedBy) => ({
    identifiedBy,
    identifiedByOrigin: 'declared' as const,
  })),
);

describe('conditions that are needed', () => {
  it('are those that a comparison of all pairs finds', () => {
    fc.assert(
      fc.property(fc.array(identified, { maxLength: 7 }), (notifications) => {
        expect(keepNeededConditions(notifications)).toEqual(neededByPairs(notifications));
      }),
      { numRuns: runsOf(500) },
    );
  });

  it('are all conditions if comparing them pair by pair would take too long', () => {
    const overlapping = Array.from({ length: 300 }, (_, index) =>
      derived(
        condition(body('/kind'), { enum: ['all', `k${index}`] }),
        condition(body('/version'), { const: 1 }),
        condition(body('/state'), { enum: ['all', `s${index}`] }),
      ),
    );
    expect(keepNeededConditions(overlapping)).toBe(overlapping);
  });
});
