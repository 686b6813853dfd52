import { createHmac } from 'node:crypto';
import { isValidSlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openExample, post, refusals, sendAsShown } from './example.ts';

interface Example {
  createApp(
    secrets: readonly string[],
    log: (line: string) => void,
    clock?: () => number,
  ): FastifyInstance;
}

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const log: string[] = [];
let app: FastifyInstance;
let createApp: Example['createApp'];
let url: string;

beforeAll(async () => {
  ({ createApp } = await openExample<Example>('slack'));
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

test("the vendor's documented request is accepted at its own time alone", async () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
    '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
    '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.' +
    '803a0bc887a14d10d2c447fce8b6703c';
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  const past = createApp(
    [secret],
    (line) => log.push(line),
    () => 1_531_420_620_000,
  );
  onTestFinished(() => past.close());
  const then = await past.listen({ port: 0, host: '127.0.0.1' });
  expect((await post(`${then}/slack`, body, headers)).status).toBe(200);
  expect(log.splice(0)).toEqual(['U2CERLKJA: /webhook-collect ']);
  expect((await post(url, body, headers)).status).toBe(401);
  expect(refusals(log)).toEqual(['timestamp-too-old']);
});

test.each([
  ['slashCommand', 'U1: /weather Lisbon'],
  ['appMention', 'U1 in C1: <@U0> hello'],
  ['urlVerification', 'the address is verified'],
])('`send` of the README delivers the example of %s', async (kind, line) => {
  const { code, out } = await sendAsShown('slack', url, secret, kind);
  expect({ code, log }).toEqual({ code: 0, log: [line] });
  expect(out).toContain(', signed\n');
  if (kind === 'urlVerification') expect(out).toContain('\na-text-to-return\n');
});
