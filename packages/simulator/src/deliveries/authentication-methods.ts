import type { SimulatorContext } from '../context.ts';
import type { NotificationData, SchemeData, SignatureData } from '../service-description.ts';
import { carriesKey, type Header, secretPlaceOf } from '../secret-places.ts';
import { SimulatorError } from '../simulator-error.ts';
import {
  type BodySignature,
  prepareBodySignature,
  prepareSignature,
  type Signature,
} from './prepare-signature.ts';

/** How one notification is authenticated. */
export interface AuthenticationMethod {
  readonly headers: readonly Header[];
  readonly query: readonly Header[];
  readonly signature?: Signature;
  /** In the order in which the contract states them. */
  readonly bodySignatures: readonly BodySignature[];
  readonly hasCertificate: boolean;
}

/** Decides how each notification is authenticated, as the contract states it or as the options say. */
export class AuthenticationMethods {
  readonly #context: SimulatorContext;
  readonly #methods = new Map<string, AuthenticationMethod>();
  readonly #signatures = new Map<string, Signature>();
  readonly #bodySignatures = new Map<string, BodySignature>();

  constructor(context: SimulatorContext) {
    this.#context = context;
  }

  /**
   * Returns how a notification is authenticated.
   * @throws SimulatorError `not-signable`
   */
  of(notification: NotificationData): AuthenticationMethod {
    const method = this.#methods.get(notification.kind) ?? this.#choose(notification);
    this.#methods.set(notification.kind, method);
    return method;
  }

  #choose(notification: NotificationData): AuthenticationMethod {
    const context = this.#context;
    const isSigning = context.options.authentication?.signature !== false;
    const schemes = chooseSchemes(context, notification);
    const signed = isSigning ? schemes.find(({ signature }) => signature !== undefined) : undefined;
    const carried = schemes.map((scheme) =>
      carryCredential(scheme, secretOf(context, scheme, signed !== undefined)),
    );
    return {
      bodySignatures: isSigning ? schemes.flatMap((scheme) => this.#bodySignatureOf(scheme)) : [],
      hasCertificate: schemes.some(isCertificate),
      headers: joinCookies(carried.flatMap(({ header }) => (header === undefined ? [] : [header]))),
      query: carried.flatMap(({ query }) => (query === undefined ? [] : [query])),
      ...(signed?.signature === undefined
        ? {}
        : { signature: this.#signatureOf(signed, signed.signature) }),
    };
  }

  #signatureOf(scheme: SchemeData, data: SignatureData): Signature {
    const signature =
      this.#signatures.get(scheme.id) ?? prepareSignature(this.#context, scheme, data);
    this.#signatures.set(scheme.id, signature);
    return signature;
  }

  #bodySignatureOf(scheme: SchemeData): readonly BodySignature[] {
    if (scheme.bodySignature === undefined) return [];
    const signature =
      this.#bodySignatures.get(scheme.id) ??
      prepareBodySignature(this.#context, scheme, scheme.bodySignature);
    this.#bodySignatures.set(scheme.id, signature);
    return [signature];
  }
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
  const headersOfOptions = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isUsable = (scheme: SchemeData): boolean =>
    scheme.in === 'path'
      ? pathSecret !== undefined
      : isCertificate(scheme)
        ? clientCertificate !== false
        : isSupported(scheme, context) || headersOfOptions.has(headerOf(scheme) ?? '');
  const alternatives = security.map((ids) =>
    ids.flatMap((id) => schemes.find((scheme) => scheme.id === id) ?? []),
  );
  if (typeof chosen === 'string') {
    const scheme = findSignature(schemes, chosen);
    const alternative = alternatives.find((all) => all.includes(scheme)) ?? [];
    return [scheme, ...alternative.filter((further) => further !== scheme && isUsable(further))];
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

/**
 * Returns the scheme of a signature by its name.
 * @throws SimulatorError `unknown-name`
 */
export function findSignature(schemes: readonly SchemeData[], chosen: string): SchemeData {
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
export function isCertificate({ type, signature }: SchemeData): boolean {
  return type === 'mutualTLS' && signature === undefined;
}

/** Returns whether the simulator has what a scheme requires. */
function isSupported(scheme: SchemeData, { options }: SimulatorContext): boolean {
  const { signature, bodySignature, credential, accessToken } = scheme;
  if ((signature ?? bodySignature) !== undefined) return true;
  if (accessToken !== undefined || secretPlaceOf(scheme) === undefined) return false;
  // A scheme of notifications alone has no credential of a client.
  const hasKey = options.authentication?.key !== undefined && carriesKey(scheme);
  return credential !== undefined || hasKey;
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
  const isHeader = secretPlaceOf(scheme)?.isHeader === true;
  const key = isSigned || isHeader ? undefined : options.authentication?.key;
  return (
    credentialOf(scheme, options.credentials ?? {}) ?? key ?? credentialOf(scheme, credentials)
  );
}

/** Returns the credential of a scheme among credentials by name. */
export function credentialOf(
  { credential }: SchemeData,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return credential !== undefined && Object.hasOwn(credentials, credential)
    ? credentials[credential]
    : undefined;
}

/** Returns the header or the parameter of the query with the secret of a scheme. */
export function carryCredential(
  scheme: SchemeData,
  value: string | undefined,
): { readonly header?: Header; readonly query?: Header } {
  const { type, parameterName } = scheme;
  if (value === undefined || (type === 'apiKey' && parameterName === undefined)) return {};
  return secretPlaceOf(scheme)?.carry(parameterName ?? '', value) ?? {};
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
