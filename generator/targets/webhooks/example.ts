import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import type { WebhookPlan } from './plan.ts';
import type { SignatureCode } from './signature-code.ts';

/** The example of a receiver for pages, and of a delivery that it accepts if every secret is `secret`. */
export interface ReceiverExample {
  /** The name of the function that creates the authentication strategy. */
  readonly strategy: string;
  /** The strategy, with secrets from `process.env`. */
  readonly authenticate: Code;
  /** The strategy, with secrets from the `env` that Workers receive. */
  readonly authenticateInWorker: Code;
  /** The names of the environment variables with secrets. */
  readonly secrets: readonly string[];
  /** Options for open questions without an assumed answer. */
  readonly answers: readonly Code[];
  /** The first kind that has an example; `undefined` where there is none. */
  readonly first: { readonly name: string; readonly eventType: string } | undefined;
  /** The function that creates a signer; `undefined` where notifications have no stated signature. */
  readonly signer: string | undefined;
  /** The overrides that make a test delivery authentic, as members of an object. */
  readonly proof: Code;
}

type SecretOf = (name: string) => Code;

const ofProcess: SecretOf = (name) => code`process.env[${literal(name)}] ?? ''`;
const ofWorker: SecretOf = (name) => code`env.${identifier(name)}`;

/** Describes an example with the signature that the contract states for notifications, or else a secret in a header. */
export function describeExample(
  plan: WebhookPlan,
  signatures: readonly SignatureCode[],
  questions: OpenQuestions,
): ReceiverExample {
  const kind = plan.kinds.find(({ notification }) => notification.examples.length > 0);
  const stated = signatures.find(({ isStated }) => isStated);
  return {
    ...(stated === undefined ? bySharedSecret() : bySignature(stated)),
    answers: answersTo(questions),
    first: kind && { name: kind.notification.name, eventType: kind.eventType },
  };
}

type ByStrategy = Omit<ReceiverExample, 'answers' | 'first'>;

const secret = 'WEBHOOK_SECRET';

function bySharedSecret(): ByStrategy {
  const authenticate = (secretOf: SecretOf): Code =>
    code`sharedSecret({ header: 'x-webhook-secret' }, ${secretOf(secret)})`;
  return {
    strategy: 'sharedSecret',
    authenticate: authenticate(ofProcess),
    authenticateInWorker: authenticate(ofWorker),
    secrets: [secret],
    signer: undefined,
    proof: code`headers: { 'x-webhook-secret': 'secret' }`,
  };
}

function bySignature(signature: SignatureCode): ByStrategy {
  const { verify, signer, headers, questions, alwaysSignsUrl } = signature;
  const answers = answersTo(questions);
  const toHeaders = (valueOf: (header: string) => Code): readonly Code[] =>
    headers.length === 0
      ? []
      : [
          code`headers: { ${joinCode(
            headers.map((name) => code`${memberName(name)}: ${valueOf(name)}`),
            ', ',
          )} }`,
        ];
  const authenticate = (secretOf: SecretOf): Code => {
    const members = [
      code`keys: [${secretOf(secret)}]`,
      ...toHeaders((name) => secretOf(secretName(name))),
      ...(alwaysSignsUrl ? [code`publicOrigin: 'https://hooks.example.com'`] : []),
      ...answers,
    ];
    return code`${identifier(verify)}({ ${joinCode(members, ', ')} })`;
  };
  const signing = joinCode([code`key: 'secret'`, ...answers], ', ');
  const proof = [
    ...toHeaders(() => code`'secret'`),
    code`signer: ${identifier(signer)}({ ${signing} })`,
  ];
  return {
    strategy: verify,
    authenticate: authenticate(ofProcess),
    authenticateInWorker: authenticate(ofWorker),
    secrets: [...new Set([secret, ...headers.map(secretName)])],
    signer,
    proof: joinCode(proof, ', '),
  };
}

/** Returns the name of the environment variable with the expected value of a header. */
function secretName(header: string): string {
  return `WEBHOOK_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}

function answersTo(questions: OpenQuestions): readonly Code[] {
  return questions.options
    .filter(({ optional }) => !optional)
    .map(({ name, entry }) => code`${identifier(name)}: ${literal(entry.choices[0]?.name ?? '')}`);
}
