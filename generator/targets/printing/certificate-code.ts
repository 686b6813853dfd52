import type { Contract, SecurityRequirement, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/names.ts';
import { type Proof, proofOf } from '../../contract/notification-proof.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, memberName } from '../escape.ts';

/** A scheme by which a client certificate authenticates notifications. */
export interface CertificateCode {
  /** The name of the function that creates the authentication. */
  readonly verify: string;
  readonly security: SecurityScheme;
  /** Whether some notification needs nothing else. */
  readonly isAlone: boolean;
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

/** Describes the schemes of the type `mutualTLS` that the contract states for notifications. */
export function describeCertificates({
  notifications,
  security,
}: Contract): readonly CertificateCode[] {
  const requirements = notifications.flatMap((notification) => notification.security);
  const stated = new Set(requirements.flat().map(({ scheme }) => scheme));
  return security
    .filter(({ id, type, signature, accessToken }) => {
      const isCertificate = type === 'mutualTLS' && stated.has(id);
      return isCertificate && signature === undefined && accessToken === undefined;
    })
    .map((scheme) => ({
      verify: `verify${toTypeName(scheme.name)}`,
      security: scheme,
      isAlone: requirements.some(
        (required) => required.length === 1 && required[0]?.scheme === scheme.id,
      ),
    }));
}

/**
 * Describes how the contract combines schemes, as AND and OR, if one of them is not a signature in a header and not a
 * secret in a header or in the path. Returns `undefined` if it does not combine them, or differently for different
 * notifications: a receiver authenticates before it knows which notification it has, so that the weaker combination would
 * hold for all.
 */
export function describeCombination(contract: Contract): CombinationCode | undefined {
  const [first, ...rest] = contract.notifications.map(({ security }) => security);
  if (first === undefined || rest.some((requirements) => keyOf(requirements) !== keyOf(first)))
    return undefined;
  const used = [...new Set(first.flat().map(({ scheme }) => scheme))];
  const schemes = contract.security.filter(({ id }) => used.includes(id));
  const isCombined = schemes.some(
    (scheme) => !separateProofs.has(proofOf(contract, scheme) ?? 'none'),
  );
  // An alternative without schemes accepts everybody.
  if (!isCombined || used.length < 2 || schemes.length < used.length) return undefined;
  if (first.some((required) => required.length === 0)) return undefined;
  const nameOf = (id: string): string => schemes.find((scheme) => scheme.id === id)?.name ?? id;
  const combine = (name: string, parts: readonly Code[]): Code => {
    const [only] = parts;
    return only !== undefined && parts.length === 1
      ? only
      : code`${identifier(name)}(${joinCode(parts, ', ')})`;
  };
  return {
    members: joinCode(
      schemes.map(({ name }) => code`readonly ${memberName(name)}: Authentication;`),
      '\n',
    ),
    combined: combine(
      'anyOf',
      first.map((required) =>
        combine(
          'allOf',
          required.map(({ scheme }) => code`strategies.${identifier(nameOf(scheme))}`),
        ),
      ),
    ),
    allOf: first.some((required) => required.length > 1),
    anyOf: first.length > 1,
    stated: first
      .map((required) => required.map(({ scheme }) => scheme).join(' and '))
      .join(', or '),
  };
}

/** Proofs that alone make no `combineAsStated`: the verifier of a signature compares other headers itself. */
const separateProofs: ReadonlySet<Proof | 'none'> = new Set<Proof>(['signature', 'header', 'path']);

/** Returns a text that is equal for requirements with the same meaning. */
function keyOf(requirements: readonly SecurityRequirement[]): string {
  return requirements
    .map((required) =>
      required
        .map(({ scheme }) => JSON.stringify(scheme))
        .toSorted()
        .join(),
    )
    .toSorted()
    .join(';');
}
