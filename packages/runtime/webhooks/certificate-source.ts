import type { AdapterName } from './authentication.ts';
import {
  readCertificate,
  readPem,
  type CertificateFailure,
  type ClientCertificate,
} from './certificate.ts';
import { parseName } from './distinguished-name.ts';
import { createFailureWarnings, type WarnOfFailure } from '../base/failure-warnings.ts';
import type { DeliveredRequest } from './request.ts';
import { invalid } from './webhook-error.ts';

/** Where the certificate of a client comes from. */
export interface CertificateSource {
  /** The function that creates it, as messages name it. */
  readonly name: string;
  /** The adapters that provide what it reads; `undefined` if all do. */
  readonly adapters: readonly AdapterName[] | undefined;
  /** Whether it provides the names beside the subject. */
  readonly hasAltNames: boolean;
  /**
   * Returns the certificate whose possession the client has proven to who accepted the connection, or the reason why
   * there is none.
   * @throws SyntaxError for a certificate that is malformed
   * @throws WebhookError `invalid-option` where the adapter provides no connection
   */
  readonly read: (request: DeliveredRequest) => ClientCertificate | CertificateFailure;
}

/**
 * Takes the certificate from the TLS connection of a server of Node, Bun or Deno. The server must have `requestCert: true`
 * and the authority of the clients in `ca`. With `rejectUnauthorized: false`, connections without a valid certificate get
 * as far as the receiver, which refuses them. A process warning reports once that a connection is not TLS, and once that
 * its server requests no certificates: such connections are never authorized.
 * @see https://nodejs.org/api/tls.html#tlssocketauthorized
 */
export function tlsSocket(): CertificateSource {
  const warn = createFailureWarnings();
  return {
    name: 'tlsSocket()',
    adapters: ['node', 'hono'],
    hasAltNames: true,
    read: (request) => {
      const socket = connectionOf<TlsSocket>(request, 'tlsSocket()');
      // A resumed session of TLS 1.3 counts as authorized even if its client has never shown a certificate, so both count.
      if (socket.authorized !== true) {
        warnOfSetup(warn, socket);
        return 'unauthorized-connection';
      }
      // A socket that is already closed has none.
      const raw = socket.getPeerCertificate?.()?.raw;
      return raw instanceof Uint8Array ? readCertificate(raw) : 'no-certificate';
    },
  };
}

/**
 * Takes the certificate from what API Gateway passes to AWS Lambda, for a custom domain with mutual TLS, of a REST API
 * (`requestContext.identity.clientCert`) or an HTTP API (`requestContext.authentication.clientCert`). Switch off the
 * default endpoint `execute-api` of the API: it requires no certificate, so that its deliveries are refused.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-mutual-tls.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mutual-tls.html
 */
export function apiGateway(): CertificateSource {
  return {
    name: 'apiGateway()',
    adapters: ['aws-lambda', 'hono'],
    hasAltNames: true,
    read: (request) => {
      const context = connectionOf<GatewayContext>(request, 'apiGateway()');
      const { clientCertPem } =
        context.authentication?.clientCert ?? context.identity?.clientCert ?? {};
      return typeof clientCertPem === 'string' ? readPem(clientCertPem) : 'no-certificate';
    },
  };
}

/**
 * Takes the certificate from `request.cf.tlsClientAuth` of Cloudflare Workers, where the host of the Worker has mutual
 * TLS. A certificate that is not verified, or is revoked, is refused. Cloudflare provides no `subjectAltName`.
 * @see https://developers.cloudflare.com/ssl/client-certificates/client-certificate-variables/
 */
export function cloudflareTls(): CertificateSource {
  return {
    name: 'cloudflareTls()',
    adapters: ['cloudflare', 'hono'],
    hasAltNames: false,
    read: (request) => {
      const { tlsClientAuth } = connectionOf<CloudflareProperties>(request, 'cloudflareTls()');
      if (tlsClientAuth?.certPresented !== '1') return 'no-certificate';
      const { certVerified, certRevoked } = tlsClientAuth;
      // A revoked certificate counts as verified too.
      if (certVerified !== 'SUCCESS') return 'unverified-certificate';
      if (certRevoked !== '0') return 'revoked-certificate';
      const textOf = (name: keyof TlsClientAuth): string => {
        const text = tlsClientAuth[name];
        return typeof text === 'string' ? text : '';
      };
      const fingerprint = textOf('certFingerprintSHA256').toLowerCase();
      return {
        subject: parseName(textOf('certSubjectDNRFC2253')),
        issuer: parseName(textOf('certIssuerDNRFC2253')),
        altNames: undefined,
        notBefore: timeOf(textOf('certNotBefore')),
        notAfter: timeOf(textOf('certNotAfter')),
        fingerprint: () => fingerprint,
      };
    },
  };
}

/** Returns a time such as `Dec 22 19:39:00 2018 GMT` in milliseconds since 1970; `NaN` for another text. */
function timeOf(text: string): number {
  return /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \d{4} GMT$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** Warns of a server none of whose connections can be authorized. */
function warnOfSetup(warn: WarnOfFailure, socket: TlsSocket): void {
  const code = 'COUNTERSIGN_NO_CLIENT_CERTIFICATE';
  const refused = 'The delivery was refused, and so is every other on such a connection.';
  if (typeof socket.authorized !== 'boolean')
    return warn({
      code,
      message: '`tlsSocket()` got a connection that is not TLS',
      help: `${refused} Create the server with \`node:https\`, \`requestCert: true\`, and the authority of the senders in \`ca\`. Behind a proxy that ends TLS, use \`proxyHeader(…)\`.`,
    });
  // A server that verified a certificate, or missed it, gives the reason.
  const { authorizationError, getPeerCertificate } = socket;
  if (!authorizationError && !getPeerCertificate?.call(socket)?.raw)
    warn({
      code,
      message: '`tlsSocket()` got a connection whose server requested no certificate',
      help: `${refused} Create the server with \`requestCert: true\`, and the authority of the senders in \`ca\`.`,
    });
}

/** The part of a TLS socket that is used. */
interface TlsSocket {
  readonly authorized?: unknown;
  /** Why the certificate is not trusted, or missing. Left out, or `null`, where the server requested none. */
  readonly authorizationError?: unknown;
  readonly getPeerCertificate?: () => { readonly raw?: unknown } | null;
}

interface GatewayContext {
  readonly identity?: WithCertificate | null;
  readonly authentication?: WithCertificate | null;
}

interface WithCertificate {
  readonly clientCert?: { readonly clientCertPem?: unknown } | null;
}

interface CloudflareProperties {
  readonly tlsClientAuth?: TlsClientAuth | null;
}

/** The properties of `tlsClientAuth` that are used. */
interface TlsClientAuth {
  readonly certPresented?: unknown;
  readonly certVerified?: unknown;
  readonly certRevoked?: unknown;
  readonly certSubjectDNRFC2253?: unknown;
  readonly certIssuerDNRFC2253?: unknown;
  readonly certFingerprintSHA256?: unknown;
  readonly certNotBefore?: unknown;
  readonly certNotAfter?: unknown;
}

/** Returns what the adapter provides of the connection. */
function connectionOf<T extends object>({ connection }: DeliveredRequest, source: string): T {
  if (typeof connection === 'object' && connection !== null) return connection as T;
  throw invalid(`the adapter provides no connection, which \`${source}\` reads`);
}
