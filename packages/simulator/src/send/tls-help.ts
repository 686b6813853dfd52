import type { TlsIdentity } from '../sending/tls-identity.ts';

/** What a delivery over TLS has of certificates. */
export interface TlsSettings {
  readonly certificate?: TlsIdentity;
  /** The certificates of the authorities that are trusted, in PEM. */
  readonly ca?: string;
  /** Whether the contract states that a client certificate authenticates the delivery. */
  readonly expectsCertificate?: boolean;
}

/** The codes of a certificate whose authority is not trusted. */
const untrusted: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The alerts by which a server refuses a client certificate. */
const refusals: ReadonlySet<number> = new Set([42, 43, 44, 45, 46, 48, 49]);

const handshakeFailure = 40;
const certificateRequired = 116;

const give = 'give it with --client-cert and --client-key.';

/**
 * Returns the next step after a delivery over TLS failed, as a sentence with the option; `undefined` where no option
 * helps.
 * @param cause the error of the connection
 * @see {@link https://www.rfc-editor.org/rfc/rfc8446#section-6 RFC 8446, 6} for the numbers of alerts
 */
export function helpWithTls(
  cause: Error | undefined,
  { certificate, ca, expectsCertificate = false }: TlsSettings,
): string | undefined {
  const code = cause !== undefined && 'code' in cause ? String(cause.code) : '';
  if (untrusted.has(code))
    return ca === undefined
      ? 'Its certificate is not trusted: name its authority with --ca.'
      : 'Its certificate is not of an authority in the file of --ca.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Its certificate is for other hosts than that of --to.';
  // Where the connection ends while the request is written, the reason is in the message alone.
  const reason = cause?.message ?? '';
  if (/wrong version number|packet length too long/iu.test(reason))
    return 'It answers without TLS: begin the URL of --to with http://.';
  const alert = Number(/\bSSL alert number (\d+)/u.exec(reason)?.[1]);
  if (alert === certificateRequired && certificate === undefined)
    return `It requires a client certificate: ${give}`;
  if (refusals.has(alert) && certificate !== undefined)
    return 'It refuses the certificate of --client-cert.';
  // A server can also end the connection, or refuse the handshake, for reasons of its own.
  if (alert !== handshakeFailure && code !== 'ECONNRESET') return undefined;
  if (certificate !== undefined) return 'It may not accept the certificate of --client-cert.';
  return alert === handshakeFailure || expectsCertificate
    ? `It may require a client certificate: ${give}`
    : undefined;
}
