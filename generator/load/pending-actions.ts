import { memoize } from '../execution/memoize.ts';
import { descend } from '../json/descend.ts';
import { type Pointer, unescapeMember } from '../json/pointer.ts';
import type { PendingAction } from './documents.ts';

/** Returns whether an action would write or remove a place of a document. */
export function decides(action: PendingAction, place: Pointer): boolean {
  const { update } = action;
  const targets = targetsOf(action);
  const parts = place.split('/');
  return parts.some((_, index) => {
    if (!targets.has(parts.slice(0, index + 1).join('/'))) return false;
    const members = parts.slice(index + 1).map(unescapeMember);
    if (update === undefined) return true;
    return members.length > 0 && descend(update, members).depth === members.length;
  });
}

// A set, because an action can have a target in each of thousands of operations.
const targetsOf = memoize(({ targets }: PendingAction): ReadonlySet<string> => new Set(targets));
