/** How a delivery violates the contract. It contains no value of the delivery. */
export interface EventRejection {
  readonly reason: string;
  readonly kinds: readonly string[];
  readonly violations: readonly {
    readonly pointer: string | undefined;
    readonly keyword: string;
    readonly message: string;
  }[];
  /** The number of further violations. */
  readonly omitted: number;
}

/** The event of the same key that another event waits for. */
export interface EventBlocker {
  readonly id: string;
  readonly kind: string | undefined;
  readonly state: string;
  /** The end of its lease, or the time of its next attempt. */
  readonly until: number | undefined;
}

/** An event of an inbox, as operators see it. */
export interface OperatedEvent {
  readonly id: string;
  readonly kind: string | undefined;
  readonly orderKey: string | undefined;
  readonly identity: string | undefined;
  readonly verdict: string | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly state: string;
  readonly attempts: number;
  readonly interruptions: number;
  readonly retryAt: number | undefined;
  readonly error: string | undefined;
  readonly rejection: EventRejection | undefined;
  readonly failedAt: number | undefined;
  readonly leaseUntil: number | undefined;
  readonly waitsFor: EventBlocker | undefined;
  readonly finishedAt: number | undefined;
}

/** An event with the delivery that contains it. */
export interface RevealedEvent extends OperatedEvent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The number and the age of the events. */
export interface OperatedStats {
  readonly byState: Readonly<Record<string, number>>;
  readonly depth: number;
  readonly failed: number;
  readonly oldestAgeMs: number | undefined;
  readonly duplicates: number;
}

/** What an operator did. */
export interface OperationRecord {
  readonly at: number;
  readonly by: string;
  readonly action: string;
  readonly eventId: string | undefined;
  readonly detail: string | undefined;
}

/** Selects events. Every condition has to hold. */
export interface EventSelection {
  readonly ids?: readonly string[];
  readonly state?: string;
  readonly kind?: string;
  readonly orderKey?: string;
  readonly receivedAfter?: number;
  readonly receivedBefore?: number;
  readonly failedAfter?: number;
}

/** What the console calls: a store of `@countersign/runtime/inbox` has these methods. */
export interface OperatedInbox {
  stats(): Promise<OperatedStats>;
  list(
    filter?: EventSelection,
    page?: { pageSize?: number; after?: string; first?: 'newest' | 'oldest' },
  ): Promise<{ readonly events: readonly OperatedEvent[]; readonly next: string | undefined }>;
  get(id: string): Promise<OperatedEvent | undefined>;
  reveal(id: string, by: string): Promise<RevealedEvent | undefined>;
  retry(filter: EventSelection, by: string): Promise<number>;
  replay(filter: EventSelection, by: string): Promise<number>;
  discard(filter: EventSelection, by: string): Promise<number>;
  audit(pageSize: number): Promise<readonly OperationRecord[]>;
}
