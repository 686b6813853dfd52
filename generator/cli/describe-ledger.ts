import { byHand, describeChanges } from '../contract/answer-changes.ts';
import type { Unstated } from '../contract/contract.ts';
import type { Location } from '../diagnostics/diagnostic.ts';
import {
  type QuestionWithState,
  furtherRisks,
  riskiest,
  settleCommand,
  unstatedStates,
  withState,
} from '../contract/ledger-states.ts';
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
  const command = settleCommand(entry);
  return { ...withState(entry), changes: describeChanges(entry), command, file, line, column };
}

const styles = { open: 'red', assumed: 'yellow', settled: 'green' } as const;

/**
 * Describes the ledger as text for the terminal: first the questions to ask before going live, then the others in three
 * groups (the answer changes something, requires an edit of the contract, or is documentation only), then the number of
 * each state.
 * @param isVerbose whether every question is shown with its choices, and not only those to ask before going live. They all
 * are where the contract names no such questions.
 */
export function describeLedger(
  entries: readonly LedgerEntry[],
  paint: Paint,
  isVerbose: boolean,
): string {
  const first = riskiest(entries);
  const further = furtherRisks(entries);
  const isFull = isVerbose || first.length === 0;
  const isByHand = ({ changes }: LedgerEntry): boolean => changes.includes(byHand);
  const isDocumentation = ({ changes }: LedgerEntry): boolean => changes.length === 0;
  const rest = entries.filter((entry) => !first.some(({ id }) => id === entry.id));
  const groups = [
    [
      'The answers to these entries change the contract or its code:',
      rest.filter((entry) => !isByHand(entry) && !isDocumentation(entry)),
    ],
    ['The answers to these entries require an edit of the contract:', rest.filter(isByHand)],
    ['These entries are documentation only:', rest.filter(isDocumentation)],
  ] as const;
  const asked =
    first.length === 0
      ? []
      : [
          'Before you go live:',
          ...first.map((entry) => describeEntry(entry, paint)),
          ...(further.length === 0
            ? []
            : [`A wrong assumption also loses something here: ${further.join(', ')}`]),
        ];
  const blocks = groups.flatMap(([title, group]) => {
    if (group.length === 0) return [];
    if (isFull) return [title, ...group.map((entry) => describeEntry(entry, paint))];
    return [title, group.map((entry) => describeShortly(entry, paint)).join('\n')];
  });
  const states = unstatedStates.map(
    (state) => `${entries.filter((entry) => entry.state === state).length} ${state}`,
  );
  const total = `${count(entries.length, 'entry', 'entries')}: ${states.join(', ')}`;
  const more = isFull
    ? total
    : `${total}. With --verbose, each entry is shown with its choices, its place and the command that settles it.`;
  return `${[...asked, ...blocks, more].join('\n\n')}\n`;
}

/** Describes an entry by its id, its state and its question. */
function describeShortly({ id, state, question }: LedgerEntry, paint: Paint): string {
  return [`${paint('bold', id)}  ${paint(styles[state], state)}`, ...fold(question, '  ')].join(
    '\n',
  );
}

function describeEntry(entry: LedgerEntry, paint: Paint): string {
  const { id, state, question, file, line, source, choices, changes, command, risk } = entry;
  const { assumed, settled } = entry;
  const answer = settled ?? assumed;
  const isChoice = choices.some(({ name }) => name === answer);
  const label = isChoice ? `${state}: ${printable(answer ?? '')}` : state;
  const rows: readonly (readonly [title: string, ...texts: readonly string[]])[] = [
    ['loses', risk === undefined ? '' : `${risk.loses}: ${risk.because}`],
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
