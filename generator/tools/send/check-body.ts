import type { Contract, Notification } from '../../contract/contract.ts';
import { type Json, optional } from '../../json/json.ts';
import { matchVariant, meetsCondition } from '../../recognition/match-variant.ts';
import { bodyPathOf, findConditionRead } from '../../recognition/reads.ts';
import { withExampleCheck } from '../../rules/example-check.ts';
import { describeViolations } from '../../rules/violations.ts';
import { indexSchemas, toReference } from '../../schema/references.ts';
import type { Condition } from '../../schema/model.ts';
import { findUndecidable } from '../../schema/value-set.ts';
import { wireSchema } from '../../contract/events.ts';
import { JudgeError } from '../../validators/judge.ts';
import { ValidatorCompiler } from '../../validators/validator-compiler.ts';

/** What keeps a receiver of the contract from handling a body as the notification that it is sent as. */
export interface BodyFindings {
  /** What the body violates, as a sentence without its end; left out where it is valid. */
  readonly violations?: string;
  /** The other kinds that the members of the body name; left out where they are those of the notification. */
  readonly identifiedAs?: readonly string[];
}

/**
 * Checks a body as a receiver does: against the schema of the notification, and against the conditions on members that
 * identify it. A body that cannot be judged in time has no findings.
 */
export async function checkBody(
  contract: Contract,
  notification: Notification,
  body: Json,
): Promise<BodyFindings> {
  const schema = toReference(wireSchema(contract, notification).name);
  const violations = await withExampleCheck(contract, new ValidatorCompiler(), async (check) => {
    try {
      return await check(schema, body);
    } catch (error) {
      if (error instanceof JudgeError) return [];
      throw error;
    }
  });
  return {
    ...optional('violations', violations.length === 0 ? undefined : describeViolations(violations)),
    ...optional('identifiedAs', identifiedOtherwise(contract, notification, body)),
  };
}

/** Returns the other kinds that a body names, if it does not have the members that identify the notification. */
function identifiedOtherwise(
  contract: Contract,
  notification: Notification,
  body: Json,
): readonly string[] | undefined {
  const variants = indexSchemas(contract).get(notification.payload)?.variants ?? [];
  // A receiver converts a wire variant before it reads what identifies an event.
  if (matchVariant(variants, body) !== undefined) return undefined;
  const { identifiedBy } = notification;
  const meets = (conditions: readonly Condition[]): boolean =>
    conditions.every((condition) => meetsCondition(body, condition));
  const ofBody = identifiedBy.map((conditions) => conditions.filter(isOfBody));
  if (ofBody.length === 0 || ofBody.some(meets)) return undefined;
  return contract.notifications
    .filter((other) =>
      other.identifiedBy.some(
        (conditions) =>
          conditions.some(isOfBody) && conditions.every(isOfBody) && meets(conditions),
      ),
    )
    .map(({ name }) => name);
}

/** Returns whether a receiver decides a condition by the body. It ignores conditions that cannot be decided. */
function isOfBody({ expression, schema }: Condition): boolean {
  return (
    bodyPathOf(findConditionRead(expression)) !== undefined && findUndecidable(schema) === undefined
  );
}
