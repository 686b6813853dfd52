import type { OrUnstated } from 'countersign/kit';
import type { Service } from './service.ts';
import { SimulatorError } from './sending/simulator-error.ts';

/** Returns a value with the answers to open questions; `undefined` for a question without an answer. */
export function settle<T>(
  { unstated }: Pick<Service, 'unstated'>,
  answers: Readonly<Record<string, string>>,
  value: OrUnstated<T>,
): T {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return value;
  const { choices = [] } = unstated.find(({ id }) => id === value.unstated) ?? {};
  return choices.find(({ name }) => name === answers[value.unstated])?.value as T;
}

/**
 * Returns the given answer, the assumed one, or the first choice, for each question with choices.
 * @throws SimulatorError `unknown-name` for an unknown question or choice
 */
export function chooseAnswers(
  { unstated }: Pick<Service, 'unstated'>,
  optionAnswers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [id, choice] of Object.entries(optionAnswers)) {
    const question = unstated.find((candidate) => candidate.id === id);
    if (question === undefined)
      throw new SimulatorError('unknown-name', `The contract has no open question "${id}".`);
    const names = question.choices.map(({ name }) => name);
    if (!names.includes(choice))
      throw new SimulatorError(
        'unknown-name',
        `"${choice}" is not an answer to "${id}". The choices are ${names.join(', ')}.`,
      );
  }
  return Object.fromEntries(
    unstated.flatMap(({ id, assumed, choices }) => {
      const choice =
        (Object.hasOwn(optionAnswers, id) ? optionAnswers[id] : undefined) ??
        assumed ??
        choices[0]?.name;
      return choice === undefined ? [] : [[id, choice] as const];
    }),
  );
}
