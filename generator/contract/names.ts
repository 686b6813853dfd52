import { toSafeFileName } from '../file-name.ts';

/**
 * Every name in generated code is decided here, once, from a name of the contract.
 * The functions are pure; who calls them keeps names apart with a `NameRegistry`.
 */

/** `loan-state change` → `LoanStateChange`. Always an identifier; inner capitals are kept. */
export function toTypeName(name: string): string {
  const joined = words(name).map(capitalise).join('');
  const identifier = startsLikeIdentifier(joined) ? joined : `_${joined}`;
  return reservedTypes.has(identifier) ? `${identifier}Schema` : identifier;
}

/** `x-timestamp` → `xTimestamp`, `URLPath` → `urlPath`. Always an identifier that is no reserved word. */
export function toMemberName(name: string): string {
  const [first = '', ...rest] = words(name);
  const joined = lowerStart(first) + rest.map(capitalise).join('');
  const identifier = startsLikeIdentifier(joined) ? joined : `_${joined}`;
  return reservedWords.has(identifier) ? `${identifier}_` : identifier;
}

/** `LoanState` → `loan-state`. Safe as a file name on every system. */
export function toFileName(typeName: string): string {
  return toSafeFileName(
    typeName
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1-$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
      .replaceAll('_', '-')
      .replace(/^-+/, 'n-')
      .toLowerCase(),
  );
}

/** The key of an enumeration's const object for a value that has no `x-enum-varnames`. */
export function toEnumMemberName(value: string | number): string {
  if (typeof value === 'string') return toTypeName(value === '' ? 'Empty' : value);
  const sign = value < 0 ? 'Minus' : '';
  return `Value${sign}${String(Math.abs(value)).replaceAll('.', '_').replaceAll('+', '')}`;
}

/** Hands out each name once; who asks for a name that is taken learns who has it. */
export class NameRegistry<Owner> {
  readonly #owners = new Map<string, Owner>();
  /** How far each name was counted: no name is ever given back, so that none below is free. */
  readonly #counts = new Map<string, number>();
  readonly #fold: (name: string) => string;

  /** `fold` says which names count as one, such as those that differ in case on a file system that folds it. */
  constructor(fold: (name: string) => string = (name) => name) {
    this.#fold = fold;
  }

  /** Takes the name; answers with its owner where somebody else has it already. */
  claim(name: string, owner: Owner): Owner | undefined {
    const key = this.#fold(name);
    const taken = this.#owners.get(key);
    if (taken === undefined) this.#owners.set(key, owner);
    return taken;
  }

  /** Takes the name, or the first of `name2`, `name3`, … that is free. */
  claimFree(name: string, owner: Owner, separator = ''): string {
    // No separator has a slash.
    const key = `${separator}/${this.#fold(name)}`;
    for (let count = this.#counts.get(key) ?? 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}${separator}${count}`;
      if (this.claim(candidate, owner) !== undefined) continue;
      this.#counts.set(key, count + 1);
      return candidate;
    }
  }
}

function words(name: string): readonly string[] {
  const found = name.normalize('NFC').match(/[\p{L}\p{Nl}\p{N}\p{M}$]+/gu);
  if (found === null) {
    return [
      `U${Array.from(name, (character) => character.codePointAt(0)?.toString(16).toUpperCase()).join('U')}`,
    ];
  }
  return found
    .map((word) => word.replace(/[^\p{ID_Continue}$]/gu, ''))
    .filter((word) => word !== '');
}

function startsLikeIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_]/u.test(name);
}

function capitalise(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function lowerStart(word: string): string {
  const start = /^\p{Lu}+(?=\p{Lu}\p{Ll}|$|\P{L})|^\p{Lu}/u.exec(word)?.[0] ?? '';
  return start.toLowerCase() + word.slice(start.length);
}

/** Type names that a generated module relies on, or that it exports for itself. */
const reservedTypes: ReadonlySet<string> = new Set(
  (
    'Array BigInt Boolean Date Error Exclude Extract Function Infinity Iterable JSON Map Math NaN NonNullable ' +
    'Number Object Omit Partial Pick Promise Readonly ReadonlyArray Record RegExp Required Set String Symbol ' +
    'TypeError RangeError SyntaxError Uint8Array URL WeakMap WeakSet Proxy Reflect Intl Atomics Response Request ' +
    'Headers ValidationError Violation'
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
