import { code, type Code } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import type { WebhookPlan } from './plan.ts';
import type { SignatureCode } from './signature-code.ts';
import {
  headerVariable,
  secretVariable,
  sharedSecretCode,
  signatureStrategyCode,
  type StrategyCode,
} from './strategy-code.ts';

/** The example of a receiver for pages, and of a delivery that it accepts if every secret is `secret`. */
export interface ReceiverExample extends Omit<StrategyCode, 'create'> {
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
}

/** Describes an example with the signature that the contract states for notifications, or else a secret in a header. */
export function describeExample(
  plan: WebhookPlan,
  signatures: readonly SignatureCode[],
  questions: OpenQuestions,
): ReceiverExample {
  const kind = plan.kinds.find(({ notification }) => notification.examples.length > 0);
  const stated = signatures.find(({ isStated }) => isStated);
  const { create, ...strategy } =
    stated === undefined ? sharedSecretCode('secret') : signatureExample(stated);
  return {
    ...strategy,
    authenticate: create((name) => code`process.env[${literal(name)}] ?? ''`),
    authenticateInWorker: create((name) => code`env.${identifier(name)}`),
    secrets: [...new Set([secretVariable, ...(stated?.headers ?? []).map(headerVariable)])],
    answers: answersTo(questions),
    first: kind && { name: kind.notification.name, eventType: kind.eventType },
  };
}

function signatureExample(signature: SignatureCode): StrategyCode {
  const origin = signature.alwaysSignsUrl ? [code`publicOrigin: 'https://hooks.example.com'`] : [];
  const inTests = { key: 'secret', header: 'secret' };
  return signatureStrategyCode(signature, inTests, answersTo(signature.questions), origin);
}

function answersTo(questions: OpenQuestions): readonly Code[] {
  return questions.options
    .filter(({ optional }) => !optional)
    .map(({ name, entry }) => code`${identifier(name)}: ${literal(entry.choices[0]?.name ?? '')}`);
}
