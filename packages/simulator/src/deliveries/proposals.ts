import type { Json } from 'countersign/kit';

/**
 * Yields payloads, and expects to be resumed with whether the contract accepts each. Returns the chosen one. Thus, the
 * caller decides how a payload is validated: at once, or in another thread.
 */
export type Proposals<Chosen = Json> = Generator<Json, Chosen, boolean>;

/** Returns the payload that is chosen where `accepts` validates at once. */
export function chooseProposal<Chosen>(
  proposals: Proposals<Chosen>,
  accepts: (value: Json) => boolean,
): Chosen {
  let step = proposals.next();
  while (step.done !== true) step = proposals.next(accepts(step.value));
  return step.value;
}
