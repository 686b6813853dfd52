import {
  bodySignatureStrategyCode,
  coveredMembers,
  describeBodySignatures,
} from 'countersign/companion/printing';
import { secretVariable } from 'countersign/companion/secrets';
import { literal, object } from 'countersign/kit';
import { deliveriesWith, wordsOf } from './plan.ts';
import type { ProofPlanner } from './planner.ts';

/** Signatures over members of the body. */
export const bodySignaturePlanner: ProofPlanner<'body-signature'> = {
  help: 'the comment of that function in the generated code describes its options',
  plan(contract, { scheme }, { isDefault }) {
    const signature = describeBodySignatures(contract).find(
      (candidate) => candidate.scheme === scheme,
    );
    if (signature === undefined) throw new TypeError(`${scheme} is no signature in the body.`);
    const { exampleKey, isAlone } = signature;
    return {
      ...bodySignatureStrategyCode(signature, exampleKey),
      about: `${deliveriesWith(signature)} the signature ${scheme} in the body, as the contract states${isAlone ? '' : ', which requires other schemes beside it'}. It covers these members alone: ${coveredMembers(signature)}.`,
      variables: [
        {
          name: secretVariable,
          about: `The key of the signature ${scheme}.`,
          inTests: exampleKey,
        },
      ],
      questions: [],
      simulated: object({ key: literal(exampleKey) }),
      sendOptions: isDefault ? [] : wordsOf('--signature', scheme),
    };
  },
};
