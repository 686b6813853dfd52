import { findRead } from '../recognition/reads.ts';
import type { Contract, Notification, SecurityScheme } from './contract.ts';

/** What a receiver verifies of a notification; the last five are secrets that it compares. */
export type Proof =
  | 'signature'
  | 'body-signature'
  | 'certificate'
  | 'header'
  | 'path'
  | 'query'
  | 'cookie'
  | 'basic'
  | 'bearer';

/** A scheme that the contract states for notifications and that generated receivers have no function for. */
export interface UnreadyScheme {
  readonly id: string;
  /** What it is, as a noun phrase that continues "by". */
  readonly what: string;
  /** The scheme; `undefined` for one that is not among the components. */
  readonly security: SecurityScheme | undefined;
  /** The first notification that states it. */
  readonly notification: Notification;
}

/** Returns what a receiver verifies of a scheme, or `undefined` for a scheme that it has no function for. */
export function proofOf(contract: Contract, scheme: SecurityScheme): Proof | undefined {
  const { type, in: place, parameterName, httpScheme, signature, bodySignature } = scheme;
  if (signature !== undefined) return 'signature';
  if (bodySignature !== undefined) return 'body-signature';
  // Only the operation that issues an access token can tell whether it is one.
  if (scheme.accessToken !== undefined) return undefined;
  if (type === 'mutualTLS') return 'certificate';
  if (type === 'http')
    return httpScheme === 'basic' || httpScheme === 'bearer' ? httpScheme : undefined;
  if (type !== 'apiKey') return undefined;
  if (place === 'path') return place;
  if (place === undefined || parameterName === undefined) return undefined;
  return place === 'query' && readsQuery(contract, parameterName) ? undefined : place;
}

/**
 * Returns the schemes that the contract states for notifications and that a receiver has no function for, each once.
 */
export function unreadySchemes(contract: Contract): readonly UnreadyScheme[] {
  const schemesById = new Map<string, UnreadyScheme>();
  for (const notification of contract.notifications)
    for (const { scheme: id } of notification.security.flat()) {
      const security = contract.security.find((scheme) => scheme.id === id);
      if (
        schemesById.has(id) ||
        (security !== undefined && proofOf(contract, security) !== undefined)
      )
        continue;
      schemesById.set(id, { id, what: describeScheme(security), security, notification });
    }
  return [...schemesById.values()];
}

/**
 * Returns whether receivers read a parameter of the query as data, or what they identify deliveries by. An inbox stores
 * these parameters, and handlers get them.
 */
function readsQuery({ notifications, recognition }: Contract, name: string): boolean {
  const keys = notifications.flatMap(({ dedupeBy, orderedBy }) =>
    [dedupeBy, orderedBy].flatMap((list) =>
      Array.isArray(list) ? (list as readonly string[]) : [],
    ),
  );
  const reads = [...recognition.reads, ...keys.map((key) => findRead(key))];
  return (
    notifications.some(({ encoding }) => encoding === 'query') ||
    reads.some((read) => typeof read === 'object' && 'query' in read && read.query === name)
  );
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
