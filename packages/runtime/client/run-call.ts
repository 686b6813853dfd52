import type { AccountContext } from './account-context.ts';
import { firstFailure, toAnswer, type Received } from './answer.ts';
import type { CallContext, KnownFacts } from './call-context.ts';
import { createCallReport, type CallReport } from './call-report.ts';
import { ClientError } from './client-error.ts';
import { toLimits, type ConnectionContext } from './connection-context.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import { toBase } from './draft.ts';
import { encodeBody } from './encode-body.ts';
import type { Answer, Input, OperationData } from './operation.ts';
import type { CallOptions } from './options.ts';
import { prepareRequest, type PreparedRequest } from './prepare-request.ts';
import { mayBeRepeated } from './repetition.ts';
import { isTransient, nextDelay, type RetryBudget } from './retry.ts';
import type { Authorizer, Renew } from './security.ts';
import { sendRequest, type Sent } from './send-request.ts';
import { selectSchemes } from './service.ts';

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
  state: Pick<CallContext, 'account' | 'about' | 'signal' | 'secrets' | 'budget' | 'limits'>,
): Promise<CallContext> {
  const { service } = connection;
  const { account, budget, signal } = state;
  const schemes = selectSchemes(account, service.security, operation);
  const address =
    options.baseUrl === undefined ? connection.addressOf(operation) : toBase(options.baseUrl);
  // Nothing is sent unless all requests of the call have an address.
  assertIssuersHaveAddress(connection, account, schemes);
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
  };
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
    if (error instanceof ClientError && isTransient(error.code))
      return { failure: error, isUnsent: true };
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
      violationOf(check, value, status) {
        if (invalidResponse === 'ignore') return undefined;
        try {
          // Bytes, in a range of media types, are never a value of a schema.
          if (value instanceof Uint8Array)
            throw new TypeError('The content type of the body is neither JSON nor text.');
          check(value);
          return undefined;
        } catch (cause) {
          if (invalidResponse === 'throw') return cause;
          report.event({ type: 'invalid-response', status, cause });
          return status >= firstFailure ? cause : undefined;
        }
      },
      open: ({ decoder, ...stream }, check) =>
        decoder.stream({
          ...stream,
          check(value, item) {
            try {
              check(value, item);
            } catch (error) {
              throw error instanceof ClientError ? report.failure(error) : error;
            }
          },
          fail: report.failure,
          numbers,
          signal: options.signal,
          idleTimeoutMs: limits.idleTimeoutMs,
          maxItemBytes: limits.maxResponseBytes,
        }),
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
