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
  'id' | 'question' | 'remark' | 'source' | 'choices' | 'assumed' | 'settled' | 'risk'
> & { readonly state: UnstatedState };

/** Returns a question of the ledger with its state, for printing. */
export function withState(entry: Unstated): QuestionWithState {
  const { id, question, remark, source, choices, assumed, settled, risk } = entry;
  return {
    id,
    state: stateOf(entry),
    question,
    ...optional('remark', remark),
    source,
    choices,
    ...optional('assumed', assumed),
    ...optional('settled', settled),
    ...optional('risk', risk),
  };
}

/** What a wrong assumption can lose, the worst first. */
const losses = ['money', 'messages', 'trust'] as const;

/** The most questions that somebody is asked to read before going live. */
const maxRisks = 10;

/** A question whose wrong assumption loses something. */
type Risky<Entry> = Entry & { readonly risk: NonNullable<Unstated['risk']> };

/**
 * Returns the questions to ask before going live: those that are not settled and have a `risk`, the worst loss first,
 * those of one loss by their `rank`, then in the contract's order; ten at most.
 */
export function riskiest<Entry extends Pick<Unstated, 'risk' | 'settled'>>(
  entries: readonly Entry[],
): readonly Risky<Entry>[] {
  return byRisk(entries).slice(0, maxRisks);
}

/** Returns the ids of the questions with a `risk` that come after the first ten. */
export function furtherRisks(
  entries: readonly Pick<Unstated, 'id' | 'risk' | 'settled'>[],
): readonly string[] {
  return byRisk(entries)
    .slice(maxRisks)
    .map(({ id }) => id);
}

function byRisk<Entry extends Pick<Unstated, 'risk' | 'settled'>>(
  entries: readonly Entry[],
): readonly Risky<Entry>[] {
  const open = entries.filter(
    (entry): entry is Risky<Entry> => entry.risk !== undefined && entry.settled === undefined,
  );
  const ranked = open.toSorted(
    (a, b) => (a.risk.rank ?? Number.MAX_VALUE) - (b.risk.rank ?? Number.MAX_VALUE),
  );
  return losses.flatMap((loss) => ranked.filter(({ risk }) => risk.loses === loss));
}

/** Returns the command that settles an entry, with a placeholder for the answer. */
export function settleCommand({ id, choices }: Pick<Unstated, 'id' | 'choices'>): string {
  return `countersign settle ${id}=${choices.length > 0 ? '<choice>' : "'<sentence>'"}`;
}
