import { expect, test } from 'vitest';
import type {
  Catalogue,
  Kind,
  KindFields,
  Readable,
} from '../../../../packages/runtime/webhooks/contract.ts';
import { readFields } from '../../../../packages/runtime/webhooks/identify.ts';

const kind: Kind = { check: { accepts: () => true, violations: () => [] } };

/** The kinds of a catalogue, which counts how often they are listed. */
class CountedKinds extends Map<string, Kind> {
  listed = 0;

  override keys(): MapIterator<string> {
    this.listed += 1;
    return super.keys();
  }
}

test('lists the kinds that are JSON once for all deliveries', () => {
  const kinds = new CountedKinds([
    ['letter', kind],
    ['parcel', kind],
  ]);
  const decision = { nodes: [], start: [] };
  const catalogue: Catalogue = {
    name: 'test',
    kinds,
    unions: new Map(),
    routes: [],
    methods: [],
    reads: [],
    kindOf: decision,
    forms: new Map(),
    formOf: decision,
  };
  const fields = new Map<string, KindFields>([['parcel', { in: 'body', fields: {} }]]);
  const from: Readable = {
    method: 'POST',
    path: '/',
    query: '',
    headers: () => [],
    parameters: {},
    raw: new TextEncoder().encode('{"id":1}'),
    cache: new Map(),
  };
  for (let delivery = 0; delivery < 3; delivery++)
    expect(
      readFields(catalogue, fields, from, undefined, { strict: true, maxDepth: 10 }),
    ).toMatchObject({ value: { id: 1 }, kinds: ['letter'] });
  expect(kinds.listed).toBe(1);
});
