import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry, RecordedResponse } from '../entry.ts';
import type { DeliveryFault } from '../faults.ts';
import { recordBody, recordHeaders } from '../record.ts';
import { addQuery, type Header } from '../secret-places.ts';
import type { Authenticator } from './authenticator.ts';
import { toClientCert, type CertificateFault } from './client-certificates.ts';
import {
  type Connections,
  exchange,
  type ExchangeRequest,
  type ExchangeResponse,
  frameHeaders,
} from './exchange.ts';
import type { Outgoing } from './outgoing.ts';
import type { Payload } from './payload.ts';
import type { SignatureFault } from './prepare-signature.ts';
import type { Receiver } from './receiver.ts';

/** What one attempt found out. */
export type AttemptOutcome = Pick<
  DeliveryEntry,
  'at' | 'request' | 'response' | 'error' | 'durationMs' | 'isAcknowledged'
>;

/** A request with all its headers, ready to be sent. */
export type SignedRequest = Pick<
  ExchangeRequest,
  'url' | 'method' | 'headers' | 'body' | 'certificate'
>;

/** Signs and sends single attempts. */
export class AttemptSender {
  readonly #context: SimulatorContext;
  readonly #authenticator: Authenticator;
  readonly #connections: Connections;

  constructor(context: SimulatorContext, authenticator: Authenticator, connections: Connections) {
    this.#context = context;
    this.#authenticator = authenticator;
    this.#connections = connections;
  }

  /**
   * Returns a request with its headers, signed now.
   * @throws SimulatorError `not-signable`
   */
  async sign(
    { notification, path, headers }: Outgoing,
    { bytes }: Payload,
    receiver: Receiver,
    faults: readonly DeliveryFault[],
  ): Promise<SignedRequest> {
    const url = addQuery(receiver.resolve(path), this.#authenticator.queryOf(notification));
    const { method, contentType = '', headers: fixed } = notification.delivery;
    const headersByName = new Map<string, Header>();
    for (const header of [
      ['content-type', contentType] as const,
      ...Object.entries(fixed),
      ...headers,
    ])
      if (header[1] !== '') headersByName.set(header[0].toLowerCase(), header);
    const fault = faults.find((name): name is SignatureFault => signatureFaults.has(name));
    // A signature in a header can cover the body with the signature that it contains.
    const body = this.#authenticator.signBody(notification, bytes, fault);
    const unsigned = { method, url, headers: [...headersByName.values()], body };
    const signing = this.#authenticator.authenticate(notification, unsigned, fault);
    for (const header of signing instanceof Promise ? await signing : signing)
      headersByName.set(header[0].toLowerCase(), header);
    const certificateFault = faults.find((name): name is CertificateFault =>
      certificateFaults.has(name),
    );
    const certificate = this.#authenticator.certificateOf(notification, certificateFault);
    // Without TLS, the simulator stands for the proxy in front of the receiver, which verifies who has issued it.
    if (
      certificate !== undefined &&
      url.protocol === 'http:' &&
      certificateFault !== 'foreign-certificate'
    )
      headersByName.set('client-cert', ['Client-Cert', toClientCert(certificate)]);
    return {
      ...(certificate === undefined ? {} : { certificate }),
      url,
      method,
      headers: frameHeaders(url, headersByName.values(), body),
      body,
    };
  }

  /** Sends a signed request. */
  async send(
    request: SignedRequest,
    receiver: Receiver,
    faults: readonly DeliveryFault[],
  ): Promise<AttemptOutcome> {
    const { clock, options, redactor } = this.#context;
    const transport = faults.includes('slow-body')
      ? ({ transport: 'slow' } as const)
      : faults.includes('reset-mid-body')
        ? ({ transport: 'reset' } as const)
        : {};
    const at = clock.now();
    const { response, error, durationMs } = await exchange(
      { ...request, ...transport },
      {
        address: await receiver.address(),
        timeoutMs: options.attemptTimeoutMs ?? 10_000,
        connections: this.#connections,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      },
    );
    const { secretNames } = this.#authenticator;
    return {
      at,
      request: {
        method: request.method,
        url: redactor.redact(request.url.href),
        headers: recordHeaders(request.headers, redactor, secretNames),
        body: recordBody(request.body, redactor),
      },
      ...(response === undefined ? {} : { response: this.#record(response) }),
      ...(error === undefined ? {} : { error }),
      durationMs,
      isAcknowledged:
        response !== undefined &&
        response.status >= 200 &&
        response.status < 300 &&
        !faults.includes('lost-acknowledgement'),
    };
  }

  #record({ status, rawHeaders, body }: ExchangeResponse): RecordedResponse {
    const { redactor } = this.#context;
    return {
      status,
      headers: recordHeaders(rawHeaders, redactor, this.#authenticator.secretNames),
      body: recordBody(body, redactor),
    };
  }
}

const certificateFaults: ReadonlySet<DeliveryFault> = new Set<CertificateFault>([
  'no-certificate',
  'foreign-certificate',
  'expired-certificate',
]);

const signatureFaults: ReadonlySet<DeliveryFault> = new Set<SignatureFault>([
  'wrong-signature',
  'stale-timestamp',
  'future-timestamp',
  'old-key',
]);
