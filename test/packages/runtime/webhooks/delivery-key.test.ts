import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Readable } from '../../../../packages/runtime/webhooks/contract.ts';
import { deliveryKey } from '../../../../packages/runtime/webhooks/identify.ts';
import { removeNode } from '../without-node.ts';

const from: Readable = {
  method: 'POST',
  path: '/',
  query: '',
  headers: () => [],
  parameters: {},
  raw: Uint8Array.of(1, 2, 3),
  cache: new Map(),
};

function keyOf(body: unknown, kind = 'charge'): unknown {
  return deliveryKey(kind, [{ body: [] }], from, body);
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The same value with the members of every object in another order. */
function shuffled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member)]);
  return Object.fromEntries(entries.toReversed());
}

describe('the key of a delivery by its content', () => {
  test('is the same in whichever order members stand', () => {
    const deep = { z: [{ b: 1, a: [{}, []] }, 'x'], a: null, m: { '2': 1, '10': 2 } };
    expect(keyOf(shuffled(deep))).toBe(keyOf(deep));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(keyOf(shuffled(value))).toBe(keyOf(value));
      }),
    );
  });

  test('is the same for many members too', () => {
    const entries = Array.from({ length: 100 }, (_, index): [string, number] => [
      `n${index}`,
      index,
    ]);
    const [object, other] = [Object.fromEntries(entries), Object.fromEntries(entries.toReversed())];
    expect(keyOf(object)).toBe(keyOf(other));
  });

  test('sorts the names of equal members once', () => {
    const sort = vi.spyOn(Array.prototype, 'sort');
    const values = [1, 2, 3].map((b) => ({ sortedOnce: b, member: { thirdName: b, a: b, z: b } }));
    for (const value of values) keyOf(value);
    expect(sort).toHaveBeenCalledTimes(2);
    keyOf({ member: { thirdName: 1, a: 1, y: 1 }, sortedOnce: 1 });
    expect(sort).toHaveBeenCalledTimes(4);
    sort.mockRestore();
  });

  test('differs wherever content differs', () => {
    const values: readonly unknown[] = [
      {},
      [],
      [[]],
      [{}],
      [[], []],
      [[[]]],
      [[[]], []],
      { a: [] },
      { a: {} },
      { a: [{}] },
      { a: [[]] },
      { a: { b: 1 } },
      { a: {}, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 'b', b: 'a' },
      ['a', 'b'],
      [['a'], 'b'],
      ['a', ['b']],
      [['a', 'b']],
      'a',
      '',
      null,
      [null],
      true,
      1,
      '1',
      ['1'],
      [1],
      '\uD800',
      '\uDFFF',
      '\uFFFD',
    ];
    expect(new Set(values.map((value) => keyOf(value))).size).toBe(values.length);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        // What travels as JSON knows no difference between the two zeros.
        const areEqual = isDeepStrictEqual(travelled(left), travelled(right));
        expect(keyOf(left) === keyOf(right)).toBe(areEqual);
      }),
    );
  });

  test('differs from kind to kind', () => {
    expect(keyOf({}, 'charge')).not.toBe(keyOf({}, 'reversal'));
  });

  test('is a digest: nothing of a delivery is in it', () => {
    expect(keyOf({ document: '99999999999' })).toMatch(/^[\w+/]{43}=$/);
  });

  test('is made of what is declared, in its order, where any of it is there', () => {
    const reads = [{ body: ['a'] }, { body: ['b'] }, 'raw'] as const;
    const key = (body: unknown, count = 2): unknown =>
      deliveryKey('charge', reads.slice(0, count), from, body);
    expect(key({ c: 1 })).toBeUndefined();
    expect(key({ a: 1, c: 1 })).toBe(key({ c: 2, a: 1 }));
    expect(key({ a: 1 })).not.toBe(key({ b: 1 }));
    expect(key({ a: null })).not.toBe(key({ a: {} }));
    expect(key({ c: 1 }, 3)).toMatch(/^[\w+/]{43}=$/);
    expect(deliveryKey('charge', [], from, {})).toBeUndefined();
  });
});

test('a platform without modules of Node computes the same key', async () => {
  const restore = removeNode();
  try {
    // A module of its own: a module looks up the hash of the platform once.
    const path = '../../../../packages/runtime/webhooks/identify.ts?without-node';
    const web = (await import(/* @vite-ignore */ path)) as { deliveryKey: typeof deliveryKey };
    const key = web.deliveryKey('charge', [{ body: [] }], from, { a: ['é'] });
    expect(key).toBeInstanceOf(Promise);
    expect(await key).toBe(keyOf({ a: ['é'] }));
  } finally {
    restore();
  }
});
