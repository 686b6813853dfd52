import type { SimulatorContext } from '../context.ts';
import { leavesOf } from '../sending/json-path.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';
import type { Header } from '../sending/secret-places.ts';
import {
  bodyIdentity,
  type EventIdentity,
  identifyingHeaders,
  identityOf,
} from '../sending/event-identity.ts';
import { proposeOtherEvent, chooseProposal } from '../sending/other-event.ts';
import { isAccepted } from './spoil-payload.ts';
import { proposeIdentifiers } from './vary-identifiers.ts';

/** Remembers which events were sent, by what the contract states as their identity. */
export class Identities {
  readonly #identities = new Set<string>();

  has(identity: string | undefined): boolean {
    return identity !== undefined && this.#identities.has(identity);
  }

  /** Adds an identity. Returns whether it was there before. The oldest of many are forgotten. */
  add(identity: string | undefined): boolean {
    if (identity === undefined) return false;
    const isKnown = this.#identities.delete(identity);
    this.#identities.add(identity);
    const [oldest] = this.#identities;
    if (this.#identities.size > maxKnown && oldest !== undefined) this.#identities.delete(oldest);
    return isKnown;
  }
}

/** The most identities that are remembered. */
const maxKnown = 1_000_000;

/** A delivery, as far as it decides which event it is. */
export interface IdentifiedDelivery {
  readonly notification: ServedNotification;
  readonly value: Json | undefined;
  /** The headers beside those of the contract. */
  readonly headers: readonly Header[];
}

/**
 * Returns what makes two deliveries the same event, as `x-dedupe-by` states it; `undefined` where the contract states
 * nothing, or the delivery has none of it.
 */
export function identityOfDelivery(
  context: SimulatorContext,
  { notification, value, headers }: IdentifiedDelivery,
): string | undefined {
  if (value === undefined) return undefined;
  const sent = [
    ...Object.entries(notification.delivery.headers),
    ...headers,
    ...fixedHeaders(context),
  ];
  return identityOf(eventIdentity(context, notification), value, sent);
}

/**
 * Returns the payload as another event: with an identity that is not known, whatever its values look like, and with
 * other identifiers. The identity stays as it is where the contract accepts no other value.
 */
export function toOtherEvent(
  context: SimulatorContext,
  { notification, headers }: Pick<IdentifiedDelivery, 'notification' | 'headers'>,
  value: Json,
  random: Random,
  identities: Identities,
): Json {
  const event = eventIdentity(context, notification);
  const isKnown = (payload: Json): boolean =>
    identities.has(identityOfDelivery(context, { notification, value: payload, headers }));
  const accepts = (payload: Json): boolean => isAccepted(context, notification, payload);
  const other = chooseProposal(proposeOtherEvent(event, value, random, isKnown), accepts).value;
  const previous = new Set(leavesOf(value).map((leaf) => leaf.value));
  const isFresh = (text: string): boolean => !previous.has(text);
  return chooseProposal(proposeIdentifiers(other, random, isFresh), accepts);
}

/**
 * Returns fresh values of the headers that identify an event, except for those that the caller, the options or the
 * contract state.
 * @param id the identifier of the delivery, which decides the values with the seed
 */
export function freshHeaders(
  context: SimulatorContext,
  notification: ServedNotification,
  id: string,
  callerHeaders: readonly Header[] = [],
): readonly Header[] {
  const stated = new Set(
    [
      ...callerHeaders,
      ...fixedHeaders(context),
      ...Object.entries(notification.delivery.headers),
    ].map(([name]) => name.toLowerCase()),
  );
  return identifyingHeaders(eventIdentity(context, notification))
    .filter((name) => !stated.has(name))
    .map((name) => [name, context.random.fork(`${id} header ${name}`).uuid()] as const);
}

/** Returns whether members of a payload are part of what identifies the event. */
export function identifiesEvent(
  context: SimulatorContext,
  notification: ServedNotification,
  members: Json,
): boolean {
  return bodyIdentity(eventIdentity(context, notification), members) !== undefined;
}

function fixedHeaders({ options }: SimulatorContext): readonly Header[] {
  return Object.entries(options.authentication?.headers ?? {});
}

function eventIdentity(
  context: SimulatorContext,
  { name, dedupeBy, encoding }: ServedNotification,
): EventIdentity {
  const stated: unknown = dedupeBy === undefined ? [] : context.settle(dedupeBy);
  const expressions = Array.isArray(stated)
    ? stated.filter((expression) => typeof expression === 'string')
    : [];
  return { kind: name, expressions, isInQuery: encoding === 'query' };
}
