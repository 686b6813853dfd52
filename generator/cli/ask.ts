import {
  chooseManager,
  type InitAnswers,
  type Question,
  questions,
} from '../tools/init/questions.ts';
import type { Invocation } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { wantsColor } from './terminal.ts';
import { createPaint } from '../diagnostics/paint.ts';

/**
 * Returns an answer to every question: from its flag, from the user at the terminal, or the proposed one. With `--yes`,
 * questions without a flag get the proposed answer. After an invalid answer, the question is asked again.
 * @throws CommandError `usage` for an invalid flag, or if there is no terminal to ask at; `cancelled` if the user
 * closes the input
 */
export async function answerQuestions({
  options,
  terminal,
  flags,
}: Invocation): Promise<InitAnswers> {
  const agent = terminal.environment['npm_config_user_agent'];
  const manager = chooseManager(options['manager'], agent);
  const answers: Partial<Record<Question['name'], string>> = {};
  const { ask } = terminal;
  const isGiven = ({ name }: Question): boolean => typeof options[name] === 'string';
  // All flags are validated before the first question is asked.
  for (const { name, read } of questions.filter(isGiven)) read(String(options[name]).trim());
  const open = questions.filter((question) => !isGiven(question));
  if (open.length > 0 && options['yes'] !== true && (ask === undefined || flags.json)) {
    const missing = open.map(({ name }) => `--${name}`).join(', ');
    throw new CommandError(
      'usage',
      `There is no terminal to ask questions at. Give ${missing}, or --yes to accept the proposed answers.`,
    );
  }
  const paint = createPaint(wantsColor(terminal, flags, 'error'));
  for (const question of questions) {
    const { name, read, propose } = question;
    const proposal = propose(answers);
    if (isGiven(question)) answers[name] = read(String(options[name]).trim());
    else if (ask === undefined || options['yes'] === true) answers[name] = proposal;
    else {
      const { text, choices } = question;
      const among = choices === undefined ? '' : paint('dim', ` ${choices.join(', ')}`);
      const prompt = `${paint('bold', text)}${among} [${proposal}] `;
      answers[name] = await askUntilRead(prompt, proposal, read, ask, (text) =>
        terminal.error(text),
      );
    }
  }
  return { ...answers, manager } as InitAnswers;
}

async function askUntilRead(
  prompt: string,
  proposal: string,
  read: Question['read'],
  ask: (prompt: string) => Promise<string | undefined>,
  tell: (text: string) => void,
): Promise<string> {
  for (;;) {
    const line = await ask(prompt);
    if (line === undefined) {
      tell('\n');
      throw new CommandError('cancelled', 'Nothing was written.');
    }
    try {
      return read(line.trim() === '' ? proposal : line.trim());
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      tell(`${error.message}\n`);
    }
  }
}
