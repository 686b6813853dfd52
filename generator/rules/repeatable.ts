import { vocabularyPlaces } from '../load/declared-vocabulary.ts';
import { choicesOf, unstatedEntries } from '../load/unstated-entries.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/** Checks that no assumption of the ledger makes a call repeatable: a repeated call could, for example, pay twice. */
export const assumedRepetition: Rule = {
  codes: ['invalid-extension'],
  *check({ documents }) {
    const questions = new Set(
      vocabularyPlaces(documents).flatMap((place) => place.text('x-repeatable', 'unstated') ?? []),
    );
    if (questions.size === 0) return;
    for (const entry of unstatedEntries(documents)) {
      const assumed = entry.at.child('assumed');
      const choice = choicesOf(entry).find(({ name }) => name === assumed.text());
      if (!questions.has(entry.id) || choice?.value !== true) continue;
      yield {
        pointer: assumed.pointer,
        message: `${quote(entry.id)} assumes that a call may be repeated, because "x-repeatable" refers to it.`,
        help: 'Assume the choice with the value `false`, or remove `assumed`. Only `settled` makes a call repeatable.',
      };
    }
  },
};
