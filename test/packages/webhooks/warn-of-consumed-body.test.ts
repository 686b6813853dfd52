import { once } from 'node:events';
import { expect, test } from 'vitest';
import { toFetchHandler } from '../../../packages/webhooks/src/fetch.ts';
import { toNodeHandler } from '../../../packages/webhooks/src/node.ts';
import { listen } from './listen.ts';
import { createBareReceiver } from './bare-receiver.ts';

test('a Request that was read before is answered with 500, and the record says what to do', async () => {
  const { receive, records } = createBareReceiver();
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: '{}' });
  await request.text();
  expect((await toFetchHandler(receive)(request)).status).toBe(500);
  expect(records[0]?.reason).toBe('body-consumed');
  expect(String(records[0]?.error)).toMatch(/receiver first, or pass request\.clone\(\)/);
});

test('a Node request that was read before is answered with 500, a warning, and what to do', async () => {
  const { receive, records } = createBareReceiver();
  await using served = await listen((request, response) => {
    request.resume().once('end', () => void toNodeHandler(receive)(request, response));
  });
  const warned = once(process, 'warning');
  const url = `http://127.0.0.1:${served.port}`;
  const answer = await fetch(url, { method: 'POST', body: '{"a":1}' });
  const [warning] = (await warned) as [NodeJS.ErrnoException];
  expect([answer.status, warning.code]).toEqual([500, 'COUNTERSIGN_BODY_CONSUMED']);
  expect(String(records[0]?.error)).toMatch(/before express\.json\(\)/);
});

test.each(['rawBody', 'body'])(
  'a Node request whose bytes were kept as %s is received from them',
  async (member) => {
    const { receive, bodies } = createBareReceiver();
    await using served = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        Object.assign(request, { [member]: Buffer.concat(chunks) });
        void toNodeHandler(receive)(request, response);
      });
    });
    const url = `http://127.0.0.1:${served.port}`;
    expect((await fetch(url, { method: 'POST', body: '{"a": 1}' })).status).toBe(200);
    expect(bodies).toEqual(['{"a": 1}']);
  },
);
