import { optional } from '../../json/json.ts';
import type { Signature } from '../contract.ts';
import { toMemberName, toTypeName } from '../names.ts';
import type { ReadyProof, SignatureProof } from '../proofs.ts';
import {
  algorithmsOf,
  canHavePattern,
  isKeyPair,
  namesKeys,
  openQuestionsOf,
} from '../signature-scheme.ts';
import type { ProofFacts, Sources } from './facts.ts';

/** The facts of signatures in headers. */
export const signature: ProofFacts<'signature'> = {
  noun: 'the signature',
  isOf: (scheme) => scheme.signature !== undefined,
  isCombined: () => false,
  isProposed: true,
  credentialOf: (scheme) => scheme.signature?.key.credential,
  describe(scheme, common, sources) {
    if (scheme.signature === undefined) return undefined;
    const typeName = toTypeName(scheme.name);
    return {
      kind: 'signature',
      ...common,
      signer: `create${typeName}Signer`,
      optionsType: `${typeName}Options`,
      ...describeSignature(sources, scheme.signature),
      statedFor: common.isStated
        ? 'notifications'
        : isForCalls(sources, scheme.id)
          ? 'calls'
          : 'neither calls nor notifications',
    };
  },
};

function describeSignature(
  sources: Sources,
  signature: Signature,
): Omit<SignatureProof, 'kind' | keyof ReadyProof | 'signer' | 'optionsType' | 'statedFor'> {
  const { over, timestamp, key } = signature;
  const questions = openQuestionsOf(sources, signature);
  const names = new Set(over.flatMap((part) => headerOf(part) ?? []));
  names.delete(timestamp?.header?.toLowerCase() ?? '');
  const credentials = credentialHeaders(sources, signature);
  /** Returns whether an answer to an open question makes a part that the test accepts. */
  const canBe = (test: (part: unknown) => boolean): boolean =>
    questions.some(({ choices }) => choices.some(({ value }) => test(value)));
  const alwaysSignsUrl = over.some(signsHost);
  return {
    openQuestions: questions.map(({ id }) => id),
    patterns: canHavePattern(sources, signature),
    isPair: isKeyPair(sources, signature),
    namesKeys: namesKeys(signature),
    algorithm: String(algorithmsOf(sources, signature)[0]),
    ...optional('jwks', key.jwks),
    headers: [...names].filter((name) => credentials.has(name)),
    deliveryHeaders: [...names].filter((name) => !credentials.has(name)),
    signsPath: over.some(signsUrlPart) || canBe(signsUrlPart),
    signsUrl: alwaysSignsUrl || canBe(signsHost),
    alwaysSignsUrl,
    credential: toMemberName(key.credential),
  };
}

/** Returns the name of a signed header, in lower case. */
function headerOf(part: unknown): string | undefined {
  return typeof part === 'string'
    ? /^\$request\.header\.(.+)$/u.exec(part)?.[1]?.toLowerCase()
    : undefined;
}

/**
 * Returns the signed headers that are credentials, whose values a receiver compares: a security scheme of the contract
 * has it, or no text separates it from the next part, so that only its value shows where it ends. Any other header can
 * differ in each delivery, as its id does.
 */
function credentialHeaders({ security }: Sources, { over }: Signature): ReadonlySet<string> {
  const declared = security.flatMap(({ signature, in: place, parameterName = '' }) =>
    signature === undefined && place === 'header' ? [parameterName.toLowerCase()] : [],
  );
  const unseparated = over.flatMap((part, index) => {
    const next = over[index + 1];
    const isSeparated = next === undefined || (typeof next === 'object' && 'text' in next);
    return isSeparated ? [] : (headerOf(part) ?? []);
  });
  return new Set([...declared, ...unseparated]);
}

/** Returns whether the contract states that calls have a scheme. */
function isForCalls({ operations, defaultSecurity = [] }: Sources, id: string): boolean {
  const requirements = [...defaultSecurity, ...operations.flatMap(({ security }) => security)];
  return requirements.flat().some(({ scheme }) => scheme === id);
}

function signsUrlPart(part: unknown): boolean {
  return typeof part === 'string' && part.startsWith('$url');
}

/** Returns whether a signed part contains the host, which a receiver does not see in the request's target. */
export function signsHost(part: unknown): boolean {
  return part === '$url' || part === '$url.host+path';
}
