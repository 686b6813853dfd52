import type { DeletionRequest, DeletionResult } from './store.ts';

/** The maximum number of receipts, and of identities, that one transaction deletes. Receipts wait for it. */
const maxPart = 500;

/** Deletes by calls that delete a limited number each, up to the limit of the request. */
export async function deleteInParts(
  request: DeletionRequest,
  run: (part: DeletionRequest) => Promise<DeletionResult>,
): Promise<DeletionResult> {
  const { maxDeleted = 1000 } = request;
  let [receipts, identities] = [0, 0];
  for (;;) {
    const part = Math.min(maxPart, maxDeleted - Math.max(receipts, identities));
    const deleted = await run({ ...request, maxDeleted: part });
    receipts += deleted.receipts;
    identities += deleted.identities;
    const finished = deleted.receipts < part && deleted.identities < part;
    if (finished || Math.max(receipts, identities) >= maxDeleted) return { receipts, identities };
  }
}
