import { code, type Code } from '../../targets/code.ts';
import { identifier, literal } from '../../targets/escape.ts';
import type { AskedOption } from '../../targets/open-questions.ts';

/** Choices by the id of the ledger entry that they answer. */
export type Answers = ReadonlyMap<string, string>;

/** The answers as members of options; what is assumed and not answered is left out. */
export function answerMembers(options: readonly AskedOption[], answers: Answers): readonly Code[] {
  return options.flatMap(({ name, entry }) => {
    const answer = answers.get(entry.id);
    return answer === undefined ? [] : [code`${identifier(name)}: ${literal(answer)}`];
  });
}

/** The options that have to be given and have no answer. */
export function unansweredOptions(
  options: readonly AskedOption[],
  answers: Answers,
): readonly AskedOption[] {
  return options.filter(({ optional, entry }) => !optional && !answers.has(entry.id));
}
