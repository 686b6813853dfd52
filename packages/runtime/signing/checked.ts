/** Signers and verifiers that check their scheme, and errors that say what to do. */

import * as core from './core.ts';
import {
  type CoreParts,
  type InputProblem,
  type Part,
  type SignatureForm,
  type SignatureScheme,
  type Signer,
  type SignerOptions,
  SigningError,
  type SigningErrorCode,
  type TimestampFormat,
  type Verifier,
  type VerifierOptions,
  createHmacSignerOf,
  createHmacVerifierOf,
  headerPrefix,
  isTimestampPattern,
  timestampPatterns,
  toParts,
  toValueItems,
} from './core.ts';

const inputProblems: Readonly<Record<InputProblem, string>> = {
  'missing-header': 'a header that the scheme signs is missing or empty',
  'repeated-header': 'a header that the scheme signs occurs more than once',
  'malformed-header': 'a header that the scheme signs is not visible ASCII, or is too long',
  'malformed-method': 'its method is not in capital letters',
  'malformed-url': 'its URL is neither a path nor an absolute URL, as the scheme requires',
  'malformed-timestamp': 'its timestamp is not in the format of the scheme',
  'body-not-bytes': 'its body is not a Uint8Array; pass the bytes that are sent',
  'ambiguous-framing':
    'another request would have the same signature, because the scheme has no separator between the signed parts. ' +
    'Send JSON, form text with every separator percent-encoded, or no body, and encode brackets in the URL',
};

/** Creates the error for a code, with a text that says what is wrong and what to do. */
export function explain(code: SigningErrorCode, subject?: string): SigningError {
  return new SigningError(code, textOf(code, subject), subject);
}

function textOf(code: SigningErrorCode, subject: string | undefined): string {
  switch (code) {
    case 'missing-key':
      return subject === 'keys'
        ? 'The verifier has no key. Pass at least one in `keys`.'
        : 'The key is missing or empty, or a text such as `undefined`. Check that its environment variable is set.';
    case 'malformed-key':
      if (subject === 'white-space')
        return 'The key begins or ends with white space, such as the line break at the end of a file. Remove the white space.';
      if (subject === 'prefix')
        return 'The key has another prefix than the signature scheme states, or something before its prefix. Pass the key as the service shows it, beginning with the prefix of the scheme.';
      return `The key ${subject === 'utf-8' ? 'contains an unpaired surrogate' : `is not ${subject}`}. Write it in the encoding of the signature scheme.`;
    case 'invalid-option':
      return subject === 'clock'
        ? 'The clock must return milliseconds of a time between 2001 and 2286.'
        : `The option \`${subject}\` must be a number of milliseconds above 0.`;
    case 'missing-key-id':
      return 'The key has no id, which the signature scheme requires. Pass `{ id, key }`, or a JWK with a `kid`.';
    case 'keys-unavailable':
      return `The keys cannot be fetched: ${subject}.`;
    case 'invalid-scheme':
    case 'unsupported-platform':
      return `The signature scheme is not supported: ${subject}.`;
    default:
      return code === 'ambiguous-framing' && subject !== undefined
        ? `The signature scheme is ambiguous: nothing separates the signed parts \`${subject.replace(' ', '` and `')}\`.`
        : `The request cannot be signed: ${code === 'malformed-timestamp' ? (subject ?? inputProblems[code]) : inputProblems[code]}.`;
  }
}

const algorithms = ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'];
const keyEncodings = ['utf-8', 'base64', 'hex'];
const encodings = ['base64', 'base64url', 'hex'];
const formats = ['iso-8601', 'iso-8601-seconds', 'unix-seconds', 'unix-milliseconds'];

/** The syntax of a header name: a token of RFC 9110, section 5.6.2. */
export const fieldName: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Asserts that a value, such as one parsed from JSON, has the structure of a signature scheme.
 * @throws SigningError `invalid-scheme`; the message names the first member that is missing or malformed
 */
export function assertSignatureScheme(value: unknown): asserts value is SignatureScheme {
  const scheme = toObject(value, 'It');
  demand(algorithms.includes(scheme['algorithm'] as string), 'algorithm');
  const key = toObject(scheme['key'], 'key');
  demand(keyEncodings.includes(key['encoding'] as string), 'key.encoding');
  demand(isTextOrNothing(key['prefix']), 'key.prefix');
  assertForm(scheme);
}

/** Asserts what all schemes have: the signed parts, and how the signature is written. */
export function assertForm(scheme: Readonly<Record<string, unknown>>): void {
  const over: unknown = scheme['over'];
  demand(Array.isArray(over) && over.length > 0 && over.every(isPart), 'over');
  demand(encodings.includes(scheme['encoding'] as string), 'encoding');
  demand(isFieldName(scheme['header']), 'header');
  demand(isFieldValue(scheme['value']), 'value');
  demand(scheme['separator'] === undefined || isFieldValue(scheme['separator']), 'separator');
  if (scheme['timestamp'] === undefined) return;
  const timestamp = toObject(scheme['timestamp'], 'timestamp');
  demand(timestamp['header'] === undefined || isFieldName(timestamp['header']), 'timestamp.header');
  const format = timestamp['format'];
  demand(formats.includes(format as string) || isTimestampPattern(format), 'timestamp.format');
  demand(isTolerance(timestamp['tolerance']), 'timestamp.tolerance');
}

function isTolerance(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Infinity;
}

export function demand(holds: boolean, member: string): asserts holds {
  if (!holds)
    throw new SigningError(
      'invalid-scheme',
      `The member \`${member}\` of the signature scheme is missing or invalid. If the contract leaves it open, settle it first.`,
      member,
    );
}

export function toObject(value: unknown, member: string): Readonly<Record<string, unknown>> {
  demand(typeof value === 'object' && value !== null, member);
  return value as Readonly<Record<string, unknown>>;
}

function isPart(value: unknown): boolean {
  if (typeof value === 'string') return true;
  const text: unknown =
    typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
  return typeof text === 'string' && core.isWellFormed(text);
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function isFieldName(value: unknown): boolean {
  return typeof value === 'string' && fieldName.test(value);
}

function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
}

/** The expressions that can be signed, besides headers. */
const expressions: ReadonlySet<string> = new Set<Part['kind']>([
  '$method',
  '$url',
  '$url.path',
  '$url.path-base',
  '$url.path+query',
  '$url.host+path',
  '$timestamp',
  '$request.body',
]);

/**
 * Checks that a scheme has the structure of one and does not contradict itself. Whether its parts can be separated is
 * checked where they are compiled.
 * @throws SigningError `invalid-scheme`
 */
function checkScheme(scheme: SignatureScheme): void {
  assertSignatureScheme(scheme);
  checkForm(scheme);
}

/**
 * Checks that the signed parts and the written signature of a scheme do not contradict each other.
 * @throws SigningError `invalid-scheme`
 */
export function checkForm(scheme: SignatureForm): void {
  for (const part of scheme.over) if (typeof part === 'string') checkPart(part, scheme);
  const { value, timestamp } = scheme;
  const items = toValueItems(scheme);
  const signatures = items.filter(([, name]) => name === 'signature').length;
  const timestamps = items.filter(([, name]) => name === 'timestamp').length;
  // An item with two placeholders has five texts.
  if (signatures !== 1 || timestamps > 1 || items.some(({ length }) => length > 3))
    throw invalid(
      `The template \`${value}\` of the signature header must contain {signature} once and {timestamp} at most once, with \`separator\` between them.`,
    );
  const signsTimestamp = toParts(scheme).some(({ kind }) => kind === '$timestamp');
  if (signsTimestamp && timestamp === undefined)
    throw invalid('It signs $timestamp but has no member `timestamp`.');
  if (timestamp !== undefined && !signsTimestamp)
    throw invalid('Its timestamp is not signed, so a sender could change it.');
  if (timestamp !== undefined && (timestamp.header === undefined) !== (timestamps === 1))
    throw invalid('Its timestamp must be sent either in a header of its own or in `value`.');
  if (timestamps === 1 && timestamp === undefined)
    throw invalid('It writes {timestamp} in `value` but has no member `timestamp`.');
}

function checkPart(part: string, { header }: SignatureForm): void {
  if (expressions.has(part)) return;
  const name = part.slice(headerPrefix.length);
  if (!part.startsWith(headerPrefix) || !fieldName.test(name))
    throw invalid(`It signs an unknown part: ${part}.`);
  if (name.toLowerCase() === header.toLowerCase())
    throw invalid('It signs the header that carries the signature.');
}

/** Creates the error for a scheme that contradicts itself. */
export function invalid(fault: string): SigningError {
  return new SigningError('invalid-scheme', `The signature scheme is invalid. ${fault}`);
}

/** The main entry: every scheme, and errors with texts. */
export const checkedCore: CoreParts = {
  toError: explain,
  patterns: timestampPatterns,
  parse: core.parseTimestamp,
};

/**
 * Creates a signer. It does not expose its key when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid
 */
export function createSigner(scheme: SignatureScheme, options: SignerOptions): Signer {
  checkScheme(scheme);
  return createHmacSignerOf(scheme, options, checkedCore);
}

/**
 * Creates a verifier. It does not expose its keys when it is printed or serialized.
 * @throws SigningError for a scheme, key or tolerance that is not valid
 */
export function createVerifier(scheme: SignatureScheme, options: VerifierOptions): Verifier {
  checkScheme(scheme);
  return createHmacVerifierOf(scheme, options, checkedCore);
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(text: string, format: TimestampFormat): number {
  return core.parseTimestamp(text, format, timestampPatterns);
}

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTimestamp(milliseconds: number, format: TimestampFormat): string {
  return core.writeTimestamp(milliseconds, format, timestampPatterns);
}
