import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestConsole, type Answer, type TestConsole } from './console-client.ts';

let open: TestConsole;
let origin: string;
beforeAll(async () => {
  open = await startTestConsole();
  ({ origin } = new URL(open.console.url));
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
});

const change = { 'x-countersign-console': '1', 'content-type': 'application/json' };
const exchange = async (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  await open.send(
    'POST',
    '/api/session',
    { ...change, origin, ...headers },
    JSON.stringify({ token }),
  );
const newToken = (): string => new URL(open.console.createLink()).hash.replace('#token=', '');
const openSession = async (): Promise<string> => {
  const { headers } = await exchange(newToken());
  return headers.get('set-cookie')?.replace(/;.*$/u, '') ?? '';
};

it('exchanges the token of the link for a cookie, once', async () => {
  const token = newToken();
  const first = await exchange(token);
  expect(first.status).toBe(200);
  expect(first.headers.get('set-cookie')).toMatch(/; HttpOnly/u);
  expect(first.headers.get('set-cookie')).toMatch(/; SameSite=Strict/u);
  const cookie = first.headers.get('set-cookie')?.replace(/;.*$/u, '') ?? '';
  expect((await open.send('GET', '/api/description', { cookie })).status).toBe(200);
  expect((await exchange(token)).status).toBe(401);
  expect((await exchange('')).status).toBe(401);
});

it.each([
  ['no caller', {}],
  ['another cookie', { cookie: 'countersign-console-0=1' }],
  ['another token', { authorization: 'Bearer control-token-of-another' }],
  ['another scheme', { authorization: 'Basic control-token-of-the-tests' }],
])('refuses %s on every route of the API', async (_, headers: Record<string, string>) => {
  for (const path of ['description', 'entries', 'stream', 'state', 'runs', 'export.har', 'x'])
    expect((await open.send('GET', `/api/${path}`, headers)).status).toBe(401);
});

it('serves no bearer token where none was chosen', async () => {
  const simulator = open.simulator;
  const { startConsole } =
    await import('../../../../packages/simulator/src/console/start-console.ts');
  const other = await startConsole(simulator, { page: new Map() });
  const response = await fetch(`${other.url}api/state`, {
    headers: { authorization: 'Bearer undefined' },
  });
  await other.close();
  expect(response.status).toBe(401);
});

it.each(['evil.example', '127.0.0.1:1', '127.0.0.1', 'localhost.evil.example', 'evil.example:80'])(
  'refuses the host %s on every route',
  async (host) => {
    for (const path of ['/', '/main.js', '/api/session', '/api/description', '/nothing']) {
      const headers = { host, authorization: `Bearer ${open.controlToken}` };
      expect((await open.send('GET', path, headers)).status).toBe(403);
    }
  },
);

it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('serves the host %s', async (name) => {
  const host = `${name}:${new URL(open.console.url).port}`;
  expect((await open.send('GET', '/', { host })).status).toBe(200);
});

it.each([
  ['as the page sends it', {}, 200],
  ['without Origin', { origin: undefined }, 403],
  ['from another origin', { origin: 'http://evil.example' }, 403],
  ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
  ['from an opaque origin', { origin: 'null' }, 403],
  ['without the header', { 'x-countersign-console': undefined }, 403],
  ['from the same site', { 'sec-fetch-site': 'same-site' }, 403],
  ['without the cookie', { cookie: undefined }, 401],
])('decides on a change %s', async (_, changed: Record<string, string | undefined>, status) => {
  const all = { ...change, origin, cookie: await openSession(), ...changed };
  const headers = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const before = open.simulator.faults;
  const answer = await open.send('PUT', '/api/faults', headers, '{"duplicate":1}');
  expect(answer.status).toBe(status);
  expect(open.simulator.faults).toEqual(status === 200 ? { duplicate: 1 } : before);
  open.simulator.faults = {};
});

it.each([
  [{ origin: 'http://evil.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
])('decides on reading with %j', async (headers: Record<string, string>, status) => {
  const cookie = await openSession();
  expect((await open.send('GET', '/api/state', { cookie, ...headers })).status).toBe(status);
});

it('refuses a session to another origin', async () => {
  expect((await exchange(newToken(), { origin: 'http://evil.example' })).status).toBe(403);
});

it('lets the control token change without Origin, with the header alone', async () => {
  const authorization = `Bearer ${open.controlToken}`;
  const body = '{"by":1}';
  const path = '/api/clock/advance';
  expect((await open.send('POST', path, { ...change, authorization }, body)).status).toBe(200);
  const { status } = await open.send(
    'POST',
    path,
    { authorization, 'content-type': 'application/json' },
    body,
  );
  expect(status).toBe(403);
});

it('sends the strict headers with every response', async () => {
  for (const path of ['/', '/api/description', '/nothing']) {
    const { headers } = await open.send('GET', path, {});
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

it('refuses a body that is too large, or is not JSON', async () => {
  const headers = { ...change, authorization: `Bearer ${open.controlToken}` };
  const large = JSON.stringify({ kind: 'x'.repeat(3_000_000) });
  const refused = await open.send('POST', '/api/trigger', headers, large);
  expect([refused.status, refused.json]).toEqual([
    413,
    { error: { code: 'too-large', message: expect.any(String) } },
  ]);
  expect((await open.send('POST', '/api/trigger', headers, '{')).status).toBe(400);
  const form = { ...headers, 'content-type': 'text/plain' };
  expect((await open.send('POST', '/api/trigger', form, '{}')).status).toBe(400);
});
