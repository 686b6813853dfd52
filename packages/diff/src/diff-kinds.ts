import { listTexts } from 'countersign/companion/command';
import { type EventKind, type Events, eventsOf } from 'countersign/companion/contract';
import type { Contract } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair, type CreateChange } from './change.ts';
import { diffValues, pairBy } from './diff-items.ts';
import { formatValue } from './format-value.ts';

/**
 * Yields the changes of the kinds that handlers are for. Adding, removing or identifying a notification differently
 * also changes the kinds that share deliveries with it.
 */
export function* diffKinds({ base, head }: ContractPair): Generator<ContractChange> {
  const before = kindsOf(base);
  const after = kindsOf(head);
  const unions = pairBy(before.unions, after.unions, keyOfUnion);
  for (const union of unions.added) {
    const message = `A delivery can be ${listed(union.kinds, 'and')} at once.`;
    yield changeOfUnion(union, 'head')('union-added', message);
  }
  for (const union of unions.removed) {
    const message = `No delivery is ${listed(union.kinds, 'and')} at once any more.`;
    yield changeOfUnion(union, 'base')('union-removed', message);
  }
  const { pairs } = pairBy(before.kinds, after.kinds, ({ notification }) => notification.id);
  for (const [baseKind, headKind] of pairs) {
    const { name, pointer } = headKind.notification;
    const create = changesAt(pointer, `kind ${name}`, ['notification']);
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

function kindsOf(contract: Contract): Events {
  if (contract.notifications.length === 0) return { kinds: [], unions: [], alone: new Set() };
  return eventsOf(contract);
}

/** Returns the other kinds that a delivery of a kind can match at the same time. */
function siblingsOf(
  kind: EventKind,
  unions: readonly Events['unions'][number][],
): readonly EventKind[] {
  const together = unions.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ kinds }) => kinds);
  return [...new Set(together)].filter((other) => other !== kind);
}

/** Returns the key of a union: two unions have the same handler if their names and kinds are the same. */
function keyOfUnion({ name, kinds }: Events['unions'][number]): string {
  return [name, ...kinds.map(({ notification }) => notification.id)].join('\n');
}

/** Returns the function that creates a change of a union, at its last kind: new kinds are usually added at the end. */
function changeOfUnion(
  { name, kinds }: Events['unions'][number],
  side: ContractChange['side'],
): CreateChange {
  const last = kinds.at(-1);
  if (last === undefined) throw new TypeError('A union has no kinds.');
  return changesAt(last.notification.pointer, `kind ${name}`, ['notification'], side);
}

/** Lists at most ten kinds, because a union can have a hundred. */
function listed(kinds: readonly EventKind[], word: 'and' | 'or'): string {
  const names = kinds.slice(0, 10).map(({ notification }) => formatValue(notification.name));
  const more = kinds.length - names.length;
  return listTexts(more > 0 ? [...names, `${more} more`] : names, word);
}
