import { createHmac } from 'node:crypto';
import type { SimulatorContext } from '../../../packages/simulator/src/context.ts';
import { createContext } from '../../../packages/simulator/src/create-context.ts';
import {
  type CallServer,
  startCallServer,
} from '../../../packages/simulator/src/calls/call-server.ts';
import type { CallEntry } from '../../../packages/simulator/src/entry.ts';
import { createMemoryJournal } from '../../../packages/simulator/src/memory-journal.ts';
import type { Service } from '../../../packages/simulator/src/service.ts';
import type { SimulatorOptions } from '../../../packages/simulator/src/simulator.ts';
import { createClock } from '../../../packages/simulator/src/virtual-clock.ts';
import { fixtureService } from './fixture-service.ts';

/** A call server with its context, for as long as a test uses it. */
export interface RunningCalls extends AsyncDisposable {
  readonly server: CallServer;
  readonly context: SimulatorContext;
  /** The entries so far. */
  readonly entries: () => readonly CallEntry[];
}

/** Starts the call server of a service. */
export async function startCalls(
  options: SimulatorOptions = {},
  service: Service = fixtureService,
): Promise<RunningCalls> {
  const journal = createMemoryJournal();
  const clock = createClock(options.manualClock);
  const context = createContext(service, options, clock, journal);
  const server = await startCallServer(context);
  return {
    server,
    context,
    entries: () =>
      journal.list({ type: 'call' }).filter((entry): entry is CallEntry => entry.type === 'call'),
    async [Symbol.asyncDispose]() {
      clock.close();
      await server.close();
    },
  };
}

/** What a client signs and sends; every member can deviate from the contract. */
export interface SignedRequest {
  readonly method: string;
  /** The path and query. */
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text in the place of the signed body. */
  readonly signedBody: string;
  readonly signedPath: string;
  readonly timestamp: string;
  readonly signedTimestamp: string;
  readonly key: string | Uint8Array;
  readonly requestId: string;
  /** Makes the signed input of its parts. */
  readonly join: (parts: readonly string[]) => string;
  readonly encode: (digest: Buffer) => string;
  readonly algorithm: string;
}

let requests = 0;

/** Returns a new request id. */
export function newRequestId(): string {
  requests += 1;
  return `00000000-0000-4000-8000-${String(requests).padStart(12, '0')}`;
}

/** Sends a request that is signed as the fixture service requires, except for what is changed. */
export async function sendSigned(
  { server, context }: RunningCalls,
  change: Partial<SignedRequest> = {},
): Promise<Response> {
  const { credentials, answers } = context;
  const target = change.target ?? '/things';
  const timestamp = change.timestamp ?? new Date().toISOString();
  const base: SignedRequest = {
    method: 'POST',
    target,
    body: '',
    headers: {},
    signedBody: change.body ?? '',
    signedPath: target.replace(/\?.*$/su, ''),
    timestamp,
    signedTimestamp: timestamp,
    key: decodeKey(credentials['signingSecret'] ?? '', answers['key-encoding']),
    requestId: newRequestId(),
    join: (parts) => parts.join(''),
    encode: (digest) => digest.toString('base64'),
    algorithm: 'sha256',
  };
  const request = { ...base, ...change };
  const apiKey = credentials['apiKey'] ?? '';
  const parts = [apiKey, request.signedTimestamp, request.signedBody, request.signedPath];
  const digest = createHmac(request.algorithm, request.key).update(request.join(parts)).digest();
  const headers = new Headers({
    'x-key': apiKey,
    'x-timestamp': request.timestamp,
    'x-request-id': request.requestId,
    'x-signature': request.encode(digest),
    ...(request.body === '' ? {} : { 'content-type': 'application/json' }),
  });
  for (const [name, value] of Object.entries(request.headers))
    if (value === '') headers.delete(name);
    else headers.set(name, value);
  return fetch(server.url + target, {
    method: request.method,
    headers,
    ...(request.body === '' ? {} : { body: request.body }),
  });
}

function decodeKey(text: string, encoding: string | undefined): Uint8Array {
  return Buffer.from(text, encoding === 'base64' || encoding === 'hex' ? encoding : 'utf-8');
}

/** Sends the token request of the fixture service. */
export function requestToken(
  running: RunningCalls,
  change: Partial<SignedRequest> = {},
): Promise<Response> {
  const { clientId = '', clientSecret = '' } = running.context.credentials;
  return sendSigned(running, {
    target: '/token',
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString(),
    ...change,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...change.headers },
  });
}

/** Obtains an access token. */
export async function obtainToken(running: RunningCalls): Promise<string> {
  const response = await requestToken(running);
  const token: unknown = await response.json();
  return typeof token === 'object' && token !== null && 'access_token' in token
    ? String(token.access_token)
    : '';
}
