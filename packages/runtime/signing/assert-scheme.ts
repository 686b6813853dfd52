import { isKeyPairScheme, type KeyPairScheme } from './key-pair-scheme.ts';
import type { SignatureScheme } from './scheme.ts';
import { SigningError } from './signing-error.ts';
import { isTimestampPattern } from './timestamp-pattern.ts';

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

/**
 * Asserts that a value, such as one parsed from JSON, has the structure of a scheme with a key pair.
 * @throws SigningError `invalid-scheme`; the message names the first member that is missing, malformed, or of another
 * algorithm
 */
export function assertKeyPairScheme(value: unknown): asserts value is KeyPairScheme {
  const scheme = toObject(value, 'It');
  const { algorithm, format, saltLength } = scheme;
  demand(isKeyPairScheme({ algorithm: String(algorithm) }), 'algorithm');
  const isEcdsa = algorithm === 'ecdsa-p256-sha256';
  demand(isEcdsa ? format === 'raw' || format === 'der' : format === undefined, 'format');
  const isPss = algorithm === 'rsa-pss-sha256';
  demand(isPss ? isSaltLength(saltLength) : saltLength === undefined, 'saltLength');
  const key = toObject(scheme['key'], 'key');
  const { encoding } = key;
  const isBare = encoding === 'base64' || encoding === 'hex';
  demand(encoding === undefined || (isBare && algorithm === 'ed25519'), 'key.encoding');
  for (const name of ['prefix', 'privatePrefix'])
    demand(key[name] === undefined || (isBare && typeof key[name] === 'string'), `key.${name}`);
  demand(key['idHeader'] === undefined || isFieldName(key['idHeader']), 'key.idHeader');
  assertForm(scheme);
}

/** The maximum salt of a key with 2,048 bits: those of the key in bytes, without the hash and two bytes. */
const maximumSaltLength = 222;

function isSaltLength(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maximumSaltLength
  );
}

/** Asserts what all schemes have: the signed parts, and how the signature is written. */
function assertForm(scheme: Readonly<Record<string, unknown>>): void {
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

function demand(holds: boolean, member: string): asserts holds {
  if (!holds)
    throw new SigningError(
      'invalid-scheme',
      `The member \`${member}\` of the signature scheme is missing or invalid. If the contract leaves it open, settle it first.`,
      member,
    );
}

function toObject(value: unknown, member: string): Readonly<Record<string, unknown>> {
  demand(typeof value === 'object' && value !== null, member);
  return value as Readonly<Record<string, unknown>>;
}

function isPart(value: unknown): boolean {
  if (typeof value === 'string') return true;
  const text: unknown =
    typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
  return typeof text === 'string' && text.isWellFormed();
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isFieldName(value: unknown): boolean {
  return typeof value === 'string' && fieldName.test(value);
}

function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
}
