import { isPlainWord } from '../../execution/shell-word.ts';
import { proofsOf, signsHost, statedProofs } from '../../contract/authentication.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ReadyProof, SecretPlace } from '../../contract/proofs.ts';
import { code, type Code } from '../../targets/code.ts';
import { literal, object } from '../../targets/escape.ts';
import { describeCombination } from '../../targets/printing/certificate-code.ts';
import { testKeyPairOf } from './test-key-pairs.ts';
import type { AskedOption } from '../../targets/open-questions.ts';
import { describeSignatures, type SignatureCode } from '../../targets/printing/signature-code.ts';
import {
  describeSecrets,
  pathSecretWarning,
  type SecretCode,
  secretForTests,
  secretWarning,
} from '../../targets/printing/secret-code.ts';
import {
  headerVariable,
  publicKeyVariable,
  secretHeader,
  secretStrategyCode,
  secretVariable,
  sharedSecretCode,
  signatureStrategyCode,
  type StrategyCode,
} from '../../targets/printing/strategy-code.ts';

/** How an application authenticates deliveries, and the code and settings for that. */
export interface AuthenticationPlan extends StrategyCode {
  /** A description of the strategy in one or two sentences. */
  readonly about: string;
  /** The environment variables that the strategy needs. */
  readonly variables: readonly Variable[];
  /** The ledger entries that the strategy depends on. */
  readonly questions: readonly AskedOption[];
  /** The address that senders call in tests; `undefined` if no signature covers the whole URL. */
  readonly publicUrl?: string;
  /** How the simulator authenticates its deliveries in tests: an object. */
  readonly simulated: Code;
  /** The options that make `countersign send` and `countersign simulate` authenticate in the same way. */
  readonly sendOptions: readonly string[];
}

/** An environment variable and its value in tests. */
interface Variable {
  readonly name: string;
  readonly about: string;
  readonly inTests: string;
}

/** Choices by the id of the ledger entry that they answer. */
export type Answers = ReadonlyMap<string, string>;

/** Returns the answers as members of an options object. Omits options without an answer, which use the assumption. */
export function answerMembers(
  options: readonly AskedOption[],
  answers: Answers,
): readonly (readonly [name: string, answer: Code])[] {
  return options.flatMap(({ name, entry }) => {
    const answer = answers.get(entry.id);
    return answer === undefined ? [] : [[name, literal(answer)] as const];
  });
}

/** The authentication choice that needs nothing of the contract. */
export const sharedSecretChoice = 'shared-secret';

/**
 * Returns an option with a name of the contract, which the commands need if they would send another proof by themselves; none
 * if a shell could read this name as something else.
 */
function wordsOf(option: string, name: string, rest = ''): readonly string[] {
  return isPlainWord(name) ? [option, `${name}${rest}`] : [];
}

const urlVariable = 'PUBLIC_URL';
const urlInTests = 'https://hooks.example.com';
const secretInTests = 'only for tests';
/** A valid key in each key encoding of a contract: hexadecimal digits are also valid Base64 and valid text. */
const keyInTests = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** Returns the authentication choices: a shared secret in a header, or the id of a signature or secret of the contract. */
export function authenticationChoices(contract: Contract): readonly string[] {
  const proofs = [...proofsOf(contract, 'signature'), ...proofsOf(contract, 'secret')];
  return [sharedSecretChoice, ...proofs.map(({ scheme }) => scheme)];
}

/**
 * Returns the choice for the signature or secret that the contract states, or else the shared secret: deliveries are
 * authenticated also if the contract states that they need no proof, or one that receivers have no function for. Returns
 * `undefined` for a contract that states nothing: a proof that services do not send would refuse every real delivery,
 * and the tests of the application would pass.
 */
export function defaultAuthentication(contract: Contract): string | undefined {
  if (contract.authentication.isUnstated) return undefined;
  return statedProofs(contract)[0]?.scheme ?? sharedSecretChoice;
}

/** Plans the authentication for one of the choices. */
export function planAuthentication(
  contract: Contract,
  choice: string,
  answers: Answers,
): AuthenticationPlan {
  const signatures = describeSignatures(contract);
  const signature = signatures.find(({ scheme }) => scheme === choice);
  const secret = describeSecrets(contract).find(({ scheme }) => scheme === choice);
  if (signature?.isStated === false)
    return withUnverified(contract, bySignature(contract, signature, answers));
  if (signature !== undefined)
    return complete(contract, signature, bySignature(contract, signature, answers));
  if (secret !== undefined)
    return complete(
      contract,
      secret,
      byStatedSecret(secret, choice === defaultAuthentication(contract)),
    );
  return bySharedSecret(contract);
}

/** Adds to the description what the contract states of other deliveries, and what else it states of these. */
function complete(
  contract: Contract,
  proof: ReadyProof,
  plan: AuthenticationPlan,
): AuthenticationPlan {
  const { about, ...rest } = withUnverified(contract, plan);
  return { ...rest, about: [about, ...describeOthers(proof)].join(' ') };
}

/** Returns a sentence about notifications of which the contract does not require a proof; none if there are none. */
function describeOthers({ scheme, notRequiredBy }: ReadyProof): readonly string[] {
  const [first, ...rest] = notRequiredBy;
  if (first === undefined) return [];
  const others =
    rest.length === 0 ? '' : ` and ${rest.length} other${rest.length === 1 ? '' : 's'}`;
  return [
    `The contract does not require ${scheme} of ${first}${others}: here, such a delivery gets 401 without it. Combine what each needs with \`anyOf\`, or select these notifications for a receiver of their own (\`exclude\` in the configuration).`,
  ];
}

/** Returns the subject of a sentence about what deliveries carry by what the contract states. */
function deliveriesWith({ notRequiredBy }: ReadyProof): string {
  return notRequiredBy.length === 0 ? 'Every delivery carries' : 'Some deliveries carry';
}

/** Where the options of a client certificate are described: code in a folder has no README. */
const certificateOptions =
  'the section “Client certificates” in docs/webhooks.md of the generated runtime has its options';

/** Adds to the description that the contract also states client certificates, or signatures in the body. */
function withUnverified(contract: Contract, plan: AuthenticationPlan): AuthenticationPlan {
  const unverified = [
    ...proofsOf(contract, 'certificate').map((proof) => ({
      ...proof,
      what: 'the client certificate',
      help: certificateOptions,
    })),
    ...proofsOf(contract, 'body-signature').map((proof) => ({
      ...proof,
      what: 'the signature in the body',
      help: 'the comment of that function in the generated code describes its options',
    })),
  ];
  const combined = describeCombination(contract)?.stated;
  const notes = unverified.map(({ scheme, verify, what, help }) => {
    const stated = combined ?? `${scheme}, for some notifications or beside others`;
    return `The contract also states ${what} ${scheme} (${stated}), which this does not verify: add \`${verify}\`; ${help}.`;
  });
  return { ...plan, about: [plan.about, ...notes].join(' ') };
}

/** What a secret in a header needs, whether the contract states it or not. */
function secretSettings(
  header: string,
): Pick<AuthenticationPlan, 'variables' | 'questions' | 'simulated' | 'sendOptions'> {
  return {
    variables: [
      {
        name: secretVariable,
        about: `The secret that every delivery carries in the header ${header}: long and random.`,
        inTests: secretInTests,
      },
    ],
    questions: [],
    simulated: object({ headers: object([[header, literal(secretInTests)]]) }),
    sendOptions: ['--header-env', `${header}=${secretVariable}`],
  };
}

type SecretPlan = Omit<AuthenticationPlan, keyof StrategyCode>;

/** The plans for secrets in places that have an option of their own in both commands. */
const secretPlans: Partial<
  Readonly<Record<SecretPlace, (secret: SecretCode, isDefault: boolean) => SecretPlan>>
> = {
  header: ({ parameterName, ...secret }, isDefault) => ({
    ...secretSettings(parameterName),
    sendOptions: isDefault ? [] : wordsOf('--header-env', parameterName, `=${secretVariable}`),
    about: `${deliveriesWith(secret)} a secret in the header ${parameterName}, as the contract states.`,
  }),
  path: (secret) => ({
    about: `${deliveriesWith(secret)} a secret as a segment of the path of the registered URL, as the contract states. ${pathSecretWarning}`,
    variables: [
      {
        name: secretVariable,
        about:
          'The secret segment of the path of the registered URL: long and random, without `/`.',
        inTests: secretInTests,
      },
    ],
    questions: [],
    simulated: object({ pathSecret: literal(secretInTests) }),
    sendOptions: ['--path-secret-env', secretVariable],
  }),
};

function byStatedSecret(secret: SecretCode, isDefault: boolean): AuthenticationPlan {
  const planSecret = secretPlans[secret.place] ?? carriedSecret;
  return { ...secretStrategyCode(secret, secretInTests), ...planSecret(secret, isDefault) };
}

/** Plans a secret that both commands send, as the contract states it, from the variable of the secret. */
function carriedSecret(secret: SecretCode): SecretPlan {
  const { what, isAlone } = secret;
  const inTests = secretForTests(secret, secretInTests);
  const warning = secretWarning(secret);
  return {
    about:
      `${deliveriesWith(secret)} a ${what}, as the contract states${isAlone ? '' : ', which requires other schemes beside it'}.` +
      (warning === undefined ? '' : ` ${warning}`),
    variables: [
      {
        name: secretVariable,
        about: `The ${what}, which every delivery carries: long and random.`,
        inTests,
      },
    ],
    questions: [],
    simulated: object({ key: literal(inTests) }),
    sendOptions: [],
  };
}

function bySharedSecret(contract: Contract): AuthenticationPlan {
  const settings = secretSettings(secretHeader);
  const plan = { ...sharedSecretCode(secretInTests), about: aboutSharedSecret(contract) };
  if (!statesUnsupported(contract)) return { ...plan, ...settings };
  // Otherwise, the simulator sends nothing: it cannot authenticate deliveries as the contract states.
  return {
    ...plan,
    ...settings,
    simulated: object({
      headers: object([[secretHeader, literal(secretInTests)]]),
      signature: code`false`,
    }),
    sendOptions: [...settings.sendOptions, '--no-signature'],
  };
}

/** Returns whether the contract authenticates notifications only by schemes that neither a receiver nor a sender has. */
function statesUnsupported(contract: Contract): boolean {
  return statedProofs(contract).length === 0 && contract.authentication.isRequired;
}

function aboutSharedSecret(contract: Contract): string {
  if (statedProofs(contract).length > 0)
    return `Every delivery carries a secret in the header ${secretHeader}.`;
  const [inBody] = proofsOf(contract, 'body-signature');
  if (inBody !== undefined)
    return `Here, every delivery carries a secret in the header ${secretHeader}. The contract states the signature ${inBody.scheme} in the body${beside(contract, inBody.isAlone)}: for real deliveries, use \`${inBody.verify}\` of the generated package instead. The simulator does not write such signatures.`;
  if (contract.authentication.isNone)
    return `The contract states that nothing in a delivery authenticates it: every client that knows the URL can send one. Here, each has to carry a secret in the header ${secretHeader}, which a proxy can add after it has verified the sender. Choose another strategy that the network can prove, or switch authentication off with \`unauthenticated()\`.`;
  const [certificate] = proofsOf(contract, 'certificate');
  if (certificate !== undefined)
    return `The contract states the client certificate ${certificate.scheme} for deliveries. Where it comes from depends on what accepts the connections, and whose it is on the operator of the service, so here each delivery carries a secret in the header ${secretHeader}. Replace that by \`${certificate.verify}({ from: tlsSocket(), subject: { CN: '…' } })\` on a server of Node with TLS: ${certificateOptions}.`;
  if (statesUnsupported(contract))
    return `The contract states for deliveries: ${proofsOf(contract, 'unready')
      .map(({ scheme, what }) => `${scheme} (${what})`)
      .join(
        ', ',
      )}. The generated package has no ready strategy for that. Here, each delivery carries a secret in the header ${secretHeader}: before you receive real ones, write a function for \`authenticate\`, such as \`async ({ headers }) => await isAuthentic(headers('authorization'))\`.`;
  return `The contract does not state how a delivery proves where it comes from. Here, each carries a secret in the header ${secretHeader}: agree on it with the operator of the service, or choose another strategy.`;
}

/** Returns what the contract requires beside a scheme, as a part of a sentence. */
function beside(contract: Contract, isAlone: boolean): string {
  const combined = describeCombination(contract)?.stated;
  if (combined !== undefined) return ` (${combined})`;
  return isAlone ? '' : ', and other schemes beside it';
}

const publicUrl: Variable = {
  name: urlVariable,
  about: `The beginning of the URL that senders call and sign, before the path that arrives here, such as ${urlInTests}. For deliveries of \`countersign send\` and \`countersign simulate\`, the origin in their --to.`,
  inTests: urlInTests,
};

function bySignature(
  contract: Contract,
  signature: SignatureCode,
  answers: Answers,
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
      ...(isStated && id === defaultAuthentication(contract) ? [] : wordsOf('--signature', id)),
      // The command signs, so it needs the private key.
      ...(pair === undefined ? [] : ['--key-env', 'SENDER_PRIVATE_KEY']),
      ...sentHeaders.flatMap((name) => wordsOf('--header-env', name, `=${headerVariable(name)}`)),
    ],
  };
}
