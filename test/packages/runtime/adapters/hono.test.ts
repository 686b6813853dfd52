import { once } from 'node:events';
import { Hono, type HonoRequest, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { expect, test } from 'vitest';
import { toHonoApp } from '../../../../packages/runtime/adapters/hono.ts';
import { createBareReceiver, type BareReceiver } from '../webhooks/bare-receiver.ts';

const body = '{"a": "é"}';

async function post(
  before: MiddlewareHandler,
  sent: BodyInit = body,
  headers: Record<string, string> = {},
): Promise<BareReceiver & { readonly response: Response }> {
  const receiver = createBareReceiver();
  const app = new Hono().use(before).route('/hook', toHonoApp(receiver.receive));
  const init = { method: 'POST', body: sent, headers, duplex: 'half' };
  return { ...receiver, response: await app.request('/hook/a', init) };
}

/** Reads a body before the receiver gets the request. */
function after(read: (request: HonoRequest) => Promise<unknown>): MiddlewareHandler {
  return async ({ req }, next) => {
    await read(req);
    await next();
  };
}

const nothing = after(() => Promise.resolve());
const text = after((request) => request.text());
const readers: readonly (readonly [string, MiddlewareHandler])[] = [
  ['nothing', nothing],
  ['c.req.json()', after((request) => request.json())],
  ['c.req.text()', text],
  ['c.req.arrayBuffer()', after((request) => request.arrayBuffer())],
  ['c.req.blob()', after((request) => request.blob())],
  ['c.req.parseBody()', after((request) => request.parseBody())],
];

test.each([...readers, ['bodyLimit()', bodyLimit({ maxSize: 1000 })] as const])(
  'behind %s a delivery is handled',
  async (_name, before) => {
    const { response, bodies } = await post(before);
    expect([response.status, bodies]).toEqual([200, [body]]);
    const announced = await post(before, body, { 'content-length': '11' });
    expect([announced.response.status, announced.bodies]).toEqual([200, [body]]);
  },
);

test('what Hono has read before is held to the limit', async () => {
  for (const [, before] of readers) {
    const { records } = await post(before, JSON.stringify(' '.repeat(1_048_576)));
    expect(records.map(({ reason }) => reason)).toEqual(['too-large']);
  }
});

test.each<[string, MiddlewareHandler, string]>([
  ['c.req.raw.json()', after(({ raw }) => raw.json()), 'application/json'],
  ['c.req.formData()', after((request) => request.formData()), 'application/x-www-form-urlencoded'],
])(
  'behind %s a delivery is answered with 500, and a warning says what to do',
  async (_name, before, type) => {
    const warned = once(process, 'warning');
    const { response, bodies, records } = await post(before, body, { 'content-type': type });
    const [warning] = (await warned) as [NodeJS.ErrnoException & { readonly detail: string }];
    expect([response.status, bodies, warning.code]).toEqual([500, [], 'COUNTERSIGN_BODY_CONSUMED']);
    expect(warning.detail).toMatch(/c\.req\.arrayBuffer\(\)/);
    expect(String(records[0]?.error)).toContain(warning.detail);
  },
);

test.each([
  ['that is invalid UTF-8', Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]), {}, 400, []],
  ['with a mark', Buffer.from('\uFEFF{}'), { 'content-length': '5' }, 200, ['\uFEFF{}']],
])(
  'a body %s is never taken from what Hono decoded',
  async (_what, bytes, headers, status, got) => {
    const decoded = await post(text, bytes, headers);
    expect([decoded.response.status, decoded.bodies]).toEqual([500, []]);
    const raw = await post(nothing, bytes, headers);
    expect([raw.response.status, raw.bodies]).toEqual([status, got]);
  },
);

test('headers that middleware has set are sent, and none about the connection', async () => {
  const { receive } = createBareReceiver();
  const app = new Hono();
  app.use(async (context, next) => {
    context.header('x-before', 'set');
    await next();
  });
  app.route('/', toHonoApp(receive));
  const response = await app.request('/', { method: 'DELETE' });
  expect([...response.headers.keys()].toSorted()).toEqual(['allow', 'content-type', 'x-before']);
  expect([response.status, response.headers.get('x-before')]).toEqual([405, 'set']);
});

test('the target is path and query of the URL where there is nothing else', async () => {
  const { requests } = await post(nothing);
  expect(requests.map(({ url }) => url)).toEqual(['/hook/a']);
});

test('a platform that is given promises waits for the answer and for the work after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { receive, records } = createBareReceiver({
    handlerTimeoutMs: 20,
    otherwise: () => promise,
  });
  const awaited: Promise<unknown>[] = [];
  const execution = {
    waitUntil: (work: Promise<unknown>) => void awaited.push(work),
    passThroughOnException: () => undefined,
    props: {},
  };
  const init = { method: 'POST', body };
  const { status } = await toHonoApp(receive).request('/', init, {}, execution);
  expect([status, awaited.length]).toEqual([503, 2]);
  const before = records.length;
  resolve();
  await Promise.all(awaited);
  expect(records.length).toBe(before + 1);
});
