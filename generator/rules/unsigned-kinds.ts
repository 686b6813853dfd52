import { isKindUnsigned } from '../contract/signature-cover.ts';
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
      isKindUnsigned(contract, notification),
    );
    const [first] = concerned;
    if (first === undefined || contract.notifications.length === 1) return;
    const { pointer } = first;
    const names = listFirst(concerned.map(({ id }) => quote(id)));
    yield {
      pointer,
      message: `An unsigned part of the request decides the kind of ${names}: a captured delivery can be sent again as another kind, if its body is valid for that kind.`,
    };
  },
};
