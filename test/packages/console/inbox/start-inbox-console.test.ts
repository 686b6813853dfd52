import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ageText, dateText } from '../../../../packages/console/inbox-page/date-text.ts';
import { bundleConsole } from '../../../../packages/console/bundle-console.ts';
import {
  changedTogether,
  countEvents,
  isPossible,
} from '../../../../packages/console/inbox-page/actions.ts';
import {
  kindText,
  reasonText,
  waitText,
} from '../../../../packages/console/inbox-page/event-text.ts';
import { openInboxConsole, rejection, type TestInboxConsole } from './open-inbox-console.ts';
import { expectRecorded } from '../../../figures/expect-recorded.ts';

const page: ReadonlyMap<string, string> = new Map([['index.html', '<!doctype html>']]);

/** Opens a session, and returns a function that calls the API as the page does. */
async function callerOf({
  console,
}: TestInboxConsole): Promise<
  (method: string, path: string, body?: unknown, more?: object) => Promise<Response>
> {
  const { origin, hash } = new URL(console.createLink());
  const headers = { origin, 'content-type': 'application/json', 'x-countersign-console': '1' };
  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: hash.replace('#token=', '') }),
  });
  const cookie = session.headers.get('set-cookie')?.replace(/;.*$/u, '') ?? '';
  return async (method, path, body, more = {}) =>
    await fetch(`${origin}/api/${path}`, {
      method,
      headers: { ...headers, cookie, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

it('lists, filters and shows events without their payloads', async () => {
  await using open = await openInboxConsole({ page });
  const call = await callerOf(open);
  const list = await (await call('GET', 'events')).text();
  const event = await (await call('GET', `events/${open.ids.broken}`)).text();
  expect(JSON.parse(list)).toMatchObject({
    events: [
      { kind: 'fresh' },
      { kind: 'behind', waitsFor: { id: open.ids.broken, kind: 'broken', state: 'dead' } },
      { kind: 'broken', rejection },
      { kind: 'handled' },
    ],
  });
  expect(JSON.parse(event)).toMatchObject({
    kind: 'broken',
    state: 'dead',
    attempts: 1,
    failedAt: 1_000_000,
    rejection,
  });
  expect(list + event).not.toContain('secret');
  const dead = await call('GET', 'events?state=dead');
  expect(await dead.json()).toMatchObject({ events: [{ id: open.ids.broken }] });
  const none = await call('GET', 'events?kind=fresh&state=dead');
  expect(await none.json()).toEqual({ events: [] });
  const later = await call('GET', `events?after=${open.ids.behind}`);
  expect(await later.json()).toMatchObject({ events: [{ kind: 'broken' }, { kind: 'handled' }] });
  expect(await (await call('GET', 'stats')).json()).toMatchObject({ depth: 2, failed: 1 });
  expect(await (await call('GET', 'inbox')).json()).toEqual({ name: 'inbox.db', by: 'ana' });
  expect((await call('GET', 'events/unknown-0')).status).toBe(404);
  expect(await open.store.audit()).toEqual([]);
});

it('reveals, retries, replays and discards, and records who did it', async () => {
  await using open = await openInboxConsole({ page });
  const { ids, store } = open;
  const call = await callerOf(open);
  const revealed = await call('POST', `events/${ids.broken}/reveal`);
  expect(await revealed.json()).toMatchObject({
    target: '/hooks/ships',
    body: { encoding: 'utf-8', text: expect.stringContaining('"secret":"broken"') },
  });
  const acted = async (action: string, id: string): Promise<unknown> =>
    await (await call('POST', action, { ids: [id] })).json();
  expect(await acted('retry', ids.handled)).toEqual({ changed: 0 });
  expect(await acted('retry', ids.broken)).toEqual({ changed: 1 });
  expect(await acted('replay', ids.handled)).toEqual({ changed: 1 });
  expect(await acted('discard', ids.fresh)).toEqual({ changed: 1 });
  const { records } = (await (await call('GET', 'audit')).json()) as { records: unknown };
  expect(records).toMatchObject([
    { by: 'ana', action: 'discard', eventId: ids.fresh },
    { by: 'ana', action: 'replay', eventId: ids.handled },
    { by: 'ana', action: 'retry', eventId: ids.broken },
    { by: 'ana', action: 'reveal', eventId: ids.broken },
  ]);
  expect((await store.stats()).byState).toMatchObject({ done: 0, dead: 0, discarded: 1 });
});

it('changes nothing without a list of events', async () => {
  await using open = await openInboxConsole({ page });
  const call = await callerOf(open);
  for (const action of ['retry', 'replay', 'discard']) {
    for (const body of [{}, { ids: 'all' }, { ids: [1] }, { state: 'dead' }])
      expect((await call('POST', action, body)).status).toBe(400);
    expect(await (await call('POST', action, { ids: [] })).json()).toEqual({ changed: 0 });
  }
  expect(await open.store.audit()).toEqual([]);
});

it('refuses strangers, other pages and other hosts', async () => {
  await using open = await openInboxConsole({ page });
  const { console, ids } = open;
  const call = await callerOf(open);
  for (const path of ['inbox', 'stats', 'events', `events/${ids.broken}`, 'audit'])
    expect((await fetch(`${console.url}api/${path}`)).status).toBe(401);
  const path = `events/${ids.broken}/reveal`;
  for (const more of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await call('POST', path, undefined, more)).status).toBe(403);
  const url = new URL(console.url);
  const foreign = request(url, { headers: { host: `evil.example:${url.port}` } }).end();
  const [response] = (await once(foreign, 'response')) as [{ statusCode: number }];
  expect(response.statusCode).toBe(403);
  expect(await open.store.audit()).toEqual([]);
  const { headers } = await fetch(console.url);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('does not repeat what a failing store says', async () => {
  await using open = await openInboxConsole({ page });
  const call = await callerOf(open);
  await open.store.close();
  const response = await call('GET', 'events');
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    error: { code: 'store-failed', message: 'The store of the inbox failed.' },
  });
});

it('has a page of the recorded size, compressed, in files that name no other host', async () => {
  const files = await bundleConsole();
  expect([...files.keys()].toSorted()).toEqual(['index.html', 'main.js', 'style.css', 'theme.js']);
  const sizes = [...files.values()].map((text) => gzipSync(text).length);
  await expectRecorded('inbox-console', {
    'bytes, gzipped': sizes.reduce((sum, size) => sum + size, 0),
  });
  expect(files.get('index.html')).toContain('<title>Inbox</title>');
  for (const name of ['index.html', 'style.css'])
    expect(files.get(name)).not.toMatch(/https?:|<style|style=|\son\w+=/u);
});

it.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_200_000, '2 h'],
  [200_000_000, '2 d'],
])('shows an age of %i ms as %s', (age, text) => {
  expect(ageText(age)).toBe(text);
});

it('shows a number that is not a time as it is', () => {
  expect([dateText(0), dateText(1e16)]).toEqual(['1970-01-01T00:00:00.000Z', '10000000000000000']);
});

const event = {
  id: 'a-0',
  kind: undefined,
  orderKey: undefined,
  identity: undefined,
  verdict: undefined,
  receivedAt: 0,
  state: 'dead',
  attempts: 2,
  interruptions: 0,
  retryAt: undefined,
  error: 'WebhookError [invalid-delivery]',
  rejection: undefined,
  failedAt: 0,
  leaseUntil: undefined,
  waitsFor: undefined,
  finishedAt: 0,
};

it('shows why an event is not handled, in one line', () => {
  const rejected = { ...event, rejection: { ...rejection, kinds: ['shipDocked', 'shipLeft'] } };
  expect([
    kindText(event),
    kindText(rejected),
    kindText({ ...rejected, kind: 'shipLeft' }),
  ]).toEqual(['Unknown kind', 'shipDocked | shipLeft?', 'shipLeft']);
  expect(reasonText(rejected)).toBe(
    '2 failed  WebhookError [invalid-delivery]  /weight type, 1 more',
  );
  expect(reasonText({ ...rejected, state: 'done' })).toBe('');
  const blocker = { id: 'b-0', kind: 'shipLeft', state: 'dead', until: undefined };
  const waiting = { ...event, attempts: 0, error: undefined, state: 'waiting' };
  expect(reasonText({ ...waiting, waitsFor: blocker })).toBe('waits for b-0 (dead)');
  const waits = (state: string, until?: number): string => waitText({ ...blocker, state, until });
  expect([waits('dead'), waits('retry', 0), waits('working', 0), waits('ready')]).toEqual([
    'shipLeft b-0, a dead letter: retry or discard it',
    'shipLeft b-0, which is tried again at 1970-01-01T00:00:00.000Z',
    'shipLeft b-0, in work, with a lease until 1970-01-01T00:00:00.000Z',
    'shipLeft b-0, which is handled first',
  ]);
});

it('counts what a button for several events would change', () => {
  const events = [event, { ...event, kind: 'shipLeft' }, { ...event, kind: 'shipLeft' }];
  expect(countEvents(events)).toBe('1 of no kind (dead), 2 shipLeft (dead)');
  expect(isPossible('retry', event)).toBe(true);
  expect(isPossible('retry', { ...event, state: 'working' })).toBe(false);
});

it('leaves discarded events out of a change of several events', async () => {
  const discarded = { ...event, state: 'discarded' };
  const dead = { ...event, state: 'dead' };
  expect(changedTogether('retry', [discarded, dead])).toEqual([dead]);
  expect(isPossible('retry', discarded)).toBe(true);
  await using open = await openInboxConsole({ page });
  const { ids, store } = open;
  const call = await callerOf(open);
  await store.discard({ ids: [ids.fresh] }, 'ana');
  // The page can show an older state of an event.
  const answer = await call('POST', 'retry', { ids: [ids.fresh, ids.broken] });
  expect(await answer.json()).toEqual({ changed: 1 });
  expect((await store.get(ids.fresh))?.state).toBe('discarded');
});
