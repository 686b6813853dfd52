import { indexSchemas, toReference, wireSchema } from 'countersign/companion/contract';
import { kindsOfBody, matchVariant } from 'countersign/companion/deliveries';
import {
  describeViolations,
  type ExampleCheck,
  JudgeError,
} from 'countersign/companion/validators';
import { optional } from 'countersign/companion/values';
import type { Contract, Json, Notification } from 'countersign/kit';

/** What keeps a receiver of the contract from handling a body as the notification that it is sent as. */
export interface BodyFindings {
  /** What the body violates, as a sentence without its end; left out where it is valid. */
  readonly violations?: string;
  /** The other kinds that the members of the body name; left out where they are those of the notification. */
  readonly identifiedAs?: readonly string[];
}

/**
 * Checks a body as a receiver does: against the schema of the notification, and by the decision that identifies it. A
 * body that cannot be judged in time has no findings.
 */
export async function checkBody(
  contract: Contract,
  notification: Notification,
  body: Json,
  check: ExampleCheck,
): Promise<BodyFindings> {
  const schema = toReference(wireSchema(contract, notification).name);
  const violations = await check(schema, body).catch((error: unknown) => {
    if (error instanceof JudgeError) return [];
    throw error;
  });
  return {
    ...optional('violations', violations.length === 0 ? undefined : describeViolations(violations)),
    ...optional('identifiedAs', identifiedOtherwise(contract, notification, body)),
  };
}

/** Returns the other kinds that a body names, if it does not have the members that identify the notification. */
function identifiedOtherwise(
  contract: Contract,
  { name, payload }: Notification,
  body: Json,
): readonly string[] | undefined {
  const variants = indexSchemas(contract).get(payload)?.variants ?? [];
  // A receiver converts a wire variant before it reads what identifies an event.
  if (matchVariant(variants, body) !== undefined) return undefined;
  const { possible, named } = kindsOfBody(contract.recognition, body);
  return possible.has(name) ? undefined : [...named];
}
