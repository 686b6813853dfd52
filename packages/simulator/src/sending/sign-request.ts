import type { UnsignedRequest } from './compose-request.ts';
import { type ExchangeRequest, frameHeaders } from './exchange.ts';
import { type RequestSignature, toNotSignable } from './signature-scheme.ts';
import { addQuery, type Header } from './secret-places.ts';
import type { SignBody } from './sign-body.ts';
import { SimulatorError } from './simulator-error.ts';
import { type TlsIdentity, toClientCert } from './tls-identity.ts';

/** What proves where a delivery comes from. */
export interface RequestProofs {
  /** Parameters of the query with secrets. */
  readonly query?: readonly Header[];
  /** Headers with secrets. */
  readonly headers?: readonly Header[];
  /** The signatures in the body, in the order in which they are made. */
  readonly bodies?: readonly SignBody[];
  readonly signature?: RequestSignature | undefined;
  readonly certificate?: TlsIdentity | undefined;
  /** Set if a proxy would not accept the certificate, and passes none on. */
  readonly isForeign?: boolean;
}

/** A request with all its headers, ready to be sent. */
export interface SignedRequest extends Pick<
  ExchangeRequest,
  'url' | 'method' | 'headers' | 'body' | 'certificate'
> {
  /** The URL that the signature covers, if it is not that of the request. */
  readonly signedUrl?: string;
  /** The values of the headers that prove where it comes from. */
  readonly proofs: readonly string[];
}

/**
 * Returns a request with its proofs, made now: parameters of the query, signatures in the body, headers with secrets, and
 * at last the signature in a header, which can cover all of them.
 * @param keepsAlive whether the connection may be used again
 * @throws SimulatorError `not-signable`
 */
export async function signRequest(
  unsigned: UnsignedRequest,
  proofs: RequestProofs,
  keepsAlive = true,
): Promise<SignedRequest> {
  const { query = [], headers: secrets = [], bodies = [], signature, certificate } = proofs;
  const { method } = unsigned;
  const url = addQuery(unsigned.url, query);
  const body = bodies.reduce((signed, sign) => sign(signed), unsigned.body);
  const byName = new Map<string, Header>();
  for (const header of unsigned.headers) byName.set(header[0].toLowerCase(), header);
  const plain = new Set(byName.keys());
  for (const header of secrets) byName.set(header[0].toLowerCase(), header);
  const called = `${url.origin}${url.pathname}${url.search}`;
  const signedUrl = signature?.mapping?.map(called) ?? called;
  if (signature !== undefined) {
    const signing = sign(signature, { method, url: signedUrl, body }, byName);
    // Awaiting what is ready would let other deliveries overtake this one.
    const signed = signing instanceof Promise ? await signing : signing;
    for (const header of Object.entries(signed)) byName.set(header[0].toLowerCase(), header);
  }
  // Without TLS, the sender stands for the proxy in front of the receiver, which verifies who has issued it.
  if (certificate !== undefined && url.protocol === 'http:' && proofs.isForeign !== true)
    byName.set('client-cert', ['Client-Cert', toClientCert(certificate)]);
  return {
    url,
    method,
    headers: frameHeaders(url, byName.values(), body, keepsAlive),
    body,
    proofs: [...byName].flatMap(([name, [, value]]) => (plain.has(name) ? [] : [value])),
    ...(certificate === undefined ? {} : { certificate }),
    ...(signature?.mapping === undefined ? {} : { signedUrl }),
  };
}

/** Returns the headers of the signature. Adds those with keys that it covers. */
function sign(
  { id, covered, signer, keyHeader }: RequestSignature,
  request: { readonly method: string; readonly url: string; readonly body: Uint8Array },
  byName: Map<string, Header>,
): ReturnType<RequestSignature['signer']['sign']> {
  for (const name of covered) {
    if ((byName.get(name)?.[1] ?? '') !== '') continue;
    const header = keyHeader?.(name);
    if (header === undefined)
      throw new SimulatorError(
        'not-signable',
        `The signature ${id} covers the header ${name}. Set it in \`authentication.headers\` (\`--header-env ${name}=<variable>\`).`,
      );
    byName.set(name, header);
  }
  try {
    const signed = signer.sign({
      ...request,
      headers: (name) => {
        const value = byName.get(name)?.[1];
        return value === undefined ? [] : [value];
      },
    });
    return signed instanceof Promise
      ? signed.catch((error: unknown) => {
          throw toNotSignable(error);
        })
      : signed;
  } catch (error) {
    throw toNotSignable(error);
  }
}
