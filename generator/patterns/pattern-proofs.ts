import type { PatternProofs } from './pattern-check.ts';
import { createDraw } from './draw.ts';
import { languageWord } from './language-word.ts';
import {
  areDisjointLanguages,
  languageOf,
  provenLanguageOf,
  type TextLanguage,
} from './text-language.ts';

/** The most patterns of a contract that are compared. Others count as matching common texts. */
const maxCompared = 200;

/** The length of the longest sample. */
const maxSample = 1000;

/** Creates the proofs about patterns that are safe to match. */
export function createPatternProofs(): PatternProofs {
  const languages = new Map<string, TextLanguage | undefined>();
  const proofs = new Map<string, boolean>();
  const provenLanguage = (pattern: string): TextLanguage | undefined => {
    if (!languages.has(pattern))
      languages.set(pattern, languages.size < maxCompared ? provenLanguageOf(pattern) : undefined);
    return languages.get(pattern);
  };
  return {
    areDisjoint(a, b) {
      const key = JSON.stringify([a, b].toSorted());
      const cachedProof = proofs.get(key);
      if (cachedProof !== undefined) return cachedProof;
      const [languageA, languageB] = [provenLanguage(a), provenLanguage(b)];
      const isProven =
        languageA !== undefined &&
        languageB !== undefined &&
        areDisjointLanguages(languageA, languageB);
      proofs.set(key, isProven);
      return isProven;
    },
    sampleOf(pattern) {
      const language = languageOf(pattern);
      const word = language && languageWord(language, [0, maxSample], createDraw(pattern), true);
      return word !== undefined && new RegExp(pattern, 'u').test(word) ? word : undefined;
    },
  };
}
