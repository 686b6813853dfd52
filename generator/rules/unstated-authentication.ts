import type { Cursor } from '../json/cursor.ts';
import { childOf } from '../json/descend.ts';
import { pointerDocument } from '../json/pointer.ts';
import type { Contract, Notification } from '../contract/contract.ts';
import { describeProofPlace } from '../contract/declared-proofs.ts';
import { cursorAt } from '../documents/places.ts';
import type { Documents } from '../documents/documents.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule, Finding } from './rule.ts';

/**
 * Reports notifications for which the contract states neither a proof nor that they need none: once for a document,
 * because the answer is usually one for all. A ledger entry that asks for it, so that an answer writes `security`, says
 * the same.
 */
export const unstatedAuthentication: ContractRule = {
  codes: ['unstated-authentication'],
  *check({ contract, documents }) {
    const ids = new Set(contract.authentication.unstated);
    const asked = new Set(
      (documents.pendingActions ?? [])
        .filter(({ update }) => childOf(update, 'security') !== undefined)
        .flatMap(({ targets }) => targets),
    );
    const unstated = contract.notifications.filter(
      ({ id, places }) => ids.has(id) && !places.some((place) => asked.has(place)),
    );
    for (const name of ['openapi', 'asyncapi'] as const) {
      const group = unstated.filter(({ pointer }) => pointerDocument(pointer) === name);
      const [first, ...rest] = group;
      if (first !== undefined) yield describe(contract, documents, [first, ...rest], name);
    }
  },
};

function describe(
  { authentication }: Contract,
  documents: Documents,
  [first, ...rest]: readonly [Notification, ...(readonly Notification[])],
  document: 'openapi' | 'asyncapi',
): Finding {
  const others =
    rest.length === 0
      ? ''
      : ` and ${rest.length} other ${rest.length === 1 ? 'notification' : 'notifications'}`;
  const ids = new Set([first, ...rest].map(({ id }) => id));
  const declared = authentication.declared
    .filter(({ notifications }) => notifications.some((id) => ids.has(id)))
    .map((proof) => `${quote(proof.name)}${describeProofPlace(proof)}`);
  const misleading = [
    ...ofCalls(documents, document),
    ...(declared.length === 0
      ? []
      : [
          `By ${declared.length === 1 ? 'its name' : 'their names'}, ${declared.join(', ')} can be the proof.`,
        ]),
  ];
  return {
    pointer: first.pointer,
    message: [
      `The contract does not say how a delivery of ${quote(first.id)}${others} is authenticated.`,
      ...misleading,
    ].join(' '),
    // Where nothing looks like a proof, nobody can take it for one.
    ...(misleading.length === 0 ? { severity: 'info' } : {}),
  };
}

/** Returns a sentence about security that a reader could take for that of notifications; none if there is none. */
function ofCalls(documents: Documents, document: 'openapi' | 'asyncapi'): readonly string[] {
  const root = cursorAt(documents, `${document}#`);
  const isStated = (holder: Cursor): boolean => holder.items('security').length > 0;
  if (document === 'openapi')
    return isStated(root) ? ['The `security` of the document covers its calls only.'] : [];
  return root.entries('servers').some(([, server]) => isStated(server.follow()))
    ? ['The `security` of servers that send no notifications covers calls only.']
    : [];
}
