import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry, RecordedResponse } from '../entry.ts';
import type { DeliveryFault } from '../faults.ts';
import { recordBody, recordHeaders } from '../record.ts';
import { composeRequest } from '../sending/compose-request.ts';
import type { Authenticator } from './authenticator.ts';
import type { CertificateFault } from './client-certificates.ts';
import { type Connections, exchange, type ExchangeResponse } from '../sending/exchange.ts';
import type { Outgoing } from './outgoing.ts';
import type { Payload } from './payload.ts';
import type { SignatureFault } from './prepare-signature.ts';
import type { Receiver } from '../sending/receiver.ts';
import { type SignedRequest, signRequest } from '../sending/sign-request.ts';
import { defaultAttemptTimeoutMs } from '../sending/send-options.ts';

/** What one attempt found out. */
export type AttemptOutcome = Pick<
  DeliveryEntry,
  'at' | 'request' | 'response' | 'error' | 'durationMs' | 'isAcknowledged'
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
    const fault = faults.find((name): name is SignatureFault => signatureFaults.has(name));
    const certificateFault = faults.find((name): name is CertificateFault =>
      certificateFaults.has(name),
    );
    return await signRequest(
      composeRequest(notification, receiver.resolve(path), headers, bytes),
      this.#authenticator.proofsOf(notification, fault, certificateFault),
    );
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
        timeoutMs: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
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
