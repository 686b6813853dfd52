import { randomUUID } from 'node:crypto';
import { passFailpoint } from '../failpoint.ts';
import { InboxError } from '../inbox-error.ts';
import { parseEventId } from '../receipt-id.ts';
import type { Claim } from '../store.ts';
import { changeClaimed } from './claims.ts';
import { connect, type Connection, type Message } from './connection.ts';
import { integerLiteral, textLiteral } from './encode-text.ts';
import { createHandlerClient } from './handler-client.ts';
import { checkContent, isReplacement } from '../replacement.ts';
import { replaceClaimed } from './replace.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { sqlState, toStoreError } from './to-store-error.ts';
import { beginDurable } from './transact.ts';

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
