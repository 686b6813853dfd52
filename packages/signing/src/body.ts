import { createHmacMatcher, createHmacSigner } from '#hmac';
import type { CoreParts } from './core-parts.ts';
import type { MaybePromise } from './hmac.ts';
import { toKeyBytes } from './key.ts';
import type { KeyEncoding, SignatureEncoding } from './scheme.ts';
import { SigningError } from './signing-error.ts';

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
  /** The body is not JSON in UTF-8, or a signed member is neither a text, a number nor a boolean. */
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

type Text = { readonly ok: true; readonly bytes: Uint8Array } | Refused;
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
  const matchFrom = (key: number, bytes: Uint8Array, signature: string): MaybePromise<number> => {
    const matches = matchers[key]?.([bytes], [signature]) ?? true;
    const next = (isMatch: boolean): MaybePromise<number> =>
      isMatch ? key : matchFrom(key + 1, bytes, signature);
    return typeof matches === 'boolean' ? next(matches) : matches.then(next);
  };
  // A loop, because a body can have more elements than the stack has frames.
  const verifyFrom = (
    elements: readonly unknown[],
    start: number,
    first: number,
  ): MaybePromise<BodyVerification> => {
    let result = first;
    for (let index = start; index < elements.length; index += 1) {
      const element = elements[index];
      const signature = memberAt(element, scheme.signature);
      if (typeof signature !== 'string' || signature === '') return refuse('missing-signature');
      const text = toText(element, scheme);
      if (!text.ok) return text;
      const key = matchFrom(0, text.bytes, signature);
      if (typeof key !== 'number')
        return key.then((keyIndex) =>
          keyIndex === matchers.length
            ? refuse('signature-mismatch')
            : verifyFrom(elements, index + 1, index === 0 ? keyIndex : result),
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
      return verifyFrom(elements as readonly unknown[], 0, 0);
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
      const signatures = elements.map((element: unknown, index) => {
        const text = toText(element, scheme);
        if (text.ok) return toSignature([text.bytes]);
        const part = over.find((entry) => !toText(element, { ...scheme, over: [entry] }).ok);
        const code = text.reason === 'ambiguous-framing' ? text.reason : 'body-not-bytes';
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

/** Returns the bytes that are signed of an element. */
function toText(element: unknown, { over, separator }: BodySignatureScheme): Text {
  const texts: string[] = [];
  for (const { member, mayContainSeparator } of over) {
    const value = memberAt(element, member) ?? '';
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      return refuse('malformed-body');
    const text = String(value);
    // The encoding of half a character is that of a replacement character.
    if (!text.isWellFormed()) return refuse('malformed-body');
    if (mayContainSeparator !== true && text.includes(separator))
      return refuse('ambiguous-framing');
    texts.push(text);
  }
  return { ok: true, bytes: new TextEncoder().encode(texts.join(separator)) };
}

function parse(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
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

/** Parses JSON so that `JSON.stringify` writes each number with its digits, where the platform can. */
function parseExactly(text: string): unknown {
  const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
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
