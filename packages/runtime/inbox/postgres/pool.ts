/** What the store uses of a connection of `pg`. */
export interface PostgresClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** What the store uses of a `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  /** Passes the connection on without delay. A pool without this form returns the promise. */
  connect(
    callback: (error: Error | undefined, client: PostgresClient | undefined) => void,
  ): unknown;
  /** The number of connections limits how many handlers run at the same time. */
  readonly options?: { readonly max?: number };
}

/** The type of the connections of a pool, such as `PoolClient` of `pg`. */
export type ClientOf<Pool extends PostgresPool> = Pool['connect'] extends {
  // `connect` of `pg` is overloaded: it also takes a callback.
  (): Promise<infer Client extends PostgresClient>;
  (callback: never): void;
}
  ? Client
  : PostgresClient;
