import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSigner } from '@countersign/runtime/signing';

/**
 * Sends signed calls to a service over keep-alive connections, half of them GET and half POST, and prints how many were
 * answered with 2xx in a second. Runs in a process of its own: `node simulator-load.ts <options as JSON>`.
 */
interface Load {
  readonly url: string;
  readonly calls: number;
  readonly connections: number;
  readonly credentials: Readonly<Record<string, string>>;
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const key = load.credentials['key'] ?? 'key';
const signer = createSigner(
  {
    algorithm: 'hmac-sha256',
    key: { encoding: 'utf-8' },
    over: [
      '$request.header.x-key',
      { text: '.' },
      '$request.header.x-timestamp',
      { text: '.' },
      '$request.body',
      { text: '.' },
      '$url.path',
    ],
    encoding: 'base64',
    header: 'x-signature',
    value: '{signature}',
    timestamp: { header: 'x-timestamp', format: 'iso-8601', tolerance: 300 },
  },
  { key: load.credentials['secret'] ?? 'secret' },
);
let sent = 0;
let answered = 0;

/** A request of the contract, without the headers that every request has. */
interface Call {
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

async function send({ method, target, body, headers: callHeaders }: Call): Promise<string> {
  const url = new URL(load.url + target);
  const headers: Record<string, string> = {
    'x-key': key,
    'x-timestamp': new Date().toISOString(),
    'x-request-id': randomUUID(),
    'content-length': String(body.length),
    ...callHeaders,
  };
  const signed = await signer.sign({
    method,
    url: url.href,
    headers: (name) => {
      const value = headers[name];
      return value === undefined ? [] : [value];
    },
    body,
  });
  return await new Promise((resolve, reject) => {
    request(url, { method, agent, headers: { ...headers, ...signed } }, (response) => {
      if (response.statusCode !== undefined && response.statusCode < 300) answered += 1;
      text(response).then(resolve, reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function issueToken(): Promise<string> {
  const form = new URLSearchParams({
    client_id: load.credentials['clientId'] ?? 'a',
    client_secret: load.credentials['clientSecret'] ?? 'b',
    grant_type: 'client_credentials',
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = Buffer.from(form.toString());
  const answer: unknown = JSON.parse(
    await send({ method: 'POST', target: '/token', body, headers }),
  );
  const isToken = typeof answer === 'object' && answer !== null && 'access_token' in answer;
  return isToken ? String(answer.access_token) : 'none';
}

const authorization = `Bearer ${await issueToken()}`;
const calls: readonly Call[] = [
  {
    method: 'GET',
    target: '/sailings?date=2026-01-31&limit=5',
    body: Buffer.alloc(0),
    headers: { authorization },
  },
  {
    method: 'POST',
    target: '/bookings',
    body: Buffer.from(JSON.stringify({ sailing: 'S1', seats: 2, amount: 39.98 })),
    headers: { authorization, 'content-type': 'application/json' },
  },
];

async function work(): Promise<void> {
  while (sent < load.calls) {
    sent += 1;
    const call = calls[sent % calls.length];
    if (call !== undefined) await send(call);
  }
}

answered = 0;
const start = performance.now();
await Promise.all(Array.from({ length: load.connections }, work));
const seconds = (performance.now() - start) / 1000;
if (answered < load.calls) throw new Error(`${load.calls - answered} calls were refused`);
console.log(load.calls / seconds);
agent.destroy();
