import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { pointerDocument, type Pointer } from '../../pointer.ts';
import { child, text } from '../cursor.ts';
import { diagnoseMended, quote, type Rule } from './rule.ts';
import { placesOf } from '../walk.ts';

/** An operationId is unique among paths, webhooks and callbacks (OpenAPI 3.1, 4.8.10.1). */
export const operationIds: Rule = {
  name: 'operation-ids',
  codes: ['duplicate-operation-id'],
  *check({ documents }): Iterable<Diagnostic> {
    const owners = new Map<string, Pointer>();
    for (const place of placesOf(documents)) {
      if (place.kind !== 'operation' || pointerDocument(place.pointer) !== 'openapi') continue;
      const at = child(place, 'operationId');
      const id = text(at);
      if (id === undefined) continue;
      const owner = owners.get(id);
      if (owner === undefined) {
        owners.set(id, at.pointer);
        continue;
      }
      const { file, line } = documents.locate(owner);
      yield diagnoseMended(
        documents,
        'duplicate-operation-id',
        at.pointer,
        `The operationId ${quote(id)} is already that of another operation (${file}:${line}).`,
        'the second is named after its place',
      );
    }
  },
};
