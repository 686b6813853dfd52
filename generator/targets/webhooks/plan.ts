import type { Contract, Notification } from '../../contract/contract.ts';
import type { Schema } from '../../schema/model.ts';
import { findSchema, indexSchemas } from '../../schema/references.ts';
import type { Decision } from '../../contract/lower/decision.ts';
import { type NamedVariant, decideRecognition } from '../../contract/lower/kind-decision.ts';
import { NameRegistry } from '../../contract/lower/names.ts';
import type { Read } from '../../contract/lower/reads.ts';
import { type PlannedRoute, planRoutes } from './routes.ts';
import { memoize } from '../../execution/memoize.ts';

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
  /** The names of its kinds, as a sentence lists them. */
  readonly listed: string;
  /** Whether all of its kinds are deprecated. */
  readonly deprecated: boolean;
}

/** A wire variant of a schema, with all kinds whose payload has that schema. */
export interface PlannedForm extends NamedVariant {
  readonly kinds: readonly string[];
}

/** Everything that a receiver distinguishes, and the decisions by which it does so. */
export interface WebhookPlan {
  readonly kinds: readonly PlannedKind[];
  readonly unions: readonly PlannedUnion[];
  /** Names of the kinds that some delivery is identified as unambiguously. Handlers of other kinds are never called. */
  readonly alone: ReadonlySet<string>;
  readonly forms: readonly PlannedForm[];
  readonly routes: readonly PlannedRoute[];
  readonly methods: readonly string[];
  readonly reads: readonly Read[];
  readonly kindOf: Decision;
  readonly resembles: Decision | undefined;
  readonly formOf: Decision;
}

/** Names of types that the generated modules already use. */
const ownTypes = ['WebhookEvent', 'UnidentifiedEvent', 'AmbiguousEvent', 'Event'];

/**
 * Lists the kinds, unions and wire variants of a contract, and decides how a receiver distinguishes them.
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
  const forms = planForms(kinds);
  const routes = planRoutes(contract.notifications);
  const { reads, kindOf, resembles, formOf } = decideRecognition(contract, forms);
  const groups = groupKinds(kinds, forms, routes, kindOf);
  return {
    kinds,
    unions: planUnions(kinds, groups, types),
    alone: new Set(groups.flatMap(([only = '', ...others]) => (others.length === 0 ? [only] : []))),
    forms,
    routes,
    methods: methodsOf(contract.notifications),
    reads,
    kindOf,
    resembles,
    formOf,
  };
}

function planForms(kinds: readonly PlannedKind[]): readonly PlannedForm[] {
  const keys = new NameRegistry<string>();
  const payloads = new Map(kinds.map(({ payload }) => [payload.name, payload]));
  return [...payloads.values()].flatMap((payload) =>
    payload.variants.map((variant) => ({
      key: keys.claimFree(variant.name, payload.name),
      variant,
      kinds: kinds
        .filter((kind) => kind.payload === payload)
        .map(({ notification }) => notification.name),
    })),
  );
}

/** Returns the methods of all notifications, sorted. A notification without a method can come by POST or PUT. */
export function methodsOf(notifications: readonly Notification[]): readonly string[] {
  const methods = notifications.flatMap(({ method }) => method ?? ['POST', 'PUT']);
  return [...new Set(methods)].toSorted();
}

/**
 * Returns every set of kinds that can remain after identification: by the body alone, or by the body together with a
 * label, a wire variant or both.
 */
function groupKinds(
  kinds: readonly PlannedKind[],
  forms: readonly PlannedForm[],
  routes: readonly PlannedRoute[],
  kindOf: Decision,
): readonly (readonly string[])[] {
  const everything = kinds.map(({ notification }) => notification.name);
  const labels = routes.flatMap(({ kinds: entries }) => [
    ...entries.map((entry) => entry.kinds),
    entries.flatMap((entry) => entry.kinds),
  ]);
  const groups = new Map<string, readonly string[]>();
  const encodingOf = new Map(
    kinds.map(({ notification: { name, encoding = 'json' } }) => [name, encoding]),
  );
  for (const end of kindOf.ends) {
    for (const label of [everything, ...labels]) {
      for (const form of [everything, ...forms.map((planned) => planned.kinds)]) {
        const allowed = end.filter((name) => label.includes(name) && form.includes(name));
        for (const left of namesByEncoding(allowed, encodingOf)) {
          const key = left.join(' ');
          if (left.length > 0 && !groups.has(key)) groups.set(key, left);
        }
      }
    }
  }
  return [...groups.values()];
}

/**
 * Returns which of some kinds remain for each way in which a delivery can be written. A receiver keeps all of them where
 * none is written in that way.
 */
function namesByEncoding(
  names: readonly string[],
  encodingOf: ReadonlyMap<string, string>,
): readonly (readonly string[])[] {
  return Array.from(new Set(['json', ...encodingOf.values()]), (encoding) => {
    const written = names.filter((name) => encodingOf.get(name) === encoding);
    return written.length === 0 ? names : written;
  });
}

function planUnions(
  kinds: readonly PlannedKind[],
  groups: readonly (readonly string[])[],
  types: NameRegistry<string>,
): readonly PlannedUnion[] {
  const names = new NameRegistry<string>();
  for (const { notification } of kinds) names.claim(notification.name, notification.name);
  return groups
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
        listed: members.map(({ notification }) => notification.name).join(', '),
        deprecated: members.every(({ notification }) => notification.deprecated),
      };
    });
}

/** Returns the first sentence about a union, for comments. */
export function summaryOfUnion({ listed }: PlannedUnion): string {
  return `One of ${listed}: nothing in the delivery tells which.`;
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
  const [first, ...others] = kinds;
  if (first === undefined || others.length > 2) return 'ambiguous';
  return (
    first.notification.name +
    others.map(({ notification }) => `Or${notification.typeName}`).join('')
  );
}
