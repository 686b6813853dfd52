import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  toLambdaHandler,
  type LambdaEvent,
  type LambdaResult,
} from '../../../../packages/runtime/adapters/aws-lambda.ts';
import type { IncomingRequest } from '../../../../packages/runtime/webhooks/receiver.ts';
import {
  type Call,
  type Caller,
  callers,
  httpApi,
  loadBalancer,
  multiValueLoadBalancer,
  restApi,
} from '../webhooks/lambda-callers.ts';

/** What a receiver is given of an event, and what the function returns. */
async function run(event: LambdaEvent): Promise<{
  readonly request: IncomingRequest;
  readonly body: string;
  readonly result: LambdaResult;
}> {
  const requests: IncomingRequest[] = [];
  const bodies: Uint8Array[] = [];
  const result = await toLambdaHandler(async (request) => {
    requests.push(request);
    bodies.push(await request.read(1000, { isOver: false, whenOver: () => undefined }));
    return {
      status: 418,
      reason: 'handled',
      headers: { 'x-a': 'b', connection: 'close' },
      body: 'é',
    };
  })(event);
  const [request] = requests;
  if (request === undefined) throw new Error('The receiver got nothing');
  return { request, body: Buffer.from(bodies[0] ?? []).toString('latin1'), result };
}

const call = (more: Partial<Call>): Call => ({
  method: 'POST',
  target: '/hook',
  headers: [],
  body: Buffer.alloc(0),
  ...more,
});

describe.each(callers)('an event of $name', ({ toEvent }) => {
  test('has method and path as they were sent', async () => {
    const { request } = await run(toEvent(call({ method: 'PUT', target: '/a/b-c/E1~.x' })));
    expect([request.method, request.target]).toEqual(['PUT', '/a/b-c/E1~.x']);
  });

  test('has headers under any case of their names', async () => {
    const headers = [
      ['X-One', '1'],
      ['Content-Type', 'application/json'],
    ] as const;
    const { request } = await run(toEvent(call({ headers })));
    expect(request.headers('x-one')).toEqual(['1']);
    expect(request.headers('content-type')).toEqual(['application/json']);
    expect(request.headers('x-none')).toEqual([]);
    expect(request.headers('__proto__')).toEqual([]);
  });

  test.each([
    ['text beyond ASCII', Buffer.from('{"name":"José ✓"}')],
    ['nothing', Buffer.alloc(0)],
  ])('has a body of %s, byte for byte, as text or encoded', async (_what, body) => {
    for (const type of ['application/json', 'application/octet-stream']) {
      const { body: read } = await run(toEvent(call({ headers: [['content-type', type]], body })));
      expect(read).toBe(body.toString('latin1'));
    }
  });

  test('has a body of bytes that are not text', async () => {
    const body = Buffer.from([0, 255, 0xc3, 0x28, 13, 10]);
    expect((await run(toEvent(call({ body })))).body).toBe(body.toString('latin1'));
  });
});

const path = (caller: Caller, target: string): Promise<string> =>
  run(caller.toEvent(call({ target }))).then(({ request }) => request.target);

test.each<[string, Caller, string, string]>([
  ['a REST API, encoded again', restApi, '/h?a=x%20y&a=%2F&b=+&c', '/h?a=x%20y&a=%2F&b=%20&c='],
  ['an HTTP API', httpApi, '/h?a=x%20y&a=%2F&b=+&c', '/h?a=x%20y&a=%2F&b=+&c'],
  ['a load balancer, the last of a name', loadBalancer, '/h?a=x%20y&a=%2F&b=+', '/h?a=%2F&b=+'],
  [
    'a load balancer with multi-value headers',
    multiValueLoadBalancer,
    '/h?a=x%20y&a=%2F&b=+',
    '/h?a=x%20y&a=%2F&b=+',
  ],
])('the query comes from %s', async (_name, caller, sent, expected) => {
  expect(await path(caller, sent)).toBe(expected);
});

test('a path that the caller has decoded keeps its end, and has no character that a path cannot contain', async () => {
  expect(await path(httpApi, '/a%3Fb%23c%20d%C3%A9%0A?q=%3F')).toBe(
    '/a%3Fb%23c%20d%C3%A9%0A?q=%3F',
  );
});

test.each(callers.filter((caller) => caller !== httpApi))(
  'a path of $name stays encoded as it was',
  async (caller) => {
    const target = '/a%2Fb/%2e%2e/%7e//x;y/(z)%zz';
    expect(await path(caller, target)).toBe(target);
  },
);

test('the stage, or the path of a domain, is part of the path, as it is for the sender', async () => {
  const { requestContext, ...event } = restApi.toEvent(call({}));
  const target = async (more: object): Promise<string> =>
    (await run({ ...event, ...more })).request.target;
  expect(await target({ requestContext: { ...requestContext, path: '/prod/hook' } })).toBe(
    '/prod/hook',
  );
  expect(await target({ path: '/base/hook', requestContext: {} })).toBe('/base/hook');
  expect(await target({})).toBe('/hook');
});

test('a repeated header shows wherever the caller has kept it', async () => {
  const headers = [
    ['X-Twice', '1'],
    ['x-twice', '2'],
    ['x-twice', '3'],
  ] as const;
  const values = async (caller: Caller): Promise<readonly string[]> =>
    (await run(caller.toEvent(call({ headers })))).request.headers('x-twice');
  expect(await Promise.all(callers.map(values))).toEqual([
    ['1', '2', '3'],
    ['1,2,3'],
    ['1,2,3'],
    ['3'],
    ['1', '2', '3'],
  ]);
});

test('cookies are a header again', async () => {
  const headers = [['Cookie', 'a=1; b=2']] as const;
  for (const caller of callers)
    expect((await run(caller.toEvent(call({ headers })))).request.headers('cookie')).toEqual([
      'a=1; b=2',
    ]);
});

test('members may be missing, or null', async () => {
  const event = { httpMethod: 'POST', path: '/', headers: null, multiValueHeaders: null };
  const { request, body, result } = await run({ ...event, body: null });
  expect([request.method, request.target, request.headers('a'), body]).toEqual([
    'POST',
    '/',
    [],
    '',
  ]);
  expect(result.headers).toEqual({ 'x-a': 'b' });
});

const common = { statusCode: 418, body: 'é', isBase64Encoded: false };
const [single, multiple] = [{ headers: { 'x-a': 'b' } }, { multiValueHeaders: { 'x-a': ['b'] } }];
const statusDescription = "418 I'm a Teapot";

test('a result has the form of the event', async () => {
  const results = await Promise.all(
    callers.map(async ({ toEvent }) => (await run(toEvent(call({})))).result),
  );
  expect(results).toEqual([
    { ...common, ...multiple },
    { ...common, ...single },
    { ...common, ...single },
    { ...common, ...single, statusDescription },
    { ...common, ...multiple, statusDescription },
  ]);
});

test('a cold start does not load what `node:http` exports', async () => {
  const program = `
    import '@instant-payment/webhooks-aws-lambda';
    console.log(process.moduleLoadList.filter((name) => /undici|NativeModule http$/.test(name)).join());
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('../../../../', import.meta.url)), timeout: 60_000 },
  );
  expect(stdout).toBe('\n');
});

test('a body with more bytes than are allowed is refused before it is read', async () => {
  for (const [body, isBase64Encoded] of [
    ['é'.repeat(501), false],
    [Buffer.alloc(1001).toString('base64'), true],
  ] as const) {
    const event = { ...restApi.toEvent(call({})), body, isBase64Encoded };
    await expect(run(event)).rejects.toMatchObject({ code: 'too-large' });
  }
});

test.each<[string, unknown]>([
  ['a message of a queue', { Records: [{ messageId: '1', body: '{}' }] }],
  ['a schedule', { source: 'aws.events', detail: {} }],
  ['a WebSocket', { requestContext: { routeKey: '$connect', eventType: 'CONNECT' } }],
  ['nothing', undefined],
  ['null', null],
])('the function fails, and says why, when it is called with %s', async (_what, event) => {
  await expect(run(event as LambdaEvent)).rejects.toMatchObject({
    name: 'WebhookError',
    code: 'unknown-event',
  });
});

test('the function is a handler as the types of every caller have it', () => {
  const handler = toLambdaHandler(() => Promise.resolve({ status: 200, reason: 'handled' }));
  const rest: APIGatewayProxyHandler = handler;
  const http: APIGatewayProxyHandlerV2 = handler;
  const url: LambdaFunctionURLHandler = handler;
  const balancer: ALBHandler = handler;
  expect(new Set([rest, http, url, balancer]).size).toBe(1);
});
