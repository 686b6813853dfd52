import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import type { CertificateProof } from '../../contract/proofs.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, memberName } from '../escape.ts';

/** A client certificate that authenticates notifications. */
export interface CertificateCode extends CertificateProof {
  readonly security: SecurityScheme;
}

/** How the contract combines schemes. */
export interface CombinationCode {
  /** The members of the parameter: a strategy for each scheme. */
  readonly members: Code;
  /** The strategies as the contract combines them. */
  readonly combined: Code;
  /** Whether it uses the function `allOf`. */
  readonly allOf: boolean;
  /** Whether it uses the function `anyOf`. */
  readonly anyOf: boolean;
  /** The same in words, with the ids of the schemes. */
  readonly stated: string;
}

/** Describes the client certificates that the contract states for notifications. */
export function describeCertificates(contract: Contract): readonly CertificateCode[] {
  return proofsOf(contract, 'certificate').map((proof) => ({
    ...proof,
    security: schemeOf(contract, proof),
  }));
}

/** Describes how the contract combines schemes; `undefined` if it does not. */
export function describeCombination(contract: Contract): CombinationCode | undefined {
  const { combination } = contract.authentication;
  if (combination === undefined) return undefined;
  const { schemes, alternatives } = combination;
  const nameOf = (scheme: string): string => schemeOf(contract, { scheme }).name;
  const combine = (name: string, parts: readonly Code[]): Code => {
    const [only] = parts;
    return only !== undefined && parts.length === 1
      ? only
      : code`${identifier(name)}(${joinCode(parts, ', ')})`;
  };
  return {
    members: joinCode(
      schemes.map((id) => code`readonly ${memberName(nameOf(id))}: Authentication;`),
      '\n',
    ),
    combined: combine(
      'anyOf',
      alternatives.map((required) =>
        combine(
          'allOf',
          required.map((id) => code`strategies.${identifier(nameOf(id))}`),
        ),
      ),
    ),
    allOf: alternatives.some((required) => required.length > 1),
    anyOf: alternatives.length > 1,
    stated: alternatives.map((required) => required.join(' and ')).join(', or '),
  };
}
