import type { Contract } from '../contract/contract.ts';
import { createUnknownNameError } from '../tools/unknown-name-error.ts';

/**
 * Reads the values of `--answer`, such as `time-format=unix-seconds`, and returns choices by the id of their ledger
 * entry.
 * @throws CommandError `usage` for an unknown entry or choice
 */
export function readAnswers(texts: unknown, contract: Contract): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const text of Array.isArray(texts) ? texts : []) {
    const [, id = '', name = ''] = /^([^=]*)=(.*)$/su.exec(String(text)) ?? [];
    const entry = contract.unstated.find((candidate) => candidate.id === id);
    if (entry === undefined)
      throw createUnknownNameError(
        'entry of the ledger',
        id || String(text),
        contract.unstated.map((known) => known.id),
      );
    const names = entry.choices.map((choice) => choice.name);
    if (!names.includes(name)) throw createUnknownNameError(`choice of ${id}`, name, names);
    answers.set(id, name);
  }
  return answers;
}
