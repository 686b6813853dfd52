import type { Server } from 'node:http';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compile } from '../targets/compile.ts';
import { type Payload, readPayloads } from '../targets/webhooks/octokit/payloads.ts';
import { examples, openExample, post, refusals, serve, type Serving } from './example.ts';

interface App {
  createApp(secrets: readonly string[], log: (line: string) => void): Server;
}

const secret = 'It is a secret to everybody';
const log: string[] = [];
let serving: Serving;
let payloads: readonly Payload[];

beforeAll(async () => {
  const { createApp } = await openExample<App>('github');
  await compile('ts7', join(examples, 'github'), ['-p', '.']);
  serving = await serve(createApp(['the next secret', secret], (line) => log.push(line)));
  payloads = await readPayloads('api.github.com');
});
afterAll(() => serving[Symbol.asyncDispose]());
beforeEach(() => {
  log.length = 0;
});

/** Sends a delivery, signed by the vendor's library. */
async function deliver(event: string, body: string, signature?: string): Promise<number> {
  const { status } = await post(`${serving.origin}/webhooks`, body, {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-hub-signature-256': signature ?? (await sign(secret, body)),
  });
  return status;
}

function bodyOf(event: string, action?: string): string {
  const payload = payloads.find(
    (candidate) => candidate.event === event && candidate.body['action'] === action,
  );
  if (payload === undefined) throw new Error(`There is no payload of ${event} ${action ?? ''}`);
  return JSON.stringify(payload.body);
}

test.each([
  ['ping', undefined, 'ping: '],
  ['issues', 'opened', 'opened #'],
  ['issues', 'reopened', 'reopened #'],
])("the vendor's payload of %s %s reaches its handler", async (event, action, line) => {
  expect(await deliver(event, bodyOf(event, action))).toBe(200);
  expect(log).toEqual([expect.stringMatching(`^${line}.`)]);
});

test.each([
  ['star', 'created'],
  ['issues', 'deleted'],
])('an event that the application does not use is acknowledged: %s %s', async (event, action) => {
  expect(await deliver(event, bodyOf(event, action))).toBe(200);
  expect(log).toEqual([`not in use: ${event}`]);
});

test('each payload of a push is handled, because the overlay does not require what deliveries lack', async () => {
  const pushes = payloads.filter(({ event }) => event === 'push');
  expect(pushes).toHaveLength(7);
  for (const { body } of pushes) expect(await deliver('push', JSON.stringify(body))).toBe(200);
  expect(log).toHaveLength(pushes.length);
  for (const line of log) expect(line).toMatch(/^push to \S+: refs\//);
});

test('a payload that violates the document reaches `onInvalid` with its kind and its violations', async () => {
  const { ref: _, ...members } = JSON.parse(bodyOf('push')) as { readonly ref: string };
  expect(await deliver('push', JSON.stringify(members))).toBe(422);
  expect(log).toEqual(['invalid push:  must have the member "ref"']);
});

test('a changed body, another key, and no signature are refused before any handler', async () => {
  const body = bodyOf('issues', 'opened');
  expect(await deliver('issues', `${body} `, await sign(secret, body))).toBe(401);
  expect(await deliver('issues', body, await sign('another secret', body))).toBe(401);
  expect(await deliver('issues', body, '')).toBe(401);
  expect(refusals(log)).toEqual(['signature-mismatch', 'signature-mismatch', 'missing-signature']);
});
