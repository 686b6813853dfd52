import type { Unstated } from '../contract/contract.ts';
import type { Location } from '../diagnostics/diagnostic.ts';
import {
  type QuestionWithState,
  type UnstatedState,
  withState,
} from '../targets/contract/data-files.ts';
import { count } from './describe-generation.ts';
import { type Paint, printable } from '../tools/paint.ts';

/** An entry of the ledger, with its location. */
export interface LedgerEntry extends QuestionWithState, Location {
  /** Whether generated code depends on the answer. If not, the entry is documentation. */
  readonly used: boolean;
}

/** Converts a ledger entry to the form that `unstated` prints. */
export function toLedgerEntry(entry: Unstated, location: Location): LedgerEntry {
  return {
    ...withState(entry),
    used: entry.usedBy.length > 0,
    file: location.file,
    line: location.line,
    column: location.column,
  };
}

const styles = { open: 'red', assumed: 'yellow', settled: 'green' } as const;

/**
 * Describes the ledger as text for the terminal: each entry with its state, question, location and choices, then the
 * number of entries of each state.
 */
export function describeLedger(entries: readonly LedgerEntry[], paint: Paint): string {
  const blocks = entries.map((entry) => {
    const { id, state, question, file, line, source, choices } = entry;
    const answer = entry.settled ?? entry.assumed;
    const label = answer === undefined ? state : `${state}: ${printable(answer)}`;
    const cited = source.length === 0 ? '' : `, source ${printable(source.join(', '))}`;
    const names = choices.map(({ name }) => name).join(', ');
    return [
      `${paint('bold', id)}  ${paint(styles[state], label)}${entry.used ? '' : paint('dim', '  (documentation)')}`,
      `  ${printable(question.trim().replaceAll(/\s+/gu, ' '))}`,
      `  ${paint('dim', `${printable(file)}:${line}${cited}`)}`,
      ...(names === '' ? [] : [`  choices: ${printable(names)}`]),
    ].join('\n');
  });
  const number = (state: UnstatedState): number =>
    entries.filter((entry) => entry.state === state).length;
  const states = (['open', 'assumed', 'settled'] as const).map(
    (state) => `${number(state)} ${state}`,
  );
  const total = count(entries.length, 'entry', 'entries');
  return `${[...blocks, `${total}: ${states.join(', ')}`].join('\n\n')}\n`;
}
