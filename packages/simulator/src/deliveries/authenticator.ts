import type { SimulatorContext } from '../context.ts';
import { createSignedUrlMapping, type UrlMapping } from '@countersign/runtime/base';
import { type Header, carryCredential, credentialOf } from '../sending/secret-places.ts';
import type { ServedNotification, ServedScheme } from '../service.ts';
import { toSignatureScheme } from '../sending/signature-scheme.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { AuthenticationMethods, findSignature } from './authentication-methods.ts';
import { deliveredSchemes } from '../delivered-schemes.ts';
import { proofOf } from './proofs/proofs.ts';
import { ClientCertificates, type CertificateFault } from './client-certificates.ts';
import type { SignatureFault } from './prepare-signature.ts';
import type { RequestProofs } from '../sending/sign-request.ts';

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
   * Returns what proves where a delivery comes from.
   * @throws SimulatorError `not-signable`
   */
  proofsOf(
    notification: ServedNotification,
    fault?: SignatureFault,
    certificateFault?: CertificateFault,
  ): RequestProofs {
    const { headers, query, bodySignatures, signature, hasCertificate } =
      this.#methods.of(notification);
    return {
      query,
      headers: [...headers, ...this.#headers],
      bodies: bodySignatures.map(({ signer }) => signer(fault)),
      signature: signature && {
        id: signature.id,
        covered: signature.covered,
        signer: signature.signer(fault),
        mapping: this.#mapping,
        keyHeader: (name) => this.#keyHeader(name),
      },
      certificate: hasCertificate ? this.certificates?.get(certificateFault) : undefined,
      isForeign: certificateFault === 'foreign-certificate',
    };
  }

  /** Returns the key in a header that a signature covers. */
  #keyHeader(name: string): Header | undefined {
    const scheme = this.#keyHeaders.get(name);
    return (
      scheme && carryCredential(scheme, credentialOf(scheme, this.#context.credentials)).header
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
