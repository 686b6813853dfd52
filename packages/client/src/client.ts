import type { Connection } from './connection.ts';
import type { Answer, Input, Operation } from './operation.ts';
import type { CallOptions } from './options.ts';

/** The arguments of a call: its input may be left out where nothing in it is required. */
export type CallArguments<In> =
  Partial<In> extends In ? [input?: In, options?: CallOptions] : [input: In, options?: CallOptions];

/** A method for each operation. */
export type Methods<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends Operation<infer In, infer Out>
    ? (...args: CallArguments<In>) => Promise<Out>
    : never;
};

/**
 * `request()` of a client: typed for what the contract declares, and open for what it does not. `Known` has the input
 * and the answer of every declared call by method and path template, such as `POST /orders`.
 */
export type TypedRequest<Known> = <Method extends string, Path extends string>(
  method: Method,
  path: Path,
  ...args: `${Method} ${Path}` extends keyof Known
    ? Known[`${Method} ${Path}`] extends { readonly input: infer In }
      ? CallArguments<In>
      : never
    : [input?: Input, options?: CallOptions]
) => Promise<
  `${Method} ${Path}` extends keyof Known
    ? Known[`${Method} ${Path}`] extends { readonly answer: infer Out }
      ? Out
      : never
    : Answer
>;

/** A connection with a method for each operation. */
export type Bound<Operations, Known> = Pick<Connection, 'call'> &
  Methods<Operations> & { readonly request: TypedRequest<Known> };

/** Makes the operations methods of their connection, and `request()` know them by method and path. */
export function bind<Operations extends object, Known>(
  { call, request }: Connection,
  operations: Operations,
): Bound<Operations, Known> {
  const entries = Object.entries(operations) as [string, Operation][];
  const routes = new Map(
    entries.map(([, operation]) => [`${operation.method} ${operation.path}`, operation]),
  );
  const bound: Record<string, unknown> = {};
  for (const [name, operation] of entries) {
    bound[name] = (input?: Input, options?: CallOptions) => call(operation, input, options);
  }
  bound['call'] = call;
  bound['request'] = (method: string, path: string, input?: Input, options?: CallOptions) => {
    const operation = routes.get(`${method} ${path}`);
    return operation === undefined
      ? request(method, path, input, options)
      : call(operation, input, options);
  };
  return Object.freeze(bound) as Bound<Operations, Known>;
}
