import { code, type Code } from '../../targets/code.ts';
import { identifier, literal } from '../../targets/escape.ts';
import type { AskedOption } from '../../targets/open-questions.ts';

/** Choices by the id of the ledger entry that they answer. */
export type Answers = ReadonlyMap<string, string>;

/** Returns the answers as members of an options object. Omits options without an answer, which use the assumption. */
export function answerMembers(options: readonly AskedOption[], answers: Answers): readonly Code[] {
  return options.flatMap(({ name, entry }) => {
    const answer = answers.get(entry.id);
    return answer === undefined ? [] : [code`${identifier(name)}: ${literal(answer)}`];
  });
}

/** Returns the required options that have no answer. */
export function unansweredOptions(
  options: readonly AskedOption[],
  answers: Answers,
): readonly AskedOption[] {
  return options.filter(({ optional, entry }) => !optional && !answers.has(entry.id));
}
