import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type {
  TestingModule,
  WebhooksModule,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';
import type { Authentication } from '../../../packages/runtime/webhooks/receiver.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { readTrade } from './trade.ts';

interface TradeModule extends WebhooksModule {
  verifyHook(options: object): Authentication;
}
interface TradeTesting extends TestingModule {
  createHookSigner(options: object): object;
}

let generated: GeneratedWebhooks;
let main: TradeModule;
let testing: TradeTesting;
let seen: unknown[];
let fetch: (request: Request) => Promise<Response>;

beforeAll(async () => {
  generated = await generateWebhooks(await readTrade());
  const entry = (name: string): string =>
    pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href;
  main = (await import(entry('index'))) as TradeModule;
  testing = (await import(entry('testing'))) as TradeTesting;
});
afterAll(() => generated[Symbol.asyncDispose]());
beforeEach(() => {
  seen = [];
  ({ fetch } = main.createWebhooks({
    authenticate: main.verifyHook({ keys: ['secret'] }),
    sameName: 'name',
    on: {},
    otherwise: {
      rest: (event: { kind: string }, { parameters }: { parameters: object }) => {
        seen.push([event.kind, { ...parameters }]);
      },
    },
    onInvalid: ({ reason }: { reason: string }) => {
      seen.push(reason);
    },
  }));
});

async function deliver(kind: string, overrides: object = {}): Promise<number> {
  const signer = testing.createHookSigner({ key: 'secret' });
  return (await fetch(await testing.deliver(kind, { signer, ...overrides }))).status;
}

test('kinds are distinguished by a header and a member together', async () => {
  await deliver('parcelMoved');
  await deliver('parcelLost');
  await deliver('parcelLost', { headers: { 'x-event': 'letter' } });
  expect(seen).toEqual([
    ['parcelMoved', {}],
    ['parcelLost', {}],
    [null, {}],
  ]);
});

test('kinds of one path are distinguished by the method', async () => {
  await deliver('created');
  const body = '{"name":"x"}';
  const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
  const headers = { 'x-signature': signature };
  const url = 'http://127.0.0.1/hook/depots/a%20b.c.json';
  await fetch(new Request(url, { method: 'PUT', body, headers }));
  await fetch(new Request('http://127.0.0.1/', { method: 'PUT', body, headers }));
  expect(seen).toEqual([
    ['created', { depot: 'depot', format: 'format' }],
    ['replaced', { depot: 'a b', format: 'c.json' }],
    ['createdOrReplaced', {}],
  ]);
});

test('a kind named after a member of every object is a kind like any other', async () => {
  expect(await deliver('constructor_')).toBe(200);
  expect(seen).toEqual([['constructor_', {}]]);
});

test('deliveries are the same by what the contract declares, and never where it declares nothing', async () => {
  for (const delivery of ['1', '1', '2']) await deliver('parcelMoved', { body: { delivery } });
  await deliver('parcelMoved');
  await deliver('parcelMoved');
  for (const weight of [1, 1, 2]) await deliver('parcelLost', { body: { parcel: { weight } } });
  for (const more of [1, 2]) await deliver('created', { body: { more } });
  for (let times = 0; times < 2; times++) await deliver('constructor_');
  const kinds = seen.map((entry) => (entry as readonly string[])[0]);
  const count = (kind: string): number =>
    kinds.filter((deliveredKind) => deliveredKind === kind).length;
  expect(count('parcelMoved')).toBe(4);
  expect(count('parcelLost')).toBe(2);
  expect(count('created')).toBe(1);
  expect(count('constructor_')).toBe(2);
});

test('a signature of another key is refused', async () => {
  expect(await deliver('created', { signer: testing.createHookSigner({ key: 'other' }) })).toBe(
    401,
  );
});

test.each([
  ['no answer to a question', { sameName: undefined }, /sameName/],
  ['an empty secret', { key: '' }, /missing, empty/],
  ['a handler for no kind', { on: { letter: () => undefined } }, /letter, which is not a kind/],
  ['a missing handler', { otherwise: () => undefined }, /`on.created` is missing/],
  ['no handler for what is invalid', { onInvalid: undefined }, /onInvalid/],
  ['no authentication', { authenticate: undefined }, /authenticate/],
  ['a limit of nothing', { maxBodyBytes: 0 }, /maxBodyBytes/],
  ['a mount path that is none', { mount: 'hook' }, /mount/],
  ['a status that is none', { responses: { handled: 99 } }, /handled/],
])('a receiver cannot be made with %s', (_name, wrong, message) => {
  const make = (): unknown =>
    main.createWebhooks({
      authenticate: main.verifyHook({ keys: ['key' in wrong ? wrong.key : 'secret'] }),
      sameName: 'name',
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
      ...wrong,
    });
  expect(make).toThrow(message);
});
