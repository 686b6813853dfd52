import { expect, it } from 'vitest';
import { createGuard, createPageApp } from '../../../packages/console/src/frame.ts';

const host = '127.0.0.1:4000';
const app = createPageApp({
  guard: createGuard(() => [host], undefined),
  page: new Map(),
  routes: [],
});

async function openSession(body: BodyInit): Promise<number> {
  const headers = {
    host,
    origin: `http://${host}`,
    'content-type': 'application/json',
    'x-countersign-console': '1',
  };
  const init = { method: 'POST', headers, body, duplex: 'half' };
  return (await app.request(`http://${host}/api/session`, init)).status;
}

const large = JSON.stringify({ token: 'x'.repeat(3_000_000) });

it.each([
  ['a body above the limit', large, 413],
  ['a stream above the limit', new Blob([large]).stream(), 413],
  ['an unknown token', JSON.stringify({ token: 'unknown' }), 401],
  ['a stream with an unknown token', new Blob(['{"token":"unknown"}']).stream(), 401],
  ['text that is not JSON', '{', 400],
  ['an unknown member', '{"tokn":""}', 400],
])('refuses %s', async (_, body, status) => {
  expect(await openSession(body)).toBe(status);
});
