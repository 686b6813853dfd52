import { optional } from '../json/json.ts';
import type { Unstated } from './contract.ts';

/** The states of a ledger entry: without an answer, with an assumed answer, or with a confirmed one. */
export const unstatedStates = ['open', 'assumed', 'settled'] as const;

/** The state of a ledger entry. */
export type UnstatedState = (typeof unstatedStates)[number];

/** Returns the state of a ledger entry. */
export function stateOf({ assumed, settled }: Unstated): UnstatedState {
  if (settled !== undefined) return 'settled';
  return assumed === undefined ? 'open' : 'assumed';
}

/** Groups the entries of a ledger by their states. */
export function groupByState(
  unstated: readonly Unstated[],
): readonly (readonly [state: UnstatedState, entries: readonly Unstated[]])[] {
  return unstatedStates.map((state) => [
    state,
    unstated.filter((entry) => stateOf(entry) === state),
  ]);
}

/** A question of the ledger with its state and answer, without the places that use it. */
export type QuestionWithState = Pick<
  Unstated,
  'id' | 'question' | 'remark' | 'source' | 'choices' | 'assumed' | 'settled'
> & { readonly state: UnstatedState };

/** Returns a question of the ledger with its state, for printing. */
export function withState(entry: Unstated): QuestionWithState {
  const { id, question, remark, source, choices, assumed, settled } = entry;
  return {
    id,
    state: stateOf(entry),
    question,
    ...optional('remark', remark),
    source,
    choices,
    ...optional('assumed', assumed),
    ...optional('settled', settled),
  };
}
