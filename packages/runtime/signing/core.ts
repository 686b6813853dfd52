/**
 * Signatures with a secret that both sides have, and what those of every algorithm need: reads the request, finds the
 * signed parts and the timestamp, and writes or reads the header. `createSigner` and `createVerifier` expect a scheme that
 * has been checked, as a generator does. `index.ts` has those that check it.
 */

import {
  type BlobPieces,
  type NodeModules,
  builtinModule,
  faultOfSecret,
  toHex,
} from '../base/index.ts';

/** The HMAC algorithm, named after its hash function. */
export type SignatureAlgorithm = 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';

/** How the text of a key encodes its bytes. `utf-8` means that the bytes are the text itself. */
export type KeyEncoding = 'utf-8' | 'base64' | 'hex';

/**
 * How a signature is encoded: Base64 with padding, Base64url without, or hexadecimal. Signers write hexadecimal in
 * lower case; verifiers accept both cases.
 */
export type SignatureEncoding = 'base64' | 'base64url' | 'hex';

/**
 * The format of a timestamp. `unix-seconds` has 10 digits, `unix-milliseconds` has 13. `iso-8601` is a date-time with
 * `Z` or an offset; signers write milliseconds. `iso-8601-seconds` is the same, and signers write no milliseconds.
 * Verifiers accept a fraction of a second in both. A pattern is any other format.
 */
export type TimestampFormat =
  | 'iso-8601'
  | 'iso-8601-seconds'
  | 'unix-seconds'
  | 'unix-milliseconds'
  | TimestampPattern;

/**
 * A format of timestamps in the field symbols of Unicode (UTS #35) that have a fixed width: `yyyy`, `MM`, `MMM` (`Jan`),
 * `dd`, `EEE` (`Sat`), `HH`, `mm`, `ss`, `SSS`, and `xx` or `xxx` for the offset from UTC (`-0300`, `-03:00`). Letters
 * between apostrophes are text. A timestamp is compared field by field, so that no text takes long.
 */
export interface TimestampPattern {
  /** Such as `yyyy-MM-dd'T'HH:mm:ssxxx`. */
  readonly pattern: string;
  /** The offset from UTC of the time that signers write, such as `-03:00`. Default: `+00:00`. */
  readonly offset?: string;
}

/**
 * A part of the request that can be signed. `$request.body` is the raw bytes of the body; `$url.path-base` is the path
 * without that of the base address (`basePath` of the request).
 */
export type SignedExpression =
  | '$method'
  | '$url'
  | '$url.path'
  | '$url.path-base'
  | '$url.path+query'
  | '$url.host+path'
  | '$timestamp'
  | '$request.body'
  | `$request.header.${string}`;

/** A part of the request, or constant text before, between or after such parts. An empty text adds nothing. */
export type SignedPart = SignedExpression | { readonly text: string };

/** What is signed and how the signature is written, whatever its algorithm. */
export interface SignatureForm {
  /** The signed parts, concatenated in this order without a separator. */
  readonly over: readonly SignedPart[];
  /** How the signature is encoded. */
  readonly encoding: SignatureEncoding;
  /** The header that carries the signature. */
  readonly header: string;
  /** The template of the header's value, with the placeholders `{signature}` and `{timestamp}`. */
  readonly value: string;
  /** The separator of the items in the header's value. With it, an item may occur more than once. */
  readonly separator?: string;
  readonly timestamp?: {
    /** The header that carries the timestamp; absent where `value` contains it. */
    readonly header?: string;
    readonly format: TimestampFormat;
    /** The maximum difference in seconds between a timestamp and the verifier's clock, in both directions. */
    readonly tolerance: number;
  };
}

/** How requests are signed, as plain data: the `x-signature` of a contract that leaves no question open. */
export interface SignatureScheme extends SignatureForm {
  readonly algorithm: SignatureAlgorithm;
  readonly key: {
    readonly encoding: KeyEncoding;
    /** Text before the encoded key that is not part of it. A key without it is accepted too. */
    readonly prefix?: string;
  };
}

/** A value or a promise of it. `await` accepts both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign; a string contains only ASCII. */
export type Piece = string | Uint8Array;

/** Returns every value of the header with this lower-case name, in order, or an empty array. */
export type HeaderLookup = (name: string) => readonly string[];

/** The parts of a request that can be signed, exactly as they are sent. */
export interface SignableRequest {
  /** In upper case. */
  readonly method: string;
  /**
   * The path and query as in the request line, or the absolute URL. A scheme that signs `$url` needs the absolute URL.
   */
  readonly url: string;
  /**
   * The path of the base address, such as `/api`, which a scheme with `$url.path-base` does not sign. Default: none. The
   * path of the URL has to begin with it.
   */
  readonly basePath?: string;
  /** The values of a header by its lower-case name. */
  readonly headers: HeaderLookup;
  /** The raw bytes that are sent; empty where the request has no body. */
  readonly body: Uint8Array;
}

/**
 * Creates a lookup in the headers of a `Request`. Fetch joins the values of a repeated header with commas. The lookup
 * therefore returns one value, which is usually malformed, and not several.
 */
export function fromHeaders(headers: {
  readonly get: (name: string) => string | null;
}): HeaderLookup {
  return (name) => {
    const value = headers.get(name);
    return value === null ? [] : [value];
  };
}

/** Why a request cannot be signed or verified. */
export type InputProblem =
  /** A signed header is missing or empty. */
  | 'missing-header'
  /** A signed header, or the header of the signature or timestamp, occurs more than once. */
  | 'repeated-header'
  /** A signed header is longer than 8,192 characters, or is not visible ASCII with spaces only in between. */
  | 'malformed-header'
  /** The method is not 1 to 32 capital letters. */
  | 'malformed-method'
  /**
   * The URL is neither a path that starts with `/` nor an absolute URL, or has characters that a request line cannot
   * have.
   */
  | 'malformed-url'
  /** The timestamp is not in the scheme's format. */
  | 'malformed-timestamp'
  /** The body is not a `Uint8Array`, for example because a body parser replaced the raw bytes. */
  | 'body-not-bytes'
  /** Another request would have the same signature, because the end of a signed part cannot be determined. */
  | 'ambiguous-framing';

/** Why a signer or verifier cannot be created, or why a request cannot be signed. */
export type SigningErrorCode =
  /** The key is missing or empty. */
  | 'missing-key'
  /** A key is not in the scheme's encoding, or is none of the scheme's algorithm. */
  | 'malformed-key'
  /** The scheme requires the id of the key, and a private key has none. */
  | 'missing-key-id'
  /** The keys at an address cannot be fetched, and none that were fetched before may be used; or none with an id fits. */
  | 'keys-unavailable'
  /** The scheme contradicts itself, is incomplete, or requires something that this package does not support. */
  | 'invalid-scheme'
  /** WebCrypto of the platform lacks the algorithm of a key pair. */
  | 'unsupported-platform'
  /** An option is out of range, or the clock returns no time between 2001 and 2286. */
  | 'invalid-option'
  | InputProblem;

/** The only error class of this package. Its message contains no key, signature, header value or body. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  readonly code: SigningErrorCode;
  /**
   * The path of the scheme's member that is missing or malformed, for example `timestamp.format`; the signed parts that
   * nothing separates; or the option that is out of range.
   */
  readonly member: string | undefined;

  constructor(code: SigningErrorCode, message: string, member?: string) {
    super(message);
    this.code = code;
    this.member = member;
  }
}

/** Why a request is not authentic. Log it on the receiving side, and never send it to the sender. */
export type VerificationFailure =
  | InputProblem
  /** The signature header is missing or empty. */
  | 'missing-signature'
  /** The header's value contains no complete signature in the scheme's format. */
  | 'malformed-signature'
  /** The timestamp is missing or empty. */
  | 'missing-timestamp'
  /** The timestamp is behind the clock by more than the tolerance. */
  | 'timestamp-too-old'
  /** The timestamp is ahead of the clock by more than the tolerance. */
  | 'timestamp-too-new'
  /** The key that the request names is none of the verifier's. */
  | 'unknown-key'
  /** None of the signatures was made with one of the keys over this request. */
  | 'signature-mismatch';

/** The result for a request that is not authentic. */
export interface Refusal<Reason extends string = VerificationFailure> {
  readonly ok: false;
  readonly reason: Reason;
}

/** Creates a refusal with a reason. */
export function refuse<Reason extends string>(reason: Reason): Refusal<Reason> {
  return { ok: false, reason };
}

/**
 * Returns whether the signed bytes determine the values of a request, one for each part. No two different lists of
 * values that pass the check give the same bytes when concatenated. There are two exceptions: a header directly before a
 * timestamp in digits, and the host after a body that is not JSON. The verifier must know the value of that header, and
 * its own host.
 */
type Framing = (values: readonly (string | Uint8Array)[]) => boolean;

/** What an entry of this package gives to the core, so that bundles contain only what they need. */
export interface CoreParts {
  /**
   * Creates the error for a code.
   * @param subject the option, the signed parts or the encoding of the key that the error is about
   */
  readonly toError: (code: SigningErrorCode, subject?: string) => SigningError;
  /** Absent where no scheme has timestamps in a pattern. */
  readonly patterns?: TimestampPatterns | undefined;
  /** Reads the timestamp that a request to be signed has already. Absent where that is signed as it is. */
  readonly parse?: typeof parseTimestamp;
}

/** Writes, reads and separates timestamps in a pattern. */
export interface TimestampPatterns {
  /** Writes a time, given in milliseconds since 1970. */
  readonly write: (milliseconds: number, format: TimestampPattern) => string;
  /** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the pattern. */
  readonly parse: (text: string, format: TimestampPattern) => number;
  /** Returns the rule that text before a timestamp must not contain a timestamp itself. */
  readonly framing: (isHeader: boolean, index: number, format: TimestampPattern) => Framing;
}

/** A parsed signed part. The header of the timestamp is `$timestamp`, however `over` names it. */
export interface Part {
  /** `text`, `header`, or the expression itself. */
  readonly kind: 'text' | 'header' | Exclude<SignedExpression, `${typeof headerPrefix}${string}`>;
  /** The constant text, or the name of the header in lower case. */
  readonly text: string;
}

/** The prefix of a signed part that names a header. */
export const headerPrefix = '$request.header.';

/** Parses the signed parts of a scheme, without empty text. */
export function toParts({ over, timestamp }: SignatureForm): readonly Part[] {
  const parts = over.map((item): Part => {
    if (typeof item === 'object') return { kind: 'text', text: item.text };
    if (!item.startsWith(headerPrefix)) return { kind: item as Part['kind'], text: '' };
    const text = item.slice(headerPrefix.length).toLowerCase();
    return { kind: text === timestamp?.header?.toLowerCase() ? '$timestamp' : 'header', text };
  });
  return parts.filter(({ kind, text }) => kind !== 'text' || text);
}

/**
 * Encodes bytes: hexadecimal in lower case, Base64 with padding, Base64url without. Passes the bytes as arguments of
 * one call, so it is for short arrays such as digests.
 */
export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  if (encoding === 'hex') return toHex(bytes);
  const base64 = btoa(String.fromCharCode(...bytes));
  if (encoding === 'base64') return base64;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decodes a text. Returns `undefined` unless the text is the canonical encoding of its bytes: correct alphabet, correct
 * padding, and no unused bit set. Hexadecimal digits may be upper or lower case.
 */
export function decodeBytes(
  text: string,
  encoding: SignatureEncoding,
): Uint8Array<ArrayBuffer> | undefined {
  try {
    const isHex = encoding === 'hex';
    const bytes = isHex
      ? Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
      : Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
          character.charCodeAt(0),
        );
    // The decoders also accept texts that are not canonical.
    return encodeBytes(bytes, encoding) === (isHex ? text.toLowerCase() : text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a text has no half of a character, whose bytes would be those of a replacement character. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The items in the value of a signature header. */
interface SignatureItems {
  /** The signatures, still encoded; at most `maximumCandidates`. */
  readonly signatures: readonly string[];
  /** `undefined` where the value contains no timestamp. */
  readonly timestamp: string | undefined;
}

/** The maximum number of signatures that are checked in one header. Further ones are ignored. */
const maximumCandidates = 8;

/** The maximum length of a signature header in characters. A longer one is refused without reading it. */
const maximumLength = 4096;

/** The text before a placeholder, the name of the placeholder if there is one, and the text after it. */
type ValueItem = readonly [before: string, name?: string, after?: string, ...string[]];

/** Splits the template of the signature header into its items. */
export function toValueItems({ value, separator }: SignatureForm): readonly ValueItem[] {
  const items = separator === undefined ? [value] : value.split(separator);
  return items.map((text) => text.split(/\{(signature|timestamp)\}/) as [string]);
}

/** Writes the value of the signature header by its template. */
export function writeSignatureValue(
  template: string,
  signature: string,
  timestamp: string,
): string {
  return template.replace('{signature}', signature).replace('{timestamp}', () => timestamp);
}

/**
 * Compiles `value` and `separator` of a scheme to a function that reads the value of the signature header. Items are
 * recognized by the text around them, in any order. Where that text is ambiguous, they are recognized by their position.
 * The function returns `undefined` for a value that is too long, has two timestamps or the wrong number of items.
 */
export function compileValueReader(
  scheme: SignatureForm,
): (value: string) => SignatureItems | undefined {
  const { separator } = scheme;
  const items = toValueItems(scheme);
  const byPlace = items.some((item) =>
    items.some((other) => item !== other && other[1] && resemble(item, other)),
  );
  return (text) => {
    if (text.length > maximumLength) return undefined;
    const signatures: string[] = [];
    let timestamp: string | undefined;
    let place = 0;
    // Does not split the text into an array, which would take more time than all other steps.
    for (let start = 0; start <= text.length; place++) {
      const next = separator === undefined ? -1 : text.indexOf(separator, start);
      const end = next === -1 ? text.length : next;
      for (let index = 0; index < items.length; index++) {
        const [before, name, after = ''] = items[index] as ValueItem;
        const from = start + before.length;
        const to = end - after.length;
        if (
          !name ||
          (byPlace && place !== index) ||
          from > to ||
          !text.startsWith(before, start) ||
          !text.endsWith(after, end)
        )
          continue;
        const inner = text.slice(from, to);
        if (name === 'signature') {
          if (signatures.length < maximumCandidates) signatures.push(inner);
        } else if (timestamp === undefined) timestamp = inner;
        else return undefined;
      }
      start = end + (separator?.length ?? 1);
    }
    return byPlace && place !== items.length ? undefined : { signatures, timestamp };
  };
}

function resemble(
  [before, , after = '']: ValueItem,
  [otherBefore, , otherAfter = '']: ValueItem,
): boolean {
  return (
    (before.startsWith(otherBefore) || otherBefore.startsWith(before)) &&
    (after.endsWith(otherAfter) || otherAfter.endsWith(after))
  );
}

/** Returns the number of digits of a numeric timestamp. It is correct for times from 2001 to 2286. */
function timestampDigits(format: TimestampFormat): number {
  return format === 'unix-seconds' ? 10 : 13;
}

/** Returns whether a format is a date-time of ISO 8601. */
function isDateTime(format: Extract<TimestampFormat, string>): boolean {
  return format.startsWith('iso');
}

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTimestamp(
  milliseconds: number,
  format: TimestampFormat,
  patterns?: TimestampPatterns,
): string {
  if (typeof format === 'object')
    return (patterns as TimestampPatterns).write(milliseconds, format);
  if (isDateTime(format)) {
    const text = new Date(milliseconds).toISOString();
    return format === 'iso-8601' ? text : text.replace(/\.\d+/, '');
  }
  return String(Math.floor(format === 'unix-seconds' ? milliseconds / 1000 : milliseconds));
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(
  text: string,
  format: TimestampFormat,
  patterns?: TimestampPatterns,
): number {
  if (typeof format === 'object') return (patterns as TimestampPatterns).parse(text, format);
  if (isDateTime(format)) return parseDateTime(text);
  const length = timestampDigits(format);
  let count = text.length === length && !text.startsWith('0') ? 0 : Number.NaN;
  for (let index = 0; index < length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    count = digit >= 0 && digit <= 9 ? 10 * count + digit : Number.NaN;
  }
  return length === 10 ? 1000 * count : count;
}

const dateTime =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses `2026-01-31T12:00:00` with an optional fraction of 1 to 9 digits, and `Z` or an offset such as `-03:00`. */
function parseDateTime(text: string): number {
  if (!dateTime.test(text)) return Number.NaN;
  // The pattern has checked that these characters are digits, whose codes start at 48.
  const at = (start: number): number =>
    10 * text.charCodeAt(start) + text.charCodeAt(start + 1) - 528;
  const day = at(8);
  const date = Date.UTC(100 * at(0) + at(2), at(5) - 1, day);
  // `Date` turns February 30 into a day of March.
  if (day > 28 && new Date(date).getUTCDate() !== day) return Number.NaN;
  const end = text.length;
  const offset = text.endsWith('Z') ? 0 : 60 * at(end - 5) + at(end - 2);
  const minutes = 60 * at(11) + at(14) + (text[end - 6] === '+' ? -offset : offset);
  // In milliseconds; further digits are cut off.
  const fraction = text[19] === '.' ? Math.floor(1000 * Number.parseFloat(text.slice(19))) : 0;
  return date + 60_000 * minutes + 1000 * at(17) + fraction;
}

const field = /'([^']*)'|yyyy|MMM|MM|dd|EEE|HH|mm|ss|SSS|xxx|xx/g;
const offsetForm = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

/** Returns whether a value is a pattern that determines a time to the second, with a valid offset. */
export function isTimestampPattern(value: unknown): value is TimestampPattern {
  const { pattern, offset = '+00:00' } = Object(value) as Record<string, unknown>;
  if (typeof pattern !== 'string' || typeof offset !== 'string') return false;
  const fields = fieldsOf({ pattern });
  const isComplete = ['yyyy', 'dd', 'HH', 'mm', 'ss'].every((name) => fields.includes(name));
  return (
    isComplete &&
    (fields.includes('MM') || fields.includes('MMM')) &&
    /^[ -~]+$/.test(pattern) &&
    !/[A-Za-z']/.test(pattern.replace(field, '')) &&
    offsetForm.test(offset)
  );
}

/** Writes a time, given in milliseconds since 1970, in a pattern. */
export function writeTimestampPattern(
  milliseconds: number,
  { pattern, offset = '+00:00' }: TimestampPattern,
): string {
  const local = new Date(milliseconds + 60_000 * minutesOf(offset));
  const [iso, words] = [local.toISOString(), local.toUTCString()];
  const values: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    MMM: words.slice(8, 11),
    dd: iso.slice(8, 10),
    EEE: words.slice(0, 3),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
    xxx: offset,
    xx: offset.replace(':', ''),
  };
  return pattern.replace(field, (name, text: string | undefined) => text ?? values[name] ?? name);
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the pattern. */
export function parseTimestampPattern(text: string, format: TimestampPattern): number {
  const values: Record<string, string> = {};
  let end = 0;
  let last = 0;
  for (const { 0: name, 1: quoted, index } of format.pattern.matchAll(field)) {
    const start = end + index - last;
    end = start + (quoted ?? name).length + (name.startsWith('x') ? 3 : 0);
    last = index + name.length;
    values[name] = text.slice(start, end);
  }
  const { yyyy, MM = monthOf(values['MMM']), dd, HH, mm, ss, SSS = '000', xxx, xx } = values;
  const offset = xxx ?? xx?.replace(/^(...)(..)$/, '$1:$2') ?? format.offset ?? '+00:00';
  if (!offsetForm.test(offset)) return Number.NaN;
  const instant = Date.parse(`${yyyy}-${MM}-${dd}T${HH}:${mm}:${ss}.${SSS}${offset}`);
  // A time that does not exist, a wrong day of the week and any other text are written differently.
  return instant >= 0 && writeTimestampPattern(instant, { ...format, offset }) === text
    ? instant
    : Number.NaN;
}

/** The functions for schemes with timestamps in a pattern. */
export const timestampPatterns: TimestampPatterns = {
  write: writeTimestampPattern,
  parse: parseTimestampPattern,
  framing(isHeader, index, { pattern }) {
    const expression = expressionOf(pattern);
    // A key in a header can end with digits that a timestamp could begin with. Refusing it would lock out its owner.
    if (isHeader && /^(?:\\d\{\d\})+$/.test(expression)) return () => true;
    const timestamp = new RegExp(expression);
    return (values) => {
      const value = values[index] as string;
      const match = timestamp.exec(`${value}${String(values[index + 1])}`);
      return match === null || match.index >= value.length;
    };
  },
};

/** Returns a regular expression of fixed width for the texts in a pattern. */
function expressionOf(pattern: string): string {
  let expression = '';
  let last = 0;
  for (const { 0: name, 1: quoted, index } of pattern.matchAll(field)) {
    expression += escape(pattern.slice(last, index));
    if (quoted !== undefined) expression += escape(quoted);
    else if (name === 'MMM' || name === 'EEE') expression += '[A-Z][a-z]{2}';
    else if (name.startsWith('x')) expression += `[+-]\\d\\d${name === 'xxx' ? ':' : ''}\\d\\d`;
    else expression += `\\d{${name.length}}`;
    last = index + name.length;
  }
  return expression + escape(pattern.slice(last));
}

function fieldsOf({ pattern }: TimestampPattern): readonly string[] {
  return Array.from(pattern.matchAll(field), ([name]) => name);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function minutesOf(offset: string): number {
  const minutes = 60 * Number(offset.slice(1, 3)) + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}

/** Returns the number of a month, such as `01` for `Jan`. */
function monthOf(name = ''): string {
  const index = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(name) / 3;
  return String(index + 1).padStart(2, '0');
}

/**
 * Compiles the check that a request shares its signature with no other request. Nothing is checked where at most one
 * part has an unknown length.
 * @throws the error for `ambiguous-framing` where no check can determine the end of a part
 */
export function compileFraming(
  parts: readonly Part[],
  format: TimestampFormat | undefined,
  core: CoreParts,
): Framing {
  // The parts after the last one of unknown length have known lengths, counted from the end.
  const last = parts.findLastIndex(hasUnknownLength);
  const rules = parts.flatMap((part, index) =>
    index < last && hasUnknownLength(part) ? toRule(parts, index, last, format, core) : [],
  );
  return (values) => rules.every((rule) => rule(values));
}

function hasUnknownLength({ kind }: Part): boolean {
  return kind !== 'text' && kind !== '$timestamp';
}

/** Returns the rule that makes the end of a part of unknown length detectable. */
function toRule(
  parts: readonly Part[],
  index: number,
  last: number,
  format: TimestampFormat | undefined,
  core: CoreParts,
): Framing {
  const [{ kind }, next] = parts.slice(index) as [Part, Part];
  const isHost = next.kind === '$url.host+path';
  const delimiter = next.kind === 'text' ? next.text : next.kind.startsWith('$url') ? '/' : '';
  if (kind === '$request.body') {
    if (delimiter !== '') return endsBodyBefore(delimiter, index, isHost);
  } else if (next.kind === 'text' || (delimiter !== '' && !isHost && !kind.startsWith('$url'))) {
    return (values) => {
      const value = values[index] as string;
      return delimiter.length === 1
        ? !value.includes(delimiter)
        : (value + delimiter).indexOf(delimiter) === value.length;
    };
  } else if (next.kind === '$timestamp' && format) {
    return endsAtTimestamp(kind === 'header', index, format, core);
  } else if (next.kind === '$request.body' && last === index + 1) {
    // The text has no `[` or `{`, and the body is empty or starts with one.
    return (values) =>
      !/[[{]/.test(values[index] as string) && isOpening((values[last] as Uint8Array)[0] ?? 0x7b);
  }
  throw core.toError('ambiguous-framing', `${kind} ${next.kind}`);
}

/**
 * Returns the rule for a body that precedes text or a URL. The body must be empty; or one JSON object or array, without
 * a closing bracket in any later part; or text without the first character of what follows. The verifier knows its host,
 * so that other text before a host may contain any character.
 */
function endsBodyBefore(delimiter: string, index: number, isHost: boolean): Framing {
  const [first = 0] = new TextEncoder().encode(delimiter);
  const mayBeJson = !/^[[\]{}]/.test(delimiter);
  return (values) => {
    const body = values[index] as Uint8Array;
    const start = body[0];
    if (start === undefined) return true;
    if (!mayBeJson || !isOpening(start)) return isHost || !body.includes(first);
    let end = body.length - 1;
    while (spaces.includes(body[end] ?? 0)) end--;
    // In ASCII, the code of a closing bracket is that of its opening bracket plus 2.
    return (
      body[end] === start + 2 &&
      values.every((value, place) => place <= index || !(holds(value, '}') || holds(value, ']')))
    );
  };
}

const spaces = [0x20, 0x0a, 0x0d, 0x09];

function holds(value: string | Uint8Array, character: string): boolean {
  return typeof value === 'string'
    ? value.includes(character)
    : value.includes(character.charCodeAt(0));
}

/** Returns whether a byte is `[` or `{`, whose codes differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/**
 * Returns the rule that text before a timestamp must not contain a complete timestamp itself. No digit may follow a
 * timestamp in digits, which ends at the last digit of the sequence.
 */
function endsAtTimestamp(
  isHeader: boolean,
  index: number,
  format: TimestampFormat,
  { patterns }: CoreParts,
): Framing {
  if (typeof format === 'object')
    return (patterns as TimestampPatterns).framing(isHeader, index, format);
  if (isDateTime(format)) {
    const dateTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
    return (values) => {
      const value = values[index] as string;
      // Most values are shorter than a date-time, and a length check is faster than the pattern.
      return value.length < 19 || !dateTime.test(value);
    };
  }
  const digits = new RegExp(`\\d{${timestampDigits(format)}}\\D`);
  return (values) => {
    // A key in a header can contain these digits by chance. Refusing it would lock out its owner.
    if (!isHeader && digits.test(values[index] as string)) return false;
    const value = values.slice(index + 2).find(({ length }) => length > 0);
    const code = typeof value === 'string' ? value.charCodeAt(0) : value?.[0];
    return code === undefined || code < 0x30 || code > 0x39;
  };
}

/** The signed bytes in pieces, or a refusal. */
export type SignedInput = readonly Piece[] | Refusal<InputProblem>;

/**
 * Returns a function that returns the signed bytes of a request in pieces, without copying them, or a refusal. Its second
 * argument is the text of the timestamp that is sent; empty where the scheme signs no timestamp.
 * @throws the error for `ambiguous-framing` where the signed parts can never be separated
 */
export function compileSignedInput(
  scheme: SignatureForm,
  core: CoreParts,
): (request: SignableRequest, timestamp: string) => SignedInput {
  const format = scheme.timestamp?.format;
  if (typeof format === 'object' && !core.patterns)
    throw core.toError('invalid-scheme', 'patterns');
  const parts = toParts(scheme);
  const framing = compileFraming(parts, format, core);
  return (request, timestamp) => {
    const { method, body } = request;
    if (!(body instanceof Uint8Array)) return refuse('body-not-bytes');
    const pieces: Piece[] = [];
    for (const { kind, text } of parts) {
      let piece: Piece | undefined = text;
      if (kind === '$request.body') piece = body;
      else if (kind === '$timestamp') piece = timestamp;
      else if (kind === 'header') {
        const value = readHeader(request, text, 'missing-header');
        if (typeof value === 'object') return value;
        if (!isFieldValue(value)) return refuse('malformed-header');
        piece = value;
      } else if (kind === '$method') {
        if (!/^[A-Z]{1,32}$/.test(method)) return refuse('malformed-method');
        piece = method;
      } else if (kind !== 'text') {
        piece = toUrlValue(kind, request);
        if (!piece) return refuse('malformed-url');
      } else if (!isAscii(text, 0)) piece = new TextEncoder().encode(text);
      pieces.push(piece);
    }
    return framing(pieces) ? pieces : refuse('ambiguous-framing');
  };
}

/**
 * Returns the single value of a header, or a refusal where it is repeated or not text.
 * @param missing the reason for a header that is missing or empty; without it, the result is an empty text
 */
export function readHeader<Missing extends VerificationFailure = never>(
  { headers }: SignableRequest,
  name: string,
  missing?: Missing,
): string | Refusal<Missing | 'repeated-header' | 'malformed-header'> {
  const values: unknown = headers(name);
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  if (list.length > 1) return refuse('repeated-header');
  const value = list[0] ?? '';
  if (value === '' && missing) return refuse(missing);
  return typeof value === 'string' ? value : refuse('malformed-header');
}

/** Returns whether a value is visible ASCII with spaces only between other characters, within the length limit. */
function isFieldValue(value: string): boolean {
  // By default, no server accepts a longer header.
  return value.length <= 8192 && isAscii(value, 0x20) && value.trim() === value;
}

/**
 * Returns the part of the URL that is signed, or `undefined` for a malformed URL, for one without the host where the
 * host is signed, and for one outside of the base path. Does not normalize it: the signature covers the text that is
 * sent.
 */
function toUrlValue(
  kind: Part['kind'],
  { url, basePath = '' }: SignableRequest,
): string | undefined {
  if (typeof url !== 'string' || !isAscii(url, 0x21) || url.includes('#')) return undefined;
  const origin = url.startsWith('/') ? '' : /^https?:\/\/[^/?]+/i.exec(url)?.[0];
  const signsHost = kind === '$url' || kind === '$url.host+path';
  if (origin === undefined || (signsHost && !origin)) return undefined;
  if (kind === '$url') return url;
  const rest = url.slice(origin.length);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  const path = kind === '$url.path+query' ? target : target.replace(/\?.*/, '');
  if (signsHost) return origin.slice(origin.indexOf('//') + 2).toLowerCase() + path;
  if (kind !== '$url.path-base') return path;
  const base = basePath.replace(/\/$/, '');
  return `${path}/`.startsWith(`${base}/`) ? path.slice(base.length) || '/' : undefined;
}

/** Returns whether all character codes are from `first` to 0x7E. A loop is faster than a regular expression here. */
function isAscii(text: string, first: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < first || code > 0x7e) return false;
  }
  return true;
}

/** The options of a signer. */
export interface SignerOptions {
  /** The key, as text in the scheme's encoding or as bytes. */
  readonly key: string | Uint8Array;
  /** Returns milliseconds since 1970, between 2001 and 2286. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** The headers to add to a request, by name. */
export type SignatureHeaders = Readonly<Record<string, string>>;

/** Signs requests with one scheme and one key. */
export interface Signer {
  /**
   * Returns the headers that make the request authentic: the signature and, where the scheme has a header for it, the
   * timestamp. Omits a timestamp header that the request already has, and signs its value. Returns a promise where
   * WebCrypto is used, and the headers themselves where `node:crypto` is.
   * @throws SigningError for a request that cannot be signed, or whose signature another request would share
   */
  readonly sign: (request: SignableRequest) => MaybePromise<SignatureHeaders>;
}

/**
 * Creates a signer for a scheme that has been checked. It does not expose its key when it is printed or serialized.
 * @param signInput returns the signature of the signed bytes, in the scheme's encoding
 * @param core what the entry gives
 */
export function createSignerOf(
  scheme: SignatureForm,
  { clock = () => Date.now() }: Pick<SignerOptions, 'clock'>,
  core: CoreParts,
  signInput: (pieces: readonly Piece[]) => MaybePromise<string>,
): Signer {
  const toInput = compileSignedInput(scheme, core);
  const { header, timestamp, value } = scheme;
  const timestampHeader = timestamp?.header?.toLowerCase();
  const now = (): number => {
    const milliseconds = clock();
    if (milliseconds >= 1e12 && milliseconds < 1e13) return milliseconds;
    throw core.toError('invalid-option', 'clock');
  };
  return Object.freeze<Signer>({
    sign(request) {
      const headers: Record<string, string> = {};
      let stamp = '';
      if (timestamp) {
        const present = timestampHeader && readHeader(request, timestampHeader);
        if (typeof present === 'object') throw core.toError(present.reason);
        if (present && Number.isNaN(core.parse?.(present, timestamp.format, core.patterns)))
          throw core.toError('malformed-timestamp', describeFormat(timestamp, now(), core));
        stamp = present || writeTimestamp(now(), timestamp.format, core.patterns);
        if (timestamp.header && !present) headers[timestamp.header] = stamp;
      }
      const input = toInput(request, stamp);
      if ('reason' in input) throw core.toError(input.reason);
      const toHeaders = (signature: string): SignatureHeaders => {
        headers[header] = writeSignatureValue(value, signature, stamp);
        return headers;
      };
      const signature = signInput(input);
      return typeof signature === 'string' ? toHeaders(signature) : signature.then(toHeaders);
    },
  });
}

/** Returns the header of a timestamp, its format and an example. */
function describeFormat(
  { header, format }: NonNullable<SignatureForm['timestamp']>,
  now: number,
  { patterns }: CoreParts,
): string {
  const name = typeof format === 'string' ? format : format.pattern;
  return `the header \`${header}\` must have the format ${name}, such as ${writeTimestamp(now, format, patterns)}`;
}

/** The options of a verifier. */
export interface VerifierOptions {
  /**
   * The accepted keys, as text in the scheme's encoding or as bytes; at least one. Give several during a key rotation,
   * with the current one first.
   */
  readonly keys: readonly (string | Uint8Array)[];
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /**
   * The maximum difference in milliseconds between the timestamp and the clock, in both directions. Default: the
   * tolerance of the scheme, which is in seconds.
   */
  readonly toleranceMs?: number;
}

/** The result for a request that a holder of the key made. It covers only the parts that the scheme signs. */
export interface Authentic {
  readonly ok: true;
  /** The index in `keys` of the key that signed it. */
  readonly key: number;
  /** The id of the key, where the scheme states how a request names it. */
  readonly keyId?: string;
  /** The time of signing in milliseconds since 1970; absent where the scheme has no timestamp. */
  readonly timestamp?: number;
}

/** The result of a verification. */
export type Verification = Authentic | Refusal;

/** Verifies requests with one scheme and one or more keys. */
export interface Verifier {
  /**
   * Verifies a request. No content of a request makes it throw. Returns a promise where WebCrypto is used, and the
   * result itself where `node:crypto` is. Does not detect replays: a request verified before is accepted again.
   */
  readonly verify: (request: SignableRequest) => MaybePromise<Verification>;
}

/**
 * Verifies the signed bytes with the keys of an entry.
 * @param pieces the signed bytes, or why there are none
 * @param instant the time of signing; `undefined` where the scheme has no timestamp
 */
type FindKey = (
  pieces: SignedInput,
  signatures: readonly string[],
  instant: number | undefined,
  request: SignableRequest,
) => MaybePromise<Verification>;

/**
 * Creates a verifier for a scheme that has been checked. It does not expose its keys when it is printed or serialized.
 * @param findKey verifies with the keys
 * @param core what the entry gives
 * @throws the error for a tolerance that is not valid
 */
export function createVerifierOf(
  scheme: SignatureForm,
  {
    clock = () => Date.now(),
    toleranceMs = 1000 * (scheme.timestamp?.tolerance ?? 1),
  }: Omit<VerifierOptions, 'keys'>,
  findKey: FindKey,
  core: CoreParts,
): Verifier {
  const toInput = compileSignedInput(scheme, core);
  const read = compileValueReader(scheme);
  const header = scheme.header.toLowerCase();
  if (!(Number.isFinite(toleranceMs) && toleranceMs > 0))
    throw core.toError('invalid-option', 'toleranceMs');
  const { timestamp } = scheme;
  const timestampHeader = timestamp?.header?.toLowerCase();

  return Object.freeze<Verifier>({
    verify(request) {
      const value = readHeader(request, header, 'missing-signature');
      if (typeof value === 'object') return value;
      const items = read(value);
      if (items === undefined) return refuse('malformed-signature');
      let stamp: string | Refusal = '';
      let instant: number | undefined;
      if (timestamp) {
        stamp =
          timestampHeader === undefined
            ? (items.timestamp ?? refuse('missing-timestamp'))
            : readHeader(request, timestampHeader, 'missing-timestamp');
        if (typeof stamp === 'object') return stamp;
        instant = parseTimestamp(stamp, timestamp.format, core.patterns);
        if (Number.isNaN(instant)) return refuse('malformed-timestamp');
        const age = clock() - instant;
        if (age < -toleranceMs) return refuse('timestamp-too-new');
        // Refuses every request where the clock returns `NaN`.
        if (!(age <= toleranceMs)) return refuse('timestamp-too-old');
      }
      return findKey(toInput(request, stamp), items.signatures, instant, request);
    },
  });
}

/** Returns the HMAC of the concatenated pieces, in the scheme's encoding. */
type HmacSigner = (pieces: readonly Piece[]) => MaybePromise<string>;

/**
 * Returns whether one of the texts is the canonical encoding of the HMAC of the pieces. Hexadecimal digits may be upper
 * or lower case. The duration does not depend on the value of the HMAC.
 */
type HmacMatcher = (
  pieces: readonly Piece[],
  signatures: readonly string[],
) => MaybePromise<boolean>;

type HmacScheme = Pick<SignatureScheme, 'algorithm' | 'encoding'>;

/**
 * Creates a function that signs; it does not expose the key. With `node:crypto`, it returns no promise, which would cost
 * more time than the digest of a small request.
 */
export function createHmacSigner(
  { algorithm, encoding }: HmacScheme,
  bytes: Uint8Array,
): HmacSigner {
  const node = nodeHmac();
  if (node !== undefined) {
    const toDigest = createNodeDigest(node, algorithm, bytes);
    return (pieces) => toDigest(pieces, encoding);
  }
  const toKey = keyImporter(algorithm, bytes, 'sign');
  return async (pieces) => {
    // Copies the pieces at once, so that later changes to the body have no effect.
    const input = new Blob(pieces as BlobPieces).arrayBuffer();
    const digest = await crypto.subtle.sign('HMAC', await toKey(), await input);
    return encodeBytes(new Uint8Array(digest), encoding);
  };
}

/** Creates a function that compares in constant time; it does not expose the key. */
export function createHmacMatcher(scheme: HmacScheme, bytes: Uint8Array): HmacMatcher {
  const { algorithm, encoding } = scheme;
  const node = nodeHmac();
  if (node !== undefined) return createNodeMatcher(node, scheme, bytes);
  const toKey = keyImporter(algorithm, bytes, 'verify');
  return async (pieces, signatures) => {
    const input = new Blob(pieces as BlobPieces).arrayBuffer();
    for (const signature of signatures) {
      const digest = decodeBytes(signature, encoding);
      if (digest && (await crypto.subtle.verify('HMAC', await toKey(), digest, await input)))
        return true;
    }
    return false;
  };
}

/** A key of WebCrypto, whose name in the types of browsers is unknown to those of Node. */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Returns a function that imports the key on its first call. Some platforms forbid asynchronous work while a module is
 * loaded.
 */
function keyImporter(
  algorithm: SignatureAlgorithm,
  key: Uint8Array,
  usage: 'sign' | 'verify',
): () => Promise<WebKey> {
  const bytes = Uint8Array.from(key);
  const hash = algorithm.replace('hmac-sha', 'SHA-');
  let imported: Promise<WebKey> | undefined;
  return () =>
    (imported ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, [usage]));
}

/** The modules of Node that compute an HMAC. */
interface NodeHmac {
  readonly Buffer: NodeModules['node:buffer']['Buffer'];
  readonly node: Required<NodeModules['node:crypto']>;
}

/** Returns the modules of Node, or `undefined` if the platform lacks them or has older ones. */
function nodeHmac(): NodeHmac | undefined {
  const { Buffer } = builtinModule('node:buffer') ?? {};
  const node = builtinModule('node:crypto');
  return Buffer && node?.hash && { Buffer, node: node as NodeHmac['node'] };
}

/** Compares with `node:crypto`. */
function createNodeMatcher(
  node: NodeHmac,
  { algorithm, encoding }: HmacScheme,
  bytes: Uint8Array,
): HmacMatcher {
  const {
    Buffer,
    node: { timingSafeEqual },
  } = node;
  const toDigest = createNodeDigest(node, algorithm, bytes);
  const { length } = toDigest([], encoding);
  const digestBytes = Buffer.alloc(length);
  const signatureBytes = Buffer.alloc(length);
  // Canonical texts are equal exactly where their bytes are. Characters outside ASCII become bytes that occur in no
  // encoded digest.
  const isOwn = (text: string): boolean =>
    text.length === length &&
    signatureBytes.write(text, 'utf8') === length &&
    timingSafeEqual(digestBytes, signatureBytes);
  return (pieces, signatures) => {
    digestBytes.write(toDigest(pieces, encoding), 'latin1');
    for (const signature of signatures) {
      if (isOwn(signature)) return true;
      // Hexadecimal digits may be upper or lower case.
      if (encoding === 'hex' && isOwn(signature.toLowerCase())) return true;
    }
    return false;
  };
}

/** The capacity in bytes for the pieces of a request that are copied. */
const capacity = 4096;

/**
 * Returns a function that computes the HMAC with `node:crypto`: two calls of `hash`, as RFC 2104 defines HMAC, because
 * creating one `Hmac` takes as long as both calls of a small request. The pieces are copied into a buffer after the key's
 * inner pad, because one copy is faster than a call for each piece. An `Hmac` needs no copy of a large request.
 */
function createNodeDigest(
  { Buffer, node: { createHmac, hash } }: NodeHmac,
  algorithm: SignatureAlgorithm,
  bytes: Uint8Array,
): (pieces: readonly Piece[], encoding: SignatureEncoding) => string {
  const name = algorithm.slice('hmac-'.length);
  // `B` in RFC 2104.
  const block = algorithm === 'hmac-sha512' ? 128 : 64;
  const inner = Buffer.allocUnsafeSlow(block + capacity);
  const outer = Buffer.alloc(block + hash(name, '', 'latin1').length);
  const key = Buffer.alloc(block);
  if (bytes.length > block) key.write(hash(name, bytes, 'latin1'), 'latin1');
  else key.set(bytes);
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  return (pieces, encoding) => {
    let end = block;
    for (const piece of pieces) end += piece.length;
    if (end > inner.length) {
      const hmac = createHmac(name, key);
      for (const piece of pieces) hmac.update(piece, 'latin1');
      return hmac.digest(encoding);
    }
    let at = block;
    for (const piece of pieces) {
      if (typeof piece === 'string') inner.write(piece, at, 'latin1');
      else inner.set(piece, at);
      at += piece.length;
    }
    // Returning a string from native code is faster than returning a Buffer.
    const digest = hash(name, new Uint8Array(inner.buffer, 0, end), 'latin1');
    outer.write(digest, block, 'latin1');
    return hash(name, outer, encoding);
  };
}

/**
 * Returns the bytes of a key.
 * @param key text in the scheme's encoding, with or without its prefix, or the bytes themselves
 * @throws the error for `missing-key` for an empty key and for texts such as `undefined`, for `malformed-key` for text that
 * is not in the encoding, has another prefix, or begins or ends with white space
 */
export function toKeyBytes(
  key: string | Uint8Array,
  { prefix = '', encoding }: SignatureScheme['key'],
  { toError }: CoreParts,
): Uint8Array {
  const bareKey =
    typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  let bytes: Uint8Array | undefined;
  if (bareKey instanceof Uint8Array) bytes = bareKey;
  else {
    const fault = faultOfSecret(bareKey);
    if (fault === 'white-space') throw toError('malformed-key', fault);
    if (fault !== undefined) throw toError('missing-key');
    // The encoding of half a character is that of a replacement character.
    if (encoding !== 'utf-8') bytes = decodeBytes(bareKey, encoding);
    else if (isWellFormed(bareKey)) bytes = new TextEncoder().encode(bareKey);
  }
  if (!bytes) {
    // Neither Base64 nor hexadecimal has these characters after letters: `v1,whsec_` is another prefix than `whsec_`.
    const hasOtherPrefix = prefix !== '' && /^[a-z\d]+[_,]/i.test(String(bareKey));
    throw toError('malformed-key', hasOtherPrefix ? 'prefix' : encoding);
  }
  // Also the bytes of an empty file, of an encoded line break, or of a buffer that nothing was written to.
  if (bytes.every(isBlank)) throw toError('missing-key');
  return bytes;
}

function isBlank(byte: number): boolean {
  return byte === 0x00 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * Creates a signer for an HMAC scheme that has been checked.
 * @throws the error for a key that is not valid
 */
export function createHmacSignerOf(
  scheme: SignatureScheme,
  options: SignerOptions,
  core: CoreParts,
): Signer {
  const bytes = toKeyBytes(options.key, scheme.key, core);
  return createSignerOf(scheme, options, core, createHmacSigner(scheme, bytes));
}

/**
 * Creates a verifier for an HMAC scheme that has been checked.
 * @throws the error for a key or tolerance that is not valid
 */
export function createHmacVerifierOf(
  scheme: SignatureScheme,
  options: VerifierOptions,
  core: CoreParts,
): Verifier {
  const { keys } = options;
  const { algorithm, encoding } = scheme;
  if (!Array.isArray(keys) || keys.length === 0) throw core.toError('missing-key', 'keys');
  const matchers = keys.map((key) => createHmacMatcher(scheme, toKeyBytes(key, scheme.key, core)));
  const digestLength = algorithm === 'hmac-sha1' ? 20 : Number(algorithm.slice(8)) / 8;
  const findKey = (
    key: number,
    input: SignedInput,
    signatures: readonly string[],
    instant: number | undefined,
  ): MaybePromise<Verification> => {
    const matches =
      'reason' in input
        ? input
        : (matchers[key]?.(input, signatures) ?? refuse('signature-mismatch'));
    const next = (isMatch: boolean): MaybePromise<Verification> => {
      if (!isMatch) return findKey(key + 1, input, signatures, instant);
      return instant === undefined ? { ok: true, key } : { ok: true, key, timestamp: instant };
    };
    if (matches instanceof Promise) return matches.then(next);
    if (typeof matches === 'boolean') return next(matches);
    // A matching signature is always well-formed, so that only refused ones are decoded.
    return signatures.some((text) => decodeBytes(text, encoding)?.length === digestLength)
      ? matches
      : refuse('malformed-signature');
  };
  return createVerifierOf(
    scheme,
    options,
    (input, signatures, instant) => findKey(0, input, signatures, instant),
    core,
  );
}

/**
 * Creates a signer for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key that is not valid
 */
export function createSigner(
  scheme: SignatureScheme,
  options: SignerOptions,
  patterns?: TimestampPatterns,
): Signer {
  return createHmacSignerOf(scheme, options, { toError, patterns });
}

/**
 * Creates such a signer that also refuses a request with a timestamp of its own that is not in the format of the scheme.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key that is not valid
 */
export function createCheckingSigner(
  scheme: SignatureScheme,
  options: SignerOptions,
  patterns?: TimestampPatterns,
): Signer {
  return createHmacSignerOf(scheme, options, { toError, patterns, parse: parseTimestamp });
}

/**
 * Creates a verifier for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key or tolerance that is not valid
 */
export function createVerifier(
  scheme: SignatureScheme,
  options: VerifierOptions,
  patterns?: TimestampPatterns,
): Verifier {
  return createHmacVerifierOf(scheme, options, { toError, patterns });
}

/** Only the mistakes of a configuration have texts, so that bundles stay small. */
const texts: { readonly [code in SigningErrorCode]?: string } = {
  'missing-key':
    'The key is missing, empty or a text such as `undefined`; check its environment variable',
  'malformed-key': 'The key is not in its encoding, or has another prefix or white space around it',
  'invalid-option': 'An option is out of range',
};

function toError(code: SigningErrorCode, subject?: string): SigningError {
  const fault = subject === undefined ? code : `${code}: ${subject}`;
  return new SigningError(
    code,
    `${texts[code] ?? 'The request cannot be signed'} (${fault})`,
    subject,
  );
}
