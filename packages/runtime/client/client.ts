import type { Connection } from './connection.ts';
import type { Answer, AnswerTo, Input, Operation } from './operation.ts';
import type { CallOptions } from './options.ts';

/** The arguments of a call. The input is optional where all its members are. */
export type CallArguments<In, Options extends CallOptions = CallOptions> =
  // `Partial<In>` would be a union like `In`, of which one member can be required.
  object extends In ? [input?: In, options?: Options] : [input: In, options?: Options];

/** The operations as methods. */
export type Methods<Operations, Credentials extends object = object> = {
  readonly [Name in keyof Operations]: Operations[Name] extends Operation<infer In, infer Out>
    ? Method<In, Out, CallOptions<Credentials>>
    : never;
};

/**
 * An operation as a method. It is generic in its options only where it can return bytes, so that other methods have
 * simple types.
 */
type Method<In, Out, Known extends CallOptions> = [
  Extract<Out, { readonly body: Uint8Array }>,
] extends [never]
  ? (...args: CallArguments<In, Known>) => Promise<Out>
  : <const Options extends Known = Known>(
      ...args: CallArguments<In, Options>
    ) => Promise<AnswerTo<Out, Options>>;

/**
 * The type of a client's `request()`. Calls that the contract declares have precise types; all others are allowed too.
 * `Known` maps method and path template, such as `POST /orders`, to the call's input and answer.
 */
export type TypedRequest<Known, Credentials extends object = object> = <
  Method extends string,
  Path extends string,
  const Options extends CallOptions<Credentials> = CallOptions<Credentials>,
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

/** A connection with a method for each operation. `Credentials` is the type of the call option of that name. */
export type Bound<Operations, Known, Credentials extends object = object> = Pick<
  Connection,
  'call'
> &
  Methods<Operations, Credentials> & { readonly request: TypedRequest<Known, Credentials> };

/**
 * Adds a method for each operation to a connection. `request()` then treats a declared method and path template as that
 * operation.
 */
export function bind<Operations extends object, Known, Credentials extends object = object>(
  { call, request }: Connection,
  operations: Operations,
): Bound<Operations, Known, Credentials> {
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
    const operation = routes.get(`${method.toUpperCase()} ${path}`);
    return operation === undefined
      ? request(method, path, input, options)
      : call(operation, input, options);
  };
  return Object.freeze(bound) as Bound<Operations, Known, Credentials>;
}
