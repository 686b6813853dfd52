import { checkCallOptions, checkConnectionOptions } from './check-options.ts';
import { createConnectionContext } from './connection-context.ts';
import type { Answer, AnswerTo, Input, Operation } from './operation.ts';
import type { CallOptions, ConnectionOptions } from './options.ts';
import { assertPlatform } from './platform.ts';
import { runCall } from './run-call.ts';
import type { Service } from './service.ts';
import { toUndeclared } from './undeclared.ts';

/** A connection to a service with the client's credentials. Printing or serializing it does not expose them. */
export interface Connection {
  /**
   * Calls an operation. Rejects with a `ClientError`, also where the service answers with a failure (a status from 400
   * on); unexpected errors of the program keep their own type.
   */
  readonly call: <In, Out, const Options extends CallOptions = CallOptions>(
    operation: Operation<In, Out>,
    input?: In,
    options?: Options,
  ) => Promise<AnswerTo<Out, Options>>;
  /**
   * Makes a call, authorized and signed like any other, that the contract does not declare. Rejects with a
   * `ClientError`, also for a status outside 2XX.
   */
  readonly request: (
    method: string,
    path: string,
    input?: Input,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/**
 * Creates a connection.
 * @throws ClientError `invalid-option` for options that are out of range, `unsupported-platform` where a Web standard
 * is missing
 */
export function connect(options: ConnectionOptions, service: Service): Connection {
  checkConnectionOptions(options);
  assertPlatform();
  const connection = createConnectionContext(options, service);
  return Object.freeze<Connection>({
    call: async <In, Out, Options extends CallOptions>(
      operation: Operation<In, Out>,
      input?: In,
      call?: Options,
    ): Promise<AnswerTo<Out, Options>> => {
      const options = call ?? {};
      checkCallOptions(options);
      const account = connection.accountFor(options);
      const answer = await runCall(connection, account, operation, input ?? {}, options);
      return answer as AnswerTo<Out, Options>;
    },
    request: async (method, path, input = {}, call = {}) => {
      checkCallOptions(call);
      const account = connection.accountFor(call);
      return await runCall(connection, account, toUndeclared(method, path, input), input, call);
    },
  });
}
