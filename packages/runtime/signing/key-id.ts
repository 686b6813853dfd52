import { invalid } from './check-scheme.ts';
import { fieldName } from './assert-scheme.ts';
import type { KeyPairScheme } from './key-pair-scheme.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import { compileValueReader, toValueItems } from './signature-value.ts';
import { readHeader } from './signed-input.ts';

const placeholder = '{keyId}';

/** The maximum length of the id of a key in characters. */
const maximumLength = 256;

/** Returns the id of the key that a request names, `undefined` where it names none, or a refusal. */
export type KeyIdReader = (request: SignableRequest) => string | undefined | Refusal;

/** Returns whether requests name their key. */
export function namesKeys({ key, value }: KeyPairScheme): boolean {
  return key.idHeader !== undefined || value.includes(placeholder);
}

/** Returns whether a text can be the id of a key in a header: visible ASCII, of limited length. */
export function isKeyId(text: string): boolean {
  return text.length <= maximumLength && /^[!-~]+$/.test(text);
}

/**
 * Checks how a scheme carries the id of the key.
 * @throws SigningError `invalid-scheme`
 */
export function checkKeyId(scheme: KeyPairScheme): void {
  const { key, value, header, timestamp } = scheme;
  if (!namesKeys(scheme)) return;
  if (key.idHeader === undefined) {
    const items = toValueItems(asTimestamp(scheme));
    const ids = items.filter(([, name]) => name === 'timestamp').length;
    if (value.split(placeholder).length > 2 || ids !== 1 || items.some(({ length }) => length > 3))
      throw invalid(
        `The template \`${value}\` of the signature header must contain {keyId} at most once, with \`separator\` between it and the other placeholders.`,
      );
    return;
  }
  if (value.includes(placeholder))
    throw invalid('The id of its key must be sent either in a header of its own or in `value`.');
  const name = key.idHeader.toLowerCase();
  if (
    !fieldName.test(name) ||
    name === header.toLowerCase() ||
    name === timestamp?.header?.toLowerCase()
  )
    throw invalid('The id of its key must be sent in a header of its own.');
}

/** Returns the scheme whose signature header has the id of a key. */
export function withKeyId(scheme: KeyPairScheme, id: string): KeyPairScheme {
  return { ...scheme, value: scheme.value.replace(placeholder, () => id) };
}

/** Compiles the function that reads the id of the key. */
export function compileKeyIdReader(scheme: KeyPairScheme): KeyIdReader {
  if (!namesKeys(scheme)) return () => undefined;
  const header = (scheme.key.idHeader ?? scheme.header).toLowerCase();
  const read =
    scheme.key.idHeader === undefined
      ? compileValueReader(asTimestamp(scheme))
      : (timestamp: string) => ({ timestamp });
  return (request) => {
    const value = readHeader(request, header);
    if (typeof value === 'object') return value;
    if (value === '') return undefined;
    const items = read(value);
    if (items === undefined) return refuse('malformed-signature');
    const id = items.timestamp;
    return id === undefined || isKeyId(id) ? id : refuse('unknown-key');
  };
}

/**
 * Returns the scheme whose timestamp is the id of the key: a value of the signature header has one id as it has one
 * timestamp.
 */
function asTimestamp(scheme: KeyPairScheme): KeyPairScheme {
  const value = scheme.value.replace('{timestamp}', '{time}').replace(placeholder, '{timestamp}');
  return { ...scheme, value };
}
