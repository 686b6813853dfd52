import type { Contract, Notification } from '../../generator/contract/contract.ts';
import type { Schema } from '../../generator/schema/model.ts';
import { type AddressedDelivery, toDelivery } from '../../generator/contract/delivery.ts';
import type { Json } from '../../generator/json/json.ts';
import { eventsOf } from '../../generator/contract/events.ts';
import { receiverQuestions } from '../../generator/targets/printing/receiver-questions.ts';
import { fakeValue } from './fake-value.ts';

/** What is sent to the generated receiver to reach the handler of one notification. */
export interface CorpusDelivery extends AddressedDelivery {
  /** The notification's id. */
  readonly of: string;
  /** Where the validator of its payload is. */
  readonly typeName: string;
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
  const { kinds, unions } = eventsOf(contract);
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
      const unionNames = unions
        .filter((union) => union.kinds.includes(kind))
        .map(({ name }) => name);
      return {
        ...toDelivery(notification),
        of: notification.id,
        typeName: payload.typeName,
        handlers: [notification.name, ...unionNames],
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

/** Values that are made from the schema, by different alternatives. The same in every run. */
function fakesOf({ definition }: Schema, schemas: ReadonlyMap<string, Schema>): readonly Json[] {
  return [0, 1, 2, 3].map((attempt) => fakeValue(definition, schemas, attempt));
}
