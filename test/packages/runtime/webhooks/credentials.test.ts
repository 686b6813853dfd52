import { request as sendRequest } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  allOf,
  sharedSecret,
  unauthenticated,
  type Authentication,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import {
  basicCredentials,
  bearerToken,
  cookieSecret,
} from '../../../../packages/runtime/webhooks/credentials.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import type { DeliveredRequest } from '../../../../packages/runtime/webhooks/contract.ts';
import { withHeader as withHeaderValue } from '../../../../packages/runtime/webhooks/authentication.ts';
import { createBareReceiver } from './bare-receiver.ts';
import { listen } from './listen.ts';

function withHeader(name: string, values: readonly string[]): DeliveredRequest {
  const headers = (asked: string): readonly string[] => (asked === name ? values : []);
  return { method: 'POST', url: '/', headers, body: new Uint8Array() };
}

const basic = (text: string | Uint8Array): string =>
  `Basic ${Buffer.from(text as string).toString('base64')}`;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('HTTP Basic', () => {
  const authenticate = basicCredentials(['shop:the old one', 'shop:pässwörd:2']);

  test.each([
    [[basic('shop:the old one')], true],
    [[basic('shop:pässwörd:2')], true],
    [[basic(latin1('shop:pässwörd:2'))], true],
    [[basic('shop:the old one').replace('Basic', 'bASIC')], true],
    [[basic('shop:the old one').replaceAll('=', '')], true],
    [[basic('shop:the old one').replace(' ', '   ')], true],
    [[basic('shop:pasword')], false],
    [[basic('shop')], false],
    [[basic('')], false],
    [[basic('x'.repeat(50_000))], false],
    [['Basic'], false],
    [['Basic ???'], false],
    [['Bearer shop:the old one'], false],
    [['shop:the old one'], false],
    [[basic('shop:the old one'), basic('shop:the old one')], false],
    [[], false],
  ])('%j', async (values, ok) => {
    expect(await authenticate(withHeader('authorization', values))).toMatchObject({ ok });
  });

  test.each([
    ['', 'missing-secret'],
    [[], 'missing-secret'],
    [['a:b', ' '], 'missing-secret'],
    [undefined, 'missing-secret'],
    [5, 'missing-secret'],
    [':', 'missing-secret'],
    ['user:', 'missing-secret'],
    ['user: ', 'missing-secret'],
    [':password', 'missing-secret'],
    [['a:b', 'undefined:undefined'], 'missing-secret'],
    ['user:null', 'missing-secret'],
    ['user:[object Object]', 'missing-secret'],
    ['without a colon', 'invalid-option'],
    ['user:password\n', 'invalid-option'],
    ['user :password', 'invalid-option'],
  ])('with %j is refused when it is made', (credentials, code) => {
    expect(() => basicCredentials(credentials as never)).toThrow(
      expect.objectContaining({ name: 'WebhookError', code }),
    );
  });

  test.each(['café:naïve à', 'user:a:b', 'undefined user:null and void'])(
    'with %j is accepted',
    async (pair) => {
      const value = `Basic ${Buffer.from(pair).toString('base64')}`;
      expect(await basicCredentials(pair)(withHeader('authorization', [value]))).toEqual({
        ok: true,
      });
    },
  );

  test('is not named in the error about it', () => {
    expect(() => basicCredentials('hush-hush')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hush') as string }),
    );
  });
});

describe('a bearer token', () => {
  const authenticate = bearerToken(['first', 'the-second-token']);

  test.each([
    [['Bearer first'], true],
    [['bearer  the-second-token'], true],
    [['Bearer firs'], false],
    [['Bearer first x'], false],
    [['Bearer '], false],
    [['Bearer'], false],
    [['first'], false],
    [['Basic first'], false],
    [['Bearer first', 'Bearer first'], false],
    [[], false],
  ])('%j', async (values, ok) => {
    expect(await authenticate(withHeader('authorization', values))).toMatchObject({ ok });
  });

  test('is compared in as many steps as it has characters, whatever it is', async () => {
    const spy = vi.spyOn(String.prototype, 'charCodeAt');
    onTestFinished(() => spy.mockRestore());
    for (const token of ['first', 'firsT', 'First', 'y'.repeat(500)]) {
      spy.mockClear();
      await authenticate(withHeader('authorization', [`Bearer ${token}`]));
      expect(spy.mock.contexts.map(String)).toEqual(Array(2 * token.length).fill(token));
    }
    expect(spy).toHaveBeenCalled();
  });

  test.each([[''], [[]], [undefined]])('of %j is refused when it is made', (tokens) => {
    expect(() => bearerToken(tokens as never)).toThrow(
      expect.objectContaining({ code: 'missing-secret' }),
    );
  });
});

const schemes: readonly (readonly [string, (secrets: readonly string[]) => unknown])[] = [
  ['bearer token', (secrets) => bearerToken(secrets)],
  ['secret in a cookie', (secrets) => cookieSecret('session', secrets)],
  ['secret in a header', (secrets) => sharedSecret({ header: 'x-key' }, secrets)],
  ['secret in a query', (secrets) => sharedSecret({ query: 'key' }, secrets)],
  ['secret in a path', (secrets) => sharedSecret({ path: true }, secrets)],
  ['value of a header', (secrets) => withHeaderValue('x-key', secrets, unauthenticated())],
];

describe('a secret in a cookie', () => {
  const authenticate = cookieSecret('session', ['a secret', 'b%2F']);

  test.each([
    [['session=a secret'], true],
    [['session=a%20secret'], true],
    [['other=1; session="a secret"; more=2'], true],
    [['other=1', 'session=a%20secret'], true],
    [['session=b%2F'], true],
    [['session=%'], false],
    [['Session=a%20secret'], false],
    [['xsession=a%20secret'], false],
    [['other=session=a%20secret'], false],
    [['session=a%20secret; session=a%20secret'], false],
    [['session'], false],
    [['session='], false],
    [[], false],
  ])('%j', async (values, ok) => {
    expect(await authenticate(withHeader('cookie', values))).toMatchObject({ ok });
  });

  test.each(schemes)('no %s accepts a secret that is a mistake', (_, create) => {
    for (const secret of ['', ' ', '\n', '\uFEFF', 'undefined', 'null', 'NaN', '[object Object]'])
      expect(() => create(['right', secret])).toThrow(
        expect.objectContaining({ code: 'missing-secret' }),
      );
    for (const secret of ['hush\n', 'hush\r\n', ' hush', '\uFEFFhush'])
      expect(() => create(['right', secret])).toThrow(
        expect.objectContaining({
          code: 'invalid-option',
          message: expect.stringMatching(/^(?!.*hush).*white space/u) as string,
        }),
      );
  });

  test('needs a name and a secret', () => {
    expect(() => cookieSecret('', 'x')).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
    expect(() => cookieSecret('x', '')).toThrow(
      expect.objectContaining({ code: 'missing-secret' }),
    );
  });
});

test('over a connection, each is accepted alone and with others, and no record has it', async () => {
  const secret = 'very-secret';
  const proofs: readonly (readonly [Authentication, Record<string, string>, string])[] = [
    [basicCredentials(`shop:${secret}`), { authorization: basic(`shop:${secret}`) }, '/'],
    [bearerToken(secret), { authorization: `Bearer ${secret}` }, '/'],
    [cookieSecret('session', secret), { cookie: `a=b; session=${secret}` }, '/'],
    [sharedSecret({ query: 'key' }, secret), {}, `/?key=${secret}`],
    [
      allOf(
        bearerToken(secret),
        cookieSecret('session', secret),
        sharedSecret({ query: 'k' }, 'x'),
      ),
      { authorization: `Bearer ${secret}`, cookie: `session=${secret}` },
      '/?k=x',
    ],
  ];
  expect(proofs).toHaveLength(5);
  for (const [authenticate, headers, path] of proofs) {
    const receiver = createBareReceiver({ authenticate });
    const handle = toNodeHandler(receiver.receive);
    await using served = await listen((request, response) => void handle(request, response));
    const statusOf = (sent: Record<string, string>, target: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        sendRequest(
          { port: served.port, host: '127.0.0.1', method: 'POST', path: target, headers: sent },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        )
          .on('error', reject)
          .end('{}');
      });
    expect(await statusOf(headers, path)).toBe(200);
    expect(await statusOf({}, '/')).toBe(401);
    expect(receiver.records).toHaveLength(2);
    expect(JSON.stringify(receiver.records)).not.toContain(secret);
  }
});
