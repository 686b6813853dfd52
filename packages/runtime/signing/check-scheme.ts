import { assertSignatureScheme, fieldName } from './assert-scheme.ts';
import { headerPrefix, type Part, toParts } from './part.ts';
import type { SignatureForm, SignatureScheme } from './scheme.ts';
import { toValueItems } from './signature-value.ts';
import { SigningError } from './signing-error.ts';

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
export function checkScheme(scheme: SignatureScheme): void {
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
