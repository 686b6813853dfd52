import { toPointer } from '../json/pointer.ts';
import { importTestVectors, settleSignature } from '../contract/signature-scheme.ts';
import type { ContractRule, Finding } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Checks that each signature can be created and verified: its members are consistent, and no two requests share a
 * signature.
 */
export const signatures: ContractRule = {
  codes: ['unusable-signature'],
  async check({ contract }) {
    const signed = contract.security.filter(({ signature }) => signature !== undefined);
    if (signed.length === 0) return [];
    const { createTestVectors } = await importTestVectors();
    const findings: Finding[] = [];
    for (const security of signed) {
      if (security.signature === undefined) continue;
      try {
        const { scheme } = settleSignature(contract, security, security.signature);
        await createTestVectors(scheme);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `The signature ${quote(security.id)} cannot be used: ${reason}`;
        const pointer = toPointer(security.pointer, ...membersAtFault(error));
        findings.push({ pointer, message });
      }
    }
    return findings;
  },
};

/** Returns the path of the member at fault. The name of the header is a member of the security scheme itself. */
function membersAtFault(error: unknown): readonly string[] {
  const member =
    error instanceof Error && 'member' in error && typeof error.member === 'string'
      ? error.member
      : undefined;
  if (member === 'header') return ['name'];
  return ['x-signature', ...(member?.split('.') ?? [])];
}
