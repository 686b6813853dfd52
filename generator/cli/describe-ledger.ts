import { byHand, describeChanges } from '../contract/answer-changes.ts';
import type { Unstated } from '../contract/contract.ts';
import type { Location } from '../diagnostics/diagnostic.ts';
import { type QuestionWithState, unstatedStates, withState } from '../contract/ledger-states.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';

/** An entry of the ledger, with its location. */
export interface LedgerEntry extends QuestionWithState, Location {
  /** What the answer changes, in words. Empty where the entry is documentation only. */
  readonly changes: readonly string[];
  /** The command that settles the entry, with a placeholder for the answer. */
  readonly command: string;
}

/** Converts a ledger entry to the form that `unstated` prints. */
export function toLedgerEntry(entry: Unstated, { file, line, column }: Location): LedgerEntry {
  const answer = entry.choices.length > 0 ? '<choice>' : "'<sentence>'";
  const command = `countersign settle ${entry.id}=${answer}`;
  return { ...withState(entry), changes: describeChanges(entry), command, file, line, column };
}

const styles = { open: 'red', assumed: 'yellow', settled: 'green' } as const;

/**
 * Describes the ledger as text for the terminal: first the entries whose answer changes something, then those whose
 * answer requires an edit of the contract, then those that are documentation only, then the number of each state.
 */
export function describeLedger(entries: readonly LedgerEntry[], paint: Paint): string {
  const isByHand = ({ changes }: LedgerEntry): boolean => changes.includes(byHand);
  const isDocumentation = ({ changes }: LedgerEntry): boolean => changes.length === 0;
  const groups = [
    [
      'The answers to these entries change the contract or its code:',
      entries.filter((entry) => !isByHand(entry) && !isDocumentation(entry)),
    ],
    ['The answers to these entries require an edit of the contract:', entries.filter(isByHand)],
    ['These entries are documentation only:', entries.filter(isDocumentation)],
  ] as const;
  const blocks = groups.flatMap(([title, group]) =>
    group.length === 0 ? [] : [title, ...group.map((entry) => describeEntry(entry, paint))],
  );
  const states = unstatedStates.map(
    (state) => `${entries.filter((entry) => entry.state === state).length} ${state}`,
  );
  const total = count(entries.length, 'entry', 'entries');
  return `${[...blocks, `${total}: ${states.join(', ')}`].join('\n\n')}\n`;
}

function describeEntry(entry: LedgerEntry, paint: Paint): string {
  const { id, state, question, file, line, source, choices, changes, command } = entry;
  const { assumed, settled } = entry;
  const answer = settled ?? assumed;
  const isChoice = choices.some(({ name }) => name === answer);
  const label = isChoice ? `${state}: ${printable(answer ?? '')}` : state;
  const rows: readonly (readonly [title: string, ...texts: readonly string[]])[] = [
    ['answer', isChoice ? '' : (answer ?? '')],
    ['choices', ...choices.map(({ name, meaning }) => `${name}: ${meaning}`)],
    ['changes', changes.join('; ')],
    ['at', `${file}:${line}${source.length === 0 ? '' : `, source ${source.join(', ')}`}`],
    ['settle', command],
  ];
  return [
    `${paint('bold', id)}  ${paint(styles[state], label)}`,
    ...fold(question, '  '),
    ...rows.flatMap(([title, ...texts]) => {
      const lines = texts.flatMap((text) => (text === '' ? [] : fold(text, ' '.repeat(11))));
      const [first = '', ...moreLines] = lines;
      const head = `  ${paint('dim', title.padEnd(9))}${first.trimStart()}`;
      return lines.length === 0 ? [] : [head, ...moreLines];
    }),
  ].join('\n');
}

/** Splits a text into indented lines of at most 80 characters, unless a word is longer. */
function fold(text: string, indentation: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= 80)
      lines[lines.length - 1] = `${last} ${printable(word)}`;
    else lines.push(`${indentation}${printable(word)}`);
  }
  return lines;
}
