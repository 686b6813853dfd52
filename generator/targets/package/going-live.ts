import { byHand, describeChanges } from '../../contract/answer-changes.ts';
import type { Contract } from '../../contract/contract.ts';
import { describeAnswer, isAnsweredInWords } from '../../contract/ledger-entries.ts';
import { furtherRisks, riskiest, settleCommand } from '../../contract/ledger-states.ts';
import { pointerDocument } from '../../json/pointer.ts';
import { oneLine } from './prose.ts';

/** What a README says before its first use: the questions to ask before going live, and the answers in words. */
export interface GoingLive {
  /** The side of the contract that all of it is about; `undefined` for both. */
  readonly about: 'calls' | 'notifications' | undefined;
  readonly asked: readonly {
    readonly id: string;
    readonly question: string;
    readonly loses: string;
    readonly because: string;
    readonly holds: string;
    readonly command: string;
    /** Whether the contract declares no effect of the answer, so that somebody has to write it. */
    readonly byHand: boolean;
  }[];
  /** The questions that lose something as well, after the first ten. */
  readonly further: readonly { readonly id: string; readonly loses: string }[];
  /** The settled questions whose answer is a sentence. */
  readonly answers: readonly { readonly id: string; readonly answer: string }[];
  /** The package whose README has more than the questions. */
  readonly explainedIn: string | undefined;
}

/**
 * Returns what the README of a package says about the open questions of its side of the contract; `undefined` if
 * nothing.
 * @param subject the side of the contract that the reader uses
 * @param explainedIn the package whose README explains the questions, where it is another one
 */
export function describeGoingLive(
  contract: Contract,
  subject: 'calls' | 'notifications' | 'both',
  explainedIn?: string,
): GoingLive | undefined {
  const documents = new Set<string>(
    subject === 'calls'
      ? ['openapi']
      : contract.notifications.map(({ pointer }) => pointerDocument(pointer)),
  );
  const own = contract.unstated.filter(
    ({ pointer }) => subject === 'both' || documents.has(pointerDocument(pointer)),
  );
  const asked = riskiest(own).map((entry) => {
    // The remark is background, which the table of all questions has.
    const { remark: _, ...short } = entry;
    return {
      id: entry.id,
      question: oneLine(entry.question),
      loses: entry.risk.loses,
      because: oneLine(entry.risk.because),
      holds: oneLine(describeAnswer(short)),
      command: settleCommand(entry),
      byHand: describeChanges(entry).includes(byHand),
    };
  });
  const answers = own
    .filter(isAnsweredInWords)
    .map(({ id, settled = '' }) => ({ id, answer: oneLine(settled) }));
  return asked.length + answers.length === 0
    ? undefined
    : {
        about: subject === 'both' ? undefined : subject,
        asked,
        further: furtherRisks(own).map((id) => ({
          id,
          loses: own.find((entry) => entry.id === id)?.risk?.loses ?? '',
        })),
        answers,
        explainedIn,
      };
}
