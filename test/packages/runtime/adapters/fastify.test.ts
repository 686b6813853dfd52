import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { toFastifyPlugin } from '../../../../packages/runtime/adapters/fastify.ts';
import type { Receive } from '../../../../packages/runtime/webhooks/receiver.ts';
import { listenFastify } from '../webhooks/listen.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { exchangeRaw, rawPost, type RawAnswer } from '../webhooks/raw-exchange.ts';

const body = '{"a": 1}';
const json = 'Content-Type: application/json';

/** What a delivery comes to in an app with a receiver and something else. */
async function deliver(
  receive: Receive,
  prepare: (app: FastifyInstance) => void,
  { target = '/hook', type = json, options = {} } = {},
): Promise<RawAnswer> {
  const app = fastify(options);
  prepare(app);
  await app.register(toFastifyPlugin(receive), { prefix: '/hook' });
  await using served = await listenFastify(app);
  return await exchangeRaw(served.port, rawPost(target, body, [type]));
}

test("neither Fastify's limit of a body nor a parser of the app comes before the receiver", async () => {
  const { receive, bodies } = createBareReceiver();
  const refuse = (): never => {
    throw new Error('no');
  };
  const prepare = (app: FastifyInstance): void => {
    app.addContentTypeParser('*', refuse);
    app.addContentTypeParser(/^text/u, refuse);
  };
  for (const type of [json, 'Content-Type: text/plain', 'X-None: 1'])
    expect((await deliver(receive, prepare, { type, options: { bodyLimit: 1 } })).status).toBe(200);
  expect(bodies).toEqual([body, body, body]);
});

test.each([json, 'Content-Type: none'])(
  'hooks of the app come before the receiver (%s)',
  async (type) => {
    const { receive, records } = createBareReceiver();
    const prepare = (app: FastifyInstance): void => {
      app.addHook('preHandler', (_request, reply, _done) => void reply.code(403).send('no'));
    };
    expect(await deliver(receive, prepare, { type })).toMatchObject({ status: 403, text: 'no' });
    expect(records).toEqual([]);
  },
);

test('headers that hooks of the app set are sent', async () => {
  const { receive } = createBareReceiver();
  const { headers } = await deliver(receive, (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-hook', 'set');
      done();
    });
  });
  expect(headers).toMatchObject({ 'x-hook': 'set', 'content-length': '0' });
});

test('a body that a hook passes on is received', async () => {
  const { receive, bodies } = createBareReceiver();
  const { status } = await deliver(receive, (app) => {
    app.addHook('preParsing', (_request, _reply, payload, done) => {
      done(null, payload.pipe(new PassThrough()));
    });
    app.addHook('preHandler', () => setImmediate());
  });
  expect([status, bodies]).toEqual([200, [body]]);
});

test.each([
  [true, 200, [body]],
  [false, 500, []],
])(
  'where a hook has read the body and kept its bytes: %s, a delivery is answered with %i',
  async (isKept, expected, received) => {
    const { receive, bodies, records } = createBareReceiver();
    const { status } = await deliver(receive, (app) => {
      app.addHook('preParsing', async (request, _reply, payload) => {
        const bytes = await buffer(payload);
        if (isKept) Object.assign(request, { rawBody: bytes });
      });
    });
    expect([status, bodies]).toEqual([expected, received]);
    if (!isKept) expect(String(records[0]?.error)).toMatch(/Exclude the prefix of the receiver/);
  },
);

test('without a prefix it answers what the routes of the app do not', async () => {
  const { receive, bodies } = createBareReceiver();
  const app = fastify();
  app.post('/', (request) => Promise.resolve(request.body));
  app.post('/own/:id', (request) => Promise.resolve(request.params));
  await app.register(toFastifyPlugin(receive));
  await using served = await listenFastify(app);
  const answers: string[] = [];
  for (const path of ['/', '/own/1', '/else', '/own'])
    answers.push((await exchangeRaw(served.port, rawPost(path, body, [json]))).text);
  expect([answers, bodies]).toEqual([
    ['{"a":1}', '{"id":"1"}', '', ''],
    [body, body],
  ]);
});

test('a path that Fastify cannot decode is refused by Fastify, with 400', async () => {
  const { receive, records } = createBareReceiver();
  const answer = await deliver(receive, () => undefined, { target: '/hook/%zz' });
  expect([answer.status, records]).toEqual([400, []]);
});
