import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { toMemberName, toTypeName } from '../../contract/names.ts';
import { algorithmsOf, isKeyPair, namesKeys } from '../../contract/signature-scheme.ts';
import type { Code } from '../code.ts';
import { OpenQuestions } from '../open-questions.ts';
import { canHavePattern, signatureSchemeCode } from '../signature-scheme.ts';

/** A signature scheme, with the names and code for the modules that verify and create signatures. */
export interface SignatureCode {
  /** The name of the function that verifies. */
  readonly verify: string;
  /** The name of the function that creates a signer. */
  readonly signer: string;
  /** The name of the type of their options. */
  readonly optionsType: string;
  /** The scheme, as an expression over `options`. */
  readonly scheme: Code;
  readonly questions: OpenQuestions;
  /** Whether timestamps have a pattern, or can have one by an answer to an open question. */
  readonly patterns: boolean;
  /** Whether it is made with a private key, so that receivers have the public key. */
  readonly isPair: boolean;
  /** Whether deliveries name their key. */
  readonly namesKeys: boolean;
  /** The algorithm, or that of the first choice of an open question. */
  readonly algorithm: string;
  /** The address of the public keys, if the contract states it. */
  readonly jwks: string | undefined;
  /** The signed headers, in lower case, that have the same value in each delivery, such as an API key. */
  readonly headers: readonly string[];
  /** The other signed headers except the timestamp, in lower case, such as the id of a delivery. */
  readonly deliveryHeaders: readonly string[];
  /** Whether a part of the URL is signed, or can be signed by an answer to an open question. */
  readonly signsPath: boolean;
  /** Whether the host is signed, or can be signed by an answer to an open question. */
  readonly signsUrl: boolean;
  /** Whether the contract states that the whole URL is signed. */
  readonly alwaysSignsUrl: boolean;
  /** Whether the contract states that notifications are signed with it. */
  readonly isStated: boolean;
  /** What the contract states it for, as the end of a sentence. */
  readonly statedFor: 'notifications' | 'calls' | 'neither calls nor notifications';
  readonly security: SecurityScheme;
  readonly credential: string;
}

/** Names of the options that the functions always have. Options for open questions get other names. */
const ownOptions = ['keys', 'headers', 'publicUrl', 'toleranceMs', 'clock'];

/** Describes the signatures of a contract: those of notifications, or else those of calls. */
export function describeSignatures(contract: Contract): readonly SignatureCode[] {
  const stated = new Set(
    contract.notifications.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)),
  );
  const signed = contract.security.flatMap((security) =>
    security.signature === undefined ? [] : [{ security, signature: security.signature }],
  );
  const notificationSignatures = signed.filter(({ security }) => stated.has(security.id));
  return (notificationSignatures.length > 0 ? notificationSignatures : signed).map(
    ({ security, signature }) => describe(contract, security, signature, stated.has(security.id)),
  );
}

function describe(
  contract: Contract,
  security: SecurityScheme,
  signature: Signature,
  isStated: boolean,
): SignatureCode {
  const questions = new OpenQuestions(contract, ownOptions);
  const headers = signedHeaders(signature);
  const isCredential = isCredentialOf(contract, signature);
  const scheme = signatureSchemeCode(security, signature, {
    valueOf: (value) => questions.valueOf(value),
    toleranceOf: (value) => questions.valueOf(value),
  });
  /** Returns whether an answer to an open question makes a part that the test accepts. */
  const canBe = (test: (part: unknown) => boolean): boolean =>
    questions.options.some(({ entry }) => entry.choices.some(({ value }) => test(value)));
  const alwaysSignsUrl = signature.over.some(signsHost);
  // The name is unique. Ids that differ only in case would give the same type name.
  const typeName = toTypeName(security.name);
  return {
    verify: `verify${typeName}`,
    signer: `create${typeName}Signer`,
    optionsType: `${typeName}Options`,
    scheme,
    questions,
    patterns: canHavePattern(contract, signature),
    isPair: isKeyPair(contract, signature),
    namesKeys: namesKeys(signature),
    algorithm: String(algorithmsOf(contract, signature)[0]),
    jwks: signature.key.jwks,
    headers: headers.filter(isCredential),
    deliveryHeaders: headers.filter((name) => !isCredential(name)),
    signsPath: signature.over.some(signsUrl) || canBe(signsUrl),
    signsUrl: alwaysSignsUrl || canBe(signsHost),
    alwaysSignsUrl,
    isStated,
    statedFor: isStated
      ? 'notifications'
      : isForCalls(contract, security)
        ? 'calls'
        : 'neither calls nor notifications',
    security,
    credential: toMemberName(signature.key.credential),
  };
}

/** Returns the signed headers except the timestamp, in lower case. */
function signedHeaders({ over, timestamp }: Signature): readonly string[] {
  const names = over.flatMap((part) => headerOf(part) ?? []);
  return [...new Set(names)].filter((name) => name !== timestamp?.header?.toLowerCase());
}

function headerOf(part: unknown): string | undefined {
  return typeof part === 'string'
    ? /^\$request\.header\.(.+)$/u.exec(part)?.[1]?.toLowerCase()
    : undefined;
}

/**
 * Returns the test whether a signed header is a credential, whose value a receiver compares: a security scheme of the
 * contract has it, or no text separates it from the next part, so that only its value shows where it ends. Any other
 * header can differ in each delivery, as its id does.
 */
function isCredentialOf({ security }: Contract, { over }: Signature): (name: string) => boolean {
  const declared = security.flatMap(({ signature, in: place, parameterName = '' }) =>
    signature === undefined && place === 'header' ? [parameterName.toLowerCase()] : [],
  );
  const unseparated = over.flatMap((part, index) => {
    const next = over[index + 1];
    const isSeparated = next === undefined || (typeof next === 'object' && 'text' in next);
    return isSeparated ? [] : (headerOf(part) ?? []);
  });
  const credentials = new Set([...declared, ...unseparated]);
  return (name) => credentials.has(name);
}

/** Returns whether the contract states that calls are signed with a scheme. */
function isForCalls(
  { operations, defaultSecurity = [] }: Contract,
  { id }: SecurityScheme,
): boolean {
  const requirements = [...defaultSecurity, ...operations.flatMap(({ security }) => security)];
  return requirements.flat().some(({ scheme }) => scheme === id);
}

/** Returns whether a signed part is a part of the URL. */
function signsUrl(part: unknown): boolean {
  return typeof part === 'string' && part.startsWith('$url');
}

/** Returns whether a signed part contains the host, which a receiver does not see in the request's target. */
export function signsHost(part: unknown): boolean {
  return part === '$url' || part === '$url.host+path';
}
