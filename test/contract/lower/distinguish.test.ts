import { describe, expect, it } from 'vitest';
import type { Conditions, JsonSchema } from '../../../generator/schema/model.ts';
import { canBothMatch } from '../../../generator/contract/lower/distinguish.ts';

type Written = Readonly<Record<string, JsonSchema>>;

const conditions = (written: Written): Conditions =>
  Object.entries(written).map(([expression, schema]) => ({ expression, schema }));

const body = (path: string): string => `$request.body#${path}`;

const pairs: readonly (readonly [name: string, Written[], Written[], boolean])[] = [
  ['no conditions on one side', [], [{ [body('/a')]: { const: 1 } }], true],
  ['an alternative without conditions', [{}], [{ [body('/a')]: { const: 1 } }], true],
  ['two constants', [{ [body('/a')]: { const: 1 } }], [{ [body('/a')]: { const: 2 } }], false],
  ['one constant', [{ [body('/a')]: { const: 1 } }], [{ [body('/a')]: { const: 1 } }], true],
  [
    'constants of different members',
    [{ [body('/a')]: { const: 1 } }],
    [{ [body('/b')]: { const: 2 } }],
    true,
  ],
  ['absence and presence', [{ [body('/a')]: false }], [{ [body('/a')]: {} }], false],
  ['absence on both sides', [{ [body('/a')]: false }], [{ [body('/a')]: false }], true],
  [
    'absence and presence of something inside',
    [{ [body('/a')]: false }],
    [{ [body('/a/b')]: {} }],
    false,
  ],
  [
    'absence of something inside and presence around it',
    [{ [body('/a/b')]: false }],
    [{ [body('/a')]: {} }],
    true,
  ],
  [
    'a scalar and something inside it',
    [{ [body('/a')]: { type: 'string' } }],
    [{ [body('/a/b')]: {} }],
    false,
  ],
  [
    'an array and a member of an object',
    [{ [body('/a')]: { type: 'array' } }],
    [{ [body('/a/b')]: {} }],
    false,
  ],
  ['an array and its item', [{ [body('/a')]: { type: 'array' } }], [{ [body('/a/0')]: {} }], true],
  [
    'the whole body as an array and a member of it',
    [{ '$request.body': { type: 'array' } }],
    [{ [body('/a')]: {} }],
    false,
  ],
  [
    'a member whose name only begins alike',
    [{ [body('/a')]: false }],
    [{ [body('/ab')]: {} }],
    true,
  ],
  [
    'a header in two cases',
    [{ '$request.header.X-Kind': { const: 'a' } }],
    [{ '$request.header.x-kind': { const: 'b' } }],
    false,
  ],
  [
    'a member in two cases',
    [{ [body('/A')]: { const: 'a' } }],
    [{ [body('/a')]: { const: 'b' } }],
    true,
  ],
  [
    'alternatives of which one pair agrees',
    [{ [body('/a')]: { const: 1 } }, { [body('/a')]: { const: 2 } }],
    [{ [body('/a')]: { enum: [2, 3] } }],
    true,
  ],
  [
    'alternatives of which none agrees',
    [{ [body('/a')]: { const: 1 } }, { [body('/a')]: { const: 2 } }],
    [{ [body('/a')]: { enum: [3, 4] } }, { [body('/a')]: { type: 'string' } }],
    false,
  ],
  [
    'one contradiction among several conditions',
    [{ [body('/a')]: { const: 1 }, [body('/b')]: {} }],
    [{ [body('/a')]: { const: 1 }, [body('/b')]: false }],
    false,
  ],
];

describe('two notifications', () => {
  it.each(pairs)('with %s', (_, left, right, expected) => {
    const [a, b] = [left.map(conditions), right.map(conditions)];
    expect(canBothMatch(a, b)).toBe(expected);
    expect(canBothMatch(b, a)).toBe(expected);
  });
});
