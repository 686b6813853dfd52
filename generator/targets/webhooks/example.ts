import type { Contract } from '../../contract/contract.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, object, objectUnlessEmpty } from '../escape.ts';
import { planWebhooks } from './plan.ts';
import { receiverQuestions } from './receiver-questions.ts';
import { describeSignatures, type SignatureCode } from './signature-code.ts';

/** The example of a receiver for pages, and of a delivery that it accepts if every secret is `secret`. */
interface ReceiverExample {
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
export function describeExample(contract: Contract): ReceiverExample {
  const kind = planWebhooks(contract).kinds.find(
    ({ notification }) => notification.examples.length > 0,
  );
  const stated = describeSignatures(contract).find(({ isStated }) => isStated);
  const answers = receiverQuestions(contract).required();
  return {
    ...(stated === undefined ? bySharedSecret() : bySignature(stated)),
    answers: answers.map(([name, answer]) => code`${identifier(name)}: ${answer}`),
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
  const answers = questions.required();
  const headersOf = (valueOf: (header: string) => Code): Code | undefined =>
    objectUnlessEmpty(headers.map((name) => [name, valueOf(name)]));
  const authenticate = (secretOf: SecretOf): Code => {
    const options = object([
      ['keys', code`[${secretOf(secret)}]`],
      ['headers', headersOf((name) => secretOf(secretName(name)))],
      ['publicOrigin', alwaysSignsUrl ? literal('https://hooks.example.com') : undefined],
      ...answers,
    ]);
    return code`${identifier(verify)}(${options})`;
  };
  const signing = object([['key', literal('secret')], ...answers]);
  const proven = headersOf(() => literal('secret'));
  return {
    strategy: verify,
    authenticate: authenticate(ofProcess),
    authenticateInWorker: authenticate(ofWorker),
    secrets: [...new Set([secret, ...headers.map(secretName)])],
    signer,
    proof: joinCode([
      ...(proven === undefined ? [] : [code`headers: ${proven}`]),
      code`signer: ${identifier(signer)}(${signing})`,
    ]),
  };
}

/** Returns the name of the environment variable with the expected value of a header. */
function secretName(header: string): string {
  return `WEBHOOK_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}
