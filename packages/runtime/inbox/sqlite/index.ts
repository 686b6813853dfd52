export { commit, type Commit } from './commit.ts';
export type { SqliteStoreOptions } from './options.ts';
export {
  sqliteStore,
  type SqliteResult,
  type SqliteScope,
  type SqliteStore,
} from './sqlite-store.ts';
