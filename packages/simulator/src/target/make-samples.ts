import type { Samples } from '../service.ts';
import { indexSchemas, usedSchemas } from 'countersign/companion/contract';
import {
  callsOf,
  responseContent,
  statedSchemes,
  toIdentified,
} from 'countersign/companion/deliveries';
import type { ValidatorCompiler } from 'countersign/companion/validators';
import { pointerMembers } from 'countersign/companion/values';
import { type Contract, findSchema, type Json, type Notification } from 'countersign/kit';
import { SampleMaker } from '../samples/sample-maker.ts';

/** One value with the required members, and one with all. */
const count = 2;

/** Makes payloads of notifications, and bodies of responses without an example. */
export async function makeSamples(
  contract: Contract,
  compiler: ValidatorCompiler | undefined,
): Promise<Samples> {
  const { notifications } = contract;
  const bodies = bodiesWithoutExample(contract);
  const maker = new SampleMaker(usedSchemas(contract), { compiler });
  try {
    // All at once, so that their validators are compiled in one batch.
    const made = await Promise.all(
      [...new Set([...bodies, ...notifications.map(({ payload }) => payload)])].map(
        async (name) => [name, (await maker.make(name, count)).values] as const,
      ),
    );
    const values = new Map(made);
    const of = (schema: string): readonly Json[] => values.get(schema) ?? [];
    return {
      bodies: nonEmpty(bodies.map((name) => [name, of(name)])),
      payloads: nonEmpty(
        notifications.map((notification) => [
          notification.name,
          of(notification.payload).map((value) =>
            asSigned(contract, notification, toIdentified(notification, value)),
          ),
        ]),
      ),
    };
  } finally {
    maker.close();
  }
}

function nonEmpty(
  entries: readonly (readonly [name: string, values: readonly Json[]])[],
): Readonly<Record<string, readonly Json[]>> {
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

/** Returns the schemas of bodies of responses that have no example, each once. */
function bodiesWithoutExample(contract: Contract): readonly string[] {
  const content = callsOf(contract).flatMap(({ operation }) =>
    operation.responses.flatMap((response) => responseContent(operation, response)),
  );
  const names = content
    .filter(({ examples }) => examples.length === 0)
    .flatMap(({ schema }) => schema ?? []);
  return [...new Set(names)];
}

/** Returns a payload in the wire format whose elements are signed, where only those of a list have a signature. */
function asSigned(contract: Contract, notification: Notification, value: Json): Json {
  const signed = statedSchemes(contract, notification).find(
    ({ bodySignature }) => bodySignature?.each !== undefined,
  );
  const variant = findSchema(indexSchemas(contract), notification.payload).variants.find(
    ({ each, as, rename }) =>
      each !== undefined &&
      each === signed?.bodySignature?.each &&
      as === undefined &&
      Object.keys(rename).length === 0,
  );
  return pointerMembers(variant?.each ?? '').reduceRight<Json>(
    (inner, member) => Object.fromEntries([[member, inner]]),
    variant === undefined ? value : [value],
  );
}
