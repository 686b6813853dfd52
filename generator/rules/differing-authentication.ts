import { requirementsKey } from '../contract/authentication.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/**
 * Reports notifications of which the contract requires different proofs, or of some a proof and of others none: once,
 * because a receiver has one answer for all. Another rule reports those with a signature in the body.
 */
export const differingAuthentication: ContractRule = {
  codes: ['differing-authentication'],
  *check({ contract: { notifications, security: schemes } }) {
    const [first, ...rest] = notifications.filter(({ security }) => security.length > 0);
    if (first === undefined) return;
    const isInBody = (id: string): boolean =>
      schemes.some((scheme) => scheme.id === id && scheme.bodySignature !== undefined);
    const stated = [first, ...rest].flatMap(({ security }) => security.flat());
    if (stated.some(({ scheme }) => isInBody(scheme))) return;
    const [other, ...others] = rest.filter(
      ({ security }) => requirementsKey(security) !== requirementsKey(first.security),
    );
    if (other === undefined) return;
    const counted =
      others.length === 0 ? '' : ` and ${others.length} other${others.length === 1 ? '' : 's'}`;
    yield {
      pointer: other.pointer,
      message: `The contract requires other proofs of ${quote(other.id)}${counted} than of ${quote(first.id)}, and a receiver authenticates a delivery before it knows which notification it is.`,
    };
  },
};
