import type { Writable } from 'node:stream';
import { isCancel, multiselect, select, text } from '@clack/prompts';
import { printable } from '../diagnostics/printable.ts';
import type { AskedChoice } from './terminal.ts';

const placeholder = '<name>';

/**
 * Lets the user choose in a list that has a line for each answer.
 * @param output the stream of the terminal that shows the list
 */
export async function choose(question: AskedChoice, output: Writable): Promise<string | undefined> {
  const { text: message, answers, proposal = '', isSeveral } = question;
  const width = Math.max(...answers.map(({ name }) => printable(name).length));
  const options = answers.map(({ name, about = '' }) => ({
    value: name,
    // A contract can have written the name.
    label: `${printable(name).padEnd(width)}  ${about}`.trimEnd(),
  }));
  if (isSeveral) {
    const initialValues = proposal.split(', ');
    const chosen = await multiselect({ message, options, initialValues, required: true, output });
    return isCancel(chosen) ? undefined : chosen.join(', ');
  }
  const chosen = await select({ message, options, initialValue: proposal, output });
  if (isCancel(chosen)) return undefined;
  if (!chosen.endsWith(placeholder)) return chosen;
  const start = chosen.slice(0, -placeholder.length);
  const name = await text({ message: `${start}<name>: which name?`, output });
  return isCancel(name) ? undefined : start + name;
}
