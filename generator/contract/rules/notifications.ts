import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { Notification } from '../contract.ts';
import { diagnose, quote, type ContractRule } from './rule.ts';
import { templateShape } from './template.ts';

/** Two notifications with one label, or none, have at least one condition that not both of them state. */
export const indistinctNotifications: ContractRule = {
  name: 'indistinct-notifications',
  codes: ['indistinct-notifications'],
  *check({ contract, documents }): Iterable<Diagnostic> {
    const alike = new Map<string, Notification[]>();
    for (const notification of contract.notifications) {
      const key = distinction(notification);
      const others = alike.get(key) ?? [];
      const twin = others.find(
        ({ method }) =>
          method === undefined ||
          notification.method === undefined ||
          method === notification.method,
      );
      others.push(notification);
      alike.set(key, others);
      if (twin === undefined) continue;
      yield diagnose(
        documents,
        'indistinct-notifications',
        notification.pointer,
        `Nothing tells the notification ${quote(notification.id)} from ${quote(twin.id)}.`,
      );
    }
  },
};

/** Says of each notification which others the same delivery can match as well. */
export const ambiguousNotifications: ContractRule = {
  name: 'ambiguous-notifications',
  codes: ['ambiguous-notifications'],
  *check({ contract, documents }): Iterable<Diagnostic> {
    for (const { id, pointer, ambiguousWith } of contract.notifications) {
      if (ambiguousWith.length === 0) continue;
      const others = ambiguousWith.slice(0, 10).map(quote).join(', ');
      yield diagnose(
        documents,
        'ambiguous-notifications',
        pointer,
        `A delivery that no label decides can be ${quote(id)} and ${others}${ambiguousWith.length > 10 ? ' and more' : ''} at once.`,
      );
    }
  },
};

/**
 * Everything but the method that sets a notification apart, as text. The names of path parameters, the order of
 * alternatives and of conditions do not count.
 */
function distinction({ label, identifiedBy }: Notification): string {
  const alternatives = identifiedBy.map((conditions) =>
    toText(Object.fromEntries(conditions.map(({ expression, schema }) => [expression, schema]))),
  );
  const path = label === undefined ? null : templateShape(label.path);
  return toText([path, [...new Set(alternatives)].toSorted()]);
}

function toText(value: Json): string {
  return JSON.stringify(value, (_, member: Json) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
