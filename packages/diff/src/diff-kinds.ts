import { type EventKind, type Events, eventsOf } from 'countersign/companion/contract';
import { listTexts } from 'countersign/companion/terminal';
import type { Pointer } from 'countersign';
import type { Contract, Notification } from 'countersign/kit';
import {
  changesAt,
  type ContractChange,
  type ContractPair,
  type CreateChange,
  inBoth,
} from './change.ts';
import { diffValues, type ItemPair, pairBy, pairByEach } from './diff-items.ts';
import { formatValue } from './format-value.ts';

type Union = Events['unions'][number];

/**
 * Yields the changes of the kinds that handlers are for. Adding, removing or identifying a notification differently
 * also changes the kinds that share deliveries with it.
 * @param notifications the notifications that both contracts have
 */
export function* diffKinds(
  { base, head }: ContractPair,
  notifications: readonly ItemPair<Notification>[],
): Generator<ContractChange> {
  const before = kindsOf(base);
  const after = kindsOf(head);
  const pairOf = new Map<Notification, string>();
  for (const [index, pair] of notifications.entries())
    for (const notification of pair) pairOf.set(notification, String(index));
  yield* diffUnions(
    before,
    after,
    // A kind of one contract alone makes the set another one.
    ({ kinds }) =>
      kinds.map(({ notification }) => pairOf.get(notification) ?? notification.pointer),
    ({ kinds }) => kinds.flatMap(({ notification }) => pairOf.get(notification) ?? []),
  );
  const { pairs } = pairBy(before.kinds, after.kinds, ({ notification }) =>
    pairOf.get(notification),
  );
  for (const [baseKind, headKind] of pairs) {
    const { name } = headKind.notification;
    const place = inBoth(baseKind.notification, headKind.notification);
    const create = changesAt(place, `kind ${name}`, ['notification']);
    yield* diffValues(create, [['kind-renamed', 'The name', baseKind.notification.name, name]]);
    const was = siblingsOf(baseKind, before.unions);
    const is = siblingsOf(headKind, after.unions);
    if (was.length === 0 && is.length > 0) {
      const handler = after.alone.has(name) ? 'is not called for those' : 'is never called';
      const message = `A delivery of it can be ${listed(is, 'or')} as well; its own handler ${handler}.`;
      yield create('kind-ambiguous', message);
    } else if (was.length > 0 && is.length === 0)
      yield create('kind-unambiguous', `A delivery distinguishes it from ${listed(was, 'and')}.`);
  }
}

/** Yields the changes of unions. The kinds of a union identify it: its name is that of its handler. */
function* diffUnions(
  before: Events,
  after: Events,
  membersOf: (union: Union) => readonly string[],
  commonOf: (union: Union) => readonly string[],
): Generator<ContractChange> {
  const { pairs, added, removed } = pairByEach(before.unions, after.unions, [
    (union) => membersOf(union).toSorted().join('\n'),
    ({ name }) => `named ${name}`,
    // A notification that was added or removed gives each union that it belongs to another name.
    (union) => {
      const common = commonOf(union);
      return common.length < 2 ? undefined : `common ${common.toSorted().join('\n')}`;
    },
  ]);
  for (const [was, is] of pairs) {
    const create = changeOfUnion(is, 'head', was);
    if (was.name !== is.name) yield create('kind-renamed', renamingOf(was, is));
    const { added: come, removed: gone } = pairBy(membersOf(was), membersOf(is), (key) => key);
    if (was.name === is.name && come.length + gone.length > 0)
      yield create(
        'union-changed',
        `The same handler was for ${listed(was.kinds, 'or')} and is for ${listed(is.kinds, 'or')}.`,
      );
  }
  for (const union of added)
    yield changeOfUnion(union, 'head')(
      'union-added',
      `A delivery can be ${listed(union.kinds, 'and')} at once.`,
    );
  for (const union of removed)
    yield changeOfUnion(union, 'base')(
      'union-removed',
      `No delivery is ${listed(union.kinds, 'and')} at once any more.`,
    );
}

/** Describes that a union has another name, and the kinds that are the reason. */
function renamingOf(was: Union, is: Union): string {
  const { added, removed } = pairBy(was.kinds, is.kinds, ({ notification }) => notification.name);
  const reasons = [
    ...(added.length === 0 ? [] : [`it has ${listed(added, 'and')} now`]),
    ...(removed.length === 0 ? [] : [`it has ${listed(removed, 'and')} no more`]),
  ];
  const why = reasons.length === 0 ? '' : `: ${listTexts(reasons, 'and')}`;
  return `The name was ${formatValue(was.name)} and is ${formatValue(is.name)}${why}.`;
}

function kindsOf(contract: Contract): Events {
  if (contract.notifications.length === 0) return { kinds: [], unions: [], alone: new Set() };
  return eventsOf(contract);
}

/** Returns the other kinds that a delivery of a kind can match at the same time. */
function siblingsOf(kind: EventKind, unions: readonly Union[]): readonly EventKind[] {
  const together = unions.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ kinds }) => kinds);
  return [...new Set(together)].filter((other) => other !== kind);
}

/** Returns the function that creates a change of a union, at its last kind: new kinds are usually added at the end. */
function changeOfUnion(union: Union, side: ContractChange['side'], before?: Union): CreateChange {
  const place = { pointer: placeOf(union), side };
  const counterpart = before && { counterpart: placeOf(before) };
  return changesAt({ ...place, ...counterpart }, `kind ${union.name}`, ['notification']);
}

function placeOf({ kinds }: Union): Pointer {
  const last = kinds.at(-1);
  if (last === undefined) throw new TypeError('A union has no kinds.');
  return last.notification.pointer;
}

/** Lists at most ten kinds, because a union can have a hundred. */
function listed(kinds: readonly EventKind[], word: 'and' | 'or'): string {
  const names = kinds.slice(0, 10).map(({ notification }) => formatValue(notification.name));
  const more = kinds.length - names.length;
  return listTexts(more > 0 ? [...names, `${more} more`] : names, word);
}
