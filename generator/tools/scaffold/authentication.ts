import type { Contract } from '../../contract/contract.ts';
import { code, joinCode, type Code } from '../../targets/code.ts';
import { identifier, literal, memberName } from '../../targets/escape.ts';
import type { AskedOption } from '../../targets/open-questions.ts';
import { describeSignatures, type SignatureCode } from '../../targets/webhooks/signature-code.ts';
import { answerMembers, type Answers } from './answers.ts';

/** How an application proves where deliveries come from, and what that takes. */
export interface AuthenticationPlan {
  /** The function of the receiving package that makes it. */
  readonly strategy: string;
  /** What it is, in a sentence or two. */
  readonly about: string;
  /** Variables of the environment that it needs. */
  readonly variables: readonly Variable[];
  /** Questions of the ledger that it depends on. */
  readonly questions: readonly AskedOption[];
  /** Makes it, given what reads a variable. */
  readonly expression: (read: (variable: string) => Code) => Code;
  /** What makes a delivery of a test authentic: members of its overrides. */
  readonly proof: Code;
  /** The function that makes a signer for tests; left out where nothing is signed. */
  readonly signer: string | undefined;
  /** Options with which `countersign send` proves the same. */
  readonly sendOptions: readonly string[];
}

/** A variable of the environment, and what tests set it to. */
export interface Variable {
  readonly name: string;
  readonly about: string;
  readonly inTests: string;
}

/** The choice that is no signature of the contract. */
export const sharedSecretChoice = 'shared-secret';

const secretHeader = 'x-webhook-secret';
const secretVariable = 'WEBHOOK_SECRET';
const secretInTests = 'only for tests';
/** Well-formed however a contract writes keys: hexadecimal digits are Base64 and text as well. */
const keyInTests = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** What may be asked for: a secret that deliveries carry, or one of the contract's signatures by its name. */
export function authenticationChoices(contract: Contract): readonly string[] {
  return [sharedSecretChoice, ...describeSignatures(contract).map(({ security }) => security.id)];
}

/** What the contract states, or else a shared secret: never nothing. */
export function defaultAuthentication(contract: Contract): string {
  const stated = describeSignatures(contract).find(({ isStated }) => isStated);
  return stated?.security.id ?? sharedSecretChoice;
}

/** Plans one of the choices. */
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

/** The variable for what a header has to say. */
function toVariable(header: string): string {
  return `WEBHOOK_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}
