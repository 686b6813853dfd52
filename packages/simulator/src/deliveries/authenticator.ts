import type { MaybePromise } from '@countersign/runtime/signing';
import type { SimulatorContext } from '../context.ts';
import { createSignedUrlMapping, type UrlMapping } from '@countersign/runtime/base';
import type { Header } from '../secret-places.ts';
import type { ServedNotification, ServedScheme } from '../service.ts';
import { toNotSignable, toSignatureScheme } from '../signature-scheme.ts';
import { SimulatorError } from '../simulator-error.ts';
import { AuthenticationMethods, findSignature } from './authentication-methods.ts';
import { deliveredSchemes } from '../delivered-schemes.ts';
import { carryCredential, credentialOf } from './credentials.ts';
import { proofOf } from './proofs/proofs.ts';
import { ClientCertificates, type CertificateFault } from './client-certificates.ts';
import type { Signature, SignatureFault } from './prepare-signature.ts';
import type { TlsIdentity } from './test-authority.ts';

/** The parts of a request that its authentication depends on. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** Authenticates deliveries, as the contract states it or as the options say. */
export class Authenticator {
  /** The names of the headers that it adds with credentials, in lower case. */
  readonly secretNames: ReadonlySet<string>;
  /** The certificates of deliveries; `undefined` if the contract states none for any notification. */
  readonly certificates: ClientCertificates | undefined;
  readonly #context: SimulatorContext;
  readonly #methods: AuthenticationMethods;
  readonly #mapping: UrlMapping | undefined;
  /** The headers of the options. */
  readonly #headers: readonly Header[];
  /** The keys in headers that the contract has, by the header in lower case. */
  readonly #keyHeaders: ReadonlyMap<string, ServedScheme>;

  /**
   * @throws SimulatorError `unknown-name` for a signature that the contract does not have, `invalid-option` for a
   * `publicUrl` that is not valid or has no effect
   */
  constructor(context: SimulatorContext) {
    const { security } = context.description;
    const { headers = {}, signature } = context.options.authentication ?? {};
    if (typeof signature === 'string') findSignature(security, signature);
    this.#context = context;
    this.#methods = new AuthenticationMethods(context);
    this.#mapping = readPublicUrl(context);
    this.#headers = Object.entries(headers);
    this.#keyHeaders = keyHeadersOf(security);
    this.certificates = openCertificates(context);
    this.secretNames = new Set([
      'authorization',
      'cookie',
      ...this.#headers.map(([name]) => name.toLowerCase()),
      ...this.#keyHeaders.keys(),
    ]);
  }

  /** Returns the client certificate of a notification; `undefined` if it has none. */
  certificateOf(
    notification: ServedNotification,
    fault?: CertificateFault,
  ): TlsIdentity | undefined {
    return this.#methods.of(notification).hasCertificate
      ? this.certificates?.get(fault)
      : undefined;
  }

  /** Returns the parameters of the query that authenticate a notification. */
  queryOf(notification: ServedNotification): readonly Header[] {
    return this.#methods.of(notification).query;
  }

  /** Returns the names of the headers that it adds to a notification, in lower case. */
  headerNames(notification: ServedNotification): ReadonlySet<string> {
    const { headers, signature } = this.#methods.of(notification);
    const names = [...headers, ...this.#headers].map(([name]) => name);
    if (signature !== undefined) {
      const { written, covered } = signature;
      names.push(
        ...written,
        ...[...this.#keyHeaders.keys()].filter((name) => covered.includes(name)),
      );
    }
    return new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()));
  }

  /** Returns the faults that the signature and the certificate of a notification can have. */
  faultsOf(notification: ServedNotification): readonly (SignatureFault | CertificateFault)[] {
    const { signature, bodySignatures, hasCertificate } = this.#methods.of(notification);
    const ofCertificate = hasCertificate ? (this.certificates?.faults ?? []) : [];
    if (signature === undefined && bodySignatures.length === 0) return ofCertificate;
    const { previousKey } = this.#context.options.authentication ?? {};
    const hasOldKey =
      (signature !== undefined && previousKey !== undefined) ||
      bodySignatures.some((bodySignature) => bodySignature.hasOldKey);
    return [
      ...ofCertificate,
      ...(signature?.faults ?? (['wrong-signature'] as const)),
      ...(hasOldKey ? (['old-key'] as const) : []),
    ];
  }

  /**
   * Returns the body of a notification with the signatures that it contains.
   * @throws SimulatorError `not-signable`
   */
  signBody(notification: ServedNotification, body: Uint8Array, fault?: SignatureFault): Uint8Array {
    return this.#methods
      .of(notification)
      .bodySignatures.reduce((signed, { signer }) => signer(fault)(signed), body);
  }

  /**
   * Returns the headers that authenticate a request with a signed body.
   * @throws SimulatorError `not-signable`
   */
  authenticate(
    notification: ServedNotification,
    request: UnsignedRequest,
    fault?: SignatureFault,
  ): MaybePromise<readonly Header[]> {
    const { headers, signature } = this.#methods.of(notification);
    const added = new Map<string, Header>();
    for (const header of [...headers, ...this.#headers]) added.set(header[0].toLowerCase(), header);
    return signature === undefined
      ? [...added.values()]
      : this.#sign(signature, request, added, fault);
  }

  /** Returns the headers of the signature after those that are added anyway, and the keys that it covers. */
  #sign(
    signature: Signature,
    { method, url, headers, body }: UnsignedRequest,
    added: Map<string, Header>,
    fault: SignatureFault | undefined,
  ): MaybePromise<readonly Header[]> {
    const values = new Map(
      [...headers, ...added.values()].map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const name of signature.covered) {
      if ((values.get(name) ?? '') !== '') continue;
      const header = this.#keyHeader(name, signature);
      added.set(name, header);
      values.set(name, header[1]);
    }
    const finish = (signed: Readonly<Record<string, string>>): readonly Header[] => [
      ...added.values(),
      ...Object.entries(signed),
    ];
    const signedUrl = `${url.origin}${url.pathname}${url.search}`;
    try {
      const signed = signature.signer(fault).sign({
        method,
        url: this.#mapping?.map(signedUrl) ?? signedUrl,
        headers: (name) => {
          const value = values.get(name);
          return value === undefined ? [] : [value];
        },
        body,
      });
      return signed instanceof Promise ? signed.then(finish) : finish(signed);
    } catch (error) {
      throw toNotSignable(error);
    }
  }

  /** Returns the key in a header that a signature covers. */
  #keyHeader(name: string, signature: Signature): Header {
    const scheme = this.#keyHeaders.get(name);
    const { header } =
      scheme === undefined
        ? {}
        : carryCredential(scheme, credentialOf(scheme, this.#context.credentials));
    if (header !== undefined) return header;
    throw new SimulatorError(
      'not-signable',
      `The signature ${signature.id} covers the header ${name}. Set it in \`authentication.headers\`.`,
    );
  }
}

/** Returns the first scheme of each header that has a key. */
function keyHeadersOf(schemes: readonly ServedScheme[]): ReadonlyMap<string, ServedScheme> {
  const keyHeaders = new Map<string, ServedScheme>();
  for (const scheme of schemes) {
    const { type, in: place, parameterName } = scheme;
    if (type !== 'apiKey' || place !== 'header' || parameterName === undefined) continue;
    const name = parameterName.toLowerCase();
    keyHeaders.set(name, keyHeaders.get(name) ?? scheme);
  }
  return keyHeaders;
}

/** Returns the certificates of deliveries; `undefined` if the contract states none, or the options switch them off. */
function openCertificates({
  description,
  options,
}: SimulatorContext): ClientCertificates | undefined {
  const { clientCertificate } = options.authentication ?? {};
  const isStated = deliveredSchemes(description).some(
    (scheme) => proofOf(scheme)?.hasCertificate === true,
  );
  return isStated && clientCertificate !== false
    ? new ClientCertificates(clientCertificate)
    : undefined;
}

/** Returns how `publicUrl` changes the signed URL; `undefined` if it is not given. */
function readPublicUrl(context: SimulatorContext): UrlMapping | undefined {
  const { description, options } = context;
  const { publicUrl, signature: chosen } = options.authentication ?? {};
  if (publicUrl === undefined) return undefined;
  const signed = deliveredSchemes(description, chosen).flatMap(({ signature }) =>
    signature === undefined ? [] : [toSignatureScheme(signature, (value) => context.settle(value))],
  );
  const mapping =
    signed.length === 0
      ? 'has no effect, because no notification is signed'
      : createSignedUrlMapping(
          publicUrl,
          signed.flatMap(({ over }) => over),
        );
  if (typeof mapping !== 'string') return mapping;
  throw new SimulatorError('invalid-option', `\`publicUrl\` (\`--public-url\`) ${mapping}.`);
}
