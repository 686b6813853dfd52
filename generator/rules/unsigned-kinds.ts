import type { Notification } from '../contract/contract.ts';
import { findConditionRead, type Read } from '../recognition/reads.ts';
import { signaturesWithout } from '../contract/signature-cover.ts';
import { listFirst, quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/**
 * Reports the notifications that a part of the request distinguishes from others although their signature does not
 * cover it. Many services state the kind in an unsigned header or path, so this is not an error.
 */
export const unsignedKinds: ContractRule = {
  codes: ['unsigned-kind'],
  *check({ contract }) {
    const concerned = contract.notifications.filter((notification) =>
      readsOf(notification).some(
        (read) => signaturesWithout(contract, notification, read).length > 0,
      ),
    );
    const [first] = concerned;
    if (first === undefined || contract.notifications.length === 1) return;
    const { pointer } = first;
    const names = listFirst(concerned.map(({ id }) => quote(id)));
    yield {
      pointer,
      message: `A part of the request that the signature does not cover decides the kind of ${names}: a captured delivery can be sent again as another kind, if its body is valid for that kind.`,
    };
  },
};

/** Returns the values that decide whether a delivery is a notification. */
function readsOf({ identifiedBy, ambiguousWith, label }: Notification): readonly Read[] {
  const conditions = identifiedBy.flat().flatMap(({ expression }) => {
    const read = findConditionRead(expression);
    return read === undefined ? [] : [read];
  });
  // Only the label distinguishes a notification from those that it is ambiguous with.
  return label !== undefined && ambiguousWith.length > 0 ? [...conditions, 'path'] : conditions;
}
