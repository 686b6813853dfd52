import type { Connection } from './connection.ts';
import type { Answer, AnswerTo, Input, Operation } from './operation.ts';
import type { CallOptions } from './options.ts';

/** The arguments of a call: its input may be left out where nothing in it is required. */
export type CallArguments<In, Options extends CallOptions = CallOptions> =
  Partial<In> extends In ? [input?: In, options?: Options] : [input: In, options?: Options];

/** A method for each operation. */
export type Methods<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends Operation<infer In, infer Out>
    ? Method<In, Out>
    : never;
};

/** Only an operation that can answer with bytes depends on its options, so that the others show a plain type. */
type Method<In, Out> = [Extract<Out, { readonly body: Uint8Array }>] extends [never]
  ? (...args: CallArguments<In>) => Promise<Out>
  : <const Options extends CallOptions = CallOptions>(
      ...args: CallArguments<In, Options>
    ) => Promise<AnswerTo<Out, Options>>;

/**
 * `request()` of a client: typed for what the contract declares, and open for what it does not. `Known` has the input
 * and the answer of every declared call by method and path template, such as `POST /orders`.
 */
export type TypedRequest<Known> = <
  Method extends string,
  Path extends string,
  const Options extends CallOptions = CallOptions,
>(
  method: Method,
  path: Path,
  ...args: `${Method} ${Path}` extends keyof Known
    ? Known[`${Method} ${Path}`] extends { readonly input: infer In }
      ? CallArguments<In, Options>
      : never
    : [input?: Input, options?: Options]
) => Promise<
  `${Method} ${Path}` extends keyof Known
    ? Known[`${Method} ${Path}`] extends { readonly answer: infer Out }
      ? AnswerTo<Out, Options>
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
