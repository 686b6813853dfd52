import { expect, test } from 'vitest';
import { obtainToken, requestToken, sendSigned, startCalls } from '../fixture-client.ts';

test('issues a token, and answers a signed call from the example', async () => {
  await using running = await startCalls();
  const token = await obtainToken(running);
  expect(token).toMatch(/^simulated-token-[\da-f]{32}$/u);
  const response = await sendSigned(running, {
    body: '{"name":"new"}',
    headers: { authorization: token },
  });
  expect([response.status, await response.json()]).toEqual([201, { id: 7, name: 'new' }]);
  const [, entry] = running.entries();
  expect(entry?.steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'route passed',
    'method passed',
    'api-key passed',
    'token passed',
    'timestamp passed',
    'signature passed',
    'request-id passed',
    'media-type passed',
    'parameters passed',
    'body passed',
  ]);
  expect(entry).toMatchObject({ operation: 'createThing', response: { status: 201 }, faults: [] });
});

test('decodes parameters of the path and the query, and picks samples by seed', async () => {
  const answers: unknown[] = [];
  for (const seed of [7, 7, 8]) {
    await using running = await startCalls({ seed });
    const authorization = await obtainToken(running);
    const bodies: unknown[] = [];
    for (let count = 0; count < 6; count += 1) {
      const response = await sendSigned(running, {
        method: 'GET',
        target: '/things/12?expand=owner,parts&deep=true',
        headers: { authorization },
      });
      expect([response.status, response.headers.get('x-version')]).toEqual([200, '1']);
      bodies.push(await response.json());
    }
    answers.push(bodies);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).not.toEqual(answers[2]);
});

test('refuses a wrong secret of the token request, and records neither it nor the tokens', async () => {
  await using running = await startCalls();
  const response = await requestToken(running, {
    body: new URLSearchParams({
      client_id: running.context.credentials['clientId'] ?? '',
      client_secret: 'secret of production',
    }).toString(),
  });
  expect(response.status).toBe(401);
  const token = await obtainToken(running);
  await sendSigned(running, {
    body: '{"name":"new"}',
    headers: { authorization: `Bearer ${token}` },
  });
  await sendSigned(running, { body: '{"name":"new"}', headers: { 'x-key': 'key of production' } });
  const journal = JSON.stringify(running.entries());
  for (const secret of [...Object.values(running.context.credentials), token, 'production'])
    expect(journal).not.toContain(secret);
});
