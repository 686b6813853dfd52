import type { Catalogue } from '../../../../packages/runtime/webhooks/receiver.ts';

const hasId = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value;
const violations = [{ pointer: '', keyword: 'required', message: 'has no id' }];
const kind = { check: { accepts: hasId, violations: () => violations } };
const nothing = { nodes: [], start: [] };

/** A contract of two kinds, distinguished by their labels. */
export const twoKinds: Catalogue = {
  name: 'test',
  kinds: new Map([
    ['created', kind],
    ['deleted', kind],
  ]),
  unions: new Map(),
  routes: ['created', 'deleted'].map((name) => ({
    segments: [name],
    kinds: [{ method: '', kinds: [name] }],
  })),
  methods: ['POST'],
  reads: [],
  kindOf: nothing,
  forms: new Map(),
  formOf: nothing,
};
