import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openExample, refusals } from './example.ts';

interface App {
  fetch(request: Request): Response | Promise<Response>;
}

interface Example {
  createApp(secrets: readonly string[], log: (line: string) => void): App;
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const log: string[] = [];
let example: Example;
let app: App;

beforeAll(async () => {
  example = await openExample<Example>('standard-webhooks');
});
beforeEach(() => {
  log.length = 0;
  app = example.createApp([otherSecret, secret], (line) => log.push(line));
});

/** What a library signs: the body, and its id and timestamp. */
interface Message {
  readonly type?: string;
  readonly data?: object;
  readonly key?: string;
  readonly secondsAgo?: number;
  /** Changes the body after it is signed. */
  readonly change?: (body: string) => string;
}

describe.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
])('signed by %s', (_, Webhook) => {
  async function deliver(
    id: string,
    {
      type = 'invoice.paid',
      data = { id: 'in_1', total: 1999, currency: 'EUR' },
      key = secret,
      secondsAgo = 0,
      change = (body) => body,
    }: Message = {},
  ): Promise<number> {
    const at = new Date(Date.now() - 1000 * secondsAgo);
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
    };
    const init = { method: 'POST', headers, body: change(body) };
    return (await app.fetch(new Request('http://127.0.0.1/webhooks', init))).status;
  }

  test('a delivery is handled once, also if it is sent again', async () => {
    expect(await deliver('msg_1')).toBe(200);
    expect(await deliver('msg_1', { secondsAgo: 5 })).toBe(200);
    expect(await deliver('msg_2', { type: 'contact.created', data: { id: 'c_1' } })).toBe(200);
    expect(log).toEqual(['paid in_1: 1999 EUR', 'new contact c_1']);
  });

  test('an event that the contract does not have is acknowledged', async () => {
    expect(await deliver('msg_3', { type: 'contact.deleted' })).toBe(200);
    expect(log).toEqual([expect.stringMatching('^not in use: ')]);
  });

  test('a changed body, another id, another key, and an old timestamp are refused', async () => {
    const change = (body: string): string => body.replace('1999', '9999');
    expect(await deliver('msg_4', { change })).toBe(401);
    expect(await deliver('msg_4', { key: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })).toBe(401);
    expect(await deliver('msg_4', { secondsAgo: 310 })).toBe(401);
    expect(await deliver('msg_4', { secondsAgo: -310 })).toBe(401);
    expect(refusals(log)).toEqual([
      'signature-mismatch',
      'signature-mismatch',
      'timestamp-too-old',
      'timestamp-too-new',
    ]);
    expect(await deliver('msg_4')).toBe(200);
  });
});
