/** Signatures over members of a JSON body, which also contains them. */

import { isExactNumber } from '../base/index.ts';
import {
  type CoreParts,
  type KeyEncoding,
  type MaybePromise,
  type SignatureEncoding,
  SigningError,
  createHmacMatcher,
  createHmacSigner,
  isWellFormed,
  toKeyBytes,
} from './core.ts';

/** How members of a JSON body are signed, as plain data: the `x-body-signature` of a contract. */
export interface BodySignatureScheme {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';
  readonly key: { readonly encoding: KeyEncoding; readonly prefix?: string };
  /**
   * The unescaped members of a JSON Pointer to an array. Each of its elements has a signature, and all pointers below
   * begin at an element. Without it, the body has one signature.
   */
  readonly each?: readonly string[];
  /** The signed members, in order. A member that is missing or `null` is signed as an empty text. */
  readonly over: readonly SignedMember[];
  /**
   * The text that is signed of a number: its digits `as-sent`, or `as-double`, as JavaScript writes the double with the
   * same value. Without it, a verifier accepts both, and a signer signs what it sends.
   */
  readonly numbers?: 'as-sent' | 'as-double';
  /** The text between the signed members. */
  readonly separator: string;
  readonly encoding: SignatureEncoding;
  /** The location of the signature. */
  readonly signature: readonly string[];
}

/** A signed member of a body. */
export interface SignedMember {
  readonly member: readonly string[];
  /** Whether the value can contain the separator. At most one member can, because its end could not be detected. */
  readonly mayContainSeparator?: true;
}

/** Why the members of a body are not authentic. Log it on the receiving side, and never send it to the sender. */
export type BodyFailure =
  /**
   * The body is not JSON in UTF-8, or a signed member is neither a text, a number nor a boolean, or `numbers` is
   * `as-double` and it has digits that no double holds.
   */
  | 'malformed-body'
  /** A body or an element has no signature, or there is no element. */
  | 'missing-signature'
  /** A signed member contains the separator, so that other values would have the same signature. */
  | 'ambiguous-framing'
  /** A signature was not made with one of the keys. */
  | 'signature-mismatch';

/** The result of a verification. The key is the index in `keys` of the key of the first signature. */
export type BodyVerification =
  | { readonly ok: true; readonly key: number }
  | { readonly ok: false; readonly reason: BodyFailure };

/** Verifies bodies with one scheme and one or more keys. */
export interface BodyVerifier {
  /**
   * Verifies a body. No content makes it throw. Only the members in `over` are authentic: an attacker who captured a
   * delivery can change all others, and repeat or leave out elements.
   *
   * Unless `numbers` states one of both, a number is signed as it was sent, or as JavaScript writes its double if that has
   * the same value: `10.0` as `10.0` or as `10`. Digits that a double does not hold are authentic only if they were signed.
   */
  readonly verify: (request: { readonly body: Uint8Array }) => MaybePromise<BodyVerification>;
}

/** Signs bodies with one scheme and one key. */
export interface BodySigner {
  /**
   * Returns the body with its signatures, without spaces between its members. Replaces those that it has. Numbers keep
   * their digits where the platform has `JSON.rawJSON`, such as Node 22. With `node:crypto`, returns no promise.
   * @throws SigningError `ambiguous-framing`, or `body-not-bytes` for a body that cannot be signed. `member` is the JSON
   * Pointer of the reason, or `body` for one that is not JSON
   */
  readonly sign: (body: string) => MaybePromise<string>;
}

/** What can be signed of an element: one text, or two if a number is not written as JavaScript writes it. */
type Texts = { readonly ok: true; readonly readings: readonly Uint8Array[] } | Refused;
type Refused = Extract<BodyVerification, { readonly ok: false }>;

/**
 * Creates a verifier. It does not expose its keys when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid
 */
export function createBodyVerifier(
  scheme: BodySignatureScheme,
  { keys }: { readonly keys: readonly (string | Uint8Array)[] },
): BodyVerifier {
  checkScheme(scheme);
  if (!Array.isArray(keys) || keys.length === 0) throw toError('missing-key', 'keys');
  const matchers = keys.map((key) =>
    createHmacMatcher(scheme, toKeyBytes(key, scheme.key, { toError })),
  );
  const matchFrom = (
    candidate: number,
    readings: readonly Uint8Array[],
    signature: string,
  ): MaybePromise<number> => {
    const key = Math.floor(candidate / readings.length);
    const bytes = readings[candidate % readings.length];
    const matches = (bytes && matchers[key]?.([bytes], [signature])) ?? true;
    const next = (isMatch: boolean): MaybePromise<number> =>
      isMatch ? key : matchFrom(candidate + 1, readings, signature);
    return typeof matches === 'boolean' ? next(matches) : matches.then(next);
  };
  // A loop, because a body can have more elements than the stack has frames.
  const verifyFrom = (
    elements: readonly unknown[],
    literalOf: LiteralOf,
    start: number,
    first: number,
  ): MaybePromise<BodyVerification> => {
    let result = first;
    for (let index = start; index < elements.length; index += 1) {
      const element = elements[index];
      const signature = memberAt(element, scheme.signature);
      if (typeof signature !== 'string' || signature === '') return refuse('missing-signature');
      const texts = toTexts(element, scheme, (member) => literalOf(index, member));
      if (!texts.ok) return texts;
      const key = matchFrom(0, texts.readings, signature);
      if (typeof key !== 'number')
        return key.then((keyIndex) =>
          keyIndex === matchers.length
            ? refuse('signature-mismatch')
            : verifyFrom(elements, literalOf, index + 1, index === 0 ? keyIndex : result),
        );
      if (key === matchers.length) return refuse('signature-mismatch');
      if (index === 0) result = key;
    }
    return { ok: true, key: result };
  };
  return Object.freeze<BodyVerifier>({
    verify({ body }) {
      const parsed = parse(body);
      if (parsed === undefined) return refuse('malformed-body');
      const { each } = scheme;
      const elements = each === undefined ? [parsed.value] : memberAt(parsed.value, each);
      if (!Array.isArray(elements) || elements.length === 0) return refuse('missing-signature');
      return verifyFrom(elements as readonly unknown[], createLiterals(parsed.text, scheme), 0, 0);
    },
  });
}

/**
 * Creates a signer, for the deliveries of tests.
 * @throws SigningError for a scheme or key that is not valid
 */
export function createBodySigner(
  scheme: BodySignatureScheme,
  { key }: { readonly key: string | Uint8Array },
): BodySigner {
  checkScheme(scheme);
  const toSignature = createHmacSigner(scheme, toKeyBytes(key, scheme.key, { toError }));
  const { each, over } = scheme;
  return Object.freeze<BodySigner>({
    sign(body) {
      const parsed = parse(new TextEncoder().encode(body));
      if (parsed === undefined) throw toError('body-not-bytes', 'body');
      // Only the signatures change: a number keeps its digits.
      const exactValue = parseExactly(body);
      const elementsOf = (value: unknown): unknown =>
        each === undefined ? [value] : memberAt(value, each);
      const elements = elementsOf(parsed.value);
      const targets = elementsOf(exactValue) as readonly unknown[];
      if (!Array.isArray(elements) || elements.length === 0)
        throw toError('body-not-bytes', toPointer(each));
      const pathOf = (index: number): readonly string[] =>
        each === undefined ? [] : [...each, String(index)];
      // Where the platform cannot keep digits, numbers are sent as JavaScript writes them.
      const literalOf = createLiterals(keepsDigits ? body : JSON.stringify(parsed.value), scheme);
      const signatures = elements.map((element: unknown, index) => {
        const literalAt = (member: readonly string[]): string => literalOf(index, member);
        const texts = toTexts(element, scheme, literalAt);
        // Unless the scheme states something else, numbers are signed as they are sent.
        if (texts.ok) return toSignature(texts.readings.slice(0, 1));
        const part = over.find(
          (entry) => !toTexts(element, { ...scheme, over: [entry] }, literalAt).ok,
        );
        const code = texts.reason === 'ambiguous-framing' ? texts.reason : 'body-not-bytes';
        throw toError(code, toPointer([...pathOf(index), ...(part?.member ?? [])]));
      });
      const finish = (texts: readonly string[]): string => {
        for (const [index, text] of texts.entries())
          if (!write(targets[index], scheme.signature, text))
            throw toError('body-not-bytes', toPointer([...pathOf(index), ...scheme.signature]));
        return JSON.stringify(exactValue);
      };
      return signatures.every((signature) => typeof signature === 'string')
        ? finish(signatures)
        : Promise.all(signatures.map(async (signature) => await signature)).then(finish);
    },
  });
}

/** Returns the literal of a number that is a member of an element, as it was sent. */
type LiteralOf = (element: number, member: readonly string[]) => string;

/** Returns the bytes that can be signed of an element: numbers as they were sent, and then as JavaScript writes them. */
function toTexts(
  element: unknown,
  { over, separator, numbers }: BodySignatureScheme,
  literalAt: (member: readonly string[]) => string,
): Texts {
  const sent: string[] = [];
  const shortest: string[] = [];
  let isExact = true;
  for (const { member, mayContainSeparator } of over) {
    const value = memberAt(element, member) ?? '';
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      return refuse('malformed-body');
    const text = typeof value === 'number' ? literalAt(member) : String(value);
    // The encoding of half a character is that of a replacement character.
    if (!isWellFormed(text)) return refuse('malformed-body');
    if (mayContainSeparator !== true && text.includes(separator))
      return refuse('ambiguous-framing');
    sent.push(text);
    shortest.push(String(value));
    // Otherwise, a receiver that keeps the digits would handle others than those that were signed.
    if (typeof value === 'number' && !isSameNumber(text, value)) isExact = false;
  }
  const texts = [
    ...(numbers === 'as-double' ? [] : [sent]),
    ...(numbers === 'as-sent' || !isExact ? [] : [shortest]),
  ];
  // Most numbers are written as JavaScript writes them.
  const readings = [...new Set(texts.map((parts) => parts.join(separator)))];
  if (readings.length === 0) return refuse('malformed-body');
  return { ok: true, readings: readings.map((text) => new TextEncoder().encode(text)) };
}

/** Returns whether a literal has the value of the double that it becomes, and its sign. */
function isSameNumber(literal: string, double: number): boolean {
  return String(double) === literal || (!Object.is(double, -0) && isExactNumber(literal));
}

const numberPattern = /-?\d[\d.eE+-]*/uy;

/** Returns JSON with a text in place of each number. A loop, because a pattern for long strings exhausts the stack. */
function withNumbersAsTexts(json: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '"') {
      for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1;
      continue;
    }
    numberPattern.lastIndex = at;
    const [literal] = numberPattern.exec(json) ?? [];
    if (literal === undefined) continue;
    parts.push(json.slice(done, at), `"${literal}"`);
    done = at + literal.length;
    at = done - 1;
  }
  return parts.join('') + json.slice(done);
}

/**
 * Creates the function that returns the literals of numbers. It parses the body again, with a text in place of each
 * number, and only if a signed member is a number.
 */
function createLiterals(text: string, { each }: BodySignatureScheme): LiteralOf {
  let elements: readonly unknown[] | undefined;
  return (element, member) => {
    if (elements === undefined) {
      const marked: unknown = JSON.parse(withNumbersAsTexts(text));
      elements = each === undefined ? [marked] : (memberAt(marked, each) as readonly unknown[]);
    }
    return String(memberAt(elements[element], member));
  };
}

function parse(body: Uint8Array): { readonly text: string; readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { text, value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function memberAt(value: unknown, members: readonly string[]): unknown {
  let here = value;
  for (const member of members) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, member)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[member];
  }
  return here;
}

/** Sets a member, and creates the objects that contain it. Returns whether no other value is in the way. */
function write(
  value: unknown,
  [member = '', ...members]: readonly string[],
  text: string,
): boolean {
  // Numbers of `JSON.rawJSON` are frozen objects.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return false;
  if (Array.isArray(value) && !Object.hasOwn(value, member)) return false;
  const set = (to: unknown): void => {
    // An assignment to `__proto__` would create no member.
    Object.defineProperty(value, member, {
      value: to,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  };
  if (members.length === 0) {
    set(text);
    return true;
  }
  if (!Object.hasOwn(value, member)) set({});
  return write((value as Readonly<Record<string, unknown>>)[member], members, text);
}

const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
const keepsDigits: boolean = rawJSON !== undefined;

/** Parses JSON so that `JSON.stringify` writes each number with its digits, where the platform can. */
function parseExactly(text: string): unknown {
  if (rawJSON === undefined) return JSON.parse(text);
  // The types of `JSON.parse` lack the third parameter.
  const revive = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJSON(context.source)
      : value;
  return JSON.parse(text, revive);
}

/** Writes members as a JSON Pointer (RFC 6901). */
function toPointer(members: readonly string[] = []): string {
  return members.map((member) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Checks what data from JSON can contradict. */
function checkScheme({ over, separator, signature }: BodySignatureScheme): void {
  if (over.length === 0) throw toError('invalid-scheme', 'over');
  if (separator === '') throw toError('invalid-scheme', 'separator');
  if (signature.length === 0) throw toError('invalid-scheme', 'signature');
  if (over.filter(({ mayContainSeparator }) => mayContainSeparator === true).length > 1)
    throw toError('ambiguous-framing', 'over');
}

function refuse(reason: BodyFailure): Refused {
  return { ok: false, reason };
}

const toError: CoreParts['toError'] = (code, subject) =>
  new SigningError(code, `${code}${subject === undefined ? '' : ` (${subject})`}`, subject);
