import type { Contract } from '../../contract/contract.ts';
import { code, type Code } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { describeBodySignatures } from './body-signature-code.ts';
import { eventsOf } from '../../contract/events.ts';
import { receiverQuestions } from './receiver-questions.ts';
import { describeSignatures, type SignatureCode } from './signature-code.ts';
import { describeSecrets } from './secret-code.ts';
import {
  bodySignatureStrategyCode,
  headerVariable,
  publicKeyVariable,
  secretStrategyCode,
  secretVariable,
  sharedSecretCode,
  signatureStrategyCode,
  type StrategyCode,
} from './strategy-code.ts';

/** The example of a receiver for pages, and of a delivery that it accepts if every secret is `secret`. */
interface ReceiverExample extends Omit<StrategyCode, 'create'> {
  /** The strategy, with secrets from `process.env`. */
  readonly authenticate: Code;
  /** The strategy, with secrets from the `env` that Workers receive. */
  readonly authenticateOfEnvironment: Code;
  /** The names of the environment variables with secrets. */
  readonly secrets: readonly string[];
  /** Options for open questions without an assumed answer. */
  readonly answers: readonly Code[];
  /** The first kind that has an example; `undefined` where there is none. */
  readonly first: { readonly name: string; readonly eventType: string } | undefined;
  /** Whether the contract states a secret in the path. */
  readonly hasPathSecret: boolean;
}

/**
 * Describes an example with the signature or secret that the contract states for notifications, or else a secret in a
 * header.
 */
export function describeExample(contract: Contract): ReceiverExample {
  const kind = eventsOf(contract).kinds.find(
    ({ notification }) => notification.examples.length > 0,
  );
  const stated = describeSignatures(contract).find(({ isStated }) => isStated);
  const { create, ...strategy } =
    stated === undefined ? unsignedExample(contract) : signatureExample(stated);
  const answers = receiverQuestions(contract).required();
  return {
    ...strategy,
    authenticate: create((name) => code`process.env[${literal(name)}] ?? ''`),
    authenticateOfEnvironment: create((name) => code`env.${identifier(name)}`),
    secrets: [
      ...new Set([
        ...(stated?.isPair === true
          ? stated.jwks === undefined
            ? [publicKeyVariable]
            : []
          : [secretVariable]),
        ...(stated?.headers ?? []).map(headerVariable),
      ]),
    ],
    answers: answers.map(([name, answer]) => code`${identifier(name)}: ${answer}`),
    first: kind && { name: kind.notification.name, eventType: kind.eventType },
    hasPathSecret: describeSecrets(contract).some(({ place }) => place === 'path'),
  };
}

function unsignedExample(contract: Contract): StrategyCode {
  const signatures = describeBodySignatures(contract);
  const secrets = describeSecrets(contract);
  const secret = secrets.find(({ isAlone }) => isAlone) ?? secrets[0];
  // One beside other schemes is an example only if nothing else is stated.
  const signature =
    signatures.find(({ isAlone }) => isAlone) ?? (secret === undefined ? signatures[0] : undefined);
  if (signature !== undefined) return bodySignatureStrategyCode(signature, signature.exampleKey);
  return secret === undefined ? sharedSecretCode('secret') : secretStrategyCode(secret, 'secret');
}

function signatureExample(signature: SignatureCode): StrategyCode {
  return signatureStrategyCode(
    signature,
    {
      key: signature.isPair ? code`process.env['TEST_PRIVATE_KEY'] ?? ''` : literal('secret'),
      header: 'secret',
      usesAddress: signature.jwks !== undefined,
    },
    signature.questions.required(),
    signature.alwaysSignsUrl ? () => literal('https://hooks.example.com') : undefined,
  );
}
