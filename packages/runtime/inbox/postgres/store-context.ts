import type { CountSums } from './count-sums.ts';
import type { HeldLeases } from './held-leases.ts';
import type { OperationRunner } from './operation-runner.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresPool } from './pool.ts';

/** What the methods of one store share. */
export interface StoreContext {
  readonly pool: PostgresPool;
  readonly settings: PostgresSettings;
  readonly runner: OperationRunner;
  readonly leases: HeldLeases;
  readonly sums: CountSums;
}
