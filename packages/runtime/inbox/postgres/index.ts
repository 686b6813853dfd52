export { migrations } from './migrations.ts';
export type { PostgresStoreOptions } from './options.ts';
export type { ClientOf, PostgresClient, PostgresPool } from './pool.ts';
export {
  postgresStore,
  type PostgresResult,
  type PostgresScope,
  type PostgresStore,
} from './postgres-store.ts';
