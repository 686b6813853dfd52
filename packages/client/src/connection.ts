import { streamDecoder, toAnswer, type Judge, type Received } from './answer.ts';
import { ClientError, type FailedCall } from './client-error.ts';
import { sleep as wait, untilAborted } from './deadline.ts';
import { assertSafeUrl, createDraft, toBase, type Draft } from './draft.ts';
import { encodeBody, type EncodedBody } from './encode-body.ts';
import type { ClientEvent, Happening } from './events.ts';
import type { Answer, AnswerTo, Input, Operation, OperationData } from './operation.ts';
import type { CallOptions, ConnectionOptions, ExtraHeaders } from './options.ts';
import { defaultMaxBytes, readBody } from './read-body.ts';
import { redactError } from './redact.ts';
import { isIdempotent, isTransient, nextDelay } from './retry.ts';
import type { Authoriser, Forget } from './security.ts';
import { makeValues, type Service } from './service.ts';
import { shareTokens } from './shared-tokens.ts';
import { toUndeclared } from './undeclared.ts';

/** A service with credentials: what operations are called through. It shows none of what it knows. */
export interface Connection {
  /** Calls an operation. Rejects with a ClientError. */
  readonly call: <In, Out, const Options extends CallOptions = CallOptions>(
    operation: Operation<In, Out>,
    input?: In,
    options?: Options,
  ) => Promise<AnswerTo<Out, Options>>;
  /**
   * Makes a call that the contract does not state, signed and authorised all the same. A status outside 2XX is a
   * ClientError.
   */
  readonly request: (
    method: string,
    path: string,
    input?: Input,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/** Makes a connection. Throws a ClientError for options that are out of range. */
export function connect(options: ConnectionOptions, service: Service): Connection {
  const base = toBase(options.baseUrl);
  const {
    fetch = globalThis.fetch,
    clock = Date.now,
    random = Math.random,
    uuid = () => crypto.randomUUID(),
    sleep = wait,
    onEvent,
  } = options;
  const report = (event: ClientEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // A logger that fails must not fail the call.
    }
  };
  const identity = [base, service.inputs];
  // Credentials that travel in bodies.
  const confidential = Object.values(service.inputs ?? {})
    .flatMap(({ body }) => Object.values(body ?? {}))
    .filter((value): value is string => typeof value === 'string');
  const shared = shareTokens(options.tokenStore, identity, clock, report);

  /** One request and its response, from the first header to the last byte. */
  async function attempt(
    context: CallContext,
    input: Input,
    call: CallOptions,
    started: (requestId: string | undefined) => void,
  ): Promise<{ readonly received: Received; readonly forget: readonly Forget[] }> {
    const { operation, body, schemes, values, address } = context;
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
    addHeaders(draft, operation, body, options.headers, call.headers);
    // Before anything signs it, and once more when keys may have been added to the query.
    assertSafeUrl(draft.url, address);
    const forget: Forget[] = [];
    for (const scheme of schemes) {
      const renewable = await scheme.apply(draft, {
        clock,
        signal: call.signal,
        call: async (token) => await run(token, {}, {}),
        shared,
      });
      if (renewable !== undefined) forget.push(renewable);
    }
    const { url, headers, method } = draft;
    assertSafeUrl(url, address);
    const id = values.find(({ value }) => value === 'uuid');
    started(id && (given[id.in] as Readonly<Record<string, string>>)[id.name]);
    const limit = AbortSignal.timeout(call.timeout ?? options.timeout ?? 30_000);
    const signal = AbortSignal.any([limit, call.signal ?? limit]);
    // A stream outlives the limit of the attempt, so that the connection has a signal of its own.
    const connection = new AbortController();
    const close = (): void => connection.abort(signal.reason);
    signal.addEventListener('abort', close);
    try {
      const sent = fetch(url, {
        method,
        headers,
        signal: connection.signal,
        redirect: 'manual',
        body: body.contentType && body.bytes,
      });
      const response = await untilAborted(sent, signal);
      const received = { code: response.status, headers: response.headers };
      const decoder = streamDecoder(operation, response, call.stream);
      if (decoder !== undefined) {
        const stream = { body: response.body ?? new Blob().stream(), decoder, close };
        return { received: { ...received, bytes: new Uint8Array(), stream }, forget };
      }
      const bytes = await untilAborted(readBody(response.body, maxBytes(call)), signal);
      return { received: { ...received, bytes }, forget };
    } catch (cause) {
      close();
      if (call.signal?.aborted === true || cause instanceof ClientError) throw cause;
      throw limit.aborted
        ? new ClientError('timeout', 'No answer came in time.')
        : new ClientError('network', 'The request or its answer was lost.', { cause });
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  const maxBytes = (call: CallOptions): number =>
    call.maxResponseBytes ?? options.maxResponseBytes ?? defaultMaxBytes;

  async function run(operation: OperationData, input: Input, call: CallOptions): Promise<Answer> {
    const { id, method, path } = operation;
    const about: { -readonly [K in keyof FailedCall]: FailedCall[K] } = { operation: id };
    const retry = { ...options.retry, ...call.retry };
    let number = 1;
    const tell = (happening: Happening): void =>
      report({
        operation: id,
        method,
        path,
        attempt: number,
        requestId: about.requestId,
        ...happening,
      });
    const secrets = new Set(confidential);
    const fail = (error: unknown): ClientError => {
      const failure = toClientError(error, call.signal, secrets, about);
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
      call.signal?.throwIfAborted();
      const full = { ...service.inputs?.[id], ...input };
      const context: CallContext = {
        operation,
        kept: new Map(),
        secrets,
        body: await encodeBody(operation, full),
        schemes: selectSchemes(operation, service),
        values: service.everyRequest.filter(
          ({ name }) => operation.everyRequest?.includes(name) ?? true,
        ),
        address: toBase(call.baseUrl ?? operation.baseUrl ?? base),
      };
      const repeatable =
        isIdempotent(method) ||
        context.values.some(({ value, retry: kept }) => value === 'uuid' && kept === 'keep');
      for (let renewed = false; ; number += 1) {
        let sent = clock();
        let received: Received | undefined;
        let failure: ClientError | undefined;
        try {
          const made = await attempt(context, full, call, (requestId) => {
            about.requestId = requestId;
            sent = clock();
            tell({ type: 'request' });
          });
          received = made.received;
          const { code: status } = received;
          about.status = status;
          tell({ type: 'response', status, duration: clock() - sent });
          if (status === 401 && made.forget.length > 0 && !renewed) {
            renewed = true;
            for (const renew of made.forget) renew();
            received.stream?.close();
            tell({ type: 'retry', reason: 'unauthorised', delay: 0 });
            continue;
          }
        } catch (error) {
          if (!(error instanceof ClientError)) throw error;
          failure = error;
        }
        const delay =
          repeatable && isTransient(failure?.code ?? received?.code)
            ? nextDelay(retry, number, received?.headers, random, clock())
            : undefined;
        if (delay !== undefined) {
          received?.stream?.close();
          // Nothing else is transient.
          const reason = (failure?.code ?? 'status') as 'status' | 'network' | 'timeout';
          tell({ type: 'retry', reason, delay });
          await untilAborted(sleep(delay, call.signal), call.signal);
          continue;
        }
        if (received === undefined) throw failure as ClientError;
        return toAnswer(operation, received, about, judge, ({ decoder, ...stream }, check) =>
          decoder.stream({
            ...stream,
            check(item) {
              try {
                check(item);
              } catch (error) {
                throw fail(error);
              }
            },
            fail,
            signal: call.signal,
            idleTimeout: call.idleTimeout ?? options.idleTimeout ?? 300_000,
            maxItemBytes: maxBytes(call),
          }),
        );
      }
    } catch (error) {
      throw fail(error);
    }
  }

  return Object.freeze<Connection>({
    call: async <In, Out, Options extends CallOptions>(
      operation: Operation<In, Out>,
      input?: In,
      call?: Options,
    ): Promise<AnswerTo<Out, Options>> =>
      (await run(operation, input ?? {}, call ?? {})) as AnswerTo<Out, Options>,
    request: async (method, path, input, call) =>
      await run(toUndeclared(method, path, input ?? {}), input ?? {}, call ?? {}),
  });
}

/** What all attempts at one call share. */
interface CallContext {
  readonly operation: OperationData;
  readonly body: EncodedBody;
  readonly schemes: readonly Authoriser[];
  readonly values: Service['everyRequest'];
  readonly address: string;
  readonly kept: Map<string, string>;
  /** What must appear in no error. */
  readonly secrets: Set<string>;
}

/** The schemes of the first alternative whose credentials are all there, those that sign last. */
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
  const headers = {
    ...(accepted.size === 0 ? {} : { accept: [...accepted].join(', ') }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
    ...extra,
    ...here,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!draft.headers.has(name)) draft.header(name, value);
  }
}

/** Whatever went wrong, as the one error of this package, and without a secret. */
function toClientError(
  error: unknown,
  signal: AbortSignal | undefined,
  secrets: ReadonlySet<string>,
  about: FailedCall,
): ClientError {
  if (error instanceof ClientError) {
    // A call for a token may have failed on behalf of this one; then the error speaks of that.
    const { code, message, body, headers } = error;
    const { operation = about.operation, status = about.status } = error;
    const { requestId = about.requestId } = error;
    const cause =
      code === 'network' || code === 'aborted' ? redactError(error.cause, secrets) : error.cause;
    return new ClientError(code, message, { operation, status, requestId, cause, body, headers });
  }
  const isAborted = signal?.aborted === true;
  const cause = redactError(isAborted ? signal.reason : error, secrets);
  return isAborted
    ? new ClientError('aborted', 'The call was aborted.', { ...about, cause })
    : new ClientError('invalid-option', 'A function given to the client has failed.', {
        ...about,
        cause,
      });
}
