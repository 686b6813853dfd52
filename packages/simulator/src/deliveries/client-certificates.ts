import type { ClientCertificateOptions } from '../simulator.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { checkIdentity, type TlsIdentity } from '../sending/tls-identity.ts';
import { createTestAuthority, type TestAuthority, type TestSubject } from './test-authority.ts';

/** The faults of a client certificate. */
export type CertificateFault = 'no-certificate' | 'foreign-certificate' | 'expired-certificate';

const day = 86_400_000;
const authorityName = 'Test authority of the simulator';
const defaultSubject: TestSubject = { O: 'Simulator', CN: 'simulator.test' };

/** The certificates that the deliveries of a simulator have. They are made when they are needed. */
export class ClientCertificates {
  readonly #callerIdentity: TlsIdentity | undefined;
  readonly #subject: TestSubject;
  readonly #issued = new Map<CertificateFault | undefined, TlsIdentity>();
  #testAuthority: TestAuthority | undefined;

  /** @throws SimulatorError `invalid-option` for a certificate or key that cannot be read, or that do not belong together */
  constructor(options: ClientCertificateOptions | undefined) {
    this.#callerIdentity =
      options !== undefined && 'cert' in options ? checkIdentity(options) : undefined;
    this.#subject =
      options !== undefined && 'subject' in options
        ? checkSubject(options.subject)
        : defaultSubject;
  }

  /** The certificate of the simulator's authority (PEM); `undefined` if the caller gives a certificate. */
  get authority(): string | undefined {
    return this.#callerIdentity === undefined ? this.#authority().cert : undefined;
  }

  /** The faults that deliveries can have. The certificate of a caller cannot be made to expire. */
  get faults(): readonly CertificateFault[] {
    const faults = ['no-certificate', 'foreign-certificate'] as const;
    return this.#callerIdentity === undefined ? [...faults, 'expired-certificate'] : faults;
  }

  /** Returns the certificate of a delivery, or `undefined` for one without. */
  get(fault?: CertificateFault): TlsIdentity | undefined {
    if (fault === 'no-certificate') return undefined;
    if (fault === undefined && this.#callerIdentity !== undefined) return this.#callerIdentity;
    const issued = this.#issued.get(fault) ?? this.#issue(fault);
    this.#issued.set(fault, issued);
    return issued;
  }

  #issue(fault: CertificateFault | undefined): TlsIdentity {
    const now = Date.now();
    if (fault === 'expired-certificate')
      return this.#authority().issue(this.#subject, {
        notBefore: now - 2 * day,
        notAfter: now - day,
      });
    const validity = { notBefore: now - day, notAfter: now + 30 * day };
    // Everything but the keys is as in the certificate that a receiver trusts.
    const authority =
      fault === undefined ? this.#authority() : createTestAuthority(authorityName, validity);
    return authority.issue(this.#subject, validity);
  }

  #authority(): TestAuthority {
    const now = Date.now();
    this.#testAuthority ??= createTestAuthority(authorityName, {
      notBefore: now - 3 * day,
      notAfter: now + 30 * day,
    });
    return this.#testAuthority;
  }
}

function checkSubject(subject: TestSubject): TestSubject {
  const values = Object.entries(subject);
  const isValid = values.every(
    ([name, value]) =>
      ['C', 'O', 'OU', 'CN'].includes(name) &&
      typeof value === 'string' &&
      value !== '' &&
      Buffer.byteLength(value) <= 200,
  );
  if (values.length === 0 || !isValid)
    throw invalid('must have a subject of the attributes C, O, OU and CN, up to 200 bytes each');
  return subject;
}

function invalid(fault: string): SimulatorError {
  return new SimulatorError('invalid-option', `\`authentication.clientCertificate\` ${fault}.`);
}
