import { optional } from '../json/json.ts';
import type {
  Contract,
  Notification,
  SecurityRequirement,
  SecurityScheme,
  Signature,
} from './contract.ts';
import type {
  Authentication,
  Combination,
  Proof,
  ProofKind,
  ReadyProof,
  SecretPlace,
  SecretProof,
  SignatureProof,
  UnreadyProof,
} from './proofs.ts';
import { describeDeclaredProofs, unstatedNotifications } from './declared-proofs.ts';
import { toMemberName, toTypeName } from './names.ts';
import { isSeparateSecret, readsQuery, secretPlaceOf } from './secret-places.ts';
import {
  algorithmsOf,
  canHavePattern,
  isKeyPair,
  namesKeys,
  openQuestionsOf,
} from './signature-scheme.ts';

/** What decides how deliveries are authenticated. */
type Sources = Pick<
  Contract,
  'notifications' | 'operations' | 'security' | 'defaultSecurity' | 'recognition' | 'unstated'
>;

/** Returns the proofs of one kind. */
export function proofsOf<Kind extends ProofKind>(
  { authentication }: Pick<Contract, 'authentication'>,
  kind: Kind,
): readonly Extract<Proof, { readonly kind: Kind }>[] {
  return authentication.proofs.filter(
    (proof): proof is Extract<Proof, { readonly kind: Kind }> => proof.kind === kind,
  );
}

/** Returns a scheme by its id. */
export function schemeOf(
  { security }: Pick<Contract, 'security'>,
  { scheme: id }: { readonly scheme: string },
): SecurityScheme {
  const scheme = security.find((candidate) => candidate.id === id);
  if (scheme === undefined) throw new TypeError(`There is no security scheme ${id}.`);
  return scheme;
}

/** Returns the signatures in headers, and then the secrets, that notifications have. */
export function statedProofs(
  contract: Pick<Contract, 'authentication'>,
): readonly (SignatureProof | SecretProof)[] {
  const signatures = proofsOf(contract, 'signature').filter(({ isStated }) => isStated);
  return [...signatures, ...proofsOf(contract, 'secret')];
}

/** Returns every proof that notifications have and that a receiver has a function for. */
export function verifiableProofs({
  authentication,
}: Pick<Contract, 'authentication'>): readonly Exclude<Proof, UnreadyProof>[] {
  return authentication.proofs.filter(
    (proof) => proof.kind !== 'unready' && (proof.kind !== 'signature' || proof.isStated),
  ) as readonly Exclude<Proof, UnreadyProof>[];
}

/** Returns the schemes that notifications have, each once, in the order of the contract. */
export function schemesOfNotifications({
  notifications,
  security,
}: Pick<Contract, 'notifications' | 'security'>): readonly SecurityScheme[] {
  const stated = statedIds(notifications);
  return security.filter(({ id }) => stated.has(id));
}

/** Decides how deliveries are authenticated. */
export function describeAuthentication(sources: Sources): Authentication {
  const { notifications, security } = sources;
  const stated = statedIds(notifications);
  const signed = security.filter(({ signature }) => signature !== undefined);
  const proposed = signed.some(({ id }) => stated.has(id)) ? [] : signed;
  const combination = describeCombination(sources);
  const unstated = unstatedNotifications(notifications);
  return {
    proofs: [
      ...security
        .filter((scheme) => stated.has(scheme.id) || proposed.includes(scheme))
        .flatMap((scheme) => describeReady(sources, scheme, stated.has(scheme.id)) ?? []),
      ...describeUnready(sources),
    ],
    ...optional('combination', combination),
    inBody: requirementsInBody(sources),
    isNone: notifications.length > 0 && notifications.every(isUnauthenticated),
    isRequired: notifications.some(isAuthenticated),
    isUnstated: stated.size === 0 && unstated.length > 0,
    unstated: unstated.map(({ id }) => id),
    declared: describeDeclaredProofs(notifications, (name) => readsQuery(sources, name)),
  };
}

function requirementsInBody({ notifications, security }: Sources): readonly SecurityRequirement[] {
  const inBody = new Set(
    security.filter(({ bodySignature }) => bodySignature !== undefined).map(({ id }) => id),
  );
  const requirements = notifications
    .flatMap((notification) => notification.security)
    .filter((required) => required.some(({ scheme }) => inBody.has(scheme)));
  return [
    ...new Map(requirements.map((required) => [JSON.stringify(required), required])).values(),
  ];
}

/** A list without a requirement states nothing; one with an empty requirement states that nothing is required. */
function isUnauthenticated({ security }: Notification): boolean {
  return security.length > 0 && security.every((required) => required.length === 0);
}

function isAuthenticated({ security }: Notification): boolean {
  return security.length > 0 && security.every((required) => required.length > 0);
}

function statedIds(notifications: Contract['notifications']): ReadonlySet<string> {
  return new Set(
    notifications.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)),
  );
}

function names(required: SecurityRequirement, id: string): boolean {
  return required.some(({ scheme }) => scheme === id);
}

/** Returns the proof of a scheme that a receiver has a function for. */
function describeReady(
  sources: Sources,
  scheme: SecurityScheme,
  isStated: boolean,
): Exclude<Proof, UnreadyProof> | undefined {
  const kind = kindOf(sources, scheme);
  if (kind === undefined) return undefined;
  const { id, signature, bodySignature, parameterName = '' } = scheme;
  // The name is unique. Ids that differ only in case would give the same type name.
  const typeName = toTypeName(scheme.name);
  const isAlone = sources.notifications.some(({ security }) =>
    security.some((required) => required.length === 1 && required[0]?.scheme === id),
  );
  const notRequiredBy = sources.notifications
    .filter(
      ({ security }) => security.length === 0 || !security.every((required) => names(required, id)),
    )
    .map((notification) => notification.id);
  const common = { scheme: id, verify: `verify${typeName}`, isAlone, notRequiredBy };
  const signer = `create${typeName}Signer`;
  if (signature !== undefined)
    return {
      kind: 'signature',
      ...common,
      signer,
      optionsType: `${typeName}Options`,
      ...describeSignature(sources, signature),
      isStated,
      statedFor: isStated
        ? 'notifications'
        : isForCalls(sources, id)
          ? 'calls'
          : 'neither calls nor notifications',
    };
  if (bodySignature !== undefined)
    return {
      kind: 'body-signature',
      ...common,
      signer,
      constant: `scheme${typeName}`,
      covered: bodySignature.over.map((part) => (typeof part === 'string' ? part : part.member)),
    };
  if (kind === 'certificate') return { kind, ...common };
  if (kind === 'signature' || kind === 'body-signature') return undefined;
  return !isAlone && isSeparateSecret(kind)
    ? undefined
    : { kind: 'secret', ...common, place: kind, parameterName };
}

/**
 * Returns the schemes of notifications that a receiver has no function for, each once, in the order in which
 * notifications name them.
 */
function describeUnready(sources: Sources): readonly UnreadyProof[] {
  const proofs = new Map<string, UnreadyProof>();
  for (const { security, id: notification, pointer } of sources.notifications)
    for (const { scheme: id } of security.flat()) {
      const scheme = sources.security.find((candidate) => candidate.id === id);
      if (proofs.has(id) || (scheme !== undefined && kindOf(sources, scheme) !== undefined))
        continue;
      proofs.set(id, {
        kind: 'unready',
        scheme: id,
        what: describeScheme(scheme),
        notification,
        pointer: scheme?.pointer ?? pointer,
      });
    }
  return [...proofs.values()];
}

/** Returns what a receiver verifies of a scheme, or `undefined` for a scheme that it has no function for. */
function kindOf(
  sources: Sources,
  scheme: SecurityScheme,
): 'signature' | 'body-signature' | 'certificate' | SecretPlace | undefined {
  if (scheme.signature !== undefined) return 'signature';
  if (scheme.bodySignature !== undefined) return 'body-signature';
  // Only the operation that issues an access token can tell whether it is one.
  if (scheme.accessToken !== undefined) return undefined;
  return scheme.type === 'mutualTLS' ? 'certificate' : secretPlaceOf(scheme, sources);
}

function describeScheme(scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return 'a scheme that is not among `components.securitySchemes`';
  const { type, in: place, httpScheme, accessToken } = scheme;
  if (accessToken !== undefined) return 'an access token that a call issues';
  if (type === 'oauth2') return 'an access token of OAuth 2.0';
  if (type === 'openIdConnect') return 'a token of OpenID Connect';
  if (type === 'http') return `the HTTP authentication scheme \`${httpScheme ?? ''}\``;
  return place === 'query'
    ? 'a key in the query, in which receivers also read data'
    : 'a scheme of another type';
}

function describeSignature(
  sources: Sources,
  signature: Signature,
): Omit<
  SignatureProof,
  'kind' | keyof ReadyProof | 'signer' | 'optionsType' | 'isStated' | 'statedFor'
> {
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

/**
 * Describes how the contract combines schemes if one of them is not a signature in a header and not a secret in a header
 * or in the path. Returns `undefined` if it does not combine them, or differently for different notifications: a receiver
 * authenticates before it knows which notification it has, so that the weaker combination would hold for all.
 */
function describeCombination(sources: Sources): Combination | undefined {
  const [first, ...rest] = sources.notifications.map(({ security }) => security);
  if (
    first === undefined ||
    rest.some((requirements) => requirementsKey(requirements) !== requirementsKey(first))
  )
    return undefined;
  const used = new Set(first.flat().map(({ scheme }) => scheme));
  const schemes = sources.security.filter(({ id }) => used.has(id));
  const isCombined = schemes.some((scheme) => !isSeparate(kindOf(sources, scheme)));
  // An alternative without schemes accepts everybody.
  if (!isCombined || used.size < 2 || schemes.length < used.size) return undefined;
  if (first.some((required) => required.length === 0)) return undefined;
  return {
    schemes: schemes.map(({ id }) => id),
    alternatives: first.map((required) => required.map(({ scheme }) => scheme)),
  };
}

/** Returns whether a proof needs no combination: the verifier of a signature compares other headers itself. */
function isSeparate(kind: ReturnType<typeof kindOf>): boolean {
  if (kind === undefined || kind === 'body-signature' || kind === 'certificate') return false;
  return kind === 'signature' || isSeparateSecret(kind);
}

/** Returns a text that is equal for requirements with the same meaning. */
export function requirementsKey(requirements: readonly SecurityRequirement[]): string {
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
