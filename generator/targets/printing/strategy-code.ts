import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, memberName, object, objectUnlessEmpty } from '../escape.ts';
import type { BodySignatureCode } from './body-signature-code.ts';
import type { SignatureCode } from './signature-code.ts';
import {
  secretVariable,
  publicKeyVariable,
  secretHeader,
  headerVariable,
} from './secret-variables.ts';
import { type SecretCode, secretForTests, secretProof } from './secret-code.ts';

/** Code that authenticates the deliveries to an application, and that makes the deliveries of its tests authentic. */
export interface StrategyCode {
  /** The function of the generated package that creates the strategy. */
  readonly strategy: string;
  /** Returns the expression that creates the strategy; `read` returns the expression that reads a variable. */
  readonly create: (read: (variable: string) => Code) => Code;
  /** The function that creates a signer; `undefined` if the strategy has no signature. */
  readonly signer: string | undefined;
  /** The members of a test's overrides that make its delivery authentic. */
  readonly proof: Code;
}

/** Describes the strategy that compares a secret in a header. */
export function sharedSecretCode(inTests: string): StrategyCode {
  return {
    strategy: 'sharedSecret',
    create: (read) =>
      code`sharedSecret({ header: ${literal(secretHeader)} }, ${read(secretVariable)})`,
    signer: undefined,
    proof: code`headers: { ${memberName(secretHeader)}: ${literal(inTests)} }`,
  };
}

/** Describes the strategy that compares the secret that the contract states. */
export function secretStrategyCode(secret: SecretCode, inTests: string): StrategyCode {
  const { verify } = secret;
  return {
    strategy: verify,
    create: (read) => code`${identifier(verify)}(${read(secretVariable)})`,
    signer: undefined,
    proof: secretProof(secret, secretForTests(secret, inTests)),
  };
}

/** Describes the strategy that verifies a signature in the body. */
export function bodySignatureStrategyCode(
  { verify, signer }: BodySignatureCode,
  inTests: string,
): StrategyCode {
  return {
    strategy: verify,
    create: (read) => code`${identifier(verify)}({ keys: [${read(secretVariable)}] })`,
    signer,
    proof: code`bodySigner: ${identifier(signer)}({ key: ${literal(inTests)} })`,
  };
}

/**
 * Describes the strategy that verifies a signature.
 * @param answers options for open questions, which the strategy and the signer have
 * @param publicUrl the address that senders call, for a strategy that signs the whole URL
 */
export function signatureStrategyCode(
  { verify, signer, headers, deliveryHeaders, isPair, namesKeys }: SignatureCode,
  inTests: {
    readonly key: Code;
    readonly header: string;
    /** Whether the public keys are those at the address that the contract states. */
    readonly usesAddress?: boolean;
  },
  answers: readonly (readonly [name: string, answer: Code])[],
  publicUrl?: (read: (variable: string) => Code) => Code,
): StrategyCode {
  const proven = objectUnlessEmpty(
    [...headers, ...deliveryHeaders].map((name) => [name, literal(inTests.header)]),
  );
  const key = namesKeys ? object({ id: literal('test-key'), key: inTests.key }) : inTests.key;
  const signing = object([['key', key], ...answers]);
  return {
    strategy: verify,
    create: (read) => {
      const options = object([
        [
          'keys',
          inTests.usesAddress !== true
            ? code`[${read(isPair ? publicKeyVariable : secretVariable)}]`
            : undefined,
        ],
        ['headers', objectUnlessEmpty(headers.map((name) => [name, read(headerVariable(name))]))],
        ['publicUrl', publicUrl?.(read)],
        ...answers,
      ]);
      return code`${identifier(verify)}(${options})`;
    },
    signer,
    proof: joinCode([
      ...(proven === undefined ? [] : [code`headers: ${proven}`]),
      code`signer: ${identifier(signer)}(${signing})`,
    ]),
  };
}
