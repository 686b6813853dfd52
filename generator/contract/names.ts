import { constantCase, kebabCase, split, splitSeparateNumbers } from 'change-case';
import { contentHash } from '../execution/content-hash.ts';
import { toSafeFileName } from './file-name.ts';

/**
 * Derives every name in generated code from a name of the contract. The functions are pure; the caller makes names
 * unique with a `NameRegistry`.
 *
 * Capitals inside a word stay as the author wrote them (`parcelId`, `OAuth2Token`, `HTTPStatus`). Exception: a name in
 * capitals only is lower-cased where its words would run together (`GET_USER_BY_ID` becomes `getUserById`).
 */

/**
 * Returns the PascalCase identifier of a type: `loan-state change` → `LoanStateChange`. A name that is a status of HTTP
 * gets a word: `404` → `Status404`.
 */
export const toTypeName: (name: string) => string = memoizeName((name) => {
  if (/^[1-5]\d\d$/u.test(name)) return `Status${name}`;
  const identifier = toIdentifier(joinWords(wordsToCase(name).map(capitalize)));
  return reservedTypes.has(identifier) ? `${identifier}Schema` : identifier;
});

/**
 * Returns the camelCase identifier of a value, never a reserved word: `x-timestamp` → `xTimestamp`, `URLPath` →
 * `urlPath`.
 */
export const toMemberName: (name: string) => string = memoizeName((name) => {
  const [first = '', ...rest] = wordsToCase(name);
  const identifier = toIdentifier(joinWords([lowerStart(first), ...rest.map(capitalize)]));
  return reservedWords.has(identifier) ? `${identifier}_` : identifier;
});

/** Remembers the results of a function. A contract has the same few names thousands of times. */
function memoizeName(make: (name: string) => string): (name: string) => string {
  const cache = new Map<string, string>();
  return (name) => {
    const before = cache.get(name);
    if (before !== undefined) return before;
    const made = make(name);
    cache.set(name, made);
    return made;
  };
}

/** Returns the base name of a type's files, safe on every system: `LoanState` → `loan-state`. */
export function toFileName(typeName: string): string {
  const prefix = typeName.startsWith('_') ? 'n-' : '';
  const toWords = (name: string): string[] => name.split('_').flatMap(splitHumps);
  return toSafeFileName(prefix + kebabCase(typeName, { split: toWords, locale: false }));
}

/**
 * Returns the key of a value in the const object of its enumeration. A value in capitals keeps them, and underscores
 * separate its words (`REMOVED_BY_USER`), so that values of one and of several words look alike.
 */
export function toEnumMemberName(value: string | number): string {
  if (typeof value === 'string') {
    if (value === '') return 'EmptyText';
    const signed = spellSigns(value);
    if (!isInCapitals(value)) return toTypeName(signed);
    const options = { split: (name: string) => [...separate(name)], locale: false } as const;
    return toIdentifier(constantCase(signed, options));
  }
  const sign = value < 0 ? 'Minus' : '';
  return `Value${sign}${String(Math.abs(value)).replaceAll('.', '_').replaceAll('+', '')}`;
}

/** Returns a value with words for the signs that no identifier has and that distinguish it: `-1` and `A+`. */
function spellSigns(value: string): string {
  return value
    .replaceAll('+', ' Plus ')
    .replaceAll(/(?<![\p{L}\p{N}])-(?=\p{N})|(?<=\p{L})-$/gu, ' Minus ');
}

/** The beginning of the names of environment variables that a contract chooses, before that of the service. */
const variablePrefix = 'API';

/** The maximum length of the service's part in the name of an environment variable. */
const maxServiceName = 40;

/** The service's part in the name of an environment variable, if its title has no letter or digit. */
const unnamedService = 'SERVICE';

/**
 * Returns the name of an environment variable that holds the value of a member: `apiKey` of the service Orders →
 * `API_ORDERS_API_KEY`. It always has a prefix and the service, so that no contract can choose a variable that exists for
 * something else, such as a credential of another service, or `API_KEY`. Letters without a Latin base become their code
 * points, so that two names in another script are two variables.
 */
export function toEnvironmentName(service: string, memberName: string): string {
  const serviceWords = toVariableWords(service).slice(0, maxServiceName).replace(/_+$/u, '');
  const memberWords = toVariableWords(memberName);
  const parts = [serviceWords === '' ? unnamedService : serviceWords, memberWords];
  return [variablePrefix, ...parts.filter((part) => part !== '')].join('_');
}

function toVariableWords(name: string): string {
  const latin = name.normalize('NFC').replaceAll(/[\p{L}\p{N}]/gu, (character) => {
    const base = character.normalize('NFKD').replaceAll(/[^A-Za-z\d]+/gu, '');
    return base === '' ? `_U${character.codePointAt(0)?.toString(16) ?? ''}_` : base;
  });
  return constantCase(latin, { split: splitHumps, locale: false })
    .replaceAll(/[^A-Z\d]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '');
}

/** A thing that gets a name. */
export interface Claim {
  /** The name that it gets if nothing else wants it. */
  readonly wanted: string;
  /** Its own name in the contract. */
  readonly id: string;
  /** What distinguishes it from a thing with the same id, such as its place. */
  readonly place: string;
}

/**
 * Returns a different name for each thing. If several want the same name, the one whose id is that name keeps it, and the
 * others get it with a mark of their own: names do not depend on the order of things, and a third one changes none.
 */
export function distinctNames(claims: readonly Claim[]): readonly string[] {
  const byName = Map.groupBy(claims, ({ wanted }) => wanted);
  const taken = new Set(byName.keys());
  return claims.map((claim) => {
    const { wanted, id } = claim;
    const alike = byName.get(wanted) ?? [];
    if (alike.length === 1) return wanted;
    const isExact = id === wanted && alike.every((other) => other === claim || other.id !== id);
    if (isExact) return wanted;
    const isRepeated = alike.some((other) => other !== claim && other.id === id);
    const marked = withMark(wanted, isRepeated ? claim.place : id, taken);
    taken.add(marked);
    return marked;
  });
}

/**
 * Appends the beginning of the hash of a text to a name, such as `OrderItem_3f2a`: as many digits as make it differ from
 * the names that are taken.
 */
export function withMark(name: string, of: string, taken: { has(name: string): boolean }): string {
  const digits = contentHash(of);
  let length = 4;
  while (length < digits.length && taken.has(`${name}_${digits.slice(0, length)}`)) length += 1;
  return `${name}_${digits.slice(0, length)}`;
}

/** Assigns each name to one owner, and returns the current owner of a name that is taken. */
export class NameRegistry<Owner> {
  readonly #owners = new Map<string, Owner>();
  /** The next number to try for each name. Names are never released, so no lower number is free. */
  readonly #counts = new Map<string, number>();
  readonly #fold: (name: string) => string;

  /** @param fold maps names that count as the same to one key, such as names that differ only in case */
  constructor(fold: (name: string) => string = (name) => name) {
    this.#fold = fold;
  }

  /** Takes the name. Returns the current owner where the name is already taken. */
  claim(name: string, owner: Owner): Owner | undefined {
    const key = this.#fold(name);
    const taken = this.#owners.get(key);
    if (taken === undefined) this.#owners.set(key, owner);
    return taken;
  }

  has(name: string): boolean {
    return this.#owners.has(this.#fold(name));
  }

  /** Takes the first free name of `name`, `name2`, `name3`, …, and returns it. */
  claimFree(name: string, owner: Owner, separator = ''): string {
    // Separators contain no slash, so the key is unambiguous.
    const key = `${separator}/${this.#fold(name)}`;
    for (let count = this.#counts.get(key) ?? 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}${separator}${count}`;
      if (this.claim(candidate, owner) !== undefined) continue;
      this.#counts.set(key, count + 1);
      return candidate;
    }
  }
}

/**
 * Returns the words of a name, in lower case if the name is in capitals. The caller sets the case of each first letter.
 */
function wordsToCase(name: string): readonly string[] {
  const words = separate(name);
  return isInCapitals(name) ? words.map((word) => word.toLowerCase()) : words;
}

/** Returns whether a name has several words, all of them in capitals. Capitals then do not separate its words. */
function isInCapitals(name: string): boolean {
  return !/\p{Ll}/u.test(name) && separate(name).filter((word) => /\p{Lu}/u.test(word)).length > 1;
}

/**
 * Returns the parts of a name between characters that no identifier has. If nothing is left, returns the name's code
 * points in hexadecimal.
 */
function separate(name: string): readonly string[] {
  const wordTexts = name.normalize('NFC').match(/[\p{L}\p{Nl}\p{N}\p{M}$]+/gu);
  if (wordTexts === null) {
    return [
      `U${Array.from(name, (character) => character.codePointAt(0)?.toString(16).toUpperCase()).join('U')}`,
    ];
  }
  return wordTexts
    .map((word) => word.replace(/[^\p{ID_Continue}$]/gu, ''))
    .filter((word) => word !== '');
}

/**
 * Joins words so that the boundaries stay visible. Adjacent words in capitals keep only their first capital
 * (`XApiKey`). Adjacent numbers get an underscore between them (`Version1_1`).
 */
function joinWords(words: readonly string[]): string {
  const runsInto = (word = '', next = ''): boolean =>
    word !== '' &&
    next !== '' &&
    // These two never run together, and most words are like them.
    !(/\p{Ll}$/u.test(word) && /^\p{Lu}/u.test(next)) &&
    splitSeparateNumbers(word + next).length <
      splitSeparateNumbers(word).length + splitSeparateNumbers(next).length;
  return words
    .map((word, index) =>
      runsInto(words[index - 1], word) || runsInto(word, words[index + 1])
        ? splitHumps(word).map(lowerRest).join('')
        : word,
    )
    .join(' ')
    .replaceAll(/(?<=\p{N}) (?=\p{N})/gu, '_')
    .replaceAll(' ', '');
}

/**
 * Splits a word at its capitals. Returns a word with other characters than letters and digits unsplit, because the
 * library drops these characters.
 */
function splitHumps(word: string): string[] {
  return /[^\p{L}\d]/u.test(word) ? [word] : split(word);
}

function toIdentifier(name: string): string {
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`;
}

function capitalize(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function lowerRest(word: string): string {
  const [first = ''] = word;
  return first + word.slice(first.length).toLowerCase();
}

function lowerStart(word: string): string {
  const start = /^\p{Lu}+(?=\p{Lu}\p{Ll}|$|\P{L})|^\p{Lu}/u.exec(word)?.[0] ?? '';
  return start.toLowerCase() + word.slice(start.length);
}

/** Type names that a generated module uses, or that it exports itself. */
const reservedTypes: ReadonlySet<string> = new Set(
  (
    'Array BigInt Boolean Date Error Exclude Extract Function Infinity Iterable JSON Map Math NaN NonNullable ' +
    'Number Object Omit Partial Pick Promise Readonly ReadonlyArray Record RegExp Required Set String Symbol ' +
    'TypeError RangeError SyntaxError Uint8Array URL WeakMap WeakSet Proxy Reflect Intl Atomics Response Request ' +
    'Headers ValidationError Violation Is Asserts Validates OpenQuestion OpenQuestionChoice OpenQuestionId'
  ).split(' '),
);

/** Words that cannot be a binding in strict ECMAScript modules, and names whose shadowing would mislead. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'abstract any arguments as asserts async await boolean break case catch class const constructor continue ' +
    'debugger declare default delete do else enum eval export extends false finally for from function get ' +
    'globalThis if implements import in infer instanceof interface is keyof let module namespace never new null ' +
    'number object of package private protected prototype public readonly require return set static string super ' +
    'switch symbol then this throw true try type typeof undefined unique unknown var void while with yield ' +
    '__proto__ hasOwnProperty toString valueOf toJSON'
  ).split(' '),
);
