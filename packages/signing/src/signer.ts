import { importHmacKey } from '#hmac';
import { compileScheme } from './compile-scheme.ts';
import type { CompiledScheme } from './compiled-scheme.ts';
import type { MaybePromise } from './hmac.ts';
import { toKeyBytes } from './key.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureScheme, TimestampFormat } from './scheme.ts';
import { isPieces, readHeader, toSignedInput } from './signed-input.ts';
import { type InputProblem, SigningError } from './signing-error.ts';
import { parseTimestamp, writeTimestamp } from './timestamp.ts';

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
 * Creates a signer. It does not expose its key when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid
 */
export function createSigner(scheme: SignatureScheme, options: SignerOptions): Signer {
  const compiled = compileScheme(scheme);
  const key = importHmacKey(scheme, toKeyBytes(options.key, scheme.key));
  const clock = options.clock ?? (() => Date.now());
  return Object.freeze<Signer>({
    sign(request) {
      const stamp = stampRequest(compiled, request, clock);
      const pieces = toSignedInput(compiled, request, stamp?.text);
      if (!isPieces(pieces)) throw cannotSign(pieces.reason);
      const signature = key.sign(pieces);
      return typeof signature === 'string'
        ? toHeaders(compiled, signature, stamp)
        : signature.then((text) => toHeaders(compiled, text, stamp));
    },
  });
}

interface Stamp {
  readonly text: string;
  /** The header to add; absent where the request has it already, or the signature header contains the timestamp. */
  readonly header?: string;
}

function stampRequest(
  { scheme, timestampHeader }: CompiledScheme,
  request: SignableRequest,
  clock: () => number,
): Stamp | undefined {
  const { timestamp } = scheme;
  if (timestamp === undefined) return undefined;
  if (timestampHeader === undefined || timestamp.header === undefined)
    return { text: readClock(clock, timestamp.format) };
  const present = readHeader(request, timestampHeader);
  if (typeof present === 'object') {
    if (present.reason !== 'missing-header') throw cannotSign(present.reason);
    return { text: readClock(clock, timestamp.format), header: timestamp.header };
  }
  if (Number.isNaN(parseTimestamp(present, timestamp.format)))
    throw cannotSign('malformed-timestamp');
  return { text: present };
}

function readClock(clock: () => number, format: TimestampFormat): string {
  const milliseconds = clock();
  if (!(milliseconds >= 1e12 && milliseconds < 1e13))
    throw new SigningError(
      'invalid-option',
      'The clock must return milliseconds of a time between 2001 and 2286.',
    );
  return writeTimestamp(milliseconds, format);
}

function toHeaders(
  { scheme, value }: CompiledScheme,
  signature: string,
  stamp: Stamp | undefined,
): SignatureHeaders {
  const written = value.write(signature, stamp?.text);
  return stamp?.header === undefined
    ? { [scheme.header]: written }
    : { [stamp.header]: stamp.text, [scheme.header]: written };
}

const faults: Readonly<Record<InputProblem, string>> = {
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

function cannotSign(problem: InputProblem): SigningError {
  return new SigningError(problem, `The request cannot be signed: ${faults[problem]}.`);
}
