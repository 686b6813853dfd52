import { signsHost } from 'countersign/companion/deliveries';
import {
  describeSignatures,
  type SignatureCode,
  signatureStrategyCode,
} from 'countersign/companion/printing';
import { headerVariable, publicKeyVariable, secretVariable } from 'countersign/companion/secrets';
import { type Contract, literal, object } from 'countersign/kit';
import { testKeyPairOf } from '../test-key-pairs.ts';
import {
  answerMembers,
  type Answers,
  type AuthenticationPlan,
  deliveriesWith,
  type Variable,
  wordsOf,
} from './plan.ts';
import type { ProofPlanner } from './planner.ts';

const urlVariable = 'PUBLIC_URL';
const urlInTests = 'https://hooks.example.com';
/** A valid key in each key encoding of a contract: hexadecimal digits are also valid Base64 and valid text. */
const keyInTests = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** Signatures in headers. */
export const signaturePlanner: ProofPlanner<'signature'> = {
  plan(contract, { scheme }, { answers, isDefault }) {
    const signature = describeSignatures(contract).find((candidate) => candidate.scheme === scheme);
    if (signature === undefined) throw new TypeError(`${scheme} is no signature.`);
    return bySignature(contract, signature, answers, isDefault);
  },
};

const publicUrl: Variable = {
  name: urlVariable,
  about: `The beginning of the URL that senders call and sign, before the path that arrives here, such as ${urlInTests}. For deliveries of \`countersign send\` and \`countersign simulate\`, the origin in their --to.`,
  inTests: urlInTests,
};

function bySignature(
  contract: Contract,
  signature: SignatureCode,
  answers: Answers,
  isDefault: boolean,
): AuthenticationPlan {
  const { headers, deliveryHeaders, questions, isStated, statedFor, security } = signature;
  const { alwaysSignsUrl, isPair, algorithm } = signature;
  const { id } = security;
  // Where only the path is signed, an address without a path would have no effect.
  const signsUrl =
    alwaysSignsUrl ||
    questions.options.some(({ entry: { id: question, choices, assumed } }) => {
      const answer = answers.get(question) ?? assumed;
      return signsHost(choices.find(({ name }) => name === answer)?.value);
    });
  const pair = isPair ? testKeyPairOf(algorithm) : undefined;
  const keyOfSender = pair?.privateKey ?? keyInTests;
  const inTests = { key: literal(keyOfSender), header: 'test' };
  // The simulator and `send` make a new value of each header that identifies a delivery.
  const isFresh = (name: string): boolean =>
    contract.notifications.every(
      ({ dedupeBy }) =>
        Array.isArray(dedupeBy) &&
        dedupeBy.some((key) => key.toLowerCase() === `$request.header.${name}`),
    );
  const sentHeaders = [...headers, ...deliveryHeaders.filter((name) => !isFresh(name))];
  return {
    ...signatureStrategyCode(
      signature,
      inTests,
      answerMembers(questions.options, answers),
      signsUrl ? (read) => read(urlVariable) : undefined,
    ),
    ...(signsUrl ? { publicUrl: urlInTests } : {}),
    about: isStated
      ? `${deliveriesWith(signature)} the signature ${id}, as the contract states.`
      : `Every delivery carries the signature ${id}. The contract states it for ${statedFor}; that notifications carry it is an assumption: ask the operator of the service.`,
    variables: [
      pair === undefined
        ? { name: secretVariable, about: `The key of the signature ${id}.`, inTests: keyInTests }
        : {
            name: publicKeyVariable,
            about: `The public key of the signature ${id}: PEM, with \\n for each line break, or a JWK as JSON text.`,
            inTests: pair.publicKey,
          },
      ...sentHeaders.map((name) => ({
        name: headerVariable(name),
        about: `What every delivery says in the signed header ${name}.`,
        inTests: inTests.header,
      })),
      ...(signsUrl ? [publicUrl] : []),
    ],
    questions: questions.options,
    simulated: object({
      signature: literal(id),
      key: literal(keyOfSender),
      headers: object(sentHeaders.map((name) => [name, literal(inTests.header)])),
      publicUrl: signsUrl ? literal(urlInTests) : undefined,
    }),
    sendOptions: [
      ...(isStated && isDefault ? [] : wordsOf('--signature', id)),
      // The command signs, so it needs the private key.
      ...(pair === undefined ? [] : ['--key-env', 'SENDER_PRIVATE_KEY']),
      ...sentHeaders.flatMap((name) => wordsOf('--header-env', name, `=${headerVariable(name)}`)),
    ],
  };
}
