import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { postgresReplayStore } from '../../../../../packages/runtime/inbox/replay/postgres.ts';
import { redisReplayStore } from '../../../../../packages/runtime/inbox/replay/redis.ts';
import { sqliteReplayStore } from '../../../../../packages/runtime/inbox/replay/sqlite.ts';
import type { ReplayStore } from '../../../../../packages/runtime/webhooks/receiver.ts';

/** Compiled with everything else, never run: the stores fit the receiver, and the clients fit the stores. */
export function stores(): readonly ReplayStore[] {
  return [
    sqliteReplayStore('replay.db'),
    postgresReplayStore(new pg.Pool()),
    redisReplayStore(createClient()),
    redisReplayStore(new Redis()),
  ];
}

/** Each line below an `@ts-expect-error` has to be an error. */
export function misuse(): void {
  // @ts-expect-error: a client of Redis is not a pool
  postgresReplayStore(createClient());
  // @ts-expect-error: a pool is not a client of Redis
  redisReplayStore(new pg.Pool());
  // @ts-expect-error: a file is needed
  sqliteReplayStore();
  // @ts-expect-error: the clock is that of the server
  postgresReplayStore(new pg.Pool(), { clock: Date.now });
}
