/** How much each section of the bench does. */
export interface Amounts {
  /** How often each command runs. */
  readonly runs: number;
  /** The files of OpenAPI documents that are measured instead of the contracts of the tables; usually none. */
  readonly documents: readonly string[];
  /** The number of operations that remain of GitHub's contracts. */
  readonly operations: number;
  /** The number of operations that remain of them while commits are searched. */
  readonly bisected: number;
  /** Pairs of runs of two revisions that are compared. */
  readonly pairs: number;
  /** The number of operations that remain of them for compilers and editors. */
  readonly typedOperations: number;
  /** The numbers of operations of the section `growth`. */
  readonly growth: readonly number[];
  /** The sizes of the section `sizes` are divided by it. */
  readonly divisor: number;
  /** The time for each function that is repeated as often as possible. */
  readonly milliseconds: number;
  /** Calls of a client. */
  readonly calls: number;
  /** Rounds of functions that are measured alternately, and the calls of each in one round. */
  readonly deliveries: { readonly rounds: number; readonly calls: number };
  readonly adapters: { readonly rounds: number; readonly requests: number };
  /** Calls and notifications of the simulator, starts after the first, and entries of its journal. */
  readonly simulator: {
    readonly count: number;
    readonly starts: number;
    readonly entries: number;
  };
  /** Notifications that an inbox acknowledges, and the events that wait in it. */
  readonly inbox: { readonly count: number; readonly backlog: number };
}

/** The amounts for figures. */
export const measured: Amounts = {
  runs: 3,
  documents: [],
  operations: Number.POSITIVE_INFINITY,
  bisected: 60,
  pairs: 15,
  typedOperations: 1000,
  growth: [100, 1000, 10_000],
  divisor: 1,
  milliseconds: 1000,
  calls: 2000,
  deliveries: { rounds: 20, calls: 10_000 },
  adapters: { rounds: 12, requests: 4096 },
  simulator: { count: 20_000, starts: 5, entries: 200_000 },
  inbox: { count: 20_000, backlog: 1_000_000 },
};

/** The amounts that show whether every section works. Their figures mean nothing. */
export const tiny: Amounts = {
  runs: 1,
  documents: [],
  operations: 3,
  bisected: 3,
  pairs: 1,
  typedOperations: 3,
  growth: [1, 2],
  divisor: 1000,
  milliseconds: 1,
  calls: 5,
  deliveries: { rounds: 1, calls: 5 },
  adapters: { rounds: 1, requests: 20 },
  simulator: { count: 40, starts: 1, entries: 20 },
  inbox: { count: 100, backlog: 200 },
};
