import type { Notification } from '../contract/contract.ts';
import type { ContractRule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { helpToDistinguish } from './distinguishing-overlay.ts';

/**
 * Checks that notifications with the same label, or without one, differ in their conditions. This is an error if the
 * document declares the vocabulary, because `x-identified-by` could distinguish them. Otherwise, and where all of them
 * state the same conditions, it is a warning, and a receiver passes them as a union. Reports each group of such
 * notifications once.
 */
export const indistinctNotifications: ContractRule = {
  codes: ['indistinct-notifications'],
  *check({ contract, documents }) {
    const byName = new Map(contract.notifications.map((one) => [one.name, one]));
    const groups = contract.recognition.indistinct.map((names) =>
      names.flatMap((name) => byName.get(name) ?? []),
    );
    // Many findings are shown as one group, with the help that all of them have.
    const common =
      groups.length > maxSingle ? helpToDistinguish(groups, contract, documents) : undefined;
    for (const group of groups) {
      const [first, second] = group;
      if (first === undefined || second === undefined) continue;
      // Copies of a notification have the same id. The diagnostic itself is at the second one.
      const places = group.map(({ id, pointer }, index) => {
        if (index === 1 || (index === 0 ? second : first).id !== id) return quote(id);
        const { file, line } = documents.locate(pointer);
        return `${quote(id)} (${file}:${line})`;
      });
      const { pointer } = second;
      const message = `The notifications ${listShortly(places)} cannot be distinguished.`;
      const isStated = group.every(({ identifiedByOrigin }) => identifiedByOrigin === 'declared');
      const help = common ?? helpToDistinguish([group], contract, documents);
      yield { pointer, message, help, severity: isStated ? 'warning' : 'by-vocabulary' };
    }
  },
};

/** The number of findings that are shown one by one. */
const maxSingle = 3;

/** Reports groups of notifications that can match the same delivery, each at its first notification. */
export const ambiguousNotifications: ContractRule = {
  codes: ['ambiguous-notifications'],
  *check({ contract: { notifications } }) {
    for (const [{ id, pointer }, later] of ambiguousGroups(notifications)) {
      const names = [id, ...later.map((other) => other.id)].map(quote);
      const message = `A delivery without a label can match ${listShortly(names)}.`;
      yield { pointer, message };
    }
  },
};

/**
 * Returns notifications with the later ones that can match the same delivery. Of notifications with the same
 * conditions, which can match the same others, only the first is returned.
 */
export function* ambiguousGroups(
  notifications: readonly Notification[],
): Iterable<readonly [Notification, readonly Notification[]]> {
  const position = new Map(notifications.map(({ name }, index) => [name, index]));
  const returned = new Set<string>();
  for (const [index, notification] of notifications.entries()) {
    const conditions = JSON.stringify(notification.identifiedBy);
    if (returned.has(conditions)) continue;
    returned.add(conditions);
    const later = notification.ambiguousWith.flatMap((name) => {
      const other = position.get(name) ?? -1;
      return other > index ? (notifications[other] ?? []) : [];
    });
    if (later.length > 0) yield [notification, later];
  }
}

/** Lists the first ten names, and the number of the others. */
export function listShortly(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  const more = names.length - shown.length;
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}
