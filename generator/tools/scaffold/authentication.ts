import type { Contract } from '../../contract/contract.ts';
import { code, joinCode, type Code } from '../../targets/code.ts';
import { identifier, literal, memberName } from '../../targets/escape.ts';
import type { AskedOption } from '../../targets/open-questions.ts';
import { describeSignatures, type SignatureCode } from '../../targets/webhooks/signature-code.ts';
import { answerMembers, type Answers } from './answers.ts';

/** How an application authenticates deliveries, and the code and settings for that. */
export interface AuthenticationPlan {
  /** The function of the generated package that creates the strategy. */
  readonly strategy: string;
  /** A description of the strategy in one or two sentences. */
  readonly about: string;
  /** The environment variables that the strategy needs. */
  readonly variables: readonly Variable[];
  /** The ledger entries that the strategy depends on. */
  readonly questions: readonly AskedOption[];
  /** Returns the expression that creates the strategy; `read` returns the expression that reads a variable. */
  readonly expression: (read: (variable: string) => Code) => Code;
  /** The members of a test's overrides that make its delivery authentic. */
  readonly proof: Code;
  /** The function that creates a signer for tests; `undefined` if the strategy has no signature. */
  readonly signer: string | undefined;
  /** The options that make `countersign send` authenticate in the same way. */
  readonly sendOptions: readonly string[];
}

/** An environment variable and its value in tests. */
export interface Variable {
  readonly name: string;
  readonly about: string;
  readonly inTests: string;
}

/** The authentication choice that is not a signature of the contract. */
export const sharedSecretChoice = 'shared-secret';

const secretHeader = 'x-webhook-secret';
const secretVariable = 'WEBHOOK_SECRET';
const secretInTests = 'only for tests';
/** A valid key in each key encoding of a contract: hexadecimal digits are also valid Base64 and valid text. */
const keyInTests = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** Returns the authentication choices: a shared secret in a header, or the id of a signature scheme of the contract. */
export function authenticationChoices(contract: Contract): readonly string[] {
  return [sharedSecretChoice, ...describeSignatures(contract).map(({ security }) => security.id)];
}

/**
 * Returns the choice for the signature that the contract states, or else the shared secret. Deliveries are always
 * authenticated.
 */
export function defaultAuthentication(contract: Contract): string {
  const stated = describeSignatures(contract).find(({ isStated }) => isStated);
  return stated?.security.id ?? sharedSecretChoice;
}

/** Plans the authentication for one of the choices. */
export function planAuthentication(
  contract: Contract,
  choice: string,
  answers: Answers,
): AuthenticationPlan {
  const signatures = describeSignatures(contract);
  const signature = signatures.find(({ security }) => security.id === choice);
  return signature === undefined
    ? bySharedSecret(signatures.some(({ isStated }) => isStated))
    : bySignature(signature, answers);
}

function bySharedSecret(isOtherStated: boolean): AuthenticationPlan {
  return {
    strategy: 'sharedSecret',
    about: isOtherStated
      ? `Every delivery carries a secret in the header ${secretHeader}.`
      : `The contract does not state how a delivery proves where it comes from. Here, each carries a secret in the header ${secretHeader}: agree on it with the operator of the service, or choose another strategy.`,
    variables: [
      {
        name: secretVariable,
        about: `The secret that every delivery carries in the header ${secretHeader}: long and random.`,
        inTests: secretInTests,
      },
    ],
    questions: [],
    expression: (read) =>
      code`sharedSecret({ header: ${literal(secretHeader)} }, ${read(secretVariable)})`,
    proof: code`headers: { ${memberName(secretHeader)}: ${literal(secretInTests)} }`,
    signer: undefined,
    sendOptions: ['--header-env', `${secretHeader}=${secretVariable}`],
  };
}

function bySignature(
  { verify, signer, headers, questions, isStated, security }: SignatureCode,
  answers: Answers,
): AuthenticationPlan {
  const { id } = security;
  const chosen = answerMembers(questions.options, answers);
  const signedHeaders = headers.map((name) => ({ name, variable: toVariable(name) }));
  const toHeaders = (valueOf: (variable: string) => Code): readonly Code[] => {
    const members = signedHeaders.map(
      ({ name, variable }) => code`${memberName(name)}: ${valueOf(variable)}`,
    );
    return members.length === 0 ? [] : [code`headers: { ${joinCode(members, ', ')} }`];
  };
  const call = (name: string, members: readonly Code[]): Code =>
    code`${identifier(name)}({ ${joinCode([...members, ...chosen], ', ')} })`;
  return {
    strategy: verify,
    about: isStated
      ? `Every delivery carries the signature ${id}, as the contract states.`
      : `Every delivery carries the signature ${id}. The contract states it for calls; that notifications carry it too is an assumption: ask the operator of the service.`,
    variables: [
      { name: secretVariable, about: `The key of the signature ${id}.`, inTests: keyInTests },
      ...signedHeaders.map(({ name, variable }) => ({
        name: variable,
        about: `What every delivery says in the signed header ${name}.`,
        inTests: 'test',
      })),
    ],
    questions: questions.options,
    expression: (read) => call(verify, [code`keys: [${read(secretVariable)}]`, ...toHeaders(read)]),
    proof: joinCode(
      [
        ...toHeaders(() => literal('test')),
        code`signer: ${call(signer, [code`key: ${literal(keyInTests)}`])}`,
      ],
      ', ',
    ),
    signer,
    sendOptions: [
      '--sign',
      id,
      ...signedHeaders.flatMap(({ name, variable }) => ['--header-env', `${name}=${variable}`]),
    ],
  };
}

/** Returns the name of the environment variable that holds the value of a header. */
function toVariable(header: string): string {
  return `WEBHOOK_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}
