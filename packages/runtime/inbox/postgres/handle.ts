// Handles an event in a transaction of Postgres.

import { randomUUID } from 'node:crypto';
import { InboxError } from '../errors.ts';
import { checkContent, integer, isReplacement, text, withoutRepetitions } from '../rows.ts';
import {
  type Claim,
  type DeliveryContent,
  eventId,
  parseEventId,
  passFailpoint,
} from '../store.ts';
import { changeClaimed } from './claims.ts';
import {
  beginDurable,
  connect,
  type Connection,
  integerLiteral,
  type Message,
  type PostgresClient,
  type PostgresPool,
  type PostgresSettings,
  type Query,
  sqlState,
  textLiteral,
  toStoreError,
} from './connection.ts';
import { settle } from './operate.ts';
import {
  countRepetitions,
  findIdentities,
  identityDigest,
  joinedKey,
  lock,
  lockOf,
  queueOf,
  toKeyed,
} from './receive.ts';

/** A connection as a handler gets it. */
interface HandlerClient<Client> {
  readonly client: Client;
  /** Makes every later statement of the handler fail. */
  end(): void;
}

const transactionControl =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i;

/**
 * Wraps the connection of a transaction for a handler. The handler cannot begin or end transactions, except savepoints.
 * `release` does nothing, so that libraries which expect a connection of a pool can use it.
 */
function createHandlerClient<Client extends PostgresClient>(target: Client): HandlerClient<Client> {
  let ended = false;

  function check(statement: unknown): void {
    if (ended)
      throw new InboxError(
        'transaction-failed',
        'The transaction of the handler has ended. Wait for every statement before the handler returns.',
      );
    const text =
      typeof statement === 'object' && statement !== null && 'text' in statement
        ? statement.text
        : statement;
    if (typeof text === 'string' && transactionControl.test(text))
      throw new InboxError(
        'transaction-failed',
        'A handler must not begin or end a transaction: its statements are in one already. Use savepoints.',
      );
  }

  const client = new Proxy(target, {
    get(_, property) {
      if (property === 'release') return () => undefined;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        if (property === 'query') check(parameters[0]);
        return Reflect.apply(value, target, parameters);
      };
    },
  });
  return {
    client,
    end() {
      ended = true;
    },
  };
}

/**
 * Replaces a claimed event by those of its delivery, within a transaction. Locks the queues and identities of all of
 * them until its end. Returns false if the claim was lost.
 * @param condition a condition without which the claim counts as lost
 */
async function replaceClaimed(
  query: Query,
  settings: PostgresSettings,
  { event: claimed, token }: Claim,
  { count, events }: DeliveryContent,
  condition: string,
): Promise<boolean> {
  const { tables } = settings;
  const { receiptId, position, orderKey } = claimed;
  const keyed = events.map(toKeyed);
  const digests = events.flatMap(({ identity }) =>
    identity === undefined ? [] : [identityDigest(identity)],
  );
  const ownQueues = orderKey === undefined ? [] : [queueOf(orderKey)];
  const occupied = await lock(
    query,
    tables,
    [...ownQueues, ...keyed.flatMap(({ queue }) => queue ?? []), ...digests.map(lockOf)],
    keyed.flatMap(({ formerQueue }) => formerQueue ?? []),
  );
  const prepared = events.map((event, index) => ({
    ...event,
    joined: joinedKey(keyed[index] ?? toKeyed(event), occupied),
    digest: event.identity === undefined ? undefined : identityDigest(event.identity),
  }));
  const queues = [...ownQueues, ...prepared.flatMap(({ joined }) => joined.queue ?? [])];
  const [row] = await query(
    `SELECT seq::text AS seq, received_at FROM ${tables.events}
     WHERE receipt_id = $1 AND position = $2 AND claims = $3 AND state = 'working' AND ${condition} FOR UPDATE`,
    [receiptId, position, token],
  );
  if (row === undefined) return false;
  const seq = text(row, 'seq');
  const receivedAt = integer(row, 'received_at');
  const owners = await findIdentities(query, tables, [
    ...digests,
    ...events.flatMap(({ formerIdentity }) =>
      formerIdentity === undefined ? [] : [identityDigest(formerIdentity)],
    ),
  ]);
  const { fresh, repeated } = withoutRepetitions(receiptId, prepared, (identity) =>
    owners.get(identityDigest(identity).toString('hex')),
  );
  const [first, ...furtherEvents] = fresh;
  if (first === undefined) {
    await query(`DELETE FROM ${tables.events} WHERE seq = $1`, [seq]);
    await query(`DELETE FROM ${tables.receipts} WHERE id = $1`, [receiptId]);
  } else {
    // The first event keeps the place of the one that is replaced. The number of claims is kept: an earlier holder of
    // the event must not take the token of a later one for its own.
    await query(
      `UPDATE ${tables.events}
       SET position = $2, kind = $3, order_key = $4, queue = $5, identity = $6, identified = 1, queued = true,
         state = CASE WHEN $5::bigint IS NULL THEN 'ready' ELSE 'waiting' END, attempts = 0, ends = 0,
         owner = NULL, lease_until = NULL, retry_at = NULL, failed_at = NULL, error = NULL, rejection = NULL
       WHERE seq = $1`,
      [
        seq,
        first.position,
        first.kind ?? null,
        first.joined.orderKey ?? null,
        first.joined.queue ?? null,
        first.identity ?? null,
      ],
    );
    await query(`UPDATE ${tables.receipts} SET events = $2 WHERE id = $1`, [receiptId, count]);
  }
  if (furtherEvents.length > 0)
    await query(
      `INSERT INTO ${tables.events}
         (receipt_id, received_at, identified, position, kind, order_key, queue, identity, state)
       SELECT $1::text, $2::bigint, 1, n.position, n.kind, n.order_key, n.queue, n.identity,
         CASE WHEN n.queue IS NULL THEN 'ready' ELSE 'waiting' END
       FROM unnest($3::integer[], $4::text[], $5::text[], $6::bigint[], $7::text[])
         AS n (position, kind, order_key, queue, identity)
       ORDER BY n.position`,
      [
        receiptId,
        receivedAt,
        furtherEvents.map((event) => event.position),
        furtherEvents.map(({ kind }) => kind ?? null),
        furtherEvents.map(({ joined }) => joined.orderKey ?? null),
        furtherEvents.map(({ joined }) => joined.queue ?? null),
        furtherEvents.map(({ identity }) => identity ?? null),
      ],
    );
  const identified = fresh.filter(({ digest }) => digest !== undefined);
  await query(
    `INSERT INTO ${tables.identities} (identity, event_id, stored_at)
     SELECT identity, event_id, $3::bigint FROM unnest($1::bytea[], $2::text[]) AS n (identity, event_id)
     ON CONFLICT (identity) DO NOTHING`,
    [
      identified.map(({ digest }) => digest),
      identified.map((event) => eventId(receiptId, event.position)),
      receivedAt,
    ],
  );
  const repetitions = new Map<string, number>();
  for (const identity of repeated) {
    const digest = identityDigest(identity).toString('hex');
    repetitions.set(digest, (repetitions.get(digest) ?? 0) + 1);
  }
  if (repetitions.size > 0) await countRepetitions(query, tables, repetitions);
  await settle(query, settings, queues);
  return true;
}

/** The classes of errors of a completion that the server causes: it lacks memory or space, or its system failed. */
const classesOfServer: readonly string[] = ['53', '58'];

/** A local setting with the name of the claim. It exists as long as the transaction of the handler. */
const mark = 'countersign.claim';

/**
 * Runs a handler in a transaction and completes its event in it. Rejects with the handler's error, which can be one of
 * its statements or constraints; with `transaction-failed` for a transaction that cannot be committed; with
 * `connection-lost`; or with `store-failed`, which the handler does not cause.
 * @param isHeld returns whether the lease of the claim cannot have ended yet; otherwise the server is asked
 */
export async function handleInTransaction<Client extends PostgresClient>(
  pool: PostgresPool,
  settings: PostgresSettings,
  claim: Claim,
  isHeld: () => boolean,
  handle: (client: Client) => Promise<unknown>,
): Promise<'completed' | 'replaced' | 'lost'> {
  const connection = await connect<Client>(pool, settings.timeoutMs).catch(failStore);
  try {
    const name = randomUUID();
    const held = await connection
      .within(() => begin(connection.message, settings, claim, name, isHeld()))
      .catch(async (error: unknown) => {
        await connection.rollBack();
        return failStore(error);
      });
    if (!held) {
      await connection.rollBack();
      return 'lost';
    }
    const result = await run(connection, handle);
    passFailpoint('handle:before-completion');
    return await complete(connection, settings, claim, name, result);
  } finally {
    connection.release();
  }
}

function failStore(error: unknown): never {
  throw toStoreError(error);
}

/** Begins the transaction, and marks it if the claim is still held. Returns whether it is. */
async function begin(
  message: Message,
  settings: PostgresSettings,
  { event, token }: Claim,
  name: string,
  isHeld: boolean,
): Promise<boolean> {
  const parsed = parseEventId(event.id);
  if (parsed === undefined) return false;
  // Whether a claim is held decides at the completion. To ask for it before the handler costs a tenth of all the work.
  const where = isHeld
    ? ''
    : `FROM ${settings.tables.events}
       WHERE receipt_id = ${textLiteral(parsed.receiptId)} AND position = ${integerLiteral(parsed.position)}
         AND claims = ${integerLiteral(token)} AND state = 'working'`;
  // One message without parameters. The worker limits the time of a handler; a limit of the server would end the
  // connection. After the SELECT, the handler cannot change the isolation level, on which the order of events depends.
  const results = await message(
    `${beginDurable(settings, [
      `set_config('idle_in_transaction_session_timeout', '0', true)`,
      `set_config('${mark}', '${name}', true)`,
    ])} ${where}`,
  );
  return (results.at(-1) ?? []).length > 0;
}

async function run<Client extends PostgresClient>(
  connection: Connection<Client>,
  handle: (client: Client) => Promise<unknown>,
): Promise<unknown> {
  const handler = createHandlerClient(connection.client);
  let result: unknown;
  try {
    result = await handle(handler.client);
    if (isReplacement(result)) checkContent(result.replaceBy);
  } catch (error) {
    handler.end();
    if (!(await connection.rollBack())) throw connectionLost(error);
    throw error;
  }
  handler.end();
  return result;
}

async function complete(
  connection: Connection<PostgresClient>,
  settings: PostgresSettings,
  claim: Claim,
  name: string,
  result: unknown,
): Promise<'completed' | 'replaced' | 'lost'> {
  const { query, message } = connection;
  const isOpen = `current_setting('${mark}', true) = '${name}'`;
  const whyNot = `CASE WHEN ${isOpen} THEN 'lost ${name}' ELSE 'ended ${name}' END`;
  try {
    await connection.within(async () => {
      if (isReplacement(result)) {
        const replaced = await replaceClaimed(query, settings, claim, result.replaceBy, isOpen);
        passFailpoint('handle:in-transaction');
        await message(replaced ? 'COMMIT' : `SELECT (${whyNot})::bigint`);
        return;
      }
      passFailpoint('handle:in-transaction');
      // One message completes and commits: the round trips of a handler's connection limit how many events are handled.
      await changeClaimed(message, settings, claim, {
        state: 'done',
        assignments: `ends = 0, retry_at = NULL, finished_at = ${settings.now()}`,
        leaves: true,
        condition: isOpen,
        commitsUnlessLost: whyNot,
      });
    });
    passFailpoint('handle:after-completion');
    return isReplacement(result) ? 'replaced' : 'completed';
  } catch (error) {
    const usable = await connection.rollBack();
    const state = sqlState(error);
    const text = error instanceof Error ? error.message : '';
    if (text.includes(`lost ${name}`)) return 'lost';
    if (text.includes(`ended ${name}`))
      throw new InboxError(
        'transaction-failed',
        'The handler ended its transaction. What it committed is not undone, and can happen again.',
      );
    if (state === '25P02')
      throw new InboxError(
        'transaction-failed',
        'A statement of the handler failed, and the handler returned without an error. ' +
          'Nothing can be committed: let the error reach the worker, or use a savepoint.',
      );
    if (!usable) throw connectionLost(error);
    if (state !== undefined && classesOfServer.includes(state.slice(0, 2)))
      throw toStoreError(error);
    throw error;
  }
}

/**
 * Returns the error of a handler whose connection ended. Its own statement can be the cause, and the network or the
 * server as well: the attempt counts, so that it is not repeated without end.
 */
function connectionLost(cause: unknown): InboxError {
  return new InboxError('connection-lost', 'The connection of the handler was lost', { cause });
}
