// One call from its input to its answer: attempts, time limits, reports.
import { GrowingBytes, createFailureWarnings, ownMember } from '../base/index.ts';
import { type Received, executedNote, firstFailure, streamDecoder, toAnswer } from './answer.ts';
import {
  type Authorizer,
  type Renew,
  type RetryBudget,
  type SecurityContext,
  type SharedTokenOptions,
  type SharedTokens,
  type WriteCredentials,
  placeKey,
  shareTokens,
} from './authorization.ts';
import type {
  Alternatives,
  Answer,
  CallOptions,
  ClientEvent,
  ConnectionOptions,
  ExtraHeaders,
  Input,
  KeptValue,
  OperationData,
  ParameterDescription,
  ReportEvent,
  RetryOptions,
  ScopedScheme,
  UnheardEvent,
} from './description.ts';
import {
  ClientError,
  type ClientErrorCode,
  type FailedCall,
  factsOf,
  functionFailed,
  guard,
  guardNumber,
  isNetworkFailure,
  isUnsent,
  sleep,
  startDeadline,
  untilAborted,
  invalidInput,
  invalidOption,
} from './errors.ts';
import {
  type Draft,
  type EncodedBody,
  assertSafeUrl,
  createDraft,
  defaultMaxBytes,
  encodeBody,
  encodeIdentity,
  readBody,
  tooLarge,
  redactError,
  toBase,
} from './request.ts';

/** The credentials of an account. */
export interface Account {
  /** Security schemes by name. */
  readonly schemes: Readonly<Record<string, Authorizer>>;
  /** Default inputs by operation id, such as credentials. Inputs of the caller override them. */
  readonly inputs?: Readonly<Record<string, Input>>;
}

/** What the contract specifies for all calls, with the account and the options of one client. */
export interface Service extends Account, ServiceAddresses {
  /** The default of the option `invalidResponse`. Default: `throw`. */
  readonly invalidResponse?: 'throw' | 'report';
  /** Parameters that the client generates for every request. */
  readonly everyRequest: readonly EveryRequestValue[];
  /** The default security alternatives of operations. */
  readonly security: Alternatives;
  /** Returns the account with the given credentials, for calls with the option `credentials`. */
  accountOf?(credentials: object): Account;
  /** Whether operations may be repeated, by operation id, where an option of the client decides it. */
  readonly repeatable?: Readonly<Record<string, boolean | KeptValue>>;
  /**
   * Returns whether all attempts of a call carry the same value: the function `isKept`, for contracts with such a
   * condition. Without it, these calls are not repeated.
   */
  isKept?(condition: KeptValue, carried: CarriedValues): boolean;
}

/** The values that the attempts of a call carry. */
export interface CarriedValues {
  readonly operation: OperationData;
  readonly input: Input;
  readonly options: Pick<CallOptions, 'headers'>;
  /** The parameters that the client generates for every attempt. */
  readonly values: readonly EveryRequestValue[];
  /** The generated values that a retry sends again, by name. */
  readonly kept: ReadonlyMap<string, string>;
}

/** A parameter whose value the client generates for every call. */
export interface EveryRequestValue extends ParameterDescription {
  readonly value: 'uuid' | 'timestamp';
  /** Whether a retry sends the same value again (`keep`) or a new one (`renew`). Timestamps are always new. */
  readonly retry: 'keep' | 'renew';
  /** Writes a timestamp, given in milliseconds since 1970. Default: a date-time in UTC with milliseconds. */
  readonly write?: (milliseconds: number) => string;
}

/**
 * Returns the input with the generated values of one attempt.
 * @param kept the values of this call that a retry sends again
 */
function makeValues(
  values: readonly EveryRequestValue[],
  input: Input,
  kept: Map<string, string>,
  now: number,
  uuid: () => string,
): Input {
  const made: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, value, retry, write } of values) {
    const group = (made[place] ??= { ...input[place] });
    if (value === 'timestamp') group[name] = write?.(now) ?? new Date(now).toISOString();
    else {
      // A value of the caller stays the same in all attempts.
      const sentValue = ownMember(group, name) ?? kept.get(name) ?? uuid();
      group[name] = sentValue;
      if (retry === 'keep' && typeof sentValue === 'string') kept.set(name, sentValue);
    }
  }
  return { ...input, ...made };
}

/**
 * Returns the schemes of the first alternative with all credentials given, those that sign last.
 * @throws ClientError `missing-credential` where there is no such alternative
 */
function selectSchemes(
  { schemes: all }: Account,
  ofService: Alternatives,
  { id, security = ofService }: OperationData,
): readonly Authorizer[] {
  if (security.length === 0) return [];
  for (const needed of security) {
    const schemes = needed
      .flatMap((scheme) => schemeOf(all, scheme) ?? [])
      .filter(({ ready }) => ready);
    if (schemes.length === needed.length)
      return schemes.toSorted((a, b) => Number(a.last ?? 0) - Number(b.last ?? 0));
  }
  const needed = security.map((schemes) => schemes.map(schemeName).join(' and ')).join(', or ');
  throw new ClientError('missing-credential', `${id} requires the credentials of ${needed}.`);
}

/** Returns the name of a security scheme. */
function schemeName(scheme: string | ScopedScheme): string {
  return typeof scheme === 'string' ? scheme : scheme.scheme;
}

function schemeOf(
  all: Account['schemes'],
  reference: string | ScopedScheme,
): Authorizer | undefined {
  if (typeof reference === 'string') return all[reference];
  const scheme = all[reference.scheme];
  return scheme?.forScopes?.(reference.scopes) ?? scheme;
}

/** Returns the base address of an operation, without trailing slashes. Throws a ClientError `invalid-option`. */
export type AddressOf = (operation: Pick<OperationData, 'id' | 'server'>) => string;

/** Creates the function that returns the base addresses of operations. Throws a ClientError `invalid-option`. */
export type CreateAddresses = (options: ConnectionOptions) => AddressOf;

/** The addresses of a service. */
export interface ServiceAddresses {
  /** The address of all operations, if the contract states one. Default: the client requires `baseUrl`. */
  readonly baseUrl?: string;
  /** Takes the place of `baseUrl` where the contract states variables or several servers: `serverAddresses`. */
  readonly createAddresses?: CreateAddresses;
}

/**
 * Creates the function that returns the base addresses of operations. All have the same, unless the service describes
 * its servers.
 * @throws ClientError `invalid-option` for an unusable address, and for servers and variables that are not described
 */
function createAddresses(
  options: ConnectionOptions,
  { baseUrl, createAddresses: describedAddresses }: ServiceAddresses,
): AddressOf {
  if (describedAddresses !== undefined) return describedAddresses(options);
  for (const option of ['baseUrls', 'serverVariables'] as const)
    for (const name of Object.keys(options[option] ?? {})) throw unknownName(option, name);
  const stated = options.baseUrl ?? baseUrl;
  if (stated === undefined) throw missingBaseUrl('');
  const base = toBase(stated);
  return ({ id, server }) => {
    if (server !== undefined) throw unknownServer(id, server, undescribed);
    return base;
  };
}

/** The reason for which an operation has no address if the service does not describe its server. */
export const undescribed = 'The service of this client does not describe it.';

/** Creates the error for an operation whose server has no known address. */
export function unknownServer(id: string, server: string, reason: string): ClientError {
  const name = JSON.stringify(server);
  return invalidOption(
    `${id} has the server ${name}. ${reason} State its address in the option baseUrls[${name}].`,
  );
}

/** Creates the error for a client without the address of the service. */
export function missingBaseUrl(reason: string): ClientError {
  return invalidOption(
    `The option baseUrl is missing. ${reason}State the address of the service, with its path.`,
  );
}

/** Creates the error for a member of an option that the contract does not have. */
export function unknownName(
  option: string,
  name: string,
  names: readonly string[] = [],
): ClientError {
  const nameList = names.length === 0 ? 'none' : [...new Set(names)].join(', ');
  return invalidOption(
    `The option ${option} has no member ${JSON.stringify(name)}. The contract has ${nameList}.`,
  );
}

/** The account that a call is made for: its credentials and its tokens. */
interface AccountContext extends Account {
  readonly sharedTokens: SharedTokens;
  /** The places where credentials are sent, as `placeKey` writes them. */
  readonly credentialPlaces: ReadonlySet<string>;
  /** Credentials that are sent as inputs, to remove them from errors. */
  readonly inputSecrets: readonly string[];
}

/** What the accounts of a connection have in common. */
interface AccountSettings extends Pick<SharedTokenOptions, 'clock' | 'report'> {
  readonly service: Service;
  readonly options: Pick<ConnectionOptions, 'fetch' | 'tokenStore' | 'tokenStoreKey'>;
  readonly headers: ExtraHeaders | (() => ExtraHeaders) | undefined;
  /** Returns the base address of an operation. */
  readonly addressOf: (operation: OperationData) => string;
}

/** The maximum number of accounts whose tokens a connection keeps, apart from its own. */
const maxAccounts = 1000;

/**
 * Returns a function that returns the account of a call: that of the connection, unless the call has credentials.
 * Calls with equal credentials have the same account. The accounts that were used last are kept.
 */
function createAccounts(settings: AccountSettings): (options: CallOptions) => AccountContext {
  const { service, options } = settings;
  const ownAccount = createAccount(settings, service, options.tokenStoreKey);
  const accounts = new Map<string, AccountContext>();
  const functions = new WeakMap<object, string>();
  let functionCount = 0;
  const nameOf = (value: object): string => {
    const name = functions.get(value) ?? String((functionCount += 1));
    functions.set(value, name);
    return name;
  };
  return ({ credentials, tokenStoreKey }) => {
    if (credentials === undefined) return ownAccount;
    if (service.accountOf === undefined)
      throw invalidOption('This client has no credentials (credentials).');
    const { text: id } = encodeIdentity([credentials, tokenStoreKey], nameOf);
    const account =
      accounts.get(id) ?? createAccount(settings, service.accountOf(credentials), tokenStoreKey);
    // A map has the order of insertion, so its first account is the one that was not used for the longest time.
    accounts.delete(id);
    accounts.set(id, account);
    const [first] = accounts.keys();
    if (accounts.size > maxAccounts && first !== undefined) accounts.delete(first);
    return account;
  };
}

function createAccount(
  { service, options, headers, addressOf, clock, report }: AccountSettings,
  { schemes, inputs }: Account,
  accountName: string | undefined,
): AccountContext {
  const account: Account = { schemes, ...(inputs === undefined ? {} : { inputs }) };
  const identify = (
    operation: OperationData,
    callers: readonly string[],
    input = inputs?.[operation.id],
  ): unknown => {
    const used = selectSchemes(account, service.security, operation);
    const isUnknown = options.fetch !== undefined && used.length === 0 && input === undefined;
    return [
      operation.method,
      addressOf(operation),
      operation.path,
      input,
      typeof headers === 'object' ? linesOf(headers) : headers,
      // A scheme without an identity is unknown, as a function is.
      used.map(({ identity, prepare }) =>
        identity === undefined || callers.includes(operation.id)
          ? prepare
          : identity((needed, neededInput) =>
              identify(needed, [...callers, operation.id], neededInput),
            ),
      ),
      // Without any credential, only the user's own `fetch` can authenticate the call.
      isUnknown ? options.fetch : undefined,
    ];
  };
  return {
    ...account,
    sharedTokens: shareTokens({
      store: options.tokenStore,
      accountName,
      identify: (operation, input) => identify(operation, [], input),
      clock,
      report,
    }),
    credentialPlaces: new Set(
      Object.values(schemes).flatMap(({ writes = [] }) => writes.map(placeKey)),
    ),
    inputSecrets: Object.values(inputs ?? {}).flatMap(textsOf),
  };
}

/** Returns the lines of headers, which are equal for equal headers. */
function linesOf(headers: ExtraHeaders): readonly string[] {
  return Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .toSorted();
}

/** Returns the texts of an input's parameters and body. */
function textsOf({ path, query, headers, cookies, body }: Input): readonly string[] {
  return [path, query, headers, cookies, body]
    .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
    .filter((value: unknown): value is string => typeof value === 'string');
}

/** Passes an event to `onEvent`, or emits the warning about it. Never throws. */
export type Report = (event: ClientEvent, unheard?: UnheardEvent) => void;

/**
 * Creates the function that passes events to `onEvent`. Failures that a call does not throw are reported as process
 * warnings if there is no `onEvent`.
 */
export function createReport(onEvent: ConnectionOptions['onEvent']): Report {
  const warn = createFailureWarnings();
  const warnOf: Report = (event, unheard) => {
    if (unheard === undefined) return;
    const help = `${unheard.help} The option \`onEvent\` gets each error. Without it, this warning is emitted once for each cause.`;
    warn({ ...unheard, help, error: 'cause' in event ? event.cause : undefined });
  };
  if (onEvent === undefined) return warnOf;
  return (event, unheard) => {
    // A listener that fails must not fail the call.
    const fail = (error: unknown): void => {
      warn({
        code: 'COUNTERSIGN_LISTENER_FAILED',
        message: '`onEvent` failed',
        help: 'The event is lost. The call continues.',
        error,
      });
      warnOf(event, unheard);
    };
    try {
      const heard: unknown = onEvent(event);
      if (heard instanceof Promise) heard.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The state that all calls of a connection share: its options with their defaults, and the service. */
interface ConnectionContext {
  readonly service: Service;
  /** Returns the base address of an operation. */
  readonly addressOf: AddressOf;
  /** Sends requests. */
  readonly fetch: NonNullable<ConnectionOptions['fetch']>;
  /** Whether `fetch` is the platform's own. */
  readonly isPlatformFetch: boolean;
  /** Whether a rejection of `fetch` tells that nothing was sent. */
  readonly fetchSendsOnce: boolean;
  readonly headers: ExtraHeaders | (() => ExtraHeaders) | undefined;
  readonly limits: ConnectionLimits;
  readonly retry: ConnectionOptions['retry'];
  readonly invalidRequest: NonNullable<ConnectionOptions['invalidRequest']>;
  readonly invalidResponse: NonNullable<ConnectionOptions['invalidResponse']>;
  readonly numbers: NonNullable<ConnectionOptions['numbers']>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly sleep: NonNullable<ConnectionOptions['sleep']>;
  readonly report: Report;
  /** Returns the account that a call with these options is made for. */
  readonly accountFor: (options: CallOptions) => AccountContext;
}

/** The limits of calls, which the options of a call can override. */
type ConnectionLimits = Required<
  Pick<ConnectionOptions, 'timeoutMs' | 'attemptTimeoutMs' | 'idleTimeoutMs' | 'maxResponseBytes'>
>;

const defaultLimits: ConnectionLimits = {
  timeoutMs: 60_000,
  attemptTimeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  maxResponseBytes: defaultMaxBytes,
};

/** Returns the limits that options state, with defaults. */
function toLimits(
  options: Partial<ConnectionLimits>,
  defaults: ConnectionLimits,
): ConnectionLimits {
  const limits = { ...defaults };
  for (const name of Object.keys(limits) as (keyof ConnectionLimits)[])
    limits[name] = options[name] ?? limits[name];
  return limits;
}

/**
 * Creates the context of a connection from valid options.
 * @throws ClientError `invalid-option` for an unusable base address
 */
export function createConnectionContext(
  options: ConnectionOptions,
  service: Service,
): ConnectionContext {
  const addressOf = createAddresses(options, service);
  const clock = guardNumber('clock', options.clock ?? (() => Date.now()));
  const { onEvent, numbers = 'refuse' } = options;
  const headers =
    typeof options.headers === 'function' ? guard('headers', options.headers) : options.headers;
  const report = createReport(onEvent);
  return {
    service,
    addressOf,
    // Tests and tools replace the platform's functions at any time.
    fetch: options.fetch ?? (async (url, init) => await globalThis.fetch(url, init)),
    isPlatformFetch: options.fetch === undefined,
    fetchSendsOnce: options.fetch === undefined || options.fetchSendsOnce === true,
    headers,
    limits: toLimits(options, defaultLimits),
    retry: options.retry,
    invalidRequest: options.invalidRequest ?? 'throw',
    invalidResponse: options.invalidResponse ?? service.invalidResponse ?? 'throw',
    numbers,
    clock,
    random: guardNumber('random', options.random ?? (() => Math.random())),
    uuid: guard('uuid', options.uuid ?? (() => crypto.randomUUID())),
    sleep: options.sleep === undefined ? sleep : guard('sleep', options.sleep),
    report,
    accountFor: createAccounts({
      service,
      options,
      headers,
      addressOf,
      clock,
      report,
    }),
  };
}

/** Reports the events of one call. */
interface CallReport {
  /** The number of the current attempt, from 1. */
  attempt: number;
  readonly event: ReportEvent;
  /** Reports a failure. Returns it with the known facts about the call, and without secrets. */
  readonly failure: (error: ClientError) => ClientError;
}

/** Creates the report of a call. */
function createCallReport(
  { id, method, path }: OperationData,
  about: KnownFacts,
  secrets: ReadonlySet<string>,
  report: Report,
): CallReport {
  const created: CallReport = {
    attempt: 1,
    event(details, unheard) {
      const { attempt } = created;
      const { requestId } = about;
      report({ operation: id, method, path, attempt, requestId, ...details }, unheard);
    },
    failure(error) {
      const failure = redactFailure(error, secrets, about);
      const { code, status } = failure;
      created.event({ type: 'failure', code, status });
      return failure;
    },
  };
  return created;
}

/** Returns the failure with the known facts about the call, and without secrets in a cause from outside the client. */
function redactFailure(
  error: ClientError,
  secrets: ReadonlySet<string>,
  about: FailedCall,
): ClientError {
  const facts = factsOf(error);
  const cause = foreignCauses.has(error.code) ? redactError(error.cause, secrets) : error.cause;
  return new ClientError(error.code, error.message, {
    ...facts,
    // Where a token request for this call failed, the error names the token operation.
    operation: facts.operation ?? about.operation,
    status: facts.status ?? about.status,
    requestId: facts.requestId ?? about.requestId,
    cause,
  });
}

/** Codes of errors whose causes come from outside the client, and can quote the request. */
const foreignCauses: ReadonlySet<string> = new Set([
  'aborted',
  'network',
  'function-failed',
  'invalid-input',
]);

/** The state that all attempts of a call share. */
interface CallContext extends SecurityContext {
  readonly operation: OperationData;
  readonly account: AccountContext;
  /** The input, with the credentials of the account that the operation sends as input. */
  readonly input: Input;
  /** The input that the caller gave. */
  readonly givenInput: Input;
  readonly options: CallOptions;
  readonly limits: ConnectionLimits;
  readonly body: EncodedBody;
  /** The security schemes of the call, those that sign last. */
  readonly schemes: readonly Authorizer[];
  /** The parameters that the client generates for every attempt. */
  readonly values: readonly EveryRequestValue[];
  /** The generated values that a retry sends again, by name. */
  readonly kept: Map<string, string>;
  /** The base address of the call. */
  readonly address: string;
  /** The secrets to remove from errors. */
  readonly secrets: Set<string>;
  /** The known facts about the call so far. */
  readonly about: KnownFacts;
  /** Checks input and headers against the contract, if the operation has validators. Throws `invalid-request`. */
  readonly check: (input: Input, headers: ExtraHeaders | undefined) => void;
}

/** The known facts about a call, which are completed while it runs. */
type KnownFacts = { -readonly [K in keyof FailedCall]: FailedCall[K] };

/** Returns whether RFC 9110, section 9.2.2 calls the method idempotent. */
function isIdempotent(method: string): boolean {
  return /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/.test(method);
}

/** Returns whether a status or an error is transient, so that another attempt can succeed. */
function isTransient(outcome: number | ClientErrorCode | undefined): boolean {
  const transient: readonly unknown[] = [408, 425, 429, 502, 503, 504, 'network', 'timeout'];
  return transient.includes(outcome);
}

/**
 * Returns the milliseconds to wait before the next attempt: random, up to a limit that grows with every attempt, and
 * at least what `Retry-After` demands. Returns `undefined` where the wait would exceed `maxDelayMs`.
 */
function nextDelay(
  { firstDelayMs = 250, factor = 2, maxDelayMs = 20_000, jitter = 1 }: RetryOptions,
  attempt: number,
  headers: Headers | undefined,
  random: () => number,
  now: number,
): number | undefined {
  const limit = Math.min(maxDelayMs, firstDelayMs * factor ** (attempt - 1));
  const demanded = retryAfter(headers?.get('retry-after'), now);
  return demanded > maxDelayMs ? undefined : Math.max(limit * (1 - jitter * random()), demanded);
}

/**
 * Returns the milliseconds that `Retry-After` demands (RFC 9110, section 10.2.3): seconds, or a date. Any other text
 * demands no wait.
 */
function retryAfter(value: string | null | undefined, now: number): number {
  const text = value ?? '';
  return /^\d+$/.test(text) ? 1000 * Number(text) : (Date.parse(text) || now) - now;
}

/**
 * Returns whether a call may be repeated when it is unknown whether the service has processed it. Call it after the
 * first attempt, whose generated values are then known.
 */
function mayBeRepeated(service: Service, context: CallContext): boolean {
  const { operation, options } = context;
  if (options.repeatable !== undefined) return options.repeatable;
  const condition = operation.repeatable ?? service.repeatable?.[operation.id];
  if (condition === undefined) return isIdempotent(operation.method);
  return typeof condition === 'object' ? service.isKept?.(condition, context) === true : condition;
}

const groups = { header: 'headers', query: 'query', path: 'path' } as const;

/**
 * Returns whether all attempts of a call carry the same value of a parameter: one of the caller, or one that the client
 * generates once for a call. A call without a value does not.
 */
export function isKept({ keeps }: KeptValue, context: CarriedValues): boolean {
  const [, place, wanted = ''] = /^\$request\.(header|query|path)\.(.+)$/s.exec(keeps) ?? [];
  if (place === undefined) return false;
  const group = groups[place as keyof typeof groups];
  const { operation, input, options, values, kept } = context;
  const isNamed = (name: string): boolean =>
    group === 'headers' ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
  const isSame = (parameter: { readonly in: string; readonly name: string }): boolean =>
    parameter.in === group && isNamed(parameter.name);
  const generated = values.find(isSame);
  if (generated?.value === 'timestamp') return false;
  const declared = generated ?? operation.parameters?.find(isSame);
  const groupValues = input[group] as Readonly<Record<string, unknown>> | undefined;
  const value = declared && groupValues && ownMember(groupValues, declared.name);
  if (value !== undefined && value !== null)
    // An empty text or list is not sent.
    return typeof value === 'object' ? Object.keys(value).length > 0 : value !== '';
  if (generated !== undefined) return (kept.get(generated.name) ?? '') !== '';
  return (
    group === 'headers' &&
    Object.entries(options.headers ?? {}).some(([name, text]) => isNamed(name) && text !== '')
  );
}

const cutOff = 'The connection failed before the response was complete.';

/** The result of sending a request: a response, or a failure that may be transient. */
type Sent =
  | { readonly received: Received; readonly failure?: undefined; readonly isUnsent?: undefined }
  | {
      readonly failure: ClientError;
      /** Whether it is certain that no byte of the call was sent. */
      readonly isUnsent: boolean;
      readonly received?: undefined;
    };

/**
 * Sends a request and reads its response. For a stream, reads only the headers. A failure is an answer even if its body
 * is lost.
 * @throws ClientError for a failure that another attempt would repeat, and the reason of the call's signal
 */
async function sendRequest(
  { fetch, isPlatformFetch, fetchSendsOnce }: ConnectionContext,
  { method, url, headers }: Draft,
  context: CallContext,
): Promise<Sent> {
  const { body, operation, limits, signal: ofCall } = context;
  const deadline = startDeadline(limits.attemptTimeoutMs, ofCall);
  const { signal } = deadline;
  // The request has its own signal, because a stream continues after the limits of the attempt.
  const transfer = new AbortController();
  const close = (): void => transfer.abort(signal.reason);
  signal.addEventListener('abort', close);
  const init: RequestInit & { readonly method: string } = {
    method,
    headers,
    redirect: 'manual',
    ...(body.contentType === null ? {} : { body: body.bytes }),
  };
  const bytes = new GrowingBytes();
  let head: Pick<Received, 'status' | 'headers'> | undefined;
  // Not by its class: `fetch` can be made of another client, whose errors are not those of this call.
  let refused: ClientError | undefined;
  // The async function turns an exception into a rejection.
  const sending = (async () => await fetch(url, { ...init, signal: transfer.signal }))();
  try {
    const response = await untilAborted(sending, signal);
    if (typeof response?.headers?.get !== 'function') {
      refused = functionFailed('fetch', new Error('It did not return a Response.'));
      throw refused;
    }
    const { status, headers: responseHeaders } = response;
    head = { status, headers: responseHeaders };
    // Also an error of the body tells that the service has answered.
    context.about.status = status;
    const decoder = streamDecoder(operation, response, context.options.stream);
    if (decoder !== undefined) {
      const stream = { body: response.body ?? new Blob([]).stream(), decoder, close };
      return { received: { ...head, bytes: new Uint8Array(), stream } };
    }
    const whole = await untilAborted(
      readBody(response.body, limits.maxResponseBytes, signal, bytes),
      signal,
    );
    if (whole === undefined) {
      refused = tooLarge('response', limits.maxResponseBytes);
      throw refused;
    }
    return { received: { ...head, bytes: whole } };
  } catch (cause) {
    close();
    // A `fetch` that ignores its signal can still respond.
    sending
      .then(({ body: late }) => (late?.locked === false ? late.cancel() : undefined))
      .catch(() => undefined);
    const read = head && { ...head, bytes: bytes.take() };
    // The status of a failure is the answer, whatever happens to its body.
    if (read !== undefined && read.status >= firstFailure && !context.options.signal?.aborted) {
      const incomplete = refused?.message ?? cutOff;
      return { received: { ...read, incomplete } };
    }
    if (ofCall.aborted) throw ofCall.reason;
    const about = { ...read, body: read?.bytes };
    const note = executedNote(read?.status);
    if (refused !== undefined)
      throw new ClientError(refused.code, refused.message + note, {
        ...factsOf(refused),
        ...about,
      });
    if (deadline.isExpired()) {
      const message = `No response arrived within ${limits.attemptTimeoutMs} ms (attemptTimeoutMs).`;
      return { failure: new ClientError('timeout', message + note, about), isUnsent: false };
    }
    if (isNetworkFailure(cause, isPlatformFetch, url, init)) {
      const failure = new ClientError('network', cutOff + note, { ...about, cause });
      return { failure, isUnsent: fetchSendsOnce && isUnsent(cause) };
    }
    throw isPlatformFetch
      ? new ClientError('invalid-input', 'The platform cannot send this request.', { cause })
      : functionFailed('fetch', cause);
  } finally {
    // Its signal then stays as it is, so `close` is not called any more.
    deadline.end();
  }
}

/**
 * Asserts that neither the caller nor an option of the client writes where the client writes credentials. The call would
 * otherwise be made for another account than its caller believes. An operation without security has no such places; the
 * values that are given for them are removed from errors.
 * @param draft the request before the credentials are written
 * @throws ClientError `invalid-input`
 */
function refuseCredentials(
  draft: Draft,
  { security }: Service,
  { account, operation, givenInput, values }: CallContext,
): void {
  const { credentialPlaces } = account;
  const needed = (operation.security ?? security).flat().map(schemeName);
  for (const place of ['headers', 'query', 'cookies'] as const) {
    // Inputs that the contract does not declare are not sent, but their caller believes it.
    const callerEntries: readonly (readonly [string, unknown])[] = Object.entries(
      givenInput[place] ?? {},
    );
    for (const [name, value] of [...sentValues[place](draft), ...callerEntries]) {
      const key = placeKey({ in: place, name });
      if (value === undefined || !credentialPlaces.has(key)) continue;
      if (isFree(key, needed, account, operation, values)) continue;
      if (needed.length > 0)
        throw invalidInput(
          `The ${place} of the call contain ${JSON.stringify(name)}, which names a credential. Use the option credentials for another account.`,
        );
      if (typeof value === 'string') draft.secrets.add(value);
    }
  }
}

/** Returns whether a call may write at a place where other operations have a credential. */
function isFree(
  key: string,
  needed: readonly string[],
  { inputs, schemes }: AccountContext,
  operation: OperationData,
  values: readonly EveryRequestValue[],
): boolean {
  // A parameter can have a name that only other operations use for a credential.
  const declared = operation.responses === undefined ? [] : (operation.parameters ?? []);
  const isCredential = needed.some((id) => schemes[id]?.writes?.map(placeKey).includes(key));
  if (!isCredential && declared.map(placeKey).includes(key)) return true;
  const ofAccount = (['headers', 'query', 'cookies'] as const).flatMap((place) =>
    Object.keys(inputs?.[operation.id]?.[place] ?? {}).map((name) => placeKey({ in: place, name })),
  );
  return values.map(placeKey).includes(key) || ofAccount.includes(key);
}

/** Returns the names and values that a request has at each place. */
const sentValues: Readonly<
  Record<'headers' | 'query' | 'cookies', (draft: Draft) => Iterable<readonly [string, unknown]>>
> = {
  headers: ({ headers }) => headers,
  query: ({ url }) => new URLSearchParams(url.replace(/^[^?]*/, '')),
  cookies: ({ headers }) =>
    (headers.get('cookie') ?? '').split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name.trim()), value.join('=').trim()] as const;
    }),
};

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A request that is ready to send, and functions that renew its credentials after a 401. */
interface PreparedRequest {
  readonly draft: Draft;
  readonly renew: readonly Renew[];
}

/**
 * Creates the request of one attempt, with its credentials. Values that depend on the time are created after the last
 * wait.
 * @throws ClientError for input that cannot be sent, and for credentials that cannot be obtained
 */
async function prepareRequest(
  connection: ConnectionContext,
  context: CallContext,
): Promise<PreparedRequest> {
  // Refuses invalid input before a token is requested for the call.
  let draft = draftRequest(connection, context);
  const writers: WriteCredentials[] = [];
  let hasWaited = false;
  for (const scheme of context.schemes) {
    const writer = scheme.prepare(context);
    hasWaited ||= writer instanceof Promise;
    writers.push(await writer);
  }
  if (hasWaited) draft = draftRequest(connection, context);
  const renew: Renew[] = [];
  for (const writer of writers) {
    const renewable = await writer(draft);
    if (renewable !== undefined) renew.push(renewable);
  }
  // Checks the URL again, because credentials may have been added to the query.
  assertSafeUrl(draft.url, context.address);
  return { draft, renew };
}

/** Creates the request of one attempt, without credentials. */
function draftRequest(
  { clock, uuid, headers, service }: ConnectionContext,
  context: CallContext,
): Draft {
  const { operation, input, body, values, address, options } = context;
  const requestValues = makeValues(values, input, context.kept, clock(), uuid);
  const draft = createDraft(
    operation.method,
    address,
    operation.path,
    [...(operation.parameters ?? []), ...values],
    requestValues,
    body.bytes,
    context.secrets,
    options.allowReserved,
  );
  const ofClient = addHeaders(draft, context, headers);
  if (ofClient !== undefined) context.check({}, ofClient);
  refuseCredentials(draft, service, context);
  // Checks the URL before it is signed.
  assertSafeUrl(draft.url, address);
  const id = values.find(({ value }) => value === 'uuid');
  context.about.requestId =
    id && (requestValues[id.in] as Readonly<Record<string, string>>)[id.name];
  return draft;
}

/** Adds the headers that are no parameters. Returns those of the client that are sent, if there are any. */
function addHeaders(
  draft: Draft,
  { operation: { responses = {} }, body: { contentType }, options }: CallContext,
  ofConnection: ConnectionContext['headers'],
): ExtraHeaders | undefined {
  const accepted = new Set(Object.values(responses).flatMap((content) => Object.keys(content)));
  const shared = typeof ofConnection === 'function' ? ofConnection() : ofConnection;
  const contentHeaders = {
    ...(accepted.size === 0 ? {} : { accept: [...accepted].join(', ') }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
  };
  // The first value of a name is sent, whatever its case: the call's, the client's, the operation's.
  let hasCookie = false;
  let ofClient: Record<string, string> | undefined;
  for (const headers of [options.headers, shared, contentHeaders]) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      const isCookie = name.toLowerCase() === 'cookie';
      // Cookies are added to those of parameters. A name that no header can have is refused when it is written.
      const isFirst = isCookie ? !hasCookie : !(isHeaderName(name) && draft.headers.has(name));
      if (isFirst) {
        draft.header(name, value);
        if (headers === shared) (ofClient ??= {})[name] = value;
      } else if (headers === options.headers && draft.headers.get(name) !== value)
        throw invalidInput(
          `The call has two values for the header ${JSON.stringify(name)}. Pass the value of a parameter in the input only.`,
        );
      hasCookie ||= isCookie;
    }
  }
  return ofClient;
}

/** Returns whether a text can be the name of a header: a token of RFC 9110, section 5.6.2. */
function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/**
 * Makes a call: all its attempts, until one has an answer or the call fails.
 * @param account the account that the call is made for
 * @param tokenRequest for a token request: the retry budget of the call that needs the token, and further secrets
 * @throws ClientError with the known facts about the call; unexpected errors of the program keep their own type
 */
export async function runCall(
  connection: ConnectionContext,
  account: AccountContext,
  operation: OperationData,
  input: Input,
  options: CallOptions,
  tokenRequest?: { readonly budget: RetryBudget; readonly secrets: readonly string[] },
): Promise<Answer> {
  const about: KnownFacts = { operation: operation.id };
  const started = performance.now();
  const limits = toLimits(options, connection.limits);
  const { timeoutMs } = limits;
  const deadline = startDeadline(timeoutMs, options.signal);
  const { signal } = deadline;
  const secrets = new Set([...account.inputSecrets, ...(tokenRequest?.secrets ?? [])]);
  const report = createCallReport(operation, about, secrets, connection.report);
  try {
    signal.throwIfAborted();
    const retry = { ...connection.retry, ...options.retry };
    const budget = tokenRequest?.budget ?? { left: (retry.attempts ?? 3) - 1 };
    const context = await createContext(connection, operation, input, options, {
      account,
      about,
      signal,
      secrets,
      budget,
      limits,
      report: report.event,
    });
    let refusal: Received | undefined;
    for (; ; report.attempt += 1) {
      const sent = await attempt(connection, context, report, refusal);
      const { received, failure, isUnsent, renew = [] } = sent;
      refusal = undefined;
      // Calls each: a 401 does not tell which credential the service refused.
      if (received?.status === 401 && renew.map((take) => take()).includes(true)) {
        refusal = received;
        report.event({ type: 'retry', reason: 'unauthorized', delayMs: 0 });
        continue;
      }
      const mayRetry =
        budget.left > 0 &&
        isTransient(failure?.code ?? received?.status) &&
        (isUnsent === true || mayBeRepeated(connection.service, context));
      const delayMs = mayRetry
        ? nextDelay(retry, report.attempt, received?.headers, connection.random, connection.clock())
        : undefined;
      // A wait beyond the timeout would replace the actual failure by a timeout.
      if (delayMs !== undefined && performance.now() - started + delayMs < timeoutMs) {
        budget.left -= 1;
        // Other codes are not transient.
        const reason = (failure?.code ?? 'status') as 'status' | 'network' | 'timeout';
        report.event({ type: 'retry', reason, delayMs });
        await untilAborted(connection.sleep(delayMs, signal), signal);
        continue;
      }
      if (received === undefined) throw failure;
      return readAnswer(connection, context, received, report);
    }
  } catch (error) {
    const failure = toFailure(error, signal, options.signal, timeoutMs);
    throw failure === undefined ? error : report.failure(failure);
  } finally {
    deadline.end();
  }
}

async function createContext(
  connection: ConnectionContext,
  operation: OperationData,
  input: Input,
  options: CallOptions,
  {
    report,
    ...state
  }: Pick<CallContext, 'account' | 'about' | 'signal' | 'secrets' | 'budget' | 'limits'> & {
    readonly report: ReportEvent;
  },
): Promise<CallContext> {
  const { service } = connection;
  const { account, budget, signal } = state;
  const schemes = selectSchemes(account, service.security, operation);
  const address =
    options.baseUrl === undefined ? connection.addressOf(operation) : toBase(options.baseUrl);
  // Nothing is sent unless all requests of the call have an address.
  assertIssuersHaveAddress(connection, account, schemes);
  const check = createCheck(operation, options.invalidRequest ?? connection.invalidRequest, report);
  check(input, options.headers);
  const fullInput = { ...account.inputs?.[operation.id], ...input };
  return {
    ...state,
    operation,
    input: fullInput,
    givenInput: input,
    options,
    clock: connection.clock,
    shared: account.sharedTokens,
    requestToken: async (token, { input: tokenInput = {}, secrets = [] } = {}) =>
      await runCall(
        connection,
        account,
        token,
        tokenInput,
        { repeatable: true },
        { budget, secrets },
      ),
    kept: new Map(),
    body: await untilAborted(encodeBody(operation, fullInput, signal), signal),
    schemes,
    values: service.everyRequest.filter(
      ({ name }) => operation.everyRequest?.includes(name) ?? true,
    ),
    address,
    check,
  };
}

/** Creates the check of a call, which reports the same violations once, however many attempts there are. */
function createCheck(
  { checkInput }: OperationData,
  invalidRequest: NonNullable<CallOptions['invalidRequest']>,
  report: ReportEvent,
): CallContext['check'] {
  if (checkInput === undefined) return () => undefined;
  const reported = new Set<string>();
  const reportOnce: ReportEvent = (details, unheard) => {
    const text = 'cause' in details ? String(details.cause) : '';
    if (!reported.has(text)) report(details, unheard);
    reported.add(text);
  };
  return (input, headers) =>
    checkInput(input, headers === undefined ? {} : { headers }, {
      invalidRequest,
      report: reportOnce,
    });
}

/**
 * Asserts that the client knows where to send the token requests that a call can need.
 * @throws ClientError `invalid-option`
 */
function assertIssuersHaveAddress(
  connection: ConnectionContext,
  account: AccountContext,
  schemes: readonly Authorizer[],
  checked = new Set<OperationData>(),
): void {
  for (const { issuer } of schemes) {
    if (issuer === undefined || checked.has(issuer)) continue;
    checked.add(issuer);
    connection.addressOf(issuer);
    const needed = selectSchemes(account, connection.service.security, issuer);
    assertIssuersHaveAddress(connection, account, needed, checked);
  }
}

/**
 * Makes one attempt. Where a token request fails, the call itself was not sent.
 * @param refusal the 401 of an earlier attempt, which remains the answer if no credential can be renewed
 */
async function attempt(
  connection: ConnectionContext,
  context: CallContext,
  report: CallReport,
  refusal: Received | undefined,
): Promise<Sent & { readonly renew?: readonly Renew[] }> {
  const { about, options, signal } = context;
  const { requestId } = about;
  let prepared: PreparedRequest;
  try {
    prepared = await prepareRequest(connection, context);
  } catch (error) {
    const isExpected = error instanceof ClientError || error === signal.reason;
    if (refusal !== undefined && isExpected && options.signal?.aborted !== true) {
      about.requestId = requestId;
      return { received: { ...refusal, cause: error instanceof ClientError ? error : undefined } };
    }
    if (!(error instanceof ClientError)) throw error;
    if (isTransient(error.code)) return { failure: error, isUnsent: true };
    // Only this function can return something else for a further attempt. `invalid-request` would say that nothing was sent.
    if (report.attempt > 1 && (error.code === 'invalid-input' || error.code === 'invalid-request'))
      throw new ClientError(
        'function-failed',
        'The function of the option headers returned headers that cannot be sent, for a further attempt of the call. The cause says why.',
        { cause: error },
      );
    throw error;
  }
  const sentAt = connection.clock();
  report.event({ type: 'request' });
  const sent = await sendRequest(connection, prepared.draft, context);
  if (sent.received === undefined) return sent;
  const { status } = sent.received;
  report.event({ type: 'response', status, durationMs: connection.clock() - sentAt });
  return { ...sent, renew: prepared.renew };
}

/**
 * Converts the response to the answer of the call.
 * @throws ClientError for a failure, a response that the contract does not declare, or an invalid body
 */
function readAnswer(
  { invalidResponse, numbers }: ConnectionContext,
  { operation, about, options, limits }: CallContext,
  received: Received,
  report: CallReport,
): Answer {
  return toAnswer(
    {
      operation,
      about,
      numbers,
      invalidResponse,
      report: report.event,
      fail: report.failure,
      signal: options.signal,
      limits,
    },
    received,
  );
}

/** Returns the ClientError for the error that ended a call, or `undefined` for an unexpected error of the program. */
function toFailure(
  error: unknown,
  signal: AbortSignal,
  ofCaller: AbortSignal | undefined,
  timeoutMs: number,
): ClientError | undefined {
  if (signal.aborted && error === signal.reason) {
    return ofCaller?.reason === error
      ? new ClientError('aborted', 'The caller aborted the call.', { cause: error })
      : new ClientError('timeout', `The call did not finish within ${timeoutMs} ms (timeoutMs).`);
  }
  return error instanceof ClientError ? error : undefined;
}
