import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { SignatureCode } from './signature-code.ts';

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

/** The environment variable with the shared secret, or with the key of a signature. */
export const secretVariable = 'WEBHOOK_SECRET';

/** The header with the shared secret. */
export const secretHeader = 'x-webhook-secret';

/** Returns the name of the environment variable that has the value of a header. */
export function headerVariable(header: string): string {
  return `WEBHOOK_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
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

/**
 * Describes the strategy that verifies a signature.
 * @param answers options for open questions, which the strategy and the signer have
 * @param own other options of the strategy
 */
export function signatureStrategyCode(
  { verify, signer, headers }: SignatureCode,
  inTests: { readonly key: string; readonly header: string },
  answers: readonly Code[],
  own: readonly Code[] = [],
): StrategyCode {
  const headersOf = (valueOf: (header: string) => Code): readonly Code[] => {
    const members = headers.map((name) => code`${memberName(name)}: ${valueOf(name)}`);
    return members.length === 0 ? [] : [code`headers: { ${joinCode(members, ', ')} }`];
  };
  const call = (name: string, ...members: readonly Code[]): Code =>
    code`${identifier(name)}({ ${joinCode([...members, ...answers], ', ')} })`;
  const signing = code`signer: ${call(signer, code`key: ${literal(inTests.key)}`)}`;
  return {
    strategy: verify,
    create: (read) =>
      call(
        verify,
        code`keys: [${read(secretVariable)}]`,
        ...headersOf((name) => read(headerVariable(name))),
        ...own,
      ),
    signer,
    proof: joinCode([...headersOf(() => literal(inTests.header)), signing], ', '),
  };
}
