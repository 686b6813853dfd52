import { expect, test } from 'vitest';
import { toRouteHandlers } from '../../../../packages/runtime/adapters/nextjs.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';

test('a route has a handler for every method that Next.js hands over, and takes nothing else from it', async () => {
  const { receive, requests, records } = createBareReceiver();
  const handlers = toRouteHandlers(receive);
  expect(Object.keys(handlers)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  const statuses: number[] = [];
  for (const [method, handle] of Object.entries(handlers)) {
    const body = method === 'GET' ? {} : { body: '{}' };
    const request = new Request('http://localhost/hooks/a?b=c#d', { method, ...body });
    const parameters = { params: Promise.resolve({ label: ['a'] }) };
    const call = handle as (...args: unknown[]) => Promise<Response>;
    statuses.push((await call(request, parameters)).status);
  }
  expect(statuses).toEqual([405, 200, 405, 405, 405]);
  expect(requests.map(({ url }) => url)).toEqual(['/hooks/a?b=c']);
  expect(records).toHaveLength(5);
});

test('a body that was read before is answered with 500, and the record says so', async () => {
  const { receive, records } = createBareReceiver();
  const request = new Request('http://localhost/hooks', { method: 'POST', body: '{}' });
  await request.json();
  expect((await toRouteHandlers(receive).POST(request)).status).toBe(500);
  expect(records[0]?.reason).toBe('body-consumed');
});
