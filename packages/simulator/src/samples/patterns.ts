import {
  intersect,
  isProvenLinear,
  isSimple,
  languageOf,
  type TextLanguage,
} from 'countersign/companion/patterns';

/** Knows the patterns of a contract: what they match, and the texts that match. */
export class PatternLanguages {
  readonly #languages = new Map<string, TextLanguage | undefined>();
  readonly #tests = new Map<string, (text: string) => boolean>();

  /** Returns whether a pattern matches in a text. A pattern that is too expensive to match counts as not matching. */
  matches(pattern: string, text: string): boolean {
    const cachedTest = this.#tests.get(pattern);
    const test = cachedTest ?? this.#createTest(pattern);
    if (cachedTest === undefined) this.#tests.set(pattern, test);
    return test(text);
  }

  /** Returns the texts that all patterns match; `undefined` if that is not known. */
  common(patterns: readonly PatternSource[]): TextLanguage | undefined {
    const key = JSON.stringify(patterns);
    if (this.#languages.has(key)) return this.#languages.get(key);
    const [first, ...otherPatterns] = patterns;
    let language = first && languageOf(first.source, first.flags);
    for (const { source, flags } of otherPatterns) {
      const other = language && languageOf(source, flags);
      language = language && other && intersect(language, other);
    }
    this.#languages.set(key, language);
    return language;
  }

  #createTest(pattern: string): (text: string) => boolean {
    if (isSimple(pattern) || isProvenLinear(pattern, maxTested)) {
      const expression = toExpression(pattern);
      return (text) => text.length <= maxTested && expression?.test(text) === true;
    }
    const language = this.common([{ source: pattern }]);
    return (text) =>
      text.length <= maxTested &&
      language?.test(Array.from(text, (character) => character.codePointAt(0) ?? 0)) === true;
  }
}

/** A regular expression as text. */
export interface PatternSource {
  readonly source: string;
  /** `u` without it. */
  readonly flags?: string;
}

/** The longest text that is matched. */
const maxTested = 1000;

function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
