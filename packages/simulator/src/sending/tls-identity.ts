import { createPrivateKey, X509Certificate } from 'node:crypto';
import { SimulatorError } from './simulator-error.ts';

/** A certificate and its private key, as PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Returns the value of the header `Client-Cert` with which a proxy passes a certificate on (RFC 9440). */
export function toClientCert({ cert }: TlsIdentity): string {
  return `:${new X509Certificate(cert).raw.toString('base64')}:`;
}

/**
 * Checks that a certificate and a private key can be read and belong together.
 * @throws SimulatorError `invalid-option`; the message contains nothing of the key
 */
export function checkIdentity({ cert, key }: TlsIdentity): TlsIdentity {
  let isPair: boolean;
  try {
    isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    // The messages of OpenSSL can have parts of the key.
    throw invalid('must have a certificate and a private key in PEM');
  }
  if (!isPair) throw invalid('has the private key of another certificate');
  return { cert, key };
}

function invalid(fault: string): SimulatorError {
  return new SimulatorError('invalid-option', `\`authentication.clientCertificate\` ${fault}.`);
}
