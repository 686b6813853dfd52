import type { Contract } from '../../../contract/contract.ts';
import { describeCombination } from '../../../targets/printing/certificate-code.ts';
import { secretHeader } from '../../../targets/printing/strategy-code.ts';
import type { ProofPlanner } from './planner.ts';

/** Signatures over members of the body, which the simulator does not write for applications. */
export const bodySignaturePlanner: ProofPlanner<'body-signature'> = {
  help: 'the comment of that function in the generated code describes its options',
  instead: (contract, { scheme, verify, isAlone }) =>
    `Here, every delivery carries a secret in the header ${secretHeader}. The contract states the signature ${scheme} in the body${beside(contract, isAlone)}: for real deliveries, use \`${verify}\` of the generated package instead. The simulator does not write such signatures.`,
};

/** Returns what the contract requires beside a scheme, as a part of a sentence. */
function beside(contract: Contract, isAlone: boolean): string {
  const combined = describeCombination(contract)?.stated;
  if (combined !== undefined) return ` (${combined})`;
  return isAlone ? '' : ', and other schemes beside it';
}
