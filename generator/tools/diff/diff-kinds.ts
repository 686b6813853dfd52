import type { Contract } from '../../contract/contract.ts';
import { planWebhooks, type PlannedKind, type PlannedUnion } from '../../targets/webhooks/plan.ts';
import type { ContractChange } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { written } from './written.ts';

const roles = ['notification'] as const;

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
    yield createChange(
      'union-added',
      placeOf(union, 'head'),
      subjectOf(union.name),
      message,
      roles,
    );
  }
  for (const union of unions.removed) {
    const message = `No delivery is ${listed(union.kinds, 'and')} at once any more.`;
    yield createChange(
      'union-removed',
      placeOf(union, 'base'),
      subjectOf(union.name),
      message,
      roles,
    );
  }
  const { pairs } = pairBy(before.kinds, after.kinds, ({ notification }) => notification.id);
  for (const [one, other] of pairs) {
    const { name, pointer } = other.notification;
    const at = { side: 'head', pointer } as const;
    const subject = subjectOf(name);
    if (one.notification.name !== name) {
      const message = `It was ${written(one.notification.name)}.`;
      yield createChange('kind-renamed', at, subject, message, roles);
    }
    const was = siblingsOf(one, before.unions);
    const is = siblingsOf(other, after.unions);
    if (was.length === 0 && is.length > 0) {
      const handler = after.alone.has(name) ? 'is not called for those' : 'is never called';
      const message = `A delivery of it can be ${listed(is, 'or')} as well; its own handler ${handler}.`;
      yield createChange('kind-ambiguous', at, subject, message, roles);
    } else if (was.length > 0 && is.length === 0) {
      const message = `A delivery tells it from ${listed(was, 'and')}.`;
      yield createChange('kind-unambiguous', at, subject, message, roles);
    }
  }
}

type Kinds = Pick<ReturnType<typeof planWebhooks>, 'kinds' | 'unions' | 'alone'>;

function kindsOf(contract: Contract): Kinds {
  if (contract.notifications.length === 0) return { kinds: [], unions: [], alone: new Set() };
  return planWebhooks(contract);
}

/** Returns the other kinds that a delivery of a kind can match at the same time. */
function siblingsOf(kind: PlannedKind, unions: readonly PlannedUnion[]): readonly PlannedKind[] {
  const together = unions.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ kinds }) => kinds);
  return [...new Set(together)].filter((other) => other !== kind);
}

/** Returns the key of a union: two unions have the same handler if their names and kinds are the same. */
function keyOfUnion({ name, kinds }: PlannedUnion): string {
  return [name, ...kinds.map(({ notification }) => notification.id)].join('\n');
}

/** Returns the place of a union's last kind, because new kinds are usually added at the end. */
function placeOf(
  { kinds }: PlannedUnion,
  side: ContractChange['side'],
): { readonly side: ContractChange['side']; readonly pointer: ContractChange['pointer'] } {
  const last = kinds.at(-1);
  if (last === undefined) throw new TypeError('A union has no kinds.');
  return { side, pointer: last.notification.pointer };
}

/** Lists at most ten kinds, because a union can have a hundred. */
function listed(kinds: readonly PlannedKind[], conjunction: string): string {
  const names = kinds.slice(0, 10).map(({ notification }) => written(notification.name));
  const more = kinds.length - names.length;
  if (more > 0) return `${names.join(', ')} ${conjunction} ${more} more`;
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} ${conjunction} ${last}`;
}

function subjectOf(name: string): string {
  return `kind ${name}`;
}
