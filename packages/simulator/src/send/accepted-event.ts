import { toReference, unstatedId, wireSchema } from 'countersign/companion/contract';
import { JudgeError, ValidatorCompiler, withExampleCheck } from 'countersign/companion/validators';
import type { Contract, Json, Notification } from 'countersign/kit';
import type { EventIdentity } from '../sending/event-identity.ts';
import { type OtherEvent, proposeOtherEvent } from '../sending/other-event.ts';
import type { Random } from '../sending/random.ts';

/** The question that `x-dedupe-by` leaves open, without an answer of the caller. */
export interface OpenIdentity {
  readonly question: string;
  /** The choice that applies until the question is settled. */
  readonly assumed?: string;
}

/**
 * Returns what makes two deliveries of a notification the same event, or the question that leaves it open.
 * @param answers the choices of the caller, by the id of the ledger entry
 */
export function readIdentity(
  { unstated }: Contract,
  { name, dedupeBy = [], encoding }: Notification,
  answers: ReadonlyMap<string, string>,
): EventIdentity | OpenIdentity {
  const question = unstatedId(dedupeBy);
  const entry = unstated.find(({ id }) => id === question);
  const answer = entry?.choices.find((choice) => choice.name === answers.get(entry.id));
  if (question !== undefined && answer === undefined)
    return { question, ...(entry?.assumed === undefined ? {} : { assumed: entry.assumed }) };
  const stated: unknown = question === undefined ? dedupeBy : answer?.value;
  return {
    kind: name,
    expressions: Array.isArray(stated)
      ? stated.filter((expression) => typeof expression === 'string')
      : [],
    isInQuery: encoding === 'query',
  };
}

/**
 * Returns an example as another event, as the simulator does: with its own identity. It stays the same event where the
 * contract accepts no other value.
 */
export async function toOtherEvent(
  contract: Contract,
  notification: Notification,
  event: EventIdentity,
  value: Json,
  random: Random,
): Promise<OtherEvent> {
  const schema = toReference(wireSchema(contract, notification).name);
  return await withExampleCheck(contract, new ValidatorCompiler(), async (check) => {
    const accepts = async (value: Json): Promise<boolean> => {
      try {
        return (await check(schema, value)).length === 0;
      } catch (error) {
        if (error instanceof JudgeError) return false;
        throw error;
      }
    };
    const proposals = proposeOtherEvent(event, value, random, () => false);
    let step = proposals.next();
    while (step.done !== true) step = proposals.next(await accepts(step.value));
    return step.value;
  });
}
