import type { Contract } from '../../generator/contract/contract.ts';
import type { Receiver } from './answered-contract.ts';

/** Returns the kinds that have no example. */
export function kindsWithoutExamples({
  notifications,
}: Pick<Contract, 'notifications'>): readonly string[] {
  return notifications.filter(({ examples }) => examples.length === 0).map(({ name }) => name);
}

/** Returns the kinds that have no example although no answer leaves out their examples. */
function kindsWithoutReason({ notifications, unstated }: Contract): readonly string[] {
  const isByForm = (id: string): boolean =>
    unstated.some((entry) => entry.id === id && entry.settled === 'by-form');
  const leftOut = new Set([
    ...(isByForm('charge-or-reversal') ? ['charge', 'chargeReversal'] : []),
    ...(isByForm('due-date-or-static') ? ['dueDateCharge', 'staticCharge'] : []),
  ]);
  return kindsWithoutExamples({ notifications }).filter((kind) => !leftOut.has(kind));
}

/**
 * Delivers every example of a contract to its receiver. Returns those that are not handled as their kind or as a union
 * with it, and the kinds without examples, unless an answer leaves them out.
 */
export async function wrongDeliveries(
  contract: Contract,
  { webhooks, testing }: Receiver,
): Promise<readonly string[]> {
  const wrong = kindsWithoutReason(contract).map((kind) => `${kind}: no example`);
  for (const { name: kind, examples } of contract.notifications) {
    for (const { name: example } of examples) {
      // A new receiver remembers no earlier delivery.
      const seen: string[] = [];
      const { fetch } = webhooks.createWebhooks({
        authenticate: webhooks.unauthenticated(),
        on: {},
        otherwise: {
          rest: (event: { kind: string | null }) => void seen.push(event.kind ?? 'otherwise'),
        },
        onInvalid: () => void seen.push('onInvalid'),
      });
      const { status } = await fetch(await testing.deliver(kind, { example }));
      const isHandled =
        status === 200 && seen.length > 0 && seen.every((handler) => has(handler, kind));
      if (!isHandled) wrong.push(`${kind}.${example}: ${status} ${seen.join(', ')}`);
    }
  }
  return wrong;
}

/** Returns whether a handler is that of a kind, or of a union with it, such as `chargeOrChargeReversal`. */
function has(handler: string, kind: string): boolean {
  const kinds = handler.split(/Or(?=[A-Z])/u);
  return kinds.some((part) => part.charAt(0).toLowerCase() + part.slice(1) === kind);
}
