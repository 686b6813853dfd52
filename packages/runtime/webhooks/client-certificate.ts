import type { AdapterName, Authentication, Verdict } from './authentication.ts';
import type { CertificateSource } from './certificate-source.ts';
import type { AltName, CertificateFailure, ClientCertificate } from './certificate.ts';
import {
  checkAltName,
  checkAttributes,
  checkFingerprint,
  type CheckRule,
} from './certificate-rules.ts';
import { hasAttributes, type Attributes } from './distinguished-name.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { DeliveredRequest } from './request.ts';
import { createSecretTest } from './secret-test.ts';
import { invalid, missing } from './webhook-error.ts';

export {
  apiGateway,
  cloudflareTls,
  tlsSocket,
  type CertificateSource,
} from './certificate-source.ts';
export type { AltName, CertificateFailure, ClientCertificate } from './certificate.ts';
export type { AttributeName, Attributes, DistinguishedName } from './distinguished-name.ts';
export { proxyHeader, type CertificateFormat, type ProxyHeaderOptions } from './proxy-header.ts';

/**
 * One value, or a list of which one must match. A list is read for each delivery, so that it can change while the
 * receiver runs; a function is called for each delivery.
 */
export type Listed<T> = T | readonly T[] | (() => MaybePromise<readonly T[]>);

/** What a certificate must have. At least one of `subject`, `subjectAltName`, `issuer` and `fingerprint` is required. */
export interface ClientCertificateRules {
  /** Attributes of the subject, such as `{ O: 'Bank', CN: 'callbacks.bank.example' }`. */
  readonly subject?: Listed<Attributes>;
  /** One of the other names of the subject. */
  readonly subjectAltName?: Listed<AltName>;
  /**
   * Attributes of the issuer. By itself, it accepts every certificate of this issuer: only for one that issues certificates
   * to the sender alone.
   */
  readonly issuer?: Listed<Attributes>;
  /** SHA-256 digests of certificates in hexadecimal digits, in any case, with or without colons. */
  readonly fingerprint?: Listed<string>;
}

/** The options of `clientCertificate`. A certificate must satisfy each of the rules. */
export interface ClientCertificateOptions extends ClientCertificateRules {
  /** Where the certificate comes from: `tlsSocket()`, `apiGateway()`, `cloudflareTls()` or `proxyHeader(…)`. */
  readonly from: CertificateSource;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Creates an authentication by the certificate of the client (mutual TLS). Who accepts the connection verifies that its
 * issuer is trusted and that the client has its key; this verifies whose certificate it is. A certificate that has
 * expired or is not yet valid is refused, even if the connection was accepted before.
 * @throws WebhookError `invalid-option` without a rule, for a rule that is `undefined`, that nothing can satisfy or that the
 * source cannot verify, and when an adapter is created that does not provide what the source reads
 */
export function clientCertificate(options: ClientCertificateOptions): Authentication {
  const { from, clock = () => Date.now() } = options;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (typeof from?.read !== 'function')
    throw invalid(
      '`from` must be `tlsSocket()`, `apiGateway()`, `cloudflareTls()` or `proxyHeader(…)`',
    );
  if (typeof clock !== 'function') throw invalid('`clock` must be a function');
  if (options.subjectAltName !== undefined && !from.hasAltNames)
    throw invalid(`\`${from.name}\` provides no \`subjectAltName\``);
  const rules = toRules(options);
  if (rules.length === 0)
    throw invalid(
      'a client certificate needs a rule, or every certificate that the connection accepts would do: `subject`, `subjectAltName`, `issuer` or `fingerprint`',
    );
  const authenticate = async (request: DeliveredRequest): Promise<Verdict<CertificateFailure>> => {
    let certificate: ClientCertificate | CertificateFailure;
    try {
      certificate = from.read(request);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      certificate = 'malformed-certificate';
    }
    if (typeof certificate === 'string') return { ok: false, reason: certificate };
    return await verify(certificate, rules, clock());
  };
  return Object.assign(authenticate, {
    admit: (adapter: AdapterName | undefined) => {
      if (adapter !== undefined && from.adapters?.includes(adapter) === false)
        throw invalid(
          `the adapter \`${adapter}\` does not provide what \`${from.name}\` reads; let a proxy in front of it add the certificate, and use \`proxyHeader(…)\` with \`proxies: 'only-proxies-can-connect'\``,
        );
    },
  });
}

/** A rule of the options. */
interface Rule {
  /** The reason where it is not satisfied. */
  readonly reason: CertificateFailure;
  readonly isSatisfied: (certificate: ClientCertificate) => MaybePromise<boolean>;
}

async function verify(
  certificate: ClientCertificate,
  rules: readonly Rule[],
  now: number,
): Promise<Verdict<CertificateFailure>> {
  const { notBefore, notAfter } = certificate;
  // Times that are not numbers are refused.
  if (!(now >= notBefore)) return { ok: false, reason: 'certificate-not-yet-valid' };
  if (!(now <= notAfter)) return { ok: false, reason: 'expired-certificate' };
  for (const { reason, isSatisfied } of rules)
    if (!(await isSatisfied(certificate))) return { ok: false, reason };
  return { ok: true };
}

function toRules(options: ClientCertificateRules): readonly Rule[] {
  const { subject, subjectAltName, issuer, fingerprint } = options;
  const rules: Rule[] = [];
  const add = <T>(
    name: keyof ClientCertificateRules,
    listed: Listed<T> | undefined,
    check: CheckRule,
    matches: (certificate: ClientCertificate, values: readonly T[]) => MaybePromise<boolean>,
  ): void => {
    if (listed === undefined) {
      // A rule that is lost, such as one of a variable that is not set, would let more certificates in.
      if (Object.hasOwn(options, name)) throw missing(`\`${name}\``);
      return;
    }
    const read = createList(name, listed, check);
    rules.push({
      reason: `other-${name}`,
      isSatisfied: async (certificate) => await matches(certificate, await read()),
    });
  };
  add('subject', subject, checkAttributes, (certificate, values) =>
    values.some((attributes) => hasAttributes(certificate.subject, attributes)),
  );
  add('subjectAltName', subjectAltName, checkAltName, ({ altNames = [] }, values) =>
    values.some((value) => altNames.some((name) => isSameName(name, value))),
  );
  add('issuer', issuer, checkAttributes, (certificate, values) =>
    values.some((attributes) => hasAttributes(certificate.issuer, attributes)),
  );
  add('fingerprint', fingerprint, checkFingerprint, async (certificate, values) =>
    createSecretTest(values.map(toDigits))([await certificate.fingerprint()]),
  );
  return rules;
}

/**
 * Creates a function that returns the current list.
 * @throws WebhookError `invalid-option` for an empty list, or a value that no certificate can have; for the result of a
 * function, and a list that has changed, the function that is returned throws it
 */
function createList<T>(
  name: string,
  listed: Listed<T>,
  check: CheckRule,
): () => Promise<readonly T[]> {
  const checked = (values: readonly T[]): readonly T[] => {
    if (!Array.isArray(values)) throw invalid(`the function \`${name}\` must return a list`);
    // A list that could not be read is more likely than one that lets nobody in: the sender is to try again.
    if (values.length === 0) throw invalid(`\`${name}\` is an empty list`);
    for (const value of values) check(name, value);
    return values;
  };
  if (typeof listed === 'function') {
    const read = listed as () => MaybePromise<readonly T[]>;
    return async () => checked(await read());
  }
  const list = Array.isArray(listed) ? (listed as readonly T[]) : [listed as T];
  checked(list);
  return async () => checked(list);
}

function toDigits(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

function isSameName(first: AltName, second: AltName): boolean {
  const [[kind, name] = []] = Object.entries(first);
  const [[wantedKind, wanted] = []] = Object.entries(second);
  if (kind !== wantedKind || typeof name !== 'string' || typeof wanted !== 'string') return false;
  return kind === 'dns' ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
}
