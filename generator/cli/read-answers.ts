import type { Contract } from '../contract/contract.ts';
import { texts } from './option-values.ts';
import { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';

/**
 * Reads the values of `--answer`, such as `time-format=unix-seconds`, and returns choices by the id of their ledger
 * entry.
 * @throws CommandError `usage` for an unknown entry or choice
 */
export function readAnswers(value: unknown, contract: Contract): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const text of texts(value)) {
    const [, id = '', name = ''] = /^([^=]*)=(.*)$/su.exec(text) ?? [];
    const entry = contract.unstated.find((candidate) => candidate.id === id);
    if (entry === undefined)
      throw createUnknownNameError(
        'entry of the ledger',
        id || text,
        contract.unstated.map((unstated) => unstated.id),
      );
    const names = entry.choices.map((choice) => choice.name);
    answers.set(id, chooseName(`choice of ${id}`, name, names));
  }
  return answers;
}
