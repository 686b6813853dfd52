import { pointerDocument } from '../json/pointer.ts';
import { isSame } from '../specification/same-value.ts';
import type { Cursor } from '../json/cursor.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks that operationIds are unique among paths, webhooks and callbacks (OpenAPI 3.1, 4.8.10.1). A webhook that
 * `x-webhooks` repeats for older tools counts once.
 */
export const operationIds: Rule = {
  codes: ['duplicate-operation-id'],
  *check({ documents }) {
    const owners = new Map<string, Cursor>();
    for (const place of placesOf(documents, 'operation')) {
      if (pointerDocument(place.pointer) !== 'openapi') continue;
      const at = place.child('operationId');
      const id = at.text();
      if (id === undefined) continue;
      const owner = owners.get(id);
      if (owner === undefined) {
        owners.set(id, place);
        continue;
      }
      if (isRepeatedWebhook(owner, place)) continue;
      const { file, line } = documents.locate(owner.child('operationId').pointer);
      yield {
        pointer: at.pointer,
        message: `The operationId ${quote(id)} is already used by another operation (${file}:${line}).`,
        until: 'each of them is named after its method and path',
      };
    }
  },
};

function isRepeatedWebhook(operation: Cursor, otherOperation: Cursor): boolean {
  const [webhook, copy] = [operation, otherOperation].map(({ pointer }) =>
    pointer.replace('#/x-webhooks/', '#/webhooks/'),
  );
  return webhook === copy && isSame(operation, otherOperation);
}
