import { proofsOf } from './authentication.ts';
import type { Contract, Notification, SecurityScheme } from './contract.ts';
import { factsOf, proofKindOf } from './proof-kinds/kinds.ts';
import type { SecretProof } from './proofs.ts';
import { isSeparateSecret } from './secret-places.ts';

/** The schemes of the signatures of a delivery. */
export interface SigningSchemes {
  /** The scheme of the signature in a header. */
  readonly header: SecurityScheme | undefined;
  /** Those of the signatures in the body, in the order of the contract. */
  readonly bodies: readonly SecurityScheme[];
}

/** Returns the schemes of signatures, in a header or in the body. */
export function signedSchemes(contract: Contract): readonly SecurityScheme[] {
  return contract.security.filter(
    (scheme) => factsOfScheme(contract, scheme)?.credentialOf !== undefined,
  );
}

/** Returns the credential with the key of a signature. */
export function signingCredential(contract: Contract, scheme: SecurityScheme): string {
  return factsOfScheme(contract, scheme)?.credentialOf?.(scheme) ?? '';
}

function factsOfScheme(
  contract: Contract,
  scheme: SecurityScheme,
): ReturnType<typeof factsOf> | undefined {
  const kind = proofKindOf(scheme, contract);
  return kind && factsOf(kind);
}

/** Returns the schemes that the contract states for a notification, in the order of the contract. */
export function statedSchemes(
  { security }: Contract,
  notification: Notification,
): readonly SecurityScheme[] {
  const stated = new Set(notification.security.flat().map(({ scheme }) => scheme));
  return security.filter(({ id }) => stated.has(id));
}

/** Returns the schemes of the signatures that the contract states for a notification. */
export function statedSignatures(contract: Contract, { security }: Notification): SigningSchemes {
  const signed = signedSchemes(contract);
  const first = security
    .map((required) => schemesIn(signed, required))
    .find((schemes) => schemes.length > 0);
  if (first?.some((scheme) => isInBody(contract, scheme)) === true) return divide(contract, first);
  const stated = new Set(security.flat().map(({ scheme }) => scheme));
  return {
    header: signed.find((scheme) => !isInBody(contract, scheme) && stated.has(scheme.id)),
    bodies: [],
  };
}

/** Returns a chosen scheme of a signature, and those that the contract requires beside it. */
export function schemesBeside(
  contract: Contract,
  { security }: Notification,
  chosen: SecurityScheme,
): SigningSchemes {
  const required =
    security.find((requirement) => requirement.some(({ scheme }) => scheme === chosen.id)) ?? [];
  const { header, bodies } = divide(contract, schemesIn(signedSchemes(contract), required));
  if (!isInBody(contract, chosen)) return { header: chosen, bodies };
  return { header, bodies: bodies.length === 0 ? [chosen] : bodies };
}

function schemesIn(
  schemes: readonly SecurityScheme[],
  required: Notification['security'][number],
): readonly SecurityScheme[] {
  return required.flatMap(({ scheme }) => schemes.find(({ id }) => id === scheme) ?? []);
}

function isInBody(contract: Contract, scheme: SecurityScheme): boolean {
  return factsOfScheme(contract, scheme)?.isInBody === true;
}

function divide(contract: Contract, schemes: readonly SecurityScheme[]): SigningSchemes {
  return {
    header: schemes.find((scheme) => !isInBody(contract, scheme)),
    bodies: schemes.filter((scheme) => isInBody(contract, scheme)),
  };
}

/** Returns the headers with secrets that the contract states for a notification. Options have these. */
export function headersToGive(contract: Contract, { security }: Notification): readonly string[] {
  const schemes = new Set(security.flat().map(({ scheme }) => scheme));
  return proofsOf(contract, 'secret')
    .filter(({ scheme, place }) => place === 'header' && schemes.has(scheme))
    .map(({ parameterName }) => parameterName);
}

/**
 * Returns the secrets that the contract states for a notification and that every command can add to a request: HTTP
 * Basic, a bearer token, or a key in the query or in a cookie. If there are signatures in the body, those beside them.
 */
export function secretsBeside(
  contract: Contract,
  { security }: Notification,
  { bodies: [body] }: SigningSchemes,
): readonly SecretProof[] {
  const secrets = proofsOf(contract, 'secret');
  const alternatives =
    body === undefined
      ? security
      : security
          .filter((required) => required.some(({ scheme }) => scheme === body.id))
          .slice(0, 1);
  return alternatives
    .flat()
    .flatMap(({ scheme: id }) => secrets.find(({ scheme }) => scheme === id) ?? [])
    .filter(({ place }) => !isSeparateSecret(place));
}
