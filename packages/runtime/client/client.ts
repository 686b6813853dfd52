// Creates connections and clients, from checked options.
import { ownMember } from '../base/index.ts';
import { toUndeclared, violationOf } from './answer.ts';
import {
  type AddressOf,
  type CreateAddresses,
  type Service,
  createConnectionContext,
  missingBaseUrl,
  runCall,
  undescribed,
  unknownName,
  unknownServer,
} from './call.ts';
import type {
  Answer,
  AnswerTo,
  BodyCheck,
  ByResponse,
  CallOptions,
  ConnectionOptions,
  Input,
  InputChecks,
  Operation,
  OperationData,
  RetryOptions,
  ServerDescription,
  Servers,
  TokenStore,
  Violation,
} from './description.ts';
import {
  type ClientError,
  type Rule,
  assertPlatform,
  demand,
  invalidOption,
  oneOf,
} from './errors.ts';
import { createInputCheck, toBase } from './request.ts';

export {
  type AccessTokenDescription,
  type Authorizer,
  type ClientCredentials,
  type CreateSigner,
  type CredentialPlace,
  type GivenToken,
  type Signer,
  type TokenEndpoint,
  type TokenInput,
  accessToken,
  apiKey,
  areGiven,
  basic,
  bearer,
  clientCredentials,
  outside,
  signature,
} from './authorization.ts';
export {
  type Account,
  type AddressOf,
  type CarriedValues,
  type CreateAddresses,
  type EveryRequestValue,
  type Service,
  type ServiceAddresses,
  isKept,
} from './call.ts';
export {
  type FormStyles,
  type MultipartBody,
  type Part,
  type PartDescription,
  type PartOptions,
  binary,
  cookie,
  cookieValue,
  deepObject,
  deepObjectBrackets,
  deepObjectRepeat,
  form,
  formBody,
  formText,
  json,
  jsonItems,
  jsonPair,
  jsonValue,
  label,
  matrix,
  multipart,
  part,
  percent,
  pipeDelimited,
  reserved,
  reservedPath,
  simple,
  spaceDelimited,
  styledForm,
  text,
  typedMultipart,
} from './request.ts';
export { ClientError, type ClientErrorCode, type FailedCall, choose } from './errors.ts';
export {
  type HeaderDecoder,
  type ServerSentEvent,
  booleanHeader,
  fromBinary,
  fromBytes,
  fromContent,
  fromEvents,
  fromJson,
  fromLines,
  fromText,
  fromTextContent,
  isFailureOf,
  jsonHeader,
  listHeader,
  numberHeader,
  readHeaders,
  textHeader,
} from './answer.ts';
export type {
  Alternatives,
  Answer,
  AnswerPlace,
  AnswerTo,
  BodyCheck,
  BodyDecoder,
  BodyEncoder,
  ByResponse,
  CallOptions,
  ClientEvent,
  ConnectionOptions,
  Encode,
  ExtraHeaders,
  Failure,
  Input,
  InputChecks,
  KeptValue,
  Operation,
  OperationData,
  PagesDescription,
  ParameterDescription,
  RetryOptions,
  ScopedScheme,
  ServerDescription,
  ServerVariable,
  Servers,
  StatusIn,
  StoredToken,
  StreamDecoder,
  StreamReading,
  Style,
  TokenStore,
  Violation,
} from './description.ts';
export type { NumberMode } from '../base/index.ts';

/**
 * Describes the servers of a service whose address is not one constant URL. An option that changes the address of the
 * service never leaves an operation that has its own server at the address of the contract: its call fails instead.
 * The returned function throws a ClientError `invalid-option` for an unusable address, an unknown server and an unknown
 * or invalid variable.
 */
export function serverAddresses(description: Servers): CreateAddresses {
  return (options) => addressesOf(options, description);
}

function addressesOf(
  options: ConnectionOptions,
  { root: server, ofOperations: servers = {}, isRootUsed = true }: Servers,
): AddressOf {
  const { baseUrl, baseUrls = {}, serverVariables = {} } = options;
  checkVariables(serverVariables, [
    ...(server === undefined ? [] : [server]),
    ...Object.values(servers),
  ]);
  const addresses = new Map<string, string>();
  for (const [key, url] of Object.entries(baseUrls)) {
    if (!Object.hasOwn(servers, key)) throw unknownName('baseUrls', key, Object.keys(servers));
    if (url === undefined) continue;
    const option = `baseUrls[${JSON.stringify(key)}]`;
    const address = toBase(url, option);
    if (servers[key]?.requiresTls === true && !isProtected(address))
      throw invalidOption(`The option ${option} must be an https URL.`);
    addresses.set(key, address);
  }
  let base = baseUrl === undefined ? undefined : toBase(baseUrl);
  const root = (): string => (base ??= rootAddress(server, serverVariables));
  if (isRootUsed) root();
  const setOfRoot =
    server === undefined
      ? []
      : variablesIn(server.url).filter((name) => isSet(serverVariables, name));

  const ownAddress = (id: string, key: string): string => {
    const description = ownMember(servers, key);
    const fault = (reason: string): ClientError => unknownServer(id, key, reason);
    if (description === undefined) throw fault(undescribed);
    if (baseUrl !== undefined) throw fault('The option baseUrl does not apply to it.');
    if (description.isOpen) throw fault('The contract leaves its address open.');
    const { url, missing } = fill(description, serverVariables);
    if (missing !== undefined) throw fault(missing);
    const isBelowRoot = /^\/(?![/\\])/.test(url);
    const names = variablesIn(description.url);
    const other = setOfRoot.find((name) => !names.includes(name));
    if (other !== undefined && !isBelowRoot)
      throw fault(`The server variable ${JSON.stringify(other)} does not apply to it.`);
    if (!isBelowRoot && !/^(?:https?:)?\/\//i.test(url))
      throw fault('The contract does not state its whole address.');
    const isWhole = !url.startsWith('/');
    const fullUrl = isWhole ? url : URL.canParse(url, root()) ? new URL(url, root()).href : url;
    let address: string;
    try {
      address = toBase(fullUrl);
    } catch {
      throw fault('Its address in the contract is not usable.');
    }
    if (description.requiresTls === true && !isProtected(address))
      throw fault('It requires https.');
    return address;
  };

  return ({ id, server: key }) => {
    if (key === undefined) return root();
    const cachedAddress = addresses.get(key);
    if (cachedAddress !== undefined) return cachedAddress;
    const address = ownAddress(id, key);
    addresses.set(key, address);
    return address;
  };
}

/** Returns the address of the contract for operations that do not have their own server. */
function rootAddress(
  server: ServerDescription | undefined,
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
): string {
  if (server === undefined) throw missingBaseUrl('');
  const fault = (reason: string): ClientError => missingBaseUrl(`${reason} `);
  if (server.isOpen) throw fault('The contract leaves the address open.');
  const { url, missing } = fill(server, serverVariables);
  if (missing !== undefined) throw fault(missing);
  if (url.startsWith('/') && !url.startsWith('//'))
    throw fault(
      `The contract states only the path of the service, ${JSON.stringify(url)}, as in https://service.example${url}.`,
    );
  try {
    return toBase(url);
  } catch {
    throw fault(
      `The server of the contract, ${JSON.stringify(url)}, is not an address that calls can be sent to.`,
    );
  }
}

/** Returns whether others cannot read what is sent to an address: it uses TLS, or is this machine. */
function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns the names of the variables in the URL of a server. */
function variablesIn(url: string): readonly string[] {
  return Array.from(url.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
}

function isSet(
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
  name: string,
): boolean {
  return Object.hasOwn(serverVariables, name) && serverVariables[name] !== undefined;
}

/** Replaces the variables of a URL by their values. `missing` describes a variable without a valid value. */
function fill(
  { url, variables = {} }: ServerDescription,
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
): { readonly url: string; readonly missing?: string } {
  let missing: string | undefined;
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = ownMember(variables, name);
    const value = isSet(serverVariables, name) ? serverVariables[name] : undefined;
    if (value !== undefined && variable?.enum?.includes(value) === false)
      missing = `Its variable ${JSON.stringify(name)} must be one of ${variable.enum.join(', ')}.`;
    const text = value ?? variable?.default;
    if (text === undefined) missing = `Its variable ${JSON.stringify(name)} has no default.`;
    return text ?? '';
  });
  return missing === undefined ? { url: filled } : { url: filled, missing };
}

/** Checks that each variable occurs in the URL of a server, and that one of these servers allows its value. */
function checkVariables(
  serverVariables: NonNullable<ConnectionOptions['serverVariables']>,
  servers: readonly ServerDescription[],
): void {
  for (const [name, value] of Object.entries(serverVariables)) {
    if (value === undefined) continue;
    const option = `serverVariables[${JSON.stringify(name)}]`;
    if (typeof value !== 'string') throw invalidOption(`The option ${option} must be a text.`);
    const users = servers.filter(({ url }) => variablesIn(url).includes(name));
    if (users.length === 0)
      throw unknownName(
        'serverVariables',
        name,
        servers.flatMap(({ url }) => variablesIn(url)),
      );
    const allowed = users.map(({ variables = {} }) => ownMember(variables, name)?.enum);
    if (allowed.some((values) => values === undefined || values.includes(value))) continue;
    throw invalidOption(
      `The option ${option} must be one of ${[...new Set(allowed.flat())].join(', ')}.`,
    );
  }
}

type Rules<Options> = Partial<Record<keyof Options, Rule>>;

/** The maximum delay of a timer. With a longer one, timers on all platforms fire at once. */
const maxTimerMs = 2 ** 31 - 1;

const object: Rule = ['an object', isObject];
const runnable: Rule = ['a function', isFunction];
const flag: Rule = ['true or false', (value) => typeof value === 'boolean'];
const key: Rule = ['a non-empty text', (value) => typeof value === 'string' && value !== ''];
const beside: Rule = ['left out without credentials', (value) => value === undefined];
const wait: Rule = [
  `a number from 0 to ${maxTimerMs}`,
  (value) => isAtLeast(0, value) && value <= maxTimerMs,
];
const timeout: Rule = [
  `a number above 0, up to ${maxTimerMs}`,
  (value) => value !== 0 && wait[1](value),
];

const rulesOfBoth = {
  timeoutMs: timeout,
  attemptTimeoutMs: timeout,
  idleTimeoutMs: timeout,
  maxResponseBytes: ['0 or more', (value) => isAtLeast(0, value)],
  invalidRequest: oneOf('throw', 'report', 'ignore'),
  retry: object,
  tokenStoreKey: key,
} satisfies Rules<ConnectionOptions & CallOptions>;

const retryRules = {
  attempts: [
    'a whole number of 1 or more',
    (value) => isAtLeast(1, value) && Number.isSafeInteger(value),
  ],
  firstDelayMs: wait,
  factor: ['a number of 1 or more', (value) => isAtLeast(1, value) && value < Infinity],
  maxDelayMs: wait,
  jitter: ['a number from 0 to 1', (value) => isAtLeast(0, value) && value <= 1],
} satisfies Rules<RetryOptions>;

const connectionRules = {
  ...rulesOfBoth,
  baseUrls: object,
  serverVariables: object,
  numbers: oneOf('refuse', 'text'),
  invalidResponse: oneOf('throw', 'report', 'ignore'),
  fetch: runnable,
  fetchSendsOnce: flag,
  onEvent: runnable,
  clock: runnable,
  random: runnable,
  uuid: runnable,
  sleep: runnable,
  headers: ['an object or a function', (value) => isObject(value) || isFunction(value)],
  tokenStore: [
    'an object with the functions get and set',
    (value) =>
      isObject(value) &&
      isFunction((value as TokenStore).get) &&
      isFunction((value as TokenStore).set),
  ],
} satisfies Rules<ConnectionOptions>;

const callRules = {
  ...rulesOfBoth,
  headers: object,
  allowReserved: ['a list of names', Array.isArray],
  repeatable: flag,
  signal: ['an AbortSignal', (value) => isObject(value) && 'addEventListener' in value],
} satisfies Rules<CallOptions>;

function checkOptions(
  options: ConnectionOptions | CallOptions,
  rules: Readonly<Record<string, Rule>>,
): void {
  demand('options', object, options);
  checkMembers(options, rules, '');
  checkMembers(options.retry ?? {}, retryRules, 'retry.');
}

/** Checks the members that are not `undefined`. */
function checkMembers(
  members: object,
  rules: Readonly<Record<string, Rule>>,
  prefix: string,
): void {
  for (const [name, rule] of Object.entries(rules)) {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) demand(prefix + name, rule, value);
  }
}

function isAtLeast(least: number, value: unknown): value is number {
  return typeof value === 'number' && value >= least;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

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
  /** Returns the base address of an operation. Throws a ClientError `invalid-option` if it has none. */
  readonly addressOf: AddressOf;
}

/**
 * Creates a connection.
 * @throws ClientError `invalid-option` for options that are out of range, `unsupported-platform` where a Web standard
 * is missing
 */
export function connect(options: ConnectionOptions, service: Service): Connection {
  checkOptions(options, connectionRules);
  assertPlatform();
  const connection = createConnectionContext(options, service);
  return Object.freeze<Connection>({
    call: async <In, Out, Options extends CallOptions>(
      operation: Operation<In, Out>,
      input?: In,
      call?: Options,
    ): Promise<AnswerTo<Out, Options>> => {
      const options: CallOptions = call ?? {};
      checkOptions(options, callRules);
      // `undefined` could be the result of a failed look-up, and would select the account of the client.
      if ('credentials' in options) demand('credentials', object, options.credentials);
      else demand('tokenStoreKey', beside, options.tokenStoreKey);
      const account = connection.accountFor(options);
      const answer = await runCall(connection, account, operation, input ?? {}, options);
      return answer as AnswerTo<Out, Options>;
    },
    addressOf: connection.addressOf,
  });
}

/**
 * Makes a call, authorized and signed like any other, that the contract does not declare. A text, a form or bytes are
 * sent as `fetch` sends them, any other body as JSON. It is repeated only if its method changes nothing, or with the option
 * `repeatable`.
 * @throws ClientError as every call, also for a status outside 2XX
 */
export async function request(
  connection: Connection,
  method: string,
  path: string,
  input: Input = {},
  options?: CallOptions,
): Promise<Answer> {
  return await connection.call(toUndeclared(method, path, input), input, options);
}

/** The arguments of a call. The input is optional where all its members are. */
export type CallArguments<In, Options extends CallOptions = CallOptions> =
  // `Partial<In>` would be a union like `In`, of which one member can be required.
  object extends In ? [input?: In, options?: Options] : [input: In, options?: Options];

/**
 * The function that calls an operation with a connection, and the description of the operation. `Route` is its method and
 * path template, such as `POST /orders`.
 */
export type Call<
  In = Input,
  Out = Answer,
  Route extends string = string,
  Known extends CallOptions = CallOptions,
> = CallFunction<In, Out, Known> & {
  readonly operation: Operation<In, Out> & { readonly '~route'?: Route };
};

/** A call is generic in its options only where it can return bytes, so that other calls have simple types. */
type CallFunction<In, Out, Known extends CallOptions> = [
  Extract<Out, { readonly body: Uint8Array }>,
] extends [never]
  ? (connection: Connection, ...args: CallArguments<In, Known>) => Promise<Out>
  : <const Options extends Known = Known>(
      connection: Connection,
      ...args: CallArguments<In, Options>
    ) => Promise<AnswerTo<Out, Options>>;

/** Creates the function that calls an operation. */
export function callOf<In, Out, Route extends string, Known extends CallOptions>(
  operation: OperationData,
): Call<In, Out, Route, Known> {
  const run = (connection: Connection, input?: Input, options?: CallOptions): Promise<Answer> =>
    connection.call(operation, input, options);
  return Object.assign(run, { operation }) as unknown as Call<In, Out, Route, Known>;
}

/**
 * Returns a call with validators of its answers and its input. A call is marked as pure in generated code; a spread would
 * not be removed by bundlers, because it could call getters.
 * @param checks the validators of answers; a key is a declared status, or several with a space in between
 * @param violationsOf runs a validator of a parameter
 */
export function withChecks<In, Out, Route extends string, Known extends CallOptions, Check = never>(
  { operation }: Call<In, Out, Route, Known>,
  checks: ByResponse<BodyCheck> | readonly ByResponse<BodyCheck>[],
  ofInput: InputChecks<Check> = {},
  violationsOf: (check: Check, value: unknown) => readonly Violation[] = () => [],
): Call<In, Out, Route, Known> {
  return callOf({
    ...operation,
    checkInput: createInputCheck(operation, ofInput, violationsOf),
    checkOf(status, mediaType, reading) {
      const [, byType] =
        [checks]
          .flat()
          .flatMap((part) => Object.entries(part))
          .find(([statuses]) => statuses.split(' ').includes(status)) ?? [];
      const check = byType?.[mediaType];
      return check && ((value, received) => violationOf(check, value, received, reading));
    },
  });
}

/**
 * The names of the calls of a module. Guards of failures are its only other exports, and no call is named as they are.
 * The type of a call would tell too, but an editor would resolve all of them after every edit.
 */
type CallNames<Module> = Exclude<keyof Module, `is${string}Failure`>;

/** The calls of a module, without its other exports. */
export type CallsOf<Module> = Pick<Module, CallNames<Module>>;

/** The calls of a module as methods. */
export type Methods<Module, Credentials extends object = object> = MethodsNamed<
  Module,
  CallNames<Module>,
  Credentials
>;

type MethodsNamed<Module, Names extends keyof Module, Credentials extends object> = {
  readonly [Name in Names]: Module[Name] extends {
    readonly operation: Operation<infer In, infer Out>;
  }
    ? Method<In, Out, CallOptions<Credentials>>
    : never;
};

/** The input and the answer of each call of a module, by method and path template. */
type RoutesOf<Module> = {
  readonly [
    Name in keyof Module as Module[Name] extends {
      readonly operation: { readonly '~route'?: infer Route extends string };
    }
      ? Route
      : never
  ]: Module[Name] extends { readonly operation: Operation<infer In, infer Out> }
    ? { readonly input: In; readonly answer: Out }
    : never;
};

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

/** A connection with a method for each call of a module. `Credentials` is the type of the call option of that name. */
export type Bound<Module, Credentials extends object = object> = Pick<Connection, 'call'> &
  Methods<Module, Credentials> & {
    /**
     * Makes a call by its method and path, also one that the contract does not declare. It is signed and authorized like
     * every other call. A text, a form or bytes are sent as `fetch` sends them, any other body as JSON. Throws a
     * ClientError as every call, also for a status outside 2XX; only the answers of declared calls are validated.
     */
    readonly request: TypedRequest<RoutesOf<Module>, Credentials>;
  };

/**
 * Adds a method for each call to a connection. `request()` then treats a declared method and path template as that
 * operation.
 */
export function bind<Module, Credentials extends object = object>(
  connection: Connection,
  calls: CallsOf<Module>,
): Bound<Module, Credentials> {
  const { call } = connection;
  const entries = Object.entries(calls) as [string, Call][];
  const routes = new Map(
    entries.map(([, { operation }]) => [`${operation.method} ${operation.path}`, operation]),
  );
  const bound: Record<string, unknown> = {};
  for (const [name, { operation }] of entries) {
    bound[name] = (input?: Input, options?: CallOptions) => call(operation, input, options);
  }
  bound['call'] = call;
  bound['request'] = (method: string, path: string, input?: Input, options?: CallOptions) => {
    const operation = routes.get(`${method.toUpperCase()} ${path}`);
    return operation === undefined
      ? request(connection, method, path, input, options)
      : call(operation, input, options);
  };
  return Object.freeze(bound) as Bound<Module, Credentials>;
}
