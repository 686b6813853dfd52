import type { MaybePromise } from '@countersign/signing';
import type { SimulatorContext } from '../context.ts';
import { createSignedUrlMapping, type UrlMapping } from '../public-url.ts';
import type { NotificationData, SchemeData, SignatureData } from '../service-description.ts';
import { toNotSignable, toSignatureScheme } from '../signature-scheme.ts';
import { SimulatorError } from '../simulator-error.ts';
import { ClientCertificates, type CertificateFault } from './client-certificates.ts';
import {
  type BodySignature,
  prepareBodySignature,
  prepareSignature,
  type Signature,
  type SignatureFault,
} from './prepare-signature.ts';
import type { TlsIdentity } from './test-authority.ts';

/** The parts of a request that its authentication depends on. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** A name and a value. */
export type Header = readonly [name: string, value: string];

/** Authenticates deliveries, as the contract states it or as the options say. */
export interface Authenticator {
  /** The names of the headers that it adds with credentials, in lower case. */
  readonly secretNames: ReadonlySet<string>;
  /** Returns the names of the headers that it adds to a notification, in lower case. */
  readonly headerNames: (notification: NotificationData) => ReadonlySet<string>;
  /** Returns the faults that the signature and the certificate of a notification can have. */
  readonly faultsOf: (
    notification: NotificationData,
  ) => readonly (SignatureFault | CertificateFault)[];
  /** Returns the client certificate of a notification; `undefined` if it has none. */
  readonly certificateOf: (
    notification: NotificationData,
    fault?: CertificateFault,
  ) => TlsIdentity | undefined;
  /** The certificates of deliveries; `undefined` if the contract states none for any notification. */
  readonly certificates: ClientCertificates | undefined;
  /** Returns the parameters of the query that authenticate a notification. */
  readonly queryOf: (notification: NotificationData) => readonly Header[];
  /**
   * Returns the body of a notification with the signatures that it contains.
   * @throws SimulatorError `not-signable`
   */
  readonly signBody: (
    notification: NotificationData,
    body: Uint8Array,
    fault?: SignatureFault,
  ) => Uint8Array;
  /**
   * Returns the headers that authenticate a request with a signed body.
   * @throws SimulatorError `not-signable`
   */
  readonly authenticate: (
    notification: NotificationData,
    request: UnsignedRequest,
    fault?: SignatureFault,
  ) => MaybePromise<readonly Header[]>;
}

/** How one notification is authenticated. */
interface Method {
  readonly headers: readonly Header[];
  readonly query: readonly Header[];
  readonly signature?: Signature;
  /** In the order in which the contract states them. */
  readonly bodySignatures: readonly BodySignature[];
  readonly hasCertificate: boolean;
}

/**
 * Creates what authenticates deliveries.
 * @throws SimulatorError `unknown-name` for a signature that the contract does not have, `invalid-option` for a
 * `publicUrl` that is not valid or has no effect; `not-signable`
 */
export function createAuthenticator(context: SimulatorContext): Authenticator {
  const { description, credentials } = context;
  const {
    headers: further = {},
    previousKey,
    signature: chosen,
  } = context.options.authentication ?? {};
  if (typeof chosen === 'string') findSignature(description.schemes, chosen);
  const mapping = readPublicUrl(context);
  const keyHeaders = description.schemes.filter(
    ({ type, in: place, parameterName }) =>
      type === 'apiKey' && place === 'header' && parameterName !== undefined,
  );
  const methods = new Map<string, Method>();
  const signatures = new Map<string, Signature>();
  const signatureOf = (scheme: SchemeData, data: SignatureData): Signature => {
    const signature = signatures.get(scheme.id) ?? prepareSignature(context, scheme, data);
    signatures.set(scheme.id, signature);
    return signature;
  };

  const bodySignatures = new Map<string, BodySignature>();
  const bodySignatureOf = (scheme: SchemeData): readonly BodySignature[] => {
    if (scheme.bodySignature === undefined) return [];
    const bodySignature =
      bodySignatures.get(scheme.id) ?? prepareBodySignature(context, scheme, scheme.bodySignature);
    bodySignatures.set(scheme.id, bodySignature);
    return [bodySignature];
  };

  const methodOf = (notification: NotificationData): Method => {
    const cachedMethod = methods.get(notification.kind);
    if (cachedMethod !== undefined) return cachedMethod;
    const schemes = chooseSchemes(context, notification);
    const signed = schemes.find(({ signature }) => signature !== undefined);
    const inBody = chosen === false ? [] : schemes.flatMap(bodySignatureOf);
    const isSigned = signed?.signature !== undefined && chosen !== false;
    const carried = schemes.flatMap((scheme) =>
      carryCredential(scheme, secretOf(context, scheme, isSigned)),
    );
    const method: Method = {
      bodySignatures: inBody,
      hasCertificate: schemes.some(isCertificate),
      headers: joinCookies(carried.flatMap(({ header }) => (header === undefined ? [] : [header]))),
      query: carried.flatMap(({ query }) => (query === undefined ? [] : [query])),
      ...(signed?.signature === undefined || chosen === false
        ? {}
        : { signature: signatureOf(signed, signed.signature) }),
    };
    methods.set(notification.kind, method);
    return method;
  };

  const { clientCertificate } = context.options.authentication ?? {};
  const stated = new Set(description.notifications.flatMap(({ security }) => security.flat()));
  const isStated = description.schemes.some(
    (scheme) => isCertificate(scheme) && stated.has(scheme.id),
  );
  const certificates =
    isStated && clientCertificate !== false ? new ClientCertificates(clientCertificate) : undefined;
  return {
    certificates,
    certificateOf: (notification, fault) =>
      methodOf(notification).hasCertificate ? certificates?.get(fault) : undefined,
    queryOf: (notification) => methodOf(notification).query,
    secretNames: new Set([
      'authorization',
      'cookie',
      ...Object.keys(further).map((name) => name.toLowerCase()),
      ...keyHeaders.map(({ parameterName = '' }) => parameterName.toLowerCase()),
    ]),
    headerNames(notification) {
      const { headers, signature } = methodOf(notification);
      const names = [...headers.map(([name]) => name), ...Object.keys(further)];
      if (signature !== undefined) {
        const { scheme, covered } = signature;
        const covers = keyHeaders
          .map(({ parameterName = '' }) => parameterName)
          .filter((name) => covered.includes(name.toLowerCase()));
        const idHeader = 'idHeader' in scheme.key ? scheme.key.idHeader : undefined;
        names.push(scheme.header, scheme.timestamp?.header ?? '', ...covers);
        if (idHeader !== undefined) names.push(idHeader);
      }
      return new Set(names.map((name) => name.toLowerCase()));
    },
    faultsOf(notification) {
      const { signature, bodySignatures: inBody, hasCertificate } = methodOf(notification);
      const ofCertificate = hasCertificate ? (certificates?.faults ?? []) : [];
      if (signature === undefined && inBody.length === 0) return ofCertificate;
      const hasOldKey =
        (signature !== undefined && previousKey !== undefined) ||
        inBody.some((bodySignature) => bodySignature.hasOldKey);
      return [
        ...ofCertificate,
        'wrong-signature',
        ...(signature?.scheme.timestamp === undefined
          ? []
          : (['stale-timestamp', 'future-timestamp'] as const)),
        ...(hasOldKey ? (['old-key'] as const) : []),
      ];
    },
    signBody: (notification, body, fault) =>
      methodOf(notification).bodySignatures.reduce(
        (signed, { signer }) => signer(fault)(signed),
        body,
      ),
    authenticate(notification, request, fault) {
      const { headers, signature } = methodOf(notification);
      const added = new Map<string, Header>();
      for (const header of [...headers, ...Object.entries(further)])
        added.set(header[0].toLowerCase(), header);
      if (signature === undefined) return [...added.values()];
      const present = new Map(
        [...request.headers, ...added.values()].map(([name, value]) => [name.toLowerCase(), value]),
      );
      const ownId = 'idHeader' in signature.scheme.key ? signature.scheme.key.idHeader : undefined;
      for (const name of signature.covered) {
        // The signer adds the id of its key.
        if (name === ownId?.toLowerCase()) continue;
        if ((present.get(name) ?? '') !== '') continue;
        const scheme = keyHeaders.find(
          ({ parameterName }) => parameterName?.toLowerCase() === name,
        );
        const { header } =
          scheme === undefined ? {} : carryCredential(scheme, credentialOf(scheme, credentials));
        if (header === undefined)
          throw new SimulatorError(
            'not-signable',
            `The signature ${signature.id} covers the header ${name}. Set it in \`authentication.headers\`.`,
          );
        added.set(name, header);
        present.set(name, header[1]);
      }
      const finish = (signed: Readonly<Record<string, string>>): readonly Header[] => [
        ...added.values(),
        ...Object.entries(signed),
      ];
      const { method, url, body } = request;
      const signedUrl = `${url.origin}${url.pathname}${url.search}`;
      try {
        const signed = signature.signer(fault).sign({
          method,
          url: mapping?.map(signedUrl) ?? signedUrl,
          headers: (name) => {
            const value = present.get(name);
            return value === undefined ? [] : [value];
          },
          body,
        });
        return signed instanceof Promise ? signed.then(finish) : finish(signed);
      } catch (error) {
        throw toNotSignable(error);
      }
    },
  };
}

/** Returns how `publicUrl` changes the signed URL; `undefined` if it is not given. */
function readPublicUrl(context: SimulatorContext): UrlMapping | undefined {
  const { description, options } = context;
  const { publicUrl, signature: chosen } = options.authentication ?? {};
  if (publicUrl === undefined) return undefined;
  const named = new Set(description.notifications.flatMap(({ security }) => security.flat()));
  const signed = description.schemes.flatMap(({ id, signature }) =>
    signature !== undefined && (chosen === undefined ? named.has(id) : chosen === id)
      ? [toSignatureScheme(signature, (value) => context.settle(value))]
      : [],
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

/** Returns the schemes that authenticate a notification: the chosen signature, or the first usable alternative. */
function chooseSchemes(
  context: SimulatorContext,
  { kind, security }: NotificationData,
): readonly SchemeData[] {
  const {
    description: { schemes },
    options,
  } = context;
  const {
    signature: chosen,
    headers = {},
    pathSecret,
    clientCertificate,
  } = options.authentication ?? {};
  const headerNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isUsable = (scheme: SchemeData): boolean =>
    scheme.in === 'path'
      ? pathSecret !== undefined
      : isCertificate(scheme)
        ? clientCertificate !== false
        : isSupported(scheme, context) || headerNames.has(headerOf(scheme) ?? '');
  const alternatives = security.map((ids) =>
    ids.flatMap((id) => schemes.find((scheme) => scheme.id === id) ?? []),
  );
  if (typeof chosen === 'string') {
    const scheme = findSignature(schemes, chosen);
    const alternative = alternatives.find((all) => all.includes(scheme)) ?? [];
    return [
      scheme,
      ...alternative.filter((candidate) => candidate !== scheme && isUsable(candidate)),
    ];
  }
  const usable = alternatives.find((all) => all.every(isUsable));
  if (usable !== undefined) return usable;
  if (chosen === false || alternatives.length === 0) return [];
  throw new SimulatorError(
    'not-signable',
    alternatives.flat().some((scheme) => scheme.in === 'path')
      ? `The contract authenticates ${kind} by a secret in the path. Set it in \`authentication.pathSecret\` (\`--path-secret-env\`), or, to send it without, set \`authentication.signature\` to false.`
      : `The contract authenticates ${kind} in a way that the simulator does not support. Set its header in \`authentication.headers\` (\`--header-env\`), or, to send it without, set \`authentication.signature\` to false.`,
  );
}

function findSignature(schemes: readonly SchemeData[], chosen: string): SchemeData {
  const signatures = schemes.filter(
    ({ signature, bodySignature }) => (signature ?? bodySignature) !== undefined,
  );
  const scheme = signatures.find(({ id }) => id === chosen);
  if (scheme !== undefined) return scheme;
  const names = signatures.map(({ id }) => id).join(', ');
  throw new SimulatorError(
    'unknown-name',
    `The contract has no signature "${chosen}". ${names === '' ? 'It has none.' : `The signatures are ${names}.`}`,
  );
}

/** Returns the header that a scheme uses, in lower case. */
function headerOf({ type, in: place, parameterName }: SchemeData): string | undefined {
  if (type === 'apiKey' && place === 'cookie') return 'cookie';
  if (type === 'apiKey') return place === 'header' ? parameterName?.toLowerCase() : undefined;
  return type === 'mutualTLS' || type === 'other' ? undefined : 'authorization';
}

/** Returns whether a client certificate authenticates what has a scheme. */
function isCertificate({ type, signature }: SchemeData): boolean {
  return type === 'mutualTLS' && signature === undefined;
}

/** Returns whether the simulator has what a scheme requires. */
function isSupported(
  {
    type,
    in: place,
    signature,
    bodySignature,
    httpScheme = '',
    credential,
    accessToken,
  }: SchemeData,
  { options }: SimulatorContext,
): boolean {
  if ((signature ?? bodySignature) !== undefined) return true;
  if (accessToken !== undefined) return false;
  const isCarried =
    type === 'apiKey'
      ? place !== 'path'
      : type === 'http' && /^(?:basic|bearer)$/u.test(httpScheme);
  // A scheme of notifications alone has no credential of a client.
  const hasKey =
    options.authentication?.key !== undefined && !(type === 'apiKey' && place === 'header');
  return isCarried && (credential !== undefined || hasKey);
}

/**
 * Returns the secret of a scheme: the credential of the options, their key unless that signs, or else the credential that
 * was made. A key in a header is the credential, or one of the headers of the options.
 */
function secretOf(
  { options, credentials }: SimulatorContext,
  scheme: SchemeData,
  isSigned: boolean,
): string | undefined {
  const isHeader = scheme.type === 'apiKey' && scheme.in === 'header';
  const key = isSigned || isHeader ? undefined : options.authentication?.key;
  return (
    credentialOf(scheme, options.credentials ?? {}) ?? key ?? credentialOf(scheme, credentials)
  );
}

function credentialOf(
  { credential }: SchemeData,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return credential !== undefined && Object.hasOwn(credentials, credential)
    ? credentials[credential]
    : undefined;
}

/** Returns where a request carries the secret of a scheme. */
function carryCredential(
  { type, in: place, parameterName, httpScheme, signature, bodySignature }: SchemeData,
  value: string | undefined,
): { readonly header?: Header; readonly query?: Header } {
  if (value === undefined || (signature ?? bodySignature) !== undefined) return {};
  if (type === 'http' && httpScheme === 'bearer')
    return { header: ['authorization', `Bearer ${value}`] };
  if (type === 'http' && httpScheme === 'basic')
    return { header: ['authorization', `Basic ${Buffer.from(value).toString('base64')}`] };
  if (type !== 'apiKey' || parameterName === undefined) return {};
  if (place === 'header') return { header: [parameterName, value] };
  if (place === 'cookie')
    return { header: ['cookie', `${parameterName}=${encodeURIComponent(value)}`] };
  return place === 'query' ? { query: [parameterName, value] } : {};
}

/** Joins the cookies of several schemes to one header. */
function joinCookies(headers: readonly Header[]): readonly Header[] {
  const cookies = headers.filter(([name]) => name === 'cookie').map(([, value]) => value);
  if (cookies.length < 2) return headers;
  return [
    ...headers.filter(([name]) => name !== 'cookie'),
    ['cookie', cookies.join('; ')] as const,
  ];
}
