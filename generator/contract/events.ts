import type { Contract, Notification } from './contract.ts';
import type { Schema } from '../schema/model.ts';
import { findSchema, indexSchemas } from '../schema/references.ts';
import { NameRegistry } from './names.ts';
import { memoize } from '../execution/memoize.ts';
import { describeUnion } from '../recognition/union-words.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'webhooks';

/** A kind of notification, with its payload and its names in the generated code. */
export interface PlannedKind {
  readonly notification: Notification;
  readonly payload: Schema;
  /** The name of its event's type. */
  readonly eventType: string;
  /** Names of its wire formats: `canonical`, then its wire variants. */
  readonly forms: readonly string[];
}

/** Kinds that a receiver cannot distinguish in some deliveries. */
export interface PlannedUnion {
  readonly name: string;
  /** Its name in PascalCase. */
  readonly typeName: string;
  readonly eventType: string;
  readonly kinds: readonly PlannedKind[];
  /** What it means, as a sentence. */
  readonly summary: string;
  /** The notes that all of its kinds have, then the others with the names of the kinds that have them. */
  readonly notes: readonly string[];
  /** Whether all of its kinds are deprecated. */
  readonly deprecated: boolean;
}

/** The kinds and unions that a receiver has handlers for. */
export interface WebhookPlan {
  readonly kinds: readonly PlannedKind[];
  readonly unions: readonly PlannedUnion[];
  /** Names of the kinds that some delivery is identified as unambiguously. Handlers of other kinds are never called. */
  readonly alone: ReadonlySet<string>;
}

/** Names of types that the generated modules already use. */
const ownTypes = ['WebhookEvent', 'UnidentifiedEvent', 'AmbiguousEvent', 'Event'];

/**
 * Names the kinds of a contract, and the unions that its recognition can result in.
 * @throws TypeError for a contract without notifications
 */
export const planWebhooks: (contract: Contract) => WebhookPlan = memoize(makePlan);

function makePlan(contract: Contract): WebhookPlan {
  if (contract.notifications.length === 0)
    throw new TypeError('The contract has no notifications; leave the target "webhooks" out.');
  const index = indexSchemas(contract);
  const types = new NameRegistry<string>();
  for (const name of ownTypes) types.claim(name, name);
  const kinds = contract.notifications.map((notification): PlannedKind => {
    const payload = findSchema(index, notification.payload);
    return {
      notification,
      payload,
      eventType: types.claimFree(`${notification.typeName}Event`, notification.name),
      forms: ['canonical', ...payload.variants.map(({ name }) => name)],
    };
  });
  const { groups } = contract.recognition;
  return {
    kinds,
    unions: planUnions(kinds, contract.recognition, types),
    alone: new Set(groups.flatMap(([only = '', ...rest]) => (rest.length === 0 ? [only] : []))),
  };
}

function planUnions(
  kinds: readonly PlannedKind[],
  recognition: Contract['recognition'],
  types: NameRegistry<string>,
): readonly PlannedUnion[] {
  const names = new NameRegistry<string>();
  for (const { notification } of kinds) names.claim(notification.name, notification.name);
  return recognition.groups
    .filter((group) => group.length > 1)
    .map((group) => {
      const key = group.join(' ');
      const members = kinds.filter(({ notification }) => group.includes(notification.name));
      const name = names.claimFree(nameOf(members), key);
      const typeName = name.slice(0, 1).toUpperCase() + name.slice(1);
      const eventType = types.claimFree(`${typeName}Event`, key);
      return {
        name,
        typeName,
        eventType,
        kinds: members,
        summary: describeUnion(
          recognition,
          members.map(({ notification }) => notification.name),
        ),
        notes: notesOf(members),
        deprecated: members.every(({ notification }) => notification.deprecated),
      };
    });
}

function notesOf(kinds: readonly PlannedKind[]): readonly string[] {
  const notes = kinds.flatMap(({ notification: { name, notes: own = [] } }) =>
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
export function wireSchema(contract: Contract, { payload }: Notification): Schema {
  const wire = contract.schemas.find(
    ({ origin, variantOf }) => origin === 'wire' && variantOf === payload,
  );
  return wire ?? findSchema(indexSchemas(contract), payload);
}

/** Returns a name for a union: `aOrBOrC` for up to three kinds, `ambiguous` for more. */
function nameOf(kinds: readonly PlannedKind[]): string {
  const [first, ...rest] = kinds;
  if (first === undefined || rest.length > 2) return 'ambiguous';
  return (
    first.notification.name + rest.map(({ notification }) => `Or${notification.typeName}`).join('')
  );
}
