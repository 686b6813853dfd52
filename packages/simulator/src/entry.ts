import type { Violation } from './service.ts';

/** Everything that a simulator records, in the order in which it happened. Entries are plain JSON and never change. */
export type Entry = CallEntry | DeliveryEntry | StepEntry;

/** An entry before the journal numbers it. */
export type NewEntry = Unnumbered<CallEntry> | Unnumbered<DeliveryEntry> | Unnumbered<StepEntry>;

type Unnumbered<E> = E extends Entry ? Omit<E, 'id'> : never;

interface EntryFrame {
  /** Counts from 1; unique in a journal. */
  readonly id: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The id of the workflow run that it belongs to. */
  readonly run?: string;
}

/** A body as it was sent. Credentials and tokens in it are replaced by `[redacted]`. */
export interface RecordedBody {
  /** `base64` where the bytes are not UTF-8. */
  readonly encoding: 'utf-8' | 'base64';
  /** At most 256 KiB of the body. */
  readonly text: string;
  /** The number of bytes of the whole body. */
  readonly size: number;
}

/** A request as it was sent, in order and with every repeated header. Credentials and tokens are replaced. */
export interface RecordedRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: RecordedBody;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: RecordedBody;
}

/** A call that the simulator received. */
export interface CallEntry extends EntryFrame {
  readonly type: 'call';
  /** The name of the operation; absent where no operation has the path. */
  readonly operation?: string;
  readonly request: RecordedRequest;
  /** Absent where the connection ended before a response. */
  readonly response?: RecordedResponse;
  /** Milliseconds from the last byte of the request to the last byte of the response. */
  readonly durationMs: number;
  /** The faults of this call. */
  readonly faults: readonly string[];
  /** The checks in their order. The first that failed is why the call was refused; later ones may not have run. */
  readonly steps: readonly CheckStep[];
}

/** One check of a call. */
export interface CheckStep {
  readonly name:
    | 'route'
    | 'method'
    | 'api-key'
    | 'http-authentication'
    | 'token'
    | 'timestamp'
    | 'signature'
    | 'request-id'
    | 'media-type'
    | 'parameters'
    | 'body';
  readonly outcome: 'passed' | 'failed' | 'warned';
  /** What failed, as a code of `docs/guides/simulator-codes.md`. */
  readonly code?: string;
  /** What was checked, or what is wrong. Contains no credential. */
  readonly message: string;
  /** What to change. */
  readonly fix?: string;
  readonly violations?: readonly Violation[];
  readonly signature?: SignatureReport;
}

/** How a signature was verified. */
export interface SignatureReport {
  /** The signed parts in their order, with credentials replaced. */
  readonly parts: readonly { readonly expression: string; readonly text: string }[];
  /** The signature in the request. */
  readonly received: string;
  /** The index of the first character that differs from the expected signature. */
  readonly differsAt?: number;
  /** The known deviations, each of which alone explains the signature; empty where none does. */
  readonly deviations: readonly Deviation[];
}

/** A single deviation from the contract that explains a signature. */
export interface Deviation {
  readonly code: string;
  /** Such as "matches if the path is signed with its query". */
  readonly message: string;
  readonly fix: string;
  /** The answer to an open question that would accept it. */
  readonly answer?: { readonly id: string; readonly choice: string };
}

/** One attempt to deliver a notification. */
export interface DeliveryEntry extends EntryFrame {
  readonly type: 'delivery';
  /** The id of the delivery, which all its attempts have in common. */
  readonly delivery: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly kind: string;
  /** The example that the payload was made from. */
  readonly example?: string;
  /** The names of the faults of this attempt. */
  readonly faults: readonly string[];
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  /** Why there was no response: `reset`, `connection refused`, `timeout`, or the code of another error. */
  readonly error?: string;
  readonly durationMs: number;
  /** Whether the receiver acknowledged it (2xx), and the acknowledgement was not lost by a fault. */
  readonly isAcknowledged: boolean;
  /**
   * Present where the status of an acknowledgement is not one that the contract states: those that it states, such as `202`
   * or `2XX`. A sender can take it for a failure.
   */
  readonly expectedStatuses?: readonly string[];
  /** Present where the simulator has sent the same event before, by `x-dedupe-by`: a receiver handles it once. */
  readonly isRepeated?: true;
  /** When the next attempt follows, in milliseconds of the simulator's clock after this one; absent for the last. */
  readonly nextAttemptInMs?: number;
  /** What the payload violates, where it was sent although it is not valid. */
  readonly violations: readonly Violation[];
}

/** Progress of a workflow run. */
export interface StepEntry extends EntryFrame {
  readonly type: 'step';
  readonly run: string;
  readonly workflow: string;
  /** Absent for the begin and the end of the run. */
  readonly step?: string;
  readonly state: 'started' | 'waiting' | 'passed' | 'failed' | 'retried' | 'skipped';
  readonly message: string;
}
