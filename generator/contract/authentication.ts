import { optional } from '../json/json.ts';
import type { Contract, Notification, SecurityRequirement, SecurityScheme } from './contract.ts';
import type {
  Authentication,
  Combination,
  Proof,
  ProofKind,
  ProofOf,
  ReadyKind,
  UnreadyProof,
} from './proofs.ts';
import { describeDeclaredProofs, unstatedNotifications } from './declared-proofs.ts';
import { toTypeName } from './names.ts';
import type { Sources } from './proof-kinds/facts.ts';
import { factsOf, proofKindOf, readyKinds } from './proof-kinds/kinds.ts';
import { readsQuery } from './secret-places.ts';

/** Returns the proofs of one kind. */
export function proofsOf<Kind extends ProofKind>(
  { authentication }: Pick<Contract, 'authentication'>,
  kind: Kind,
): readonly ProofOf<Kind>[] {
  return authentication.proofs.filter((proof): proof is ProofOf<Kind> => proof.kind === kind);
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

/** Returns every proof that a receiver has a function for. */
export function readyProofs({ proofs }: Authentication): readonly Exclude<Proof, UnreadyProof>[] {
  return proofs.filter((proof) => proof.kind !== 'unready');
}

/** Returns every proof that notifications have and that a receiver has a function for. */
export function verifiableProofs({
  authentication,
}: Pick<Contract, 'authentication'>): readonly Exclude<Proof, UnreadyProof>[] {
  return readyProofs(authentication).filter(({ isStated }) => isStated);
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
  const proposed = readyKinds.flatMap((kind) => proposedSchemes(sources, kind, stated));
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

/** Returns the schemes of a kind that deliveries may carry because calls do; none if a notification has one of the kind. */
function proposedSchemes(
  sources: Sources,
  kind: ReadyKind,
  stated: ReadonlySet<string>,
): readonly SecurityScheme[] {
  if (factsOf(kind).isProposed !== true) return [];
  const schemes = sources.security.filter((scheme) => proofKindOf(scheme, sources) === kind);
  return schemes.some(({ id }) => stated.has(id)) ? [] : schemes;
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
  const kind = proofKindOf(scheme, sources);
  if (kind === undefined) return undefined;
  const { id, name } = scheme;
  const isAlone = sources.notifications.some(({ security }) =>
    security.some((required) => required.length === 1 && required[0]?.scheme === id),
  );
  const notRequiredBy = sources.notifications
    .filter(
      ({ security }) => security.length === 0 || !security.every((required) => names(required, id)),
    )
    .map((notification) => notification.id);
  // The name is unique. Ids that differ only in case would give the same type name.
  const verify = `verify${toTypeName(name)}`;
  const common = { scheme: id, verify, isAlone, notRequiredBy, isStated };
  return factsOf(kind).describe(scheme, common, sources);
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
      if (proofs.has(id) || (scheme !== undefined && proofKindOf(scheme, sources) !== undefined))
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
  const isCombined = schemes.some((scheme) => {
    const kind = proofKindOf(scheme, sources);
    return kind === undefined || factsOf(kind).isCombined(scheme, sources);
  });
  // An alternative without schemes accepts everybody.
  if (!isCombined || used.size < 2 || schemes.length < used.size) return undefined;
  if (first.some((required) => required.length === 0)) return undefined;
  return {
    schemes: schemes.map(({ id }) => id),
    alternatives: first.map((required) => required.map(({ scheme }) => scheme)),
  };
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
