import { createHmac } from 'node:crypto';
import { isValidSlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openExample, post, refusals } from './example.ts';

interface Example {
  createApp(secrets: readonly string[], log: (line: string) => void): FastifyInstance;
}

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const log: string[] = [];
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  const { createApp } = await openExample<Example>('slack');
  app = createApp([secret], (line) => log.push(line));
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/slack`;
});
afterAll(() => app.close());
beforeEach(() => {
  log.length = 0;
});

type Headers = Readonly<Record<string, string>>;

/** Returns the headers of a request as the vendor documents them, and as its library accepts them. */
function signed(body: string, { key = secret, secondsAgo = 0 } = {}): Headers {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const digest = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex');
  const signature = `v0=${digest}`;
  const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp };
  const nowDate = new Date(1000 * timestamp);
  expect(
    isValidSlackRequest({ signingSecret: key, body, headers, nowMilliseconds: nowDate.getTime() }),
  ).toBe(true);
  return { 'x-slack-signature': signature, 'x-slack-request-timestamp': String(timestamp) };
}

type Answer = Awaited<ReturnType<typeof post>>;

async function postJson(content: object, headers?: Headers): Promise<Answer> {
  const body = JSON.stringify(content);
  return await post(url, body, { 'content-type': 'application/json', ...signed(body), ...headers });
}

const challenge = { token: 'deprecated', challenge: '3eZbrw1a <b>', type: 'url_verification' };
const mention = {
  token: 'deprecated',
  team_id: 'T1',
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'app_mention', user: 'U1', text: '<@U0> hello', channel: 'C1' },
};

test('the challenge of a new address is returned as text, and the handler is called', async () => {
  expect(await postJson(challenge)).toEqual({
    status: 200,
    text: challenge.challenge,
    type: 'text/plain; charset=utf-8',
  });
  expect(log).toEqual(['the address is verified']);
});

test('a challenge is not returned to a sender without the secret', async () => {
  const forged = await postJson(challenge, signed(JSON.stringify(challenge), { key: 'another' }));
  expect(forged.status).toBe(401);
  expect(forged.text).not.toContain(challenge.challenge);
  expect(refusals(log)).toEqual(['signature-mismatch']);
});

test('an event is handled once, also if it is sent again', async () => {
  expect(await postJson(mention)).toEqual({ status: 200, text: '', type: null });
  expect((await postJson(mention, { 'x-slack-retry-num': '1' })).status).toBe(200);
  expect(log).toEqual(['U1 in C1: <@U0> hello']);
});

test('a slash command arrives as a form', async () => {
  const body = new URLSearchParams({
    token: 'deprecated',
    team_id: 'T1',
    user_id: 'U1',
    command: '/weather',
    text: '94070 & more',
    response_url: 'https://hooks.slack.com/commands/1234/5678',
  }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post(url, body, { ...form, ...signed(body) })).status).toBe(200);
  expect(log).toEqual(['U1: /weather 94070 & more']);
  const changed = body.replace('94070', '94071');
  expect((await post(url, changed, { ...form, ...signed(body) })).status).toBe(401);
});

test('an event that the application does not use is acknowledged', async () => {
  const event = { ...mention.event, type: 'reaction_added' };
  expect((await postJson({ ...mention, event_id: 'Ev2', event })).status).toBe(200);
  expect(log).toEqual([expect.stringMatching('^not in use: ')]);
});

test('an old or new timestamp, another key, and no signature are refused', async () => {
  const body = JSON.stringify(mention);
  const refused = [
    signed(body, { secondsAgo: 310 }),
    signed(body, { secondsAgo: -310 }),
    signed(body, { key: 'another' }),
    { 'x-slack-signature': '' },
  ];
  for (const headers of refused) expect((await postJson(mention, headers)).status).toBe(401);
  expect(refusals(log)).toEqual([
    'timestamp-too-old',
    'timestamp-too-new',
    'signature-mismatch',
    'missing-signature',
  ]);
});
