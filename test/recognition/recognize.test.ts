import { describe, expect, it } from 'vitest';
import type { Conditions, JsonSchema } from '../../generator/schema/model.ts';
import type { Recognizable } from '../../generator/recognition/recognizable.ts';
import { ambiguousKinds, recognize } from '../../generator/recognition/recognize.ts';

type SchemasByName = Readonly<Record<string, JsonSchema>>;

const conditions = (schemas: SchemasByName): Conditions =>
  Object.entries(schemas).map(([expression, schema]) => ({ expression, schema }));

const notification = (name: string, more: Partial<Recognizable> = {}): Recognizable => ({
  name,
  pointer: 'openapi#',
  headers: [],
  contentType: 'application/json',
  payload: 'Body',
  identifiedBy: [],
  identifiedByOrigin: 'declared',
  ...more,
});

const body = (path: string): string => `$request.body#${path}`;

const pairs: readonly (readonly [name: string, SchemasByName[], SchemasByName[], boolean])[] = [
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
    const a = notification('a', { identifiedBy: left.map(conditions) });
    const b = notification('b', { identifiedBy: right.map(conditions) });
    for (const both of [
      [a, b],
      [b, a],
    ]) {
      const ambiguous = ambiguousKinds(both, recognize(both, []));
      expect(ambiguous.get('a')).toEqual(expected ? ['b'] : []);
      expect(ambiguous.get('b')).toEqual(expected ? ['a'] : []);
    }
  });
});

const of = (value: string): readonly Conditions[] => [
  conditions({ [body('/a')]: { const: value } }),
];

describe('kinds that nothing distinguishes', () => {
  const indistinct = (...notifications: readonly Recognizable[]): readonly (readonly string[])[] =>
    recognize(notifications, []).indistinct;

  it('have the same conditions', () => {
    expect(indistinct(notification('a'), notification('b'))).toEqual([['a', 'b']]);
    expect(
      indistinct(
        notification('a', { identifiedBy: of('x') }),
        notification('b', { identifiedBy: of('y') }),
        notification('c', { identifiedBy: of('x') }),
      ),
    ).toEqual([['a', 'c']]);
  });

  it.each<readonly [string, Partial<Recognizable>, Partial<Recognizable>]>([
    ['their labels', { label: { path: '/a' } }, { label: { path: '/b' } }],
    [
      'the methods of one label',
      { label: { path: '/a', method: 'POST' } },
      { label: { path: '/a', method: 'PUT' } },
    ],
    ['a form and JSON', { encoding: 'form' }, {}],
    ['XML and JSON', { contentType: 'application/xml' }, {}],
    ['XML of a vendor and a form', { contentType: 'application/a+xml' }, { encoding: 'form' }],
  ])('are none with %s', (_, a, b) => {
    expect(indistinct(notification('a', a), notification('b', b))).toEqual([]);
  });

  it.each<readonly [string, Partial<Recognizable>, Partial<Recognizable>]>([
    ['text and JSON', { contentType: 'text/plain' }, {}],
    ['bytes and a range of media types', { contentType: 'image/png' }, { contentType: '*/*' }],
    ['one label without a method', { label: { path: '/{a}' } }, { label: { path: '/{b}' } }],
  ])('are %s', (_, a, b) => {
    expect(indistinct(notification('a', a), notification('b', b))).toEqual([['a', 'b']]);
  });
});

it('a group is every set of kinds that can remain', () => {
  const { groups } = recognize(
    [
      notification('a', { identifiedBy: of('x'), label: { path: '/l' } }),
      notification('b', { identifiedBy: of('x') }),
      notification('c', { encoding: 'form' }),
    ],
    [],
  );
  expect(groups).toEqual([['a', 'b'], ['c'], ['a']]);
});

it('a condition that cannot be decided is left out', () => {
  const recognition = recognize(
    [notification('a', { identifiedBy: [conditions({ [body('/a')]: { pattern: null } })] })],
    [],
  );
  expect(recognition.kindOf.start).toEqual(['a']);
});
