import { createFailureWarnings } from '../../base/index.ts';
import { addUpCounts } from './add-up-counts.ts';
import type { OperationRunner } from './operation-runner.ts';
import type { PostgresSettings } from './options.ts';

/** The number of transactions after which the counts are added up. */
const transactionsPerSum = 100;

/** Adds up the counts from time to time. */
export class CountSums {
  readonly #runner: OperationRunner;
  readonly #settings: PostgresSettings;
  readonly #warn = createFailureWarnings();
  #transactions = 0;

  constructor(runner: OperationRunner, settings: PostgresSettings) {
    this.#runner = runner;
    this.#settings = settings;
  }

  /** Counts a transaction. No caller waits for a sum that is due, and a failed one is repeated later. */
  countTransaction(): void {
    this.#transactions += 1;
    if (this.#transactions % transactionsPerSum !== 0) return;
    this.#runner
      .inTransaction('volatile', (query) => addUpCounts(query, this.#settings))
      .catch((error: unknown) =>
        this.#warn({
          code: 'COUNTERSIGN_STORE_FAILED',
          message: 'The inbox did not add up its counts',
          help: `It tries again after ${transactionsPerSum} transactions. Reading the counts takes longer until then.`,
          error,
        }),
      );
  }
}
