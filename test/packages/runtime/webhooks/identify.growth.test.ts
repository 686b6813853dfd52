import { expect, test } from 'vitest';
import {
  type Catalogue,
  type Check,
  type Read,
  type Readable,
  type Violation,
  maxViolations,
} from '../../../../packages/runtime/webhooks/contract.ts';
import {
  deliveryKey,
  identify,
  toCanonicalElements,
} from '../../../../packages/runtime/webhooks/identify.ts';

/** The steps of one identification: how often what grows with the delivery was read. */
interface Steps {
  pointers: number;
  headers: number;
  queries: number;
  accepted: number;
}

const each = ['pix'];

/** A contract whose wire variant has an array of objects, of which those with `ok` are valid. */
function create(steps: Steps, limit: number): { catalogue: Catalogue; from: Readable } {
  const isValid = (value: unknown): boolean => {
    steps.accepted += 1;
    return (value as { ok?: unknown }).ok === true;
  };
  const kind: Check = { accepts: isValid, violations: () => [] };
  const list: Check = {
    accepts: (value) => (value as { pix: unknown[] }).pix.every(isValid),
    violations: (value) =>
      (value as { pix: { ok?: unknown }[] }).pix
        .flatMap((element, index): Violation[] =>
          element.ok === true
            ? []
            : [
                {
                  get pointer() {
                    steps.pointers += 1;
                    return `/pix/${index}/ok`;
                  },
                  keyword: 'const',
                  message: 'must be true',
                },
              ],
        )
        .slice(0, limit),
  };
  const reads: readonly Read[] = [{ header: 'x-kind' }, { query: 'kind' }];
  const from: Readable = {
    method: 'POST',
    path: '/',
    get query() {
      steps.queries += 1;
      return 'kind=a';
    },
    headers: () => {
      steps.headers += 1;
      return ['a'];
    },
    parameters: {},
    raw: new Uint8Array(),
    cache: new Map(),
  };
  const catalogue: Catalogue = {
    name: 'test',
    kinds: new Map([['a', { check: kind }]]),
    unions: new Map(),
    routes: [],
    methods: ['POST'],
    reads,
    kindOf: {
      nodes: [
        { read: 0, values: new Map([['a', 1]]), rest: [] },
        { read: 1, values: new Map([['a', ['a']]]), rest: [] },
      ],
      start: 0,
    },
    forms: new Map([
      ['list', { name: 'list', kinds: ['a'], each, as: [], rename: new Map(), checks: [list] }],
    ]),
    formOf: { nodes: [], start: ['list'] },
  };
  return { catalogue, from };
}

function stepsFor(count: number, body: unknown, exact: unknown, limit = Infinity) {
  const steps: Steps = { pointers: 0, headers: 0, queries: 0, accepted: 0 };
  const { catalogue, from } = create(steps, limit);
  const identification = identify(catalogue, from, undefined, { value: body, exact }, 'refuse');
  expect(identification.count).toBe(count);
  return { steps, found: identification };
}

test.each([100, 1000, 10_000])('%i wrong elements take linear time', (count) => {
  const body = { pix: Array.from({ length: count }, () => ({})) };
  const { steps, found: identification } = stepsFor(count, body, body);
  expect(identification.events).toEqual([]);
  expect(identification.invalid?.violations).toHaveLength(Math.min(count, maxViolations));
  expect(steps.pointers).toBeLessThanOrEqual(6 * count);
  expect(steps.accepted).toBeLessThanOrEqual(3 * count);
  expect([steps.headers, steps.queries]).toEqual([1, 1]);
});

test.each([1, 5, maxViolations, Infinity])(
  'with at most %i violations, the valid elements and the kinds are the same',
  (limit) => {
    const elements = Array.from({ length: 500 }, (_, index) => ({ ok: index % 3 === 0 }));
    const body = { pix: elements };
    const { found: identification } = stepsFor(500, body, body, limit);
    expect(identification.events.map(({ index }) => index)).toEqual(
      elements.flatMap(({ ok }, index) => (ok ? [index] : [])),
    );
    expect(identification.invalid).toMatchObject({ reason: 'schema', kinds: ['a'] });
  },
);

test('inexact numbers are listed up to the maximum, and their elements are not valid', () => {
  const numbers = (write: (index: number) => unknown): object => ({
    pix: Array.from({ length: 1000 }, (_, index) => ({ ok: true, amount: write(index) })),
  });
  const body = numbers(() => 9007199254740992);
  const exact = numbers((index) => (index === 999 ? 9007199254740992 : '9007199254740993'));
  const { found: identification } = stepsFor(1000, body, exact);
  expect(identification.events.map(({ index }) => index)).toEqual([999]);
  expect(identification.invalid?.violations).toHaveLength(maxViolations);
  expect(identification.invalid?.violations[99]).toMatchObject({
    pointer: '/pix/99/amount',
    index: 99,
  });
});

test('a long name is cut in the pointers of the numbers below it', () => {
  const name = 'n'.repeat(100_000);
  const body = { [name]: [9007199254740992] };
  const exact = { [name]: ['9007199254740993'] };
  const { catalogue, from } = create({ pointers: 0, headers: 0, queries: 0, accepted: 0 }, 1);
  const identification = identify(
    { ...catalogue, formOf: { nodes: [], start: [] } },
    from,
    undefined,
    { value: body, exact },
    'refuse',
  );
  expect(identification.invalid?.violations.map(({ pointer }) => pointer.length)).toEqual([260]);
});

test('long members beside many elements are a violation, because each element has them', () => {
  const form = create({ pointers: 0, headers: 0, queries: 0, accepted: 0 }, 1).catalogue.forms.get(
    'list',
  );
  if (form === undefined) throw new Error('There is a wire variant.');
  const members = { a: 'a'.repeat(2 ** 17) };
  const list = (length: number): unknown[] => Array.from({ length }, () => ({}));
  expect(toCanonicalElements({ pix: list(127), ...members }, form).violations).toEqual([]);
  expect(toCanonicalElements({ pix: list(129), ...members }, form)).toMatchObject({
    elements: [],
    violations: [{ pointer: '/pix', keyword: 'form' }],
  });
  expect(toCanonicalElements({ pix: list(100_000) }, form).violations).toEqual([]);
});

test('the raw bytes are digested once for all events of a delivery and kind', async () => {
  let read = 0;
  const { from } = create({ pointers: 0, headers: 0, queries: 0, accepted: 0 }, 1);
  const counting: Readable = {
    ...from,
    get raw() {
      read += 1;
      return Uint8Array.of(1, 2, 3);
    },
  };
  const keys = new Set<unknown>();
  for (let index = 0; index < 1000; index++)
    keys.add(await deliveryKey(index % 2 === 0 ? 'a' : 'b', ['raw'], counting, index));
  expect([keys.size, read]).toEqual([2, 2]);
  const mixed: readonly Read[] = ['raw', { body: [] }];
  for (let index = 0; index < 1000; index++)
    keys.add(await deliveryKey('a', mixed, counting, index));
  expect([keys.size, read]).toEqual([1002, 3]);
  const other = { ...counting, raw: Uint8Array.of(1, 2), cache: new Map() };
  expect(keys).not.toContain(await deliveryKey('a', mixed, other, 1));
});
