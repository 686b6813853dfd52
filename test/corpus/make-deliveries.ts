import { generateSync } from 'json-schema-faker';
import type { Contract, Notification, Schema } from '../../generator/contract/contract.ts';
import { toDelivery, type Delivery } from '../../generator/contract/delivery.ts';
import type { Json } from '../../generator/json.ts';
import { escapeMember } from '../../generator/pointer.ts';
import { planWebhooks } from '../../generator/targets/webhooks/plan.ts';
import { receiverQuestions } from '../../generator/targets/webhooks/receiver-questions.ts';

/** What is sent to the generated receiver to reach the handler of one notification. */
export interface CorpusDelivery extends Delivery {
  /** The notification's id. */
  readonly of: string;
  /** Where the validator of its payload is. */
  readonly typeName: string;
  readonly fileName: string;
  /** Names of the handlers that count: its own, and those of the unions that it belongs to. */
  readonly handlers: readonly string[];
  /** Bodies to try: examples of the contract first, then values made from the schema. Some can be invalid. */
  readonly payloads: readonly Json[];
}

/** Everything that is sent to one receiver, and the options that it cannot be made without. */
export interface CorpusDeliveries {
  readonly options: Readonly<Record<string, string>>;
  /** Names of all handlers. */
  readonly handlers: readonly string[];
  readonly deliveries: readonly CorpusDelivery[];
}

/**
 * Makes deliveries for every notification of a contract.
 * @param further returns examples of a notification that are not in the contract
 */
export function makeDeliveries(
  contract: Contract,
  further: (id: string) => readonly Json[],
): CorpusDeliveries {
  if (contract.notifications.length === 0) return { options: {}, handlers: [], deliveries: [] };
  const { kinds, unions } = planWebhooks(contract);
  const schemas = new Map(contract.schemas.map((schema) => [schema.name, schema]));
  return {
    options: Object.fromEntries(
      receiverQuestions(contract)
        .options.filter(({ optional }) => !optional)
        .map(({ name, entry }) => [name, entry.choices[0]?.name ?? '']),
    ),
    handlers: [
      ...kinds.map(({ notification }) => notification.name),
      ...unions.map(({ name }) => name),
    ],
    deliveries: kinds.map((kind): CorpusDelivery => {
      const { notification, payload } = kind;
      const own = unions.filter((union) => union.kinds.includes(kind)).map(({ name }) => name);
      return {
        ...toDelivery(notification),
        of: notification.id,
        typeName: payload.typeName,
        fileName: payload.fileName,
        handlers: [notification.name, ...own],
        payloads: [
          ...examplesOf(notification, payload),
          ...further(notification.id),
          ...fakesOf(payload, schemas),
        ],
      };
    }),
  };
}

function examplesOf(notification: Notification, payload: Schema): readonly Json[] {
  return [...notification.examples.map(({ value }) => value), ...payload.examples];
}

/** Values that are made from the schema: with required members only, then with others. The same in every run. */
function fakesOf(payload: Schema, schemas: ReadonlyMap<string, Schema>): readonly Json[] {
  const $defs = Object.fromEntries(
    [...reachable(payload, schemas)].map(({ name, definition }) => [name, definition]),
  );
  const schema = { $ref: `#/$defs/${escapeMember(payload.name)}`, $defs };
  return attempts.flatMap((options) => {
    try {
      return [generateSync(schema, { ...options, maxLength: 40, maxItems: 2 }) as Json];
    } catch {
      return [];
    }
  });
}

const attempts = [
  { seed: 1, alwaysFakeOptionals: false, optionalsProbability: 0 },
  { seed: 2, alwaysFakeOptionals: false, optionalsProbability: 0.3 },
  { seed: 3, alwaysFakeOptionals: false, optionalsProbability: 0 },
  { seed: 4, alwaysFakeOptionals: true },
] as const;

function reachable(schema: Schema, schemas: ReadonlyMap<string, Schema>): ReadonlySet<Schema> {
  const found = new Set([schema]);
  for (const one of found) {
    for (const name of one.references) {
      const target = schemas.get(name);
      if (target !== undefined) found.add(target);
    }
  }
  return found;
}
