import {
  connect as connectOnly,
  request,
  type Answer,
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  type Input,
  type Service,
} from '../../../../packages/runtime/client/client.ts';

/** A connection with the calls that its contract does not declare. */
export interface RequestingConnection extends Connection {
  readonly request: (
    method: string,
    path: string,
    input?: Input,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/** Creates a connection, and adds `request`. */
export function connect(options: ConnectionOptions, service: Service): RequestingConnection {
  const connection = connectOnly(options, service);
  return { ...connection, request: (...args) => request(connection, ...args) };
}
