import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SimulatorContext } from '../context.ts';
import type { CallEntry } from '../entry.ts';
import { jwksPath, publishesKeys } from '../key-pairs.ts';
import { listen } from '../listen.ts';
import type { CheckedCall, Simulator } from '../simulator.ts';
import type { PreparedAnswer } from './answers.ts';
import { compileHandler, type HandledCall } from './handle-call.ts';
import { noFaults } from './call-faults.ts';
import { maximumBody, readBody, type ReadBody } from './read-body.ts';
import { toReceivedCall } from './received-call.ts';
import { compileRecorder } from './record-call.ts';
import { refusalHeader, refuseCall } from './refusal.ts';
import { failed } from './scheme-check.ts';

/** A call that passed all checks, with its entry and the parsed body of the response. */
export interface AnsweredCall {
  readonly call: CheckedCall;
  readonly entry: CallEntry;
  readonly responseBody: unknown;
}

/** Answers the calls of an integrator over HTTP. */
export interface CallServer {
  /** The base URL of the service. */
  readonly url: string;
  readonly respond: Simulator['respond'];
  readonly revokeTokens: () => void;
  /** Calls `listener` after each call that passed all checks was answered. Returns a function that ends it. */
  readonly onCall: (listener: (call: AnsweredCall) => void) => () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts to answer calls. It is a server of `node:http` and no framework: the contract has the routes, and faults need
 * the socket.
 * @throws SimulatorError `not-loopback`, `port-in-use`, `not-signable`
 */
export async function startCallServer(context: SimulatorContext): Promise<CallServer> {
  const { clock } = context;
  const keys = publishesKeys(context.description)
    ? JSON.stringify({ keys: Array.from(context.keyPairs.values(), ({ publicKey }) => publicKey) })
    : undefined;
  const handler = compileHandler(context);
  const record = compileRecorder(context);
  const listeners = new Set<(call: AnsweredCall) => void>();

  const warnOf = (error: unknown): void =>
    context.warn({
      code: 'COUNTERSIGN_SIMULATOR_FAILED',
      message: 'The simulator failed to answer a call',
      help: 'The call was answered with 500.',
      error,
    });
  const failCall = (error: unknown): HandledCall => {
    warnOf(error);
    return failedCall();
  };
  const answerCall = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = clock.now();
    const body = await readBody(request);
    const start = performance.now();
    const call = toReceivedCall(request, body.bytes);
    const { operation, steps, answer, faults, accepted } =
      body.kind === 'read' ? await handler.handle(call).catch(failCall) : refuseBody(body.kind);
    if (faults.names.includes('slow-response'))
      await new Promise((resolve) => {
        clock.schedule(clock.now() + faults.delay, () => resolve(undefined));
      });
    const { socket } = request;
    const headers = headersOf(answer);
    const sent = call.method === 'HEAD' ? Buffer.alloc(0) : answer.bytes;
    const isLost =
      faults.names.includes('reset-response') || body.kind === 'aborted' || socket.destroyed;
    // The entry precedes the last byte, so that a caller with the response finds it in the journal.
    const entry = record({
      at,
      durationMs: Math.max(performance.now() - start, 0),
      operation,
      call,
      steps,
      faults: faults.names,
      ...(isLost ? {} : { response: { status: answer.status, headers, bytes: sent } }),
    });
    if (isLost) {
      reset(response, answer, headers);
      return;
    }
    if (body.kind === 'too-large') response.shouldKeepAlive = false;
    response.writeHead(answer.status, headers);
    response.end(sent);
    if (accepted !== undefined)
      for (const listener of listeners)
        listener({ call: accepted, entry, responseBody: answer.value });
  };

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 },
    (request, response) => {
      if (keys !== undefined && request.url === jwksPath && request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(keys);
        return;
      }
      answerCall(request, response).catch((error: unknown) => {
        // A journal of the user can throw.
        warnOf(error);
        if (!response.headersSent) response.writeHead(500, { 'content-length': 0 });
        response.end();
      });
    },
  );
  const url = await listen(server, context.options);
  return {
    url,
    respond: handler.respond,
    revokeTokens: () => handler.tokens.revoke(),
    onCall(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuseBody(kind: Exclude<ReadBody['kind'], 'read'>): HandledCall {
  const step =
    kind === 'too-large'
      ? failed(
          'body',
          'body-too-large',
          `The body is larger than ${maximumBody} bytes.`,
          'Send less in one call.',
        )
      : failed(
          'body',
          'aborted-body',
          'The connection ended before the end of the body.',
          'Send as many bytes as `Content-Length` states.',
        );
  const answer = refuseCall(step, undefined, undefined);
  return {
    operation: undefined,
    steps: [step],
    answer,
    faults: noFaults,
    accepted: undefined,
  };
}

/** Answers a call that the simulator itself failed to check, such as by a check of the user that throws. */
function failedCall(): HandledCall {
  const answer = {
    status: 500,
    headers: { [refusalHeader]: 'simulator-failed' },
    contentType: undefined,
    value: undefined,
    bytes: Buffer.alloc(0),
  };
  return { operation: undefined, steps: [], answer, faults: noFaults, accepted: undefined };
}

/** Returns the headers of a response, names and values in turn. */
function headersOf({ headers, contentType, bytes, status }: PreparedAnswer): string[] {
  const all = Object.entries(headers).flat();
  const has = (name: string): boolean =>
    Object.keys(headers).some((headerName) => headerName.toLowerCase() === name);
  if (contentType !== undefined && !has('content-type')) all.push('Content-Type', contentType);
  if (status !== 204 && status !== 304 && !has('content-length'))
    all.push('Content-Length', String(bytes.length));
  return all;
}

/** Ends the connection in the middle of the response. */
function reset(
  response: ServerResponse,
  { status, bytes }: PreparedAnswer,
  headers: string[],
): void {
  const { socket } = response;
  if (socket === null || socket.destroyed) return;
  response.writeHead(status, headers);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.resetAndDestroy());
}
