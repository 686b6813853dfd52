import type { Invocation } from 'countersign/companion/command';
import {
  type AskedChoice,
  CommandError,
  createPaint,
  wantsColor,
} from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { meaningOf } from './about-answers.ts';
import type { Question } from './questions.ts';

/** Options that answer questions, by their names; `yes` accepts the proposed answers. */
export type AnswerOptions<Name extends string = never> = {
  readonly [Key in Name]?: string | readonly string[];
} & { readonly yes?: true };

/**
 * Returns an answer to every question: from its option, from the user at the terminal, or the proposed one. With
 * `--yes`, questions without an option get the proposed answer. After an invalid answer, the question is asked again. A
 * question that makes no sense after the previous answers has none.
 * @throws CommandError `usage` for an invalid option, or if there is no terminal to ask at; `cancelled` if the user
 * closes the input
 */
export async function answerQuestions<Name extends string>(
  questions: readonly Question<Name>[],
  { options, terminal, flags }: Invocation<AnswerOptions<Name>>,
): Promise<Partial<Record<Name, string>>> {
  const answers: Partial<Record<Name, string>> = {};
  const { ask, choose } = terminal;
  const optionTextOf = ({ name }: Question<Name>): string | undefined => textOf(options[name]);
  // All options are validated before the first question is asked.
  for (const question of questions) {
    const text = optionTextOf(question);
    if (text !== undefined) question.read(text);
  }
  const mayAsk = options.yes !== true && ask !== undefined && !flags.json;
  const open: string[] = [];
  const required: string[] = [];
  const guidance: string[] = [];
  const paint = createPaint(wantsColor(terminal, flags, 'error'));
  for (const question of questions) {
    const { name, read, propose, isAsked, requires } = question;
    const text = optionTextOf(question);
    if (isAsked?.(answers) === false) {
      if (text === undefined) continue;
      const use = requires === undefined ? '' : ` Add \`${requires}\`.`;
      throw new CommandError(
        'usage',
        `${optionName(name)} has no use with the other answers.${use}`,
      );
    }
    const proposal = propose(answers);
    if (text !== undefined) answers[name] = read(text);
    else if (!mayAsk && proposal === undefined) {
      required.push(optionName(name));
      guidance.push(question.guidance ?? '');
    } else if (!mayAsk) {
      answers[name] = proposal;
      open.push(optionName(name));
    } else {
      const { text: asked, choices } = question;
      const among = choices === undefined ? '' : paint('dim', ` ${choices.join(', ')}`);
      const proposed = proposal === undefined ? '' : ` [${proposal}]`;
      const prompt = `${paint('bold', asked)}${among}${proposed} `;
      const choice = toChoice(question, proposal);
      const next =
        choose === undefined || choice === undefined
          ? () => ask(prompt)
          : async () => await choose(choice);
      answers[name] = await askUntilRead(proposal, read, next, (line) => terminal.error(line));
    }
  }
  const hints = guidance.filter((text) => text !== '').map((text) => ` ${text}`);
  if (open.length > 0 && options.yes !== true) {
    const first = required.length === 0 ? '' : `${required.join(', ')}, and also `;
    throw new CommandError(
      'usage',
      `There is no terminal to ask questions at. Give ${first}${open.join(', ')}, or --yes to accept the proposed answers.${hints.join('')}`,
    );
  }
  if (required.length > 0)
    throw new CommandError(
      'usage',
      `Give ${required.join(', ')}: nothing can be proposed for ${required.length === 1 ? 'it' : 'them'}.${hints.join('')}`,
    );
  return answers;
}

/** Returns the option of a question, such as `--kinds-by`. */
export function optionName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the text of an option; the values of one that takes several are listed. */
function textOf(option: string | readonly string[] | undefined): string | undefined {
  return typeof option === 'object' ? option.join(', ') : option?.trim();
}

/** Returns a question as a choice with the meaning of each answer; `undefined` if any text may be the answer. */
function toChoice<Name extends string>(
  { name, text, choices, isSeveral = false }: Question<Name>,
  proposal: string | undefined,
): AskedChoice | undefined {
  if (choices === undefined) return undefined;
  return {
    text,
    answers: choices.map((answer) => ({
      name: answer,
      ...optional('about', meaningOf(name, answer)),
    })),
    isSeveral,
    ...optional('proposal', proposal),
  };
}

async function askUntilRead(
  proposal: string | undefined,
  read: (text: string) => string,
  ask: () => Promise<string | undefined>,
  tell: (text: string) => void,
): Promise<string> {
  for (;;) {
    const line = await ask();
    if (line === undefined) {
      tell('\n');
      throw new CommandError('cancelled', 'Nothing was written.');
    }
    try {
      return read(line.trim() === '' ? (proposal ?? '') : line.trim());
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      tell(`${error.message}\n`);
    }
  }
}
