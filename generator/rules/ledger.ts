import type { Documents } from '../documents/documents.ts';
import type { Cursor } from '../json/cursor.ts';
import { isSameJson } from '../json/same-json.ts';
import { vocabulary } from '../contract/vocabulary/vocabulary.ts';
import { vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { memoize } from '../execution/memoize.ts';
import type { Finding, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import {
  type UnstatedEntry,
  choicesOf,
  presumedIds,
  unstatedEntries,
} from '../documents/unstated-entries.ts';
import { type UnstatedUse, unstatedUses } from './unstated-uses.ts';
import { describeViolations } from './violations.ts';
import { checkVocabulary } from './vocabulary-check.ts';

/**
 * Checks that each `{ unstated: <id> }` names a ledger entry with choices, and that each choice is valid in its place.
 */
export const unstatedReferences: Rule = {
  codes: ['undeclared-name', 'invalid-extension'],
  check({ documents }) {
    const ledger = Map.groupBy(unstatedEntries(documents), ({ id }) => id);
    const ids = new NameIndex(ledger.keys());
    return usesIn(documents).flatMap((use): readonly Finding[] => {
      const named = ledger.get(use.id) ?? [];
      const choices = named.flatMap((entry) => choicesOf(entry));
      if (choices.length === 0) return [undeclared(use, named, ids)];
      return choices.flatMap(({ name, pointer, value }) => {
        const violations = checkVocabulary(use.reference, value ?? null);
        if (violations.length === 0) return [];
        return {
          code: 'invalid-extension',
          pointer,
          message: `The choice ${quote(name)} of ${quote(use.id)} is not valid for ${placeOf(use)}: ${describeViolations(violations)}.`,
          help: `Write the choice as \`${name}: { value: …, meaning: … }\`, with a valid value.`,
        };
      });
    });
  },
};

/**
 * Checks that `assumed` and `settled` name a choice of their entry. An entry without choices is settled with a
 * sentence.
 */
export const ledgerAnswers: Rule = {
  codes: ['undeclared-name'],
  *check({ documents }) {
    for (const entry of unstatedEntries(documents)) {
      const choices = choicesOf(entry).map(({ name }) => name);
      for (const member of ['assumed', 'settled']) {
        const at = entry.at.child(member);
        const answer = at.text();
        if (answer === undefined || choices.includes(answer)) continue;
        if (member === 'settled' && choices.length === 0) continue;
        yield {
          pointer: at.pointer,
          ...undeclaredChoice(answer, entry.id, new NameIndex(choices)),
        };
      }
    }
  },
};

/**
 * Checks that choices require (`requires`) answers that exist, and that a settled choice does not contradict another
 * settled answer.
 */
export const requiredAnswers: Rule = {
  codes: ['contradicting-answers', 'undeclared-name'],
  *check({ documents }) {
    const ledger = unstatedEntries(documents);
    const byId = new Map(ledger.map((entry) => [entry.id, entry]));
    const ids = new NameIndex(byId.keys());
    const choiceNames = choiceNamesOf();
    for (const { id, at } of ledger) {
      for (const [choice, body] of at.entries('choices')) {
        for (const [otherId, answer] of body.entries('requires')) {
          const required = answer.text() ?? '';
          const other = byId.get(otherId);
          const names = other && choiceNames(other);
          if (names?.all.has(required) !== true) {
            const finding =
              names === undefined
                ? undeclaredEntry(otherId, ids)
                : undeclaredChoice(required, otherId, names.index);
            yield { code: 'undeclared-name', pointer: answer.pointer, ...finding };
            continue;
          }
          const settled = other?.at.text('settled');
          if (at.text('settled') !== choice || settled === undefined || settled === required)
            continue;
          yield {
            pointer: at.child('settled').pointer,
            message: `The answer ${quote(choice)} to ${quote(id)} requires the answer ${quote(required)} to ${quote(otherId)}, which is settled as ${quote(settled)}.`,
          };
        }
      }
    }
  },
};

/**
 * Checks that the answers which examples presume (`x-presumes`) are choices of the ledger. An entry can be in a part of
 * the contract that is not selected, so an unknown id is reported only if it resembles a known one.
 */
export const presumedAnswers: Rule = {
  codes: ['undeclared-name'],
  *check({ documents }) {
    const byId = new Map(unstatedEntries(documents).map((entry) => [entry.id, entry]));
    const ids = new NameIndex(byId.keys());
    const choiceNames = choiceNamesOf();
    for (const place of vocabularyPlaces(documents))
      for (const [, answers] of place.entries('x-presumes'))
        for (const [id, answer] of answers.entries()) {
          const entry = byId.get(id);
          const presumed = answer.text() ?? '';
          if (entry === undefined) {
            const finding = undeclaredEntry(id, ids);
            if (finding.help !== undefined) yield { pointer: answer.pointer, ...finding };
            continue;
          }
          const names = choiceNames(entry);
          if (!names.all.has(presumed))
            yield { pointer: answer.pointer, ...undeclaredChoice(presumed, id, names.index) };
        }
  },
};

/** The names of an entry's choices, and their index. */
interface ChoiceNames {
  readonly all: ReadonlySet<string>;
  readonly index: NameIndex;
}

/** Returns a function that reads the choices of each entry once, because many answers can name the same entry. */
function choiceNamesOf(): (entry: UnstatedEntry) => ChoiceNames {
  return memoize((entry: UnstatedEntry) => {
    const all = new Set(choicesOf(entry).map(({ name }) => name));
    return { all, index: new NameIndex(all) };
  });
}

function undeclaredEntry(id: string, ids: NameIndex): Pick<Finding, 'message' | 'help'> {
  const message = `No entry of \`x-unstated\` has the id ${quote(id)}.`;
  return { message, help: didYouMean(id, ids) };
}

function undeclaredChoice(
  choice: string,
  id: string,
  choices: NameIndex,
): Pick<Finding, 'message' | 'help'> {
  const message = `${quote(choice)} is not a choice of ${quote(id)}.`;
  return { message, help: didYouMean(choice, choices) };
}

/**
 * Checks that the answer to a settled entry makes a difference, unless the entry is documentation or has no choices. A
 * choice without actions makes one if another choice has some: it confirms the contract as it is.
 */
export const settledAnswers: Rule = {
  codes: ['settled-without-effect'],
  *check({ documents }) {
    const used = new Set([...usesIn(documents).map(({ id }) => id), ...presumedIds(documents)]);
    for (const entry of unstatedEntries(documents)) {
      const at = entry.at.child('settled');
      const answer = at.text();
      const choices = entry.at.entries('choices');
      if (answer === undefined || used.has(entry.id) || choices.length === 0) continue;
      if (choices.some(([, choice]) => choice.items('actions').length > 0)) continue;
      yield {
        pointer: at.pointer,
        message: `The answer ${quote(answer)} to ${quote(entry.id)} changes nothing: nothing refers to the entry, and no choice has actions.`,
      };
    }
  },
};

/** Checks that ledger entries with the same id are equal. */
export const ledgerIds: Rule = {
  codes: ['conflicting-unstated'],
  *check({ documents }) {
    const first = new Map<string, Cursor>();
    for (const { id, at } of unstatedEntries(documents)) {
      const firstEntry = first.get(id);
      if (firstEntry === undefined) first.set(id, at);
      else if (!isSameJson(firstEntry.value, at.value)) {
        const { file, line } = documents.locate(firstEntry.pointer);
        yield {
          pointer: at.pointer,
          message: `The entry ${quote(id)} differs from the entry with the same id at ${file}:${line}.`,
        };
      }
    }
  },
};

function usesIn(documents: Documents): readonly UnstatedUse[] {
  return vocabularyPlaces(documents).flatMap((place) =>
    place.entries().flatMap(([key, at]) => {
      const extension = Object.hasOwn(vocabulary, key) ? vocabulary[key] : undefined;
      return extension === undefined ? [] : unstatedUses({ $ref: extension.reference }, at);
    }),
  );
}

function undeclared(
  { id, at }: UnstatedUse,
  named: readonly UnstatedEntry[],
  ids: NameIndex,
): Finding {
  const { pointer } = at.child('unstated');
  if (named.length > 0) {
    const message = `The entry ${quote(id)} has no choices that could replace a value.`;
    return { pointer, message, help: 'Give the entry `choices`.' };
  }
  return { pointer, ...undeclaredEntry(id, ids) };
}

function placeOf({ at }: UnstatedUse): string {
  return quote(at.pointer.slice(at.pointer.lastIndexOf('/x-') + 1));
}
