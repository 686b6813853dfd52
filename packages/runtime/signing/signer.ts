import type { CoreParts } from './core-parts.ts';
import type { MaybePromise, Piece } from './hmac.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureForm } from './scheme.ts';
import { writeSignatureValue } from './signature-value.ts';
import { compileSignedInput, readHeader } from './signed-input.ts';
import { writeTimestamp } from './timestamp.ts';

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
