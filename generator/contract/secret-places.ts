import { findRead } from '../recognition/reads.ts';
import type { Contract, SecurityScheme } from './contract.ts';
import type { SecretPlace } from './proofs.ts';

/** What decides whether receivers read a place as data. */
type Sources = Pick<Contract, 'notifications' | 'recognition'>;

/** What is to know of the secrets in one place. */
interface SecretFacts {
  /** Returns whether a receiver finds the secret of a scheme there. */
  readonly isOf: (scheme: SecurityScheme, sources: Sources) => boolean;
  /**
   * Whether options of commands have it, by the name of the header or as the secret of the path; and whether a receiver
   * has a function for it only where a notification needs nothing else.
   */
  readonly isSeparate?: true;
}

/** The facts of every place. Printers, `scaffold` and the sender of deliveries have a row for each place in tables of their own. */
const secretPlaces: Readonly<Record<SecretPlace, SecretFacts>> = {
  header: { isOf: (scheme) => isKeyIn(scheme, 'header'), isSeparate: true },
  path: { isOf: ({ type, in: place }) => type === 'apiKey' && place === 'path', isSeparate: true },
  query: {
    isOf: (scheme, sources) =>
      isKeyIn(scheme, 'query') && !readsQuery(sources, scheme.parameterName ?? ''),
  },
  cookie: { isOf: (scheme) => isKeyIn(scheme, 'cookie') },
  basic: { isOf: ({ type, httpScheme }) => type === 'http' && httpScheme === 'basic' },
  bearer: { isOf: ({ type, httpScheme }) => type === 'http' && httpScheme === 'bearer' },
};

/** Returns where deliveries carry the secret of a scheme; `undefined` for a place in which receivers do not find it. */
export function secretPlaceOf(scheme: SecurityScheme, sources: Sources): SecretPlace | undefined {
  return (Object.keys(secretPlaces) as SecretPlace[]).find((place) =>
    secretPlaces[place].isOf(scheme, sources),
  );
}

/** Returns whether a secret needs no combination with other schemes and is an option of commands of its own. */
export function isSeparateSecret(place: SecretPlace): boolean {
  return secretPlaces[place].isSeparate === true;
}

function isKeyIn(scheme: SecurityScheme, place: 'header' | 'query' | 'cookie'): boolean {
  return scheme.type === 'apiKey' && scheme.in === place && scheme.parameterName !== undefined;
}

/**
 * Returns whether receivers read a parameter of the query as data, or what they identify deliveries by. An inbox stores
 * these parameters, and handlers get them.
 */
export function readsQuery({ notifications, recognition }: Sources, name: string): boolean {
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
