import type { Contract } from '../../contract/contract.ts';
import { literal, literalUnion, object } from '../escape.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { withState } from '../../contract/ledger-states.ts';
import { packageFolder } from './layout.ts';

/** Returns whether the package has a module with the questions of the ledger. */
export function hasQuestions({ unstated }: Pick<Contract, 'unstated'>): boolean {
  return unstated.length > 0;
}

/** Emits the ledger as typed data: the only module of all packages with the texts of its entries. */
export function* emitOpenQuestions(
  contract: Contract,
  context: TargetContext,
): Generator<OutputFile> {
  if (!hasQuestions(contract)) return;
  // The order does not depend on where the documents state the entries.
  const unstated = contract.unstated.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  yield {
    path: `${packageFolder}/src/open-questions.ts`,
    text: context.render('open-questions.ts', {
      ids: literalUnion(unstated.map(({ id }) => id)),
      questions: object(unstated.map((entry) => [entry.id, literal(withState(entry))])),
    }),
    from: unstated.map(({ pointer }) => pointer),
  };
}
