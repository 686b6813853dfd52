import type { Contract } from '../contract/contract.ts';
import type { Pairs } from './command.ts';
import { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';

/**
 * Reads the values of `--answer`, such as `time-format=unix-seconds`, and returns choices by the id of their ledger
 * entry.
 * @throws CommandError `usage` for an unknown entry or choice
 */
export function readAnswers(given: Pairs = [], contract: Contract): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const [id, name] of given) {
    const entry = contract.unstated.find((candidate) => candidate.id === id);
    if (entry === undefined)
      throw createUnknownNameError(
        'entry of the ledger',
        id,
        contract.unstated.map((unstated) => unstated.id),
      );
    const names = entry.choices.map((choice) => choice.name);
    answers.set(id, chooseName(`choice of ${id}`, name, names));
  }
  return answers;
}
