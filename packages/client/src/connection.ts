import { streamDecoder, toAnswer, type Judge, type Received } from './answer.ts';
import { checkCallOptions, checkConnectionOptions } from './check-options.ts';
import { ClientError, type FailedCall } from './client-error.ts';
import { sleep as wait, untilAborted } from './deadline.ts';
import { assertSafeUrl, createDraft, toBase, type Draft } from './draft.ts';
import { encodeBody, type EncodedBody } from './encode-body.ts';
import type { ClientEvent, Happening } from './events.ts';
import { functionFailed, guard, guardNumber } from './given.ts';
import { isNetworkFailure, isUnsent } from './network-failure.ts';
import type { Answer, AnswerTo, Input, Operation, OperationData } from './operation.ts';
import type { CallOptions, ConnectionOptions, ExtraHeaders } from './options.ts';
import { assertPlatform } from './platform.ts';
import { defaultMaxBytes, readBody } from './read-body.ts';
import { redactError } from './redact.ts';
import { isIdempotent, isTransient, nextDelay, type RetryBudget } from './retry.ts';
import type { Authoriser, Forget, SecurityContext, WriteCredentials } from './security.ts';
import { makeValues, type Service } from './service.ts';
import { shareTokens } from './shared-tokens.ts';
import { toUndeclared } from './undeclared.ts';

/** A connection to a service with the client's credentials. Printing or serializing it does not expose them. */
export interface Connection {
  /** Calls an operation. Rejects with a `ClientError`; unexpected errors of the program keep their own type. */
  readonly call: <In, Out, const Options extends CallOptions = CallOptions>(
    operation: Operation<In, Out>,
    input?: In,
    options?: Options,
  ) => Promise<AnswerTo<Out, Options>>;
  /**
   * Makes a call, authorised and signed like any other, that the contract does not declare. Rejects with a
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
  const base = toBase(options.baseUrl);
  const { fetch = globalThis.fetch, onEvent } = options;
  const clock = guardNumber('clock', options.clock ?? Date.now);
  const random = guardNumber('random', options.random ?? Math.random);
  const uuid = guard('uuid', options.uuid ?? (() => crypto.randomUUID()));
  const sleep = options.sleep === undefined ? wait : guard('sleep', options.sleep);
  const extraHeaders =
    typeof options.headers === 'function' ? guard('headers', options.headers) : options.headers;
  const report = (event: ClientEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // A logger that throws must not fail the call.
    }
  };
  const identity = [base, service.inputs];
  // Credentials that are sent in bodies.
  const confidential = Object.values(service.inputs ?? {})
    .flatMap(({ body }) => Object.values(body ?? {}))
    .filter((value): value is string => typeof value === 'string');
  const shared = shareTokens(options.tokenStore, identity, clock, report);

  /** Creates the request of one attempt. Values that depend on the time are created after the last wait. */
  async function prepare(context: CallContext): Promise<Prepared> {
    const { operation, input, body, schemes, values, address, call } = context;
    const write = (): Prepared['draft'] => {
      const given = makeValues(values, input, context.kept, clock(), uuid);
      const draft = createDraft(
        operation.method,
        address,
        operation.path,
        [...(operation.parameters ?? []), ...values],
        given,
        body.bytes,
        context.secrets,
        call.allowReserved,
      );
      addHeaders(draft, operation, body, extraHeaders, call.headers);
      // Checks the URL before signing, and again below, because credentials may have been added to the query.
      assertSafeUrl(draft.url, address);
      const id = values.find(({ value }) => value === 'uuid');
      context.about.requestId = id && (given[id.in] as Readonly<Record<string, string>>)[id.name];
      return draft;
    };
    // Refuses invalid input before a token is requested for the call.
    let draft = write();
    const writers: WriteCredentials[] = [];
    let hasWaited = false;
    for (const scheme of schemes) {
      const writer = scheme.prepare(context);
      hasWaited ||= writer instanceof Promise;
      writers.push(await writer);
    }
    if (hasWaited) draft = write();
    const forget: Forget[] = [];
    for (const writer of writers) {
      const renewable = await writer(draft);
      if (renewable !== undefined) forget.push(renewable);
    }
    assertSafeUrl(draft.url, address);
    return { draft, forget };
  }

  /** Sends a request and reads its response. For a stream, reads only the headers. */
  async function send({ method, url, headers }: Draft, context: CallContext): Promise<Sent> {
    const { body, call, operation, signal: deadline } = context;
    const limit = AbortSignal.timeout(call.attemptTimeout ?? options.attemptTimeout ?? 30_000);
    const signal = AbortSignal.any([limit, deadline]);
    // The connection has a signal of its own, because a stream continues after the limits of the attempt.
    const connection = new AbortController();
    const close = (): void => connection.abort(signal.reason);
    signal.addEventListener('abort', close);
    const init: RequestInit & { readonly method: string } = {
      method,
      headers,
      redirect: 'manual',
      ...(body.contentType === null ? {} : { body: body.bytes }),
    };
    try {
      const response = await untilAborted(
        // The async function turns an exception into a rejection.
        (async () => await fetch(url, { ...init, signal: connection.signal }))(),
        signal,
      );
      if (typeof response?.headers?.get !== 'function')
        throw functionFailed('fetch', new Error('It has returned no Response.'));
      const received = { code: response.status, headers: response.headers };
      const decoder = streamDecoder(operation, response, call.stream);
      if (decoder !== undefined) {
        const stream = { body: response.body ?? new Blob().stream(), decoder, close };
        return { received: { ...received, bytes: new Uint8Array(), stream } };
      }
      const bytes = await untilAborted(readBody(response.body, maxBytes(call)), signal);
      return { received: { ...received, bytes } };
    } catch (cause) {
      close();
      if (deadline.aborted) throw deadline.reason;
      if (cause instanceof ClientError) throw cause;
      if (limit.aborted)
        return { failure: new ClientError('timeout', 'No answer came in time.'), isUnsent: false };
      const isPlatform = options.fetch === undefined;
      if (isNetworkFailure(cause, isPlatform, url, init)) {
        const failure = new ClientError('network', 'The request or its answer was lost.', {
          cause,
        });
        return { failure, isUnsent: isPlatform && isUnsent(cause) };
      }
      throw isPlatform
        ? new ClientError('invalid-input', 'The platform cannot send such a request.', { cause })
        : functionFailed('fetch', cause);
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  const maxBytes = (call: CallOptions): number =>
    call.maxResponseBytes ?? options.maxResponseBytes ?? defaultMaxBytes;

  /** Makes one attempt. Where a token request fails, the call itself was not sent. */
  async function attempt(context: CallContext, tell: Tell): Promise<Sent> {
    let prepared: Prepared;
    try {
      prepared = await prepare(context);
    } catch (error) {
      if (error instanceof ClientError && isTransient(error.code))
        return { failure: error, isUnsent: true };
      throw error;
    }
    const sent = clock();
    tell({ type: 'request' });
    const outcome = await send(prepared.draft, context);
    if (outcome.received === undefined) return outcome;
    const { code: status } = outcome.received;
    context.about.status = status;
    tell({ type: 'response', status, duration: clock() - sent });
    return { ...outcome, forget: prepared.forget };
  }

  async function run(
    operation: OperationData,
    input: Input,
    call: CallOptions,
    shareOf?: RetryBudget,
  ): Promise<Answer> {
    const { id, method, path } = operation;
    const about: CallContext['about'] = { operation: id };
    const started = performance.now();
    const timeout = call.timeout ?? options.timeout ?? 60_000;
    const limit = AbortSignal.timeout(timeout);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    const secrets = new Set(confidential);
    let number = 1;
    const tell: Tell = (happening) =>
      report({
        operation: id,
        method,
        path,
        attempt: number,
        requestId: about.requestId,
        ...happening,
      });
    const fail = (error: ClientError): ClientError => {
      const failure = redactFailure(error, secrets, about);
      tell({ type: 'failure', code: failure.code });
      return failure;
    };
    const judge: Judge = (check, toAbout) => {
      const { invalidResponse = 'throw' } = options;
      try {
        if (invalidResponse !== 'ignore') check?.();
      } catch (cause) {
        const known = toAbout();
        if (invalidResponse === 'throw')
          throw new ClientError(
            'invalid-response',
            `${id}: the body is not what the contract says.`,
            { ...known, cause },
          );
        tell({ type: 'invalid-response', status: known.status ?? 0, cause });
      }
    };
    try {
      signal.throwIfAborted();
      const retry = { ...options.retry, ...call.retry };
      const budget = shareOf ?? { left: (retry.attempts ?? 3) - 1 };
      const full = { ...service.inputs?.[id], ...input };
      const context: CallContext = {
        operation,
        input: full,
        call,
        about,
        clock,
        signal,
        budget,
        shared,
        requestToken: async (token) => await run(token, {}, { repeatable: true }, budget),
        kept: new Map(),
        secrets,
        body: await encodeBody(operation, full),
        schemes: selectSchemes(operation, service),
        values: service.everyRequest.filter(
          ({ name }) => operation.everyRequest?.includes(name) ?? true,
        ),
        address: toBase(call.baseUrl ?? operation.baseUrl ?? base),
      };
      const isRepeatable =
        call.repeatable ??
        (isIdempotent(method) ||
          operation.repeatable === true ||
          service.repeatable?.[id] === true);
      for (let isRenewed = false; ; number += 1) {
        const outcome = await attempt(context, tell);
        const { received, failure, forget = [] } = outcome;
        if (received?.code === 401 && forget.length > 0 && !isRenewed) {
          isRenewed = true;
          for (const renew of forget) renew();
          received.stream?.close();
          tell({ type: 'retry', reason: 'unauthorised', delay: 0 });
          continue;
        }
        const mayRepeat =
          budget.left > 0 &&
          (isRepeatable || outcome.isUnsent === true) &&
          isTransient(failure?.code ?? received?.code);
        const delay = mayRepeat
          ? nextDelay(retry, number, received?.headers, random, clock())
          : undefined;
        // A wait beyond the timeout would replace the actual failure by a timeout.
        if (delay !== undefined && performance.now() - started + delay < timeout) {
          budget.left -= 1;
          received?.stream?.close();
          // Other codes are not transient.
          const reason = (failure?.code ?? 'status') as 'status' | 'network' | 'timeout';
          tell({ type: 'retry', reason, delay });
          await untilAborted(sleep(delay, signal), signal);
          continue;
        }
        if (received === undefined) throw failure;
        const { numbers = 'refuse' } = options;
        return toAnswer(
          operation,
          received,
          about,
          judge,
          ({ decoder, ...stream }, check) =>
            decoder.stream({
              ...stream,
              check(value, item) {
                try {
                  check(value, item);
                } catch (error) {
                  throw error instanceof ClientError ? fail(error) : error;
                }
              },
              fail,
              numbers,
              signal: call.signal,
              idleTimeout: call.idleTimeout ?? options.idleTimeout ?? 300_000,
              maxItemBytes: maxBytes(call),
            }),
          numbers,
        );
      }
    } catch (error) {
      const failure = toFailure(error, signal, call.signal);
      // An unexpected error of the program keeps its own type.
      throw failure === undefined ? error : fail(failure);
    }
  }

  return Object.freeze<Connection>({
    call: async <In, Out, Options extends CallOptions>(
      operation: Operation<In, Out>,
      input?: In,
      call?: Options,
    ): Promise<AnswerTo<Out, Options>> => {
      checkCallOptions(call ?? {});
      return (await run(operation, input ?? {}, call ?? {})) as AnswerTo<Out, Options>;
    },
    request: async (method, path, input = {}, call = {}) => {
      checkCallOptions(call);
      return await run(toUndeclared(method, path, input), input, call);
    },
  });
}

/** The state that all attempts of a call share. */
interface CallContext extends SecurityContext {
  readonly operation: OperationData;
  readonly input: Input;
  readonly call: CallOptions;
  readonly body: EncodedBody;
  readonly schemes: readonly Authoriser[];
  readonly values: Service['everyRequest'];
  readonly address: string;
  readonly kept: Map<string, string>;
  /** The secrets to remove from errors. */
  readonly secrets: Set<string>;
  /** The known facts about the call so far. */
  readonly about: { -readonly [K in keyof FailedCall]: FailedCall[K] };
}

/** A request that is ready to send, and functions that discard its credentials after a 401. */
interface Prepared {
  readonly draft: Draft;
  readonly forget: readonly Forget[];
}

/** The result of an attempt: a response, or a failure that may be transient. */
type Sent =
  | {
      readonly received: Received;
      readonly forget?: readonly Forget[];
      readonly failure?: undefined;
      readonly isUnsent?: undefined;
    }
  | {
      readonly failure: ClientError;
      /** Whether it is certain that no byte of the call was sent. */
      readonly isUnsent: boolean;
      readonly received?: undefined;
      readonly forget?: undefined;
    };

type Tell = (happening: Happening) => void;

/**
 * Returns the schemes of the first alternative with all credentials given, those that sign last.
 * @throws ClientError `missing-credential` where there is no such alternative
 */
function selectSchemes({ id, security }: OperationData, service: Service): readonly Authoriser[] {
  const alternatives = security ?? service.security;
  if (alternatives.length === 0) return [];
  for (const names of alternatives) {
    const schemes = names
      .flatMap((name) => service.schemes[name] ?? [])
      .filter(({ ready }) => ready);
    if (schemes.length === names.length)
      return schemes.toSorted((a, b) => Number(a.last ?? 0) - Number(b.last ?? 0));
  }
  const needed = alternatives.map((names) => names.join(' and ')).join(', or ');
  throw new ClientError('missing-credential', `${id} needs the credentials of ${needed}.`);
}

function addHeaders(
  draft: Draft,
  { responses = {} }: OperationData,
  { contentType }: EncodedBody,
  everywhere: ConnectionOptions['headers'],
  here: ExtraHeaders | undefined,
): void {
  const accepted = new Set(Object.values(responses).flatMap((content) => Object.keys(content)));
  const extra = typeof everywhere === 'function' ? everywhere() : everywhere;
  const own = {
    ...(accepted.size === 0 ? {} : { accept: [...accepted].join(', ') }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
  };
  // The first value of a name is sent, whatever its case: the call's, the client's, the operation's.
  for (const headers of [here, extra, own]) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (!draft.headers.has(name)) draft.header(name, value);
    }
  }
}

/** Returns the ClientError for the error that ended a call, or `undefined` for an unexpected error of the program. */
function toFailure(
  error: unknown,
  signal: AbortSignal,
  ofCaller: AbortSignal | undefined,
): ClientError | undefined {
  if (signal.aborted && error === signal.reason) {
    return ofCaller?.aborted === true && ofCaller.reason === error
      ? new ClientError('aborted', 'The call was aborted.', { cause: error })
      : new ClientError('timeout', 'The call did not end within its timeout.');
  }
  return error instanceof ClientError ? error : undefined;
}

/** Returns the failure with the known facts about the call, and without secrets in a cause from outside the client. */
function redactFailure(
  error: ClientError,
  secrets: ReadonlySet<string>,
  about: FailedCall,
): ClientError {
  // Where a token request for this call failed, the error names the token operation.
  const { code, message, body, headers } = error;
  const { operation = about.operation, status = about.status } = error;
  const { requestId = about.requestId } = error;
  const cause = foreignCauses.has(code) ? redactError(error.cause, secrets) : error.cause;
  return new ClientError(code, message, { operation, status, requestId, cause, body, headers });
}

/** Codes of errors whose causes come from outside the client, and can quote the request. */
const foreignCauses: ReadonlySet<string> = new Set([
  'aborted',
  'network',
  'function-failed',
  'invalid-input',
]);
