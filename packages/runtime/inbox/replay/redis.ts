import { InboxError } from '../errors.ts';
import {
  readLease,
  readReplayOptions,
  type ReplayClaim,
  type ReplayOptions,
  type ReplayStore,
  withinTimeout,
} from './replay-store.ts';

export type { ReplayClaim, ReplayStore } from './replay-store.ts';

/** What the store uses of a client of `redis` (node-redis). */
export interface NodeRedisClient {
  sendCommand(command: readonly string[]): Promise<unknown>;
}

/** What the store uses of a client of `ioredis`. */
export interface IoRedisClient {
  call(command: string, ...parts: string[]): Promise<unknown>;
}

/** The options of `redisReplayStore`. */
export interface RedisReplayStoreOptions extends ReplayOptions {
  /** The beginning of all keys. Default: `countersign:replay:`. */
  readonly prefix?: string;
}

/**
 * The scripts. A value is `confirmed`, or `claim:` and the owner. Redis runs a script as one step, and removes keys when
 * their time is over.
 */
const scripts = {
  claim: `local held = redis.call('GET', KEYS[1])
if not held or held == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 'claimed'
end
if held == 'confirmed' then return 'seen' end
return 'busy'`,
  state: `local held = redis.call('GET', KEYS[1])
if not held or held == ARGV[1] then return 'free' end
if held == 'confirmed' then return 'seen' end
return 'busy'`,
  confirm: `local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and held ~= 'confirmed' then return 0 end
redis.call('SET', KEYS[1], 'confirmed', 'PX', ARGV[2])
return 1`,
  release: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
} as const;

/**
 * Creates a replay store in Redis 6 or later, or Valkey, for several machines. Times are those of the server. Each command
 * uses one key, so `Cluster` of `ioredis` works as well.
 * @throws InboxError `invalid-option` for a time that is out of range
 */
export function redisReplayStore(
  client: NodeRedisClient | IoRedisClient,
  options: RedisReplayStoreOptions = {},
): ReplayStore {
  const { timeToLiveMs, timeoutMs } = readReplayOptions(options);
  const { prefix = 'countersign:replay:' } = options;
  const run = (
    script: keyof typeof scripts,
    key: string,
    owner: string,
    ...rest: readonly string[]
  ): Promise<unknown> => {
    const parts = [scripts[script], '1', prefix + key, `claim:${owner}`, ...rest];
    // A client of `ioredis` has a `sendCommand` too, with another parameter.
    return 'call' in client
      ? client.call('EVAL', ...parts)
      : client.sendCommand(['EVAL', ...parts]);
  };
  const release = (key: string, owner: string): Promise<void> =>
    withinTimeout(
      async () => {
        await run('release', key, owner);
      },
      { timeoutMs },
    );
  return {
    async claim(key, leaseMs, owner, formerKey) {
      const milliseconds = String(readLease(leaseMs));
      return await withinTimeout(
        async () => {
          if (formerKey !== undefined) {
            const state = readState(await run('state', formerKey, owner));
            if (state !== 'free') return state;
          }
          return readClaim(await run('claim', key, owner, milliseconds));
        },
        // The receiver does not release a claim that was rejected.
        {
          timeoutMs,
          onLate: async (late) => {
            if (late === 'claimed') await release(key, owner);
          },
        },
      );
    },
    confirm: (key, owner) =>
      withinTimeout(
        async () => {
          await run('confirm', key, owner, String(timeToLiveMs));
        },
        { timeoutMs },
      ),
    release,
  };
}

function readClaim(reply: unknown): ReplayClaim {
  const text = readText(reply);
  if (text === 'claimed' || text === 'seen' || text === 'busy') return text;
  throw unknownReply();
}

/** Reads the state of a key that nothing claims any more. */
function readState(reply: unknown): 'free' | 'seen' | 'busy' {
  const text = readText(reply);
  if (text === 'free' || text === 'seen' || text === 'busy') return text;
  throw unknownReply();
}

/** Reads the reply of a client. Some clients return bytes. */
function readText(reply: unknown): unknown {
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : reply;
}

function unknownReply(): InboxError {
  return new InboxError(
    'store-failed',
    'The client of the replay store returned an unknown reply.',
  );
}
