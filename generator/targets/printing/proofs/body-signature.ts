import { code } from '../../code.ts';
import { identifier } from '../../escape.ts';
import { coveredMembers, describeBodySignatures } from '../body-signature-code.ts';
import { bodySignatureStrategyCode } from '../strategy-code.ts';
import { document } from './document.ts';
import type { ProofPrinter } from './printer.ts';

/** Prints signatures over members of the body. */
export const bodySignaturePrinter: ProofPrinter = {
  module(contract) {
    const bodySignatures = describeBodySignatures(contract).map((signature) =>
      document(
        contract,
        signature,
        'Authenticates deliveries by the signature in the body, which the contract states. It covers these members alone, in order: ' +
          `${coveredMembers(signature)}. An attacker who captured a delivery can change every other member.`,
      ),
    );
    return {
      file: 'body-signatures.ts',
      data: { bodySignatures },
      isUsed: bodySignatures.length > 0,
      exports: bodySignatures.map(
        ({ verify }) => code`export { ${identifier(verify)} } from './body-signatures.ts';`,
      ),
      signers: bodySignatures.map(({ signer }) => signer),
    };
  },
  strategies: (contract) =>
    describeBodySignatures(contract).map((signature) => ({
      verify: signature.verify,
      about: `bodies with the signature \`${signature.security.id}\` in them, which the contract states; it covers these members alone: ${coveredMembers(signature)}${signature.isAlone ? '' : '. The contract requires other schemes beside it'}`,
    })),
  example(contract) {
    const [first, ...rest] = describeBodySignatures(contract);
    if (first === undefined) return undefined;
    const alone = [first, ...rest].find(({ isAlone }) => isAlone);
    const signature = alone ?? first;
    return {
      ...bodySignatureStrategyCode(signature, signature.exampleKey),
      isPreferred: alone !== undefined,
    };
  },
};
