import { InboxError } from '../inbox-error.ts';
import type { PostgresClient } from './pool.ts';

/** A connection as a handler gets it. */
export interface HandlerClient<Client> {
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
export function createHandlerClient<Client extends PostgresClient>(
  target: Client,
): HandlerClient<Client> {
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
