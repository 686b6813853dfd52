import { descend } from '../json/descend.ts';
import { isWithin, type Pointer, pointerMembers } from '../json/pointer.ts';
import type { PendingAction } from './documents.ts';

/** Returns whether an action would write or remove a place of a document. */
export function decides({ targets, update }: PendingAction, place: Pointer): boolean {
  return targets.some((target) => {
    if (!isWithin(place, target)) return false;
    if (update === undefined) return true;
    const members = pointerMembers(place).slice(pointerMembers(target).length);
    return members.length > 0 && descend(update, members).depth === members.length;
  });
}
