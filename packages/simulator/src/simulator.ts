import type { Clock } from './clock.ts';
import type { TestSubject } from './deliveries/test-authority.ts';
import type { SendAuthentication, SendOptions } from './sending/send-options.ts';
import type { TlsIdentity } from './sending/tls-identity.ts';
import type { CallEntry, DeliveryEntry } from './entry.ts';
import type { FaultName, Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Json } from 'countersign/kit';
import type { Service } from './service.ts';
import type { RunOptions, WorkflowRun } from './workflow-run.ts';

/** The options of a simulator. */
export interface SimulatorOptions extends Omit<SendOptions, 'authentication'> {
  /** The seed of all generated values and faults. Default: 1. */
  readonly seed?: number;
  /** The TCP port of the service; 0, the default, chooses a free one. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. Others require `allowRemote`. */
  readonly host?: string;
  /** The base address of the receiver, which notifications are sent to. Can be set later. */
  readonly to?: string | URL;
  /** Whether the path of a notification's label is appended to that of `to`. Default: true. */
  readonly appendLabel?: boolean;
  /** Credentials by name, instead of generated ones. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** How notifications are authenticated. Default: as the contract states it, or else not at all. */
  readonly authentication?: DeliveryAuthentication;
  /** Faults of deliveries and calls. Default: none. */
  readonly faults?: Faults;
  /** How often and when a delivery that was not acknowledged is sent again. */
  readonly retry?: RetryOptions;
  /** Where entries are kept. Default: the newest 10,000, in memory. */
  readonly journal?: Journal;
  /** Whether time passes only by `clock.advance`. Default: false. */
  readonly manualClock?: boolean;
  /** Whether signatures use the simulator's clock instead of real time. Default: false. */
  readonly sharedClock?: boolean;
}

/** How deliveries are authenticated. */
export interface DeliveryAuthentication extends Omit<SendAuthentication, 'clientCertificate'> {
  /** The key of the signature, instead of a generated one; for a key pair, the private key in PEM or as JWK. */
  readonly key?: string;
  /** The previous key, for the fault `old-key`. */
  readonly previousKey?: string;
  /**
   * The client certificate of deliveries where the contract states mutual TLS: a certificate and its key in PEM, or the
   * subject of one that the simulator's test authority issues; `false`: none. A receiver without TLS gets it in the header
   * `Client-Cert`, as behind a proxy. Default: one that the test authority issues for `O=Simulator, CN=simulator.test`.
   */
  readonly clientCertificate?: ClientCertificateOptions | false;
}

/** A client certificate of the caller, or the subject of one of the test authority. */
export type ClientCertificateOptions = TlsIdentity | { readonly subject: TestSubject };

/** How often and when a delivery is sent again. By default, after about 5 s, 30 s, 3 min, 18 min and 1 h. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first; 1 turns retries off. Default: 6. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt. Default: 5,000. */
  readonly firstDelayMs?: number;
  /** The factor between a delay and the next one. Default: 6. */
  readonly factor?: number;
  /** Maximum milliseconds of any delay. Default: 3,600,000 (one hour). */
  readonly maxDelayMs?: number;
  /** The part of a delay that is random, from 0 to 1: a delay is shorter by up to this part. Default: 0.1. */
  readonly jitter?: number;
}

/** What `trigger` sends. */
export interface TriggerOptions {
  /** The example of the contract. Default: the first, or a payload that is made from the schema. */
  readonly example?: string;
  /** Sends a payload that is made from the schema, even if there are examples. Default: false. */
  readonly sample?: boolean;
  /**
   * Members that replace those of the example, at any depth. Numbers that `JSON.rawJSON` created keep all digits, here
   * and in `payload`.
   */
  readonly data?: Json;
  /** The whole payload. */
  readonly payload?: Json;
  /** The exact bytes, which need not be JSON. */
  readonly rawBody?: string | Uint8Array;
  /** Values of parameters of the label's path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a payload that is not valid. Default: false. */
  readonly allowInvalid?: boolean;
  /** Faults of this delivery. */
  readonly faults?: readonly FaultName[];
  /** The id of the workflow run that sends it. */
  readonly run?: string;
}

/** A delivery with all its attempts so far. */
export interface Delivery {
  readonly id: string;
  readonly kind: string;
  readonly attempts: readonly DeliveryEntry[];
  /** `pending` while attempts may follow. */
  readonly state: 'pending' | 'acknowledged' | 'failed';
  /** Why an attempt could not be sent, if that ended the delivery: the simulator cannot authenticate it, for example. */
  readonly unsent?: string;
}

/** What `plan` makes deliveries of. */
export interface PlanOptions {
  /** The number of deliveries, without the repetitions that faults and retries cause. */
  readonly count: number;
  /** The kinds to send. Default: all. */
  readonly kinds?: readonly string[];
  /** The shares of faults. Default: those of the simulator. */
  readonly faults?: Faults;
  /** The mean interval between deliveries, in milliseconds of the simulator's clock. Default: 0. */
  readonly intervalMs?: number;
}

/** A delivery that the seed decides completely: nothing in it depends on time, ports or signatures. */
export interface PlannedDelivery {
  readonly id: string;
  readonly kind: string;
  /** The example that the payload was made from. */
  readonly example?: string;
  /** Whether the body is valid in one of the kind's wire formats. */
  readonly isValid: boolean;
  /** The path and query below the receiver's base address. */
  readonly path: string;
  readonly body: string;
  /** The body of the later attempts, where a fault made that of the first invalid. */
  readonly correctedBody?: string;
  readonly faults: readonly FaultName[];
  /**
   * Present where an earlier delivery of the plan is the same event by `x-dedupe-by`: the contract accepts no other
   * value there. A receiver handles it once.
   */
  readonly isDuplicate?: true;
  /** Milliseconds of the simulator's clock after the begin of the plan. */
  readonly offsetMs: number;
}

/** A call as a handler of `respond` gets it, after all checks have passed. */
export interface CheckedCall {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly parameters: {
    readonly path: Readonly<Record<string, Json>>;
    readonly query: Readonly<Record<string, Json>>;
    readonly header: Readonly<Record<string, Json>>;
    readonly cookie: Readonly<Record<string, Json>>;
  };
  readonly body: Json | undefined;
}

/** A response of the simulator. Members that are left out come from the contract. */
export interface CallAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** A service that a contract describes, in this process. */
export interface Simulator {
  readonly description: Service;
  /** The base URL of the service, which answers the calls of all operations. */
  readonly url: string;
  /**
   * The option `baseUrls` of a client: `url` for each server that operations have of their own, and the addresses of
   * token endpoints.
   */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** The credentials that the service accepts, by name. */
  readonly credentials: Readonly<Record<string, string>>;
  /**
   * The client certificate of deliveries (PEM), and that of the test authority that issued it; `undefined` if the contract
   * states no mutual TLS for notifications. A receiver with TLS has to trust the authority.
   */
  readonly clientCertificate:
    | { readonly cert: string; readonly authority: string | undefined }
    | undefined;
  /**
   * The public keys of the service's signatures with a key pair, by the id of the security scheme: a JWK as JSON text.
   */
  readonly publicKeys: Readonly<Record<string, string>>;
  /** The address of these keys (JWKS), if the contract states that the service has one. */
  readonly jwksUrl?: string;
  /** Replaces credentials and issued tokens in a text by `[redacted]`. */
  readonly redact: (text: string) => string;
  /** The choice that holds for each open question that has one. */
  readonly answers: Readonly<Record<string, string>>;
  readonly journal: Journal;
  readonly clock: Clock;
  /** The newest calls that the journal keeps, at most 10,000. */
  readonly calls: readonly CallEntry[];
  /** The deliveries of the newest 10,000 attempts that the journal keeps, and those that are pending. */
  readonly deliveries: readonly Delivery[];
  /** The receiver's base address. */
  to: string | undefined;
  faults: Faults;
  /**
   * Sends a notification. Resolves after the first attempt; later ones follow the schedule. Resolves at once where a
   * fault postpones the first attempt. The delivery that it returns changes with each attempt.
   */
  trigger(kind: string, options?: TriggerOptions): Promise<Delivery>;
  /** Sends the request of an attempt again, signed anew, as a delivery of its own. */
  sendAgain(entry: DeliveryEntry): Promise<Delivery>;
  /** Plans deliveries. The same seed, contract and options give the same plan, byte for byte. */
  plan(options: PlanOptions): readonly PlannedDelivery[];
  /** Sends planned deliveries. Resolves when each is acknowledged or has failed. */
  play(plan: readonly PlannedDelivery[]): Promise<readonly Delivery[]>;
  /** Decides the responses of an operation, after all checks. Returns a function that ends it. */
  respond(
    operation: string,
    answer: CallAnswer | ((call: CheckedCall) => CallAnswer | Promise<CallAnswer>),
  ): () => void;
  /** Ends all access tokens that were issued. */
  revokeTokens(): void;
  /** Starts a run of a workflow. */
  start(workflow: string, options?: RunOptions): WorkflowRun;
  readonly runs: readonly WorkflowRun[];
  /** Resolves when no delivery is pending and no attempt is scheduled. */
  settled(): Promise<void>;
  /** Stops listening and sending. */
  close(): Promise<void>;
}
