import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { maximumBody } from '../../../../packages/simulator/src/calls/read-body.ts';
import { newRequestId, obtainToken, sendSigned, startCalls } from '../fixture-client.ts';

const withoutSecurity = { method: 'DELETE', target: '/things/1' };

test.each(['0.0.0.0', '192.0.2.1', '::', 'example.org'])(
  'listens on %s only if remote addresses are allowed',
  async (host) => {
    await expect(startCalls({ host })).rejects.toMatchObject({ code: 'not-loopback' });
  },
);

test('reports a port that is in use', async () => {
  await using running = await startCalls();
  const port = Number(new URL(running.server.url).port);
  await expect(startCalls({ port })).rejects.toMatchObject({ code: 'port-in-use' });
});

test('reports a key that is not in the encoding of the contract', async () => {
  const started = startCalls({
    answers: { 'key-encoding': 'hex' },
    credentials: { signingSecret: 'not hexadecimal' },
  });
  await expect(started).rejects.toMatchObject({
    code: 'not-signable',
    message: expect.not.stringContaining('not hexadecimal'),
  });
});

test('refuses a body above the limit', async () => {
  await using running = await startCalls();
  const { hostname, port } = new URL(running.server.url);
  const request = httpRequest({ hostname, port, method: 'POST', path: '/things' });
  // The server ends the connection while the client is writing.
  request.on('error', () => undefined);
  const answered = once(request, 'response');
  request.write(Buffer.alloc(maximumBody + 1));
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  request.destroy();
  const [entry] = running.entries();
  expect(entry?.steps[0]?.code).toBe('body-too-large');
});

test('records a call whose body never ends', async () => {
  await using running = await startCalls();
  const { hostname, port } = new URL(running.server.url);
  const recorded = new Promise<void>((resolve) => {
    running.context.journal.subscribe(() => resolve());
  });
  const socket = connect(Number(port), hostname);
  socket.write('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"a"');
  await once(socket, 'connect');
  socket.end();
  await recorded;
  const [entry] = running.entries();
  expect([entry?.steps[0]?.code, entry?.response, entry?.request.body.text]).toEqual([
    'aborted-body',
    undefined,
    '{"a"',
  ]);
});

test('reads the absolute form of the request line', async () => {
  await using running = await startCalls();
  const { hostname, port } = new URL(running.server.url);
  const request = httpRequest({ hostname, port, method: 'DELETE', path: 'http://x.test/things/1' });
  request.end();
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(204);
});

test('refuses an unknown path and reports it in the journal', async () => {
  await using running = await startCalls();
  const response = await fetch(`${running.server.url}/api/token`, { method: 'POST' });
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      title: 'The simulator refused the call.',
      status: 404,
      code: 'unknown-path',
      detail: 'The contract has no operation with this path.',
      fix: 'The operation `issueToken` has the path `/token`. Remove what is before it from the base address.',
    },
  ]);
  expect(running.entries()[0]).toMatchObject({ steps: [{ name: 'route', outcome: 'failed' }] });
});

test('states the methods of a path', async () => {
  await using running = await startCalls();
  const response = await fetch(`${running.server.url}/things/1`, { method: 'PATCH' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
});

test('ends all tokens', async () => {
  await using running = await startCalls();
  const authorization = await obtainToken(running);
  running.server.revokeTokens();
  const response = await sendSigned(running, { body: '{"name":"x"}', headers: { authorization } });
  expect(response.status).toBe(401);
  const failure = running
    .entries()
    .at(-1)
    ?.steps.find(({ outcome }) => outcome === 'failed');
  expect(failure?.code).toBe('revoked-token');
});

test('answers with the error 503', async () => {
  await using running = await startCalls({ faults: { 'error-503': 1 } });
  const response = await sendSigned(running, withoutSecurity);
  expect(response.status).toBe(503);
  expect(running.entries()[0]).toMatchObject({ faults: ['error-503'], response: { status: 503 } });
});

test('resets the connection in the middle of a response', async () => {
  await using running = await startCalls({ faults: { 'reset-response': 1 } });
  const heard: unknown[] = [];
  running.server.onCall((call) => heard.push(call));
  await expect(
    sendSigned(running, withoutSecurity).then((response) => response.text()),
  ).rejects.toThrow(/fetch failed|terminated/u);
  const [entry] = running.entries();
  expect([entry?.faults, entry?.response, heard]).toEqual([['reset-response'], undefined, []]);
});

test('answers slowly by the clock of the simulator', async () => {
  await using running = await startCalls({ manualClock: true, faults: { 'slow-response': 1 } });
  const { clock } = running.context;
  const state = { isAnswered: false };
  const answered = sendSigned(running, withoutSecurity).then((response) => {
    state.isAnswered = true;
    return response.status;
  });
  await clock.advance(1);
  // A refused call is not slow, so that its response proves that the slow one had time to come.
  await fetch(`${running.server.url}/unknown`);
  expect(state.isAnswered).toBe(false);
  const advance = async (): Promise<void> => {
    while (!state.isAnswered) {
      await clock.advance('1s');
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
  await advance();
  expect(await answered).toBe(204);
});

test('chooses faults by seed', async () => {
  const runs: unknown[] = [];
  for (const seed of [7, 7, 8]) {
    await using running = await startCalls({ seed, faults: { 'error-503': 0.5 } });
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1)
      statuses.push((await sendSigned(running, withoutSecurity)).status);
    expect(new Set(statuses)).toEqual(new Set([204, 503]));
    runs.push(statuses);
  }
  expect(runs[0]).toEqual(runs[1]);
  expect(runs[0]).not.toEqual(runs[2]);
});

test('accepts a request id again after a refused call', async () => {
  await using running = await startCalls();
  const authorization = await obtainToken(running);
  const requestId = newRequestId();
  const statuses: number[] = [];
  for (const body of ['{}', '{"name":"x"}', '{"name":"y"}'])
    statuses.push(
      (await sendSigned(running, { requestId, body, headers: { authorization } })).status,
    );
  expect(statuses).toEqual([422, 201, 409]);
});
