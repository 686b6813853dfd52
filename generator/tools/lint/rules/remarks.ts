import { quote } from '../../../diagnostics/quote.ts';
import { isJsonObject, type Json, notesIn } from '../../../json/json.ts';
import { vocabularyPlaces } from '../../../documents/declared-vocabulary.ts';
import { unstatedEntries } from '../../../documents/unstated-entries.ts';
import type { LintRule } from '../rule.ts';

/** Words that say what a source document leaves open, or what is assumed for it. */
const remarkWords = new RegExp(
  [
    String.raw`\bnot (?:been )?(?:stated|specified|documented|described|defined)\b`,
    String.raw`\b(?:unstated|unspecified|undocumented|unclear)\b`,
    String.raw`\bdoes not (?:state|say|specify|document|describe|define)\b`,
    String.raw`\b(?:is|are) unknown\b`,
    String.raw`\b(?:assume[sd]?|assuming|assumptions?|presumably)\b`,
    String.raw`\b(?:ledger|open question|source document)\b`,
  ].join('|'),
  'iu',
);

/**
 * Reports a summary or description of an object with `x-source` that also says what the source leaves open. A citation
 * covers the whole text, so a reader takes the remark for a statement of the source. Finds the words above, and the id
 * of a ledger entry in backquotes if it consists of several words.
 */
export const remarks: LintRule = {
  codes: ['remark-beside-citation'],
  *check({ documents }) {
    const ids = new Set(unstatedEntries(documents).map(({ id }) => id));
    for (const place of vocabularyPlaces(documents)) {
      if (place.valueIn('x-source') === undefined) continue;
      for (const member of ['summary', 'description']) {
        const at = place.child(member);
        const remark = remarkIn(at.text() ?? '', ids);
        if (remark === undefined) continue;
        const message = `The ${member} cites a section and has a remark about an open question: ${quote(remark)}.`;
        yield { pointer: at.pointer, message };
      }
    }
  },
};

/**
 * Reports a note that names a settled entry of the ledger in backquotes and does not state with `about` that it depends
 * on the entry: what it says of the question is no longer true.
 */
export const settledNotes: LintRule = {
  codes: ['note-on-settled-entry'],
  *check({ documents }) {
    const settled = new Set(
      unstatedEntries(documents).flatMap(({ id, at }) =>
        at.text('settled') === undefined ? [] : [id],
      ),
    );
    if (settled.size === 0) return;
    for (const place of vocabularyPlaces(documents)) {
      const at = place.child('x-note');
      const notes = [at.value ?? []].flat();
      const id = notes.flatMap((note) => namedIn(note, settled)).at(0);
      if (id === undefined) continue;
      const message = `The note mentions ${quote(id)}, which is settled.`;
      yield { pointer: at.pointer, message };
    }
  },
};

/** Returns the entries that a note names although it is not about them. */
function namedIn(note: Json, ids: ReadonlySet<string>): readonly string[] {
  const about = isJsonObject(note) ? [note['about'] ?? []].flat() : [];
  return notesIn(note).flatMap((text) =>
    quotedIn(text).filter((id) => ids.has(id) && !about.includes(id)),
  );
}

function remarkIn(description: string, ids: ReadonlySet<string>): string | undefined {
  const [words] = remarkWords.exec(description) ?? [];
  if (words !== undefined) return words;
  return quotedIn(description).find((id) => id.includes('-') && ids.has(id));
}

/** Returns the texts in backquotes. */
function quotedIn(text: string): readonly string[] {
  return text.match(/`[^`]+`/gu)?.map((code) => code.slice(1, -1)) ?? [];
}
