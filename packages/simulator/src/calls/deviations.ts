import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureScheme } from '@countersign/runtime/signing';
import type { Deviation } from '../entry.ts';
import type { DeviationCandidate, DeviationSubject, SignedCall } from './deviation-candidate.ts';
import { decodePercent } from './decode-text.ts';
import { encodingDeviations, keyBytes, keyDeviations } from './key-deviations.ts';
import { missingParts, otherOrders, otherSeparators, valueDeviations } from './part-deviations.ts';
import { signedPartsOf } from './signed-parts.ts';

/** A scheme that another answer to an open question gives. */
export interface AlternativeScheme {
  readonly id: string;
  readonly choice: string;
  readonly meaning: string;
  readonly subject: DeviationSubject;
  readonly scheme: SignatureScheme;
}

/** How a refused signature differs from the expected one. */
export interface Explanation {
  /** Whether the signature is the expected one, and the call was refused for another reason. */
  readonly isExpected: boolean;
  readonly differsAt?: number;
  readonly deviations: readonly Deviation[];
}

/** The maximum number of HMACs for a refused call. */
export const maximumAttempts = 200;

/** The maximum number of bytes that are hashed for a refused call: it takes about 30 ms. */
const maximumHashed = 32 * 1024 * 1024;

interface Match {
  readonly subject: DeviationSubject;
  readonly digest: string;
  readonly deviation: Deviation;
}

/**
 * Finds the single deviations from the contract that explain a signature. Deviations that sign the same bytes with the
 * same key as the contract are not tried; several that sign the same bytes as each other are all named, except for those
 * of one code, of which the first is.
 * @param signatures the signatures in the header, as they were sent
 * @param header the whole value of the header
 */
export function explainSignature(
  signed: SignedCall,
  signatures: readonly string[],
  header: string,
  alternatives: readonly AlternativeScheme[],
): Explanation {
  const { scheme, key, parts } = signed;
  const ownKey = keyBytes(key, scheme.key.encoding, scheme.key.prefix) ?? Buffer.alloc(0);
  const ownPieces = parts.map(({ bytes }) => bytes);
  const size = ownPieces.reduce((sum, { length }) => sum + length, 0);
  let attempts = Math.min(maximumAttempts, Math.ceil(maximumHashed / Math.max(size, 1)));
  const digestOf = (
    algorithm: string,
    bytes: Buffer,
    pieces: readonly Buffer[],
  ): Buffer | undefined => {
    if (attempts <= 0) return undefined;
    attempts -= 1;
    const hmac = createHmac(algorithm.replace(/^hmac-/u, ''), bytes);
    for (const piece of pieces) hmac.update(piece);
    return hmac.digest();
  };

  const expected = digestOf(scheme.algorithm, ownKey, ownPieces) ?? Buffer.alloc(0);
  const write = (digest: Buffer, encoding = scheme.encoding): string => digest.toString(encoding);
  const isSent = (text: string, ignoreCase: boolean): boolean =>
    signatures.some((signature) => isEqual(ignoreCase ? signature.toLowerCase() : signature, text));
  const text = write(expected);
  const isHex = scheme.encoding === 'hex';
  if (isSent(text, isHex)) return { isExpected: true, deviations: [] };

  const matches: Match[] = [];
  const seen = new Set<string>();
  const add = (candidate: DeviationCandidate, digest: Buffer): void => {
    const { subject, code, condition, fix } = candidate;
    const hex = digest.toString('hex');
    if (seen.has(`${code} ${hex}`)) return;
    seen.add(`${code} ${hex}`);
    matches.push({
      subject,
      digest: hex,
      deviation: { code, message: `matches if ${condition}`, fix },
    });
  };

  for (const candidate of encodingDeviations(signed))
    if (isSent(candidate.write?.(expected) ?? '', candidate.code === 'signature-in-hex'))
      add(candidate, expected);
  const ignoresCase = scheme.encoding === 'hex';
  if (isQuoted(header, text, ignoresCase))
    add(
      {
        subject: 'value',
        code: 'signature-in-quotes',
        condition: `the value of \`${scheme.header}\` is in quotes`,
        fix: `Write the header's value as \`${scheme.value}\`, without quotes.`,
      },
      expected,
    );
  else if (isSurrounded(header, text, ignoresCase))
    add(
      {
        subject: 'value',
        code: 'signature-header-form',
        condition: `the value of \`${scheme.header}\` has another form`,
        fix: `Write the header's value as \`${scheme.value}\`.`,
      },
      expected,
    );
  const candidates = [
    ...keyDeviations(signed),
    ...valueDeviations(signed),
    ...missingParts(signed),
    ...otherSeparators(signed),
    ...otherOrders(signed),
  ];
  for (const candidate of candidates) {
    const { algorithm = scheme.algorithm, key: bytes = ownKey, pieces = ownPieces } = candidate;
    const digest = digestOf(algorithm, bytes, pieces);
    if (digest === undefined) break;
    if (!digest.equals(expected) && isSent(write(digest), isHex)) add(candidate, digest);
  }
  const deviations = answerQuestions(matches, signed, alternatives, (other, pieces) => {
    const bytes = keyBytes(key, other.key.encoding, other.key.prefix);
    const digest = bytes === undefined ? undefined : digestOf(other.algorithm, bytes, pieces);
    if (digest === undefined) return undefined;
    if (digest.equals(expected) && other.encoding === scheme.encoding) return undefined;
    return isSent(write(digest, other.encoding), other.encoding === 'hex') ? digest : undefined;
  });
  const differsAt = firstDifference(signatures[0] ?? header, text);
  return { isExpected: false, deviations, ...(differsAt === undefined ? {} : { differsAt }) };
}

/** Adds the answers to open questions that would accept the signature. */
function answerQuestions(
  matches: readonly Match[],
  { call, timestamp }: SignedCall,
  alternatives: readonly AlternativeScheme[],
  match: (scheme: SignatureScheme, pieces: readonly Buffer[]) => Buffer | undefined,
): readonly Deviation[] {
  const deviations = new Map(matches.map((candidate) => [candidate, candidate.deviation]));
  const otherAnswers: Deviation[] = [];
  for (const { id, choice, meaning, subject, scheme } of alternatives) {
    const pieces = signedPartsOf(scheme, call, timestamp).map(({ bytes }) => bytes);
    const digest = match(scheme, pieces)?.toString('hex');
    if (digest === undefined) continue;
    const answer = { id, choice };
    const equalMatch = matches.find(
      (candidate) => candidate.subject === subject && candidate.digest === digest,
    );
    if (equalMatch === undefined)
      otherAnswers.push({
        code: 'other-answer',
        message: `matches the other answer to an open question: \`${id}: ${choice}\``,
        fix: `${meaning} If the service does so, start the simulator with \`--answer ${id}=${choice}\`.`,
        answer,
      });
    else {
      const { code, message, fix } = equalMatch.deviation;
      deviations.set(equalMatch, {
        code,
        message: `${message}: \`${id}: ${choice}\``,
        fix: `${fix} If the service accepts it, start the simulator with \`--answer ${id}=${choice}\`.`,
        answer,
      });
    }
  }
  return [...deviations.values(), ...otherAnswers];
}

/** Returns whether a header's value contains the signature in a form that the template does not have. */
function isSurrounded(header: string, signature: string, ignoresCase: boolean): boolean {
  return header
    .trim()
    .split(/[\s,;]+/u)
    .flatMap((item) => [item, decodePercent(item)])
    .some((item) => {
      const at = item.length - signature.length;
      const end = item.slice(Math.max(at, 0));
      // What is before it is the name of an item or of the algorithm, or marks hexadecimal digits.
      return (
        (at <= 0 || /(?:[=:]|^0x|[=:]0x)$/iu.test(item.slice(Math.max(at - 3, 0), at))) &&
        isEqual(ignoresCase ? end.toLowerCase() : end, signature)
      );
    });
}

/** Returns whether a header's value contains the signature in quotes, or is in quotes itself. */
function isQuoted(header: string, signature: string, ignoresCase: boolean): boolean {
  return (
    /["'`]/u.test(header) && isSurrounded(header.replaceAll(/["'`]/gu, ''), signature, ignoresCase)
  );
}

function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function firstDifference(a: string, b: string): number | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1)
    if (a[index] !== b[index]) return index;
  return undefined;
}
