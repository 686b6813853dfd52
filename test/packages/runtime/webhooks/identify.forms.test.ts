import { expect, test } from 'vitest';
import type { Catalogue, Check, Readable } from '../../../../packages/runtime/webhooks/contract.ts';
import { type Identification, identify } from '../../../../packages/runtime/webhooks/identify.ts';

const from: Readable = {
  method: 'POST',
  path: '/',
  query: '',
  headers: () => [],
  parameters: {},
  raw: new Uint8Array(),
  cache: new Map(),
};

function isObjectWith(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member);
}

function checkOf(member: string): Check {
  return {
    accepts: (value) => isObjectWith(value, member),
    violations: (value) =>
      isObjectWith(value, member) ? [] : [{ pointer: '', keyword: 'required', message: member }],
  };
}

function listOf(member: string): Check {
  const places = (value: unknown): readonly string[] =>
    (value as { boats: readonly unknown[] }).boats.flatMap((boat, index) =>
      isObjectWith(boat, member) ? [] : [`/boats/${index}`],
    );
  return {
    accepts: (value) => places(value).length === 0,
    violations: (value) =>
      places(value).map((pointer) => ({ pointer, keyword: 'required', message: member })),
  };
}

/** Two kinds with one wire variant: nothing but their schemas distinguishes them. */
const catalogue: Catalogue = {
  name: 'test',
  kinds: new Map([
    ['ship', { check: checkOf('crew') }],
    ['ferry', { check: checkOf('cars') }],
  ]),
  unions: new Map([['ship ferry', 'shipOrFerry']]),
  routes: [],
  methods: ['POST'],
  reads: [{ body: ['boats'] }],
  kindOf: { nodes: [], start: ['ship', 'ferry'] },
  forms: new Map([
    [
      'shipList',
      {
        name: 'list',
        kinds: ['ship', 'ferry'],
        each: ['boats'],
        as: [],
        rename: new Map(),
        checks: [listOf('crew'), listOf('cars')],
      },
    ],
  ]),
  formOf: { nodes: [{ read: 0, types: { array: ['shipList'] }, rest: [] }], start: 0 },
};

function identifyBoats(boats: readonly unknown[], exact = boats): Identification {
  return identify(
    catalogue,
    from,
    undefined,
    { value: { boats }, exact: { boats: exact } },
    'refuse',
  );
}

test('a list is valid where each element is valid by one of the schemas', () => {
  const { form, count, events, invalid } = identifyBoats([{ crew: 1 }, { cars: 2 }]);
  expect({ form, count, invalid }).toEqual({ form: 'list', count: 2, invalid: undefined });
  expect(events.map(({ name }) => name)).toEqual(['shipOrFerry', 'shipOrFerry']);
});

test('only elements that no schema accepts are violations', () => {
  const { events, invalid } = identifyBoats([{ crew: 1 }, {}, { cars: 2 }]);
  expect(events.map(({ index }) => index)).toEqual([0, 2]);
  expect(invalid?.violations).toEqual([
    { pointer: '/boats/1', index: 1, keyword: 'required', message: 'crew' },
    { pointer: '/boats/1', index: 1, keyword: 'required', message: 'cars' },
  ]);
});

test('an inexact number concerns its element only, whatever the key of the variant is', () => {
  const { events, invalid } = identifyBoats(
    [{ crew: 1 }, { cars: 2 }],
    [{ crew: '1.000000000000000000001' }, { cars: 2 }],
  );
  expect(events.map(({ index }) => index)).toEqual([1]);
  expect(invalid?.violations).toMatchObject([{ pointer: '/boats/0/crew', index: 0 }]);
});

/** A boat has a crew, and a raft need not have anything. What a boat is, its type tells. */
const told: Catalogue = {
  ...catalogue,
  unions: new Map(),
  kinds: new Map([
    ['boat', { check: checkOf('crew') }],
    ['raft', { check: { accepts: () => true, violations: () => [] } }],
  ]),
  reads: [{ body: ['boats'] }, { body: ['type'] }],
  kindOf: {
    nodes: [
      {
        read: 1,
        values: new Map([
          ['boat', ['boat']],
          ['raft', ['raft']],
        ]),
        rest: [],
      },
    ],
    start: 0,
  },
  forms: new Map([
    [
      'boatList',
      {
        name: 'list',
        kinds: ['boat', 'raft'],
        each: ['boats'],
        as: [],
        rename: new Map(),
        checks: [
          { ...listOf('crew'), kinds: ['boat'] },
          { accepts: () => true, violations: () => [], kinds: ['raft'] },
        ],
      },
    ],
  ]),
  formOf: { nodes: [{ read: 0, types: { array: ['boatList'] }, rest: [] }], start: 0 },
};

test('an element is valid by the schema of its own kind alone', () => {
  const boats = [{ type: 'boat' }, { type: 'raft' }, { type: 'boat', crew: 1 }];
  const { events, invalid } = identify(
    told,
    from,
    undefined,
    { value: { boats }, exact: { boats } },
    'refuse',
  );
  expect(events.map(({ index, name }) => [index, name])).toEqual([
    [1, 'raft'],
    [2, 'boat'],
  ]);
  expect(invalid).toEqual({
    reason: 'schema',
    kinds: ['boat', 'raft'],
    violations: [{ pointer: '/boats/0', index: 0, keyword: 'required', message: 'crew' }],
  });
});
