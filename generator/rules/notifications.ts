import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { toCanonical } from '../json/same-json.ts';
import type { Notification } from '../contract/contract.ts';
import type { ContractRule } from './rule.ts';
import { diagnose, diagnoseByVocabulary } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { normalizeTemplate } from '../contract/path-template.ts';

/**
 * Checks that two notifications with the same label, or without one, differ in their conditions. This is an error if
 * the document declares the vocabulary, because `x-identified-by` could distinguish them. Otherwise, and where both
 * state the same conditions, it is a warning, and a receiver passes the two as a union.
 */
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
      const { id, pointer } = notification;
      const { file, line } = documents.locate(twin.pointer);
      const place = id === twin.id ? ` (${file}:${line})` : '';
      const message = `The notifications ${quote(id)} and ${quote(twin.id)}${place} cannot be distinguished.`;
      const isStated = [notification, twin].every(
        ({ identifiedByOrigin }) => identifiedByOrigin === 'declared',
      );
      yield isStated
        ? createDiagnostic('indistinct-notifications', message, documents.locate(pointer), {
            pointer,
            severity: 'warning',
          })
        : diagnoseByVocabulary(documents, 'indistinct-notifications', pointer, message);
    }
  },
};

/** Reports, for each notification, the later ones that can match the same request. */
export const ambiguousNotifications: ContractRule = {
  name: 'ambiguous-notifications',
  codes: ['ambiguous-notifications'],
  *check({ contract, documents }): Iterable<Diagnostic> {
    for (const [index, { id, pointer, ambiguousWith }] of contract.notifications.entries()) {
      const later = contract.notifications
        .slice(index + 1)
        .filter(({ name }) => ambiguousWith.includes(name));
      if (later.length === 0) continue;
      const others = later
        .slice(0, 10)
        .map((other) => quote(other.id))
        .join(', ');
      yield diagnose(
        documents,
        'ambiguous-notifications',
        pointer,
        `A delivery without a label can match ${quote(id)} and ${others}${later.length > 10 ? ' and more' : ''}.`,
      );
    }
  },
};

/**
 * Returns a text that is equal for notifications that only the method can distinguish. It ignores the names of path
 * parameters, and the order of alternatives and of conditions.
 */
function distinction({ label, identifiedBy }: Notification): string {
  const alternatives = identifiedBy.map((conditions) =>
    toCanonical(
      Object.fromEntries(conditions.map(({ expression, schema }) => [expression, schema])),
    ),
  );
  const path = label === undefined ? null : normalizeTemplate(label.path);
  return toCanonical([path, [...new Set(alternatives)].toSorted()]);
}
