import type { Catalogue, Read } from '../../../../packages/runtime/webhooks/receiver.ts';

const hasState = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'state' in value;
const violations = [{ pointer: '/state', keyword: 'required', message: 'is missing' }];
const check = { accepts: hasState, violations: () => violations };
const orderedBy: readonly Read[] = [{ body: ['id'] }];
const nothing = { nodes: [], start: [] };

/** Returns the pointers of the ships without a state. */
function shipsWithoutState(value: unknown): readonly string[] {
  const { ships } = value as { readonly ships: readonly unknown[] };
  return ships.flatMap((ship, index) => (hasState(ship) ? [] : [`/ships/${index}/state`]));
}

/** A contract of two kinds with an order key, an identity and an array form. Labels tell the kinds. */
export const orderedKinds: Catalogue = {
  name: 'test',
  kinds: new Map([
    ['docked', { check, orderedBy, dedupeBy: [{ header: 'x-delivery' }] }],
    ['sailed', { check, orderedBy: [{ body: ['id'] }, { query: 'port' }] }],
  ]),
  unions: new Map(),
  routes: ['docked', 'sailed'].map((name) => ({
    segments: [name],
    kinds: [{ method: '', kinds: [name] }],
  })),
  methods: ['POST'],
  reads: [{ body: ['ships'] }],
  kindOf: nothing,
  forms: new Map([
    [
      'list',
      {
        name: 'list',
        kinds: ['docked', 'sailed'],
        each: ['ships'],
        as: [],
        rename: new Map(),
        checks: [
          {
            accepts: (value) => shipsWithoutState(value).length === 0,
            violations: (value) =>
              shipsWithoutState(value).map((pointer) => ({
                pointer,
                keyword: 'required',
                message: 'is missing',
              })),
          },
        ],
      },
    ],
  ]),
  formOf: { nodes: [{ read: 0, types: { array: ['list'] }, rest: [] }], start: 0 },
};
