import type { Contract, EventUnion, Notification } from './contract.ts';
import type { Schema } from '../schema/model.ts';
import { findSchema, indexSchemas } from '../schema/references.ts';
import { withMark } from './names.ts';
import { describeUnion } from '../recognition/union-words.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'webhooks';

/** A kind of notification, with its payload. */
export interface EventKind {
  readonly notification: Notification;
  readonly payload: Schema;
  /** The name of its event's type. */
  readonly eventType: string;
  /** Names of its wire formats: `canonical`, then its wire variants. */
  readonly forms: readonly string[];
}

/** The kinds and unions that a receiver has handlers for. */
export interface Events {
  readonly kinds: readonly EventKind[];
  readonly unions: readonly (Omit<EventUnion, 'kinds'> & {
    readonly kinds: readonly EventKind[];
  })[];
  /** Names of the kinds that some delivery is identified as unambiguously. Handlers of other kinds are never called. */
  readonly alone: ReadonlySet<string>;
}

/**
 * Returns the kinds of a contract and their unions.
 * @throws TypeError for a contract without notifications
 */
export function eventsOf(contract: Contract): Events {
  if (contract.notifications.length === 0)
    throw new TypeError('The contract has no notifications; leave the target "webhooks" out.');
  const index = indexSchemas(contract);
  const kinds = contract.notifications.map((notification): EventKind => {
    const payload = findSchema(index, notification.payload);
    const forms = ['canonical', ...payload.variants.map(({ name }) => name)];
    return { notification, payload, eventType: notification.eventType, forms };
  });
  const { groups } = contract.recognition;
  const kindOf = new Map(kinds.map((kind) => [kind.notification.name, kind]));
  return {
    kinds,
    unions: contract.unions.map((union) => ({
      ...union,
      kinds: union.kinds.flatMap((name) => kindOf.get(name) ?? []),
    })),
    alone: new Set(groups.flatMap(([only = '', ...rest]) => (rest.length === 0 ? [only] : []))),
  };
}

/** Names of types that the generated modules already use. */
const ownTypes: ReadonlySet<string> = new Set([
  'WebhookEvent',
  'UnidentifiedEvent',
  'AmbiguousEvent',
  'Event',
]);

type StatedNotification = Omit<Notification, 'eventType' | 'representations'>;

/** Names the types of events, and the unions that the recognition of a contract can result in. */
export function nameEvents<Stated extends StatedNotification>(
  stated: readonly Stated[],
  recognition: Contract['recognition'],
): {
  readonly notifications: readonly (Stated & Pick<Notification, 'eventType'>)[];
  readonly unions: readonly EventUnion[];
} {
  const notifications = stated.map((notification) => ({
    ...notification,
    eventType: toEventType(notification.typeName),
  }));
  return { notifications, unions: nameUnions(notifications, recognition) };
}

/** Returns the name of an event's type. As for reserved words, an underscore is appended instead of another name. */
function toEventType(typeName: string): string {
  const eventType = `${typeName}Event`;
  return ownTypes.has(eventType) ? `${eventType}_` : eventType;
}

function nameUnions(
  notifications: readonly StatedNotification[],
  recognition: Contract['recognition'],
): readonly EventUnion[] {
  const taken = new Set(notifications.map(({ name }) => name));
  const positions = new Map(notifications.map(({ name }, position) => [name, position]));
  return recognition.groups
    .filter((group) => group.length > 1)
    .map((group) => {
      const members = group
        .map((name) => positions.get(name) ?? 0)
        .toSorted((a, b) => a - b)
        .flatMap((position) => notifications[position] ?? []);
      const kinds = members.map((member) => member.name);
      const wanted = nameOf(members);
      const name = taken.has(wanted) ? withMark(wanted, keyOf(kinds), taken) : wanted;
      taken.add(name);
      const typeName = name.slice(0, 1).toUpperCase() + name.slice(1);
      return {
        name,
        typeName,
        eventType: toEventType(typeName),
        kinds,
        summary: describeUnion(recognition, kinds),
        notes: notesOf(members),
        deprecated: members.every(({ deprecated }) => deprecated),
      };
    });
}

function notesOf(kinds: readonly StatedNotification[]): readonly string[] {
  const notes = kinds.flatMap(({ name, notes: own = [] }) =>
    own.map((note) => [note, name] as const),
  );
  const namesOf = Array.from(
    Map.groupBy(notes, ([note]) => note),
    ([note, entries]) => [note, new Set(entries.map(([, name]) => name))] as const,
  );
  const isCommon = (names: ReadonlySet<string>): boolean => names.size === kinds.length;
  return [
    ...namesOf.filter(([, names]) => isCommon(names)).map(([note]) => note),
    ...namesOf
      .filter(([, names]) => !isCommon(names))
      .map(([note, names]) => `${[...names].join(', ')}: ${note}`),
  ];
}

/** Returns the schema of every wire format of a payload: that of the payload itself if it has no wire variants. */
export function wireSchema(contract: Contract, { wire }: Notification): Schema {
  return findSchema(indexSchemas(contract), wire);
}

/** Returns the names of the schemas of every wire format, by those of payloads that have wire variants. */
export function wireNames({ schemas }: Pick<Contract, 'schemas'>): ReadonlyMap<string, string> {
  return new Map(
    schemas.flatMap(({ name, origin, variantOf }) =>
      origin === 'wire' && variantOf !== undefined ? [[variantOf, name] as const] : [],
    ),
  );
}

/** The number of kinds that the name of a union has at most. */
const maxNamedKinds = 3;

/**
 * Returns a name for a union, which comes from its kinds alone, in alphabetical order: `aOrBOrC` for up to three kinds,
 * and for more `aOrBOrCOr5More_3f2a`. The mark at the end is that of all kinds, so that no other set has the name.
 */
function nameOf(kinds: readonly StatedNotification[]): string {
  const named = kinds.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [first, ...rest] = named.slice(0, maxNamedKinds);
  const name = `${first?.name ?? ''}${rest.map(({ typeName }) => `Or${typeName}`).join('')}`;
  if (kinds.length <= maxNamedKinds) return name;
  const more = `${name}Or${kinds.length - maxNamedKinds}More`;
  return withMark(more, keyOf(kinds.map((kind) => kind.name)), new Set());
}

function keyOf(kinds: readonly string[]): string {
  return kinds.toSorted().join(' ');
}
