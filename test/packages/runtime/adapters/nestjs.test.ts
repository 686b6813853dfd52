import {
  Controller,
  Inject,
  Injectable,
  Scope,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import express from 'express';
import { describe, expect, test, vi } from 'vitest';
import { createOn, createWebhooksModule } from '../../../../packages/runtime/adapters/nestjs.ts';
import type { DeliveryContext, Event } from '../../../../packages/runtime/webhooks/receiver.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { listen } from '../webhooks/listen.ts';
import {
  EchoController,
  listenNest,
  mark,
  platforms,
  startNest,
} from '../webhooks/nestjs-application.ts';
import {
  OnCreated,
  OnDeleted,
  OnInvalid,
  OnOtherwise,
  trusting,
  WebhooksModule,
} from '../webhooks/nestjs-contract.ts';

/** What handlers were given, told by name. */
class Seen {
  readonly calls: unknown[] = [];
}

class Handlers {
  readonly seen: Seen;
  constructor(seen: Seen) {
    this.seen = seen;
  }
  created(event: Event, { count }: DeliveryContext): void {
    this.seen.calls.push(['created', event.kind, event.data, count]);
  }
  deleted(event: Event): void {
    this.seen.calls.push(['deleted', event.kind]);
  }
  otherwise(event: Event): void {
    this.seen.calls.push(['otherwise', event.kind]);
  }
  invalid({ reason }: { readonly reason: string }): void {
    this.seen.calls.push(['invalid', reason]);
  }
}
Injectable()(Handlers);
Inject(Seen)(Handlers, undefined, 0);
mark(Handlers, 'created', OnCreated());
mark(Handlers, 'deleted', OnDeleted());
mark(Handlers, 'otherwise', OnOtherwise());
mark(Handlers, 'invalid', OnInvalid());

/** A class with one method that has these marks. */
function withMarks(...marks: Parameters<typeof mark>[2][]): Type {
  class Marked {
    handle(): void {}
  }
  mark(Marked, 'handle', ...marks);
  return Marked;
}

async function post(port: number, path: string, body: string): Promise<number> {
  const url = `http://127.0.0.1:${port}${path}`;
  return (await fetch(url, { method: 'POST', body })).status;
}

describe.each(platforms)('the Nest module on %s', (_name, createPlatform) => {
  test('gives each event to the method of a provider that is marked with its kind', async () => {
    const seen = new Seen();
    await using served = await startNest(createPlatform(), {
      imports: [WebhooksModule.forRoot(trusting())],
      providers: [Handlers, { provide: Seen, useValue: seen }],
    });
    const statuses = [
      await post(served.port, '/webhooks/created', '{"id":1}'),
      await post(served.port, '/webhooks/deleted', '{"id":2}'),
      await post(served.port, '/webhooks', '{"id":3}'),
      await post(served.port, '/webhooks/deleted', '{}'),
    ];
    expect(statuses).toEqual([200, 200, 200, 422]);
    expect(seen.calls).toEqual([
      ['created', 'created', { id: 1 }, 1],
      ['deleted', 'deleted'],
      ['otherwise', null],
      ['invalid', 'schema'],
    ]);
  });

  const prefixes: readonly (readonly [string, (app: INestApplication) => unknown, string])[] = [
    ['the path alone', () => undefined, '/hooks/in'],
    ['a global prefix', (app) => app.setGlobalPrefix('/api/v1/'), '/api/v1/hooks/in'],
    [
      'a global prefix that leaves the path out',
      (app) => app.setGlobalPrefix('api', { exclude: ['hooks/in'] }),
      '/hooks/in',
    ],
    [
      'a global prefix that leaves another path out',
      (app) => app.setGlobalPrefix('api', { exclude: ['hooks'] }),
      '/api/hooks/in',
    ],
  ];
  test.each(prefixes)('receives below %s, and nowhere else', async (_what, configure, base) => {
    const { records, ...options } = trusting();
    await using served = await startNest(
      createPlatform(),
      {
        imports: [WebhooksModule.forRoot({ ...options, path: 'hooks/in/' })],
        providers: [Handlers, Seen],
        controllers: [EchoController],
      },
      (app) => void configure(app),
    );
    for (const path of [base, `${base}/`, `${base}/created`, `${base}?a=/b`])
      expect(await post(served.port, path, '{"id":1}')).toBe(200);
    expect(records.length).toBe(4);
    for (const path of ['/hooks', '/webhooks', `${base}s`, `/a${base}`])
      expect(await post(served.port, path, '{"id":1}')).toBe(404);
    expect(records.length).toBe(4);
    // A delivery is not lost at a path that servers could resolve to this one.
    expect(await post(served.port, `/${base}`, '{"id":1}')).toBe(404);
    expect(records[4]?.reason).toBe('malformed-path');
  });

  test('takes its options from a factory, whatever that waits for', async () => {
    const seen = new Seen();
    class Settings {
      readonly path = 'from-settings';
    }
    class SettingsModule {
      readonly name = 'settings';
    }
    const settings = { module: SettingsModule, providers: [Settings], exports: [Settings] };
    await using served = await startNest(createPlatform(), {
      imports: [
        WebhooksModule.forRootAsync({
          imports: [settings],
          inject: [Settings],
          useFactory: async ({ path }: Settings) => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            return { ...trusting(), path };
          },
        }),
      ],
      providers: [Handlers, { provide: Seen, useValue: seen }],
    });
    expect(await post(served.port, '/from-settings/deleted', '{"id":1}')).toBe(200);
    expect(seen.calls).toEqual([['deleted', 'deleted']]);
  });

  test('is there before body parsers in applications for tests too', async () => {
    const seen = new Seen();
    const testing = await Test.createTestingModule({
      imports: [WebhooksModule.forRoot(trusting())],
      providers: [Handlers, { provide: Seen, useValue: seen }],
    }).compile();
    const app = testing.createNestApplication(createPlatform(), { logger: false });
    await using served = await listenNest(app);
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${served.port}/webhooks/created`;
    const { status } = await fetch(url, { method: 'POST', headers, body: '{"id": 1}' });
    expect([status, seen.calls.length]).toEqual([200, 1]);
  });

  test('has two sets of options for the same handlers, or for those of two modules', async () => {
    const [first, second] = [new Seen(), new Seen()];
    class First {
      readonly name = 'first';
    }
    class Second {
      readonly name = 'second';
    }
    const handlersOf = (module: Type, seen: Seen) => ({
      module,
      providers: [Handlers, { provide: Seen, useValue: seen }],
    });
    await using served = await startNest(createPlatform(), {
      imports: [
        handlersOf(First, first),
        handlersOf(Second, second),
        WebhooksModule.forRoot({ ...trusting(), path: 'a', include: [First] }),
        WebhooksModule.forRoot({ ...trusting(), path: 'b', include: [Second], maxBodyBytes: 8 }),
        WebhooksModule.forRoot({ ...trusting(), path: 'c', include: [Second] }),
      ],
    });
    const body = '{"id":123456789}';
    expect(await post(served.port, '/a/created', body)).toBe(200);
    expect(await post(served.port, '/b/created', body)).toBe(413);
    expect(await post(served.port, '/c/created', body)).toBe(200);
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });
});

/** Boots an application with these providers and says why it does not start. */
async function failure(
  providers: readonly (Type | object)[],
  options: object = {},
): Promise<unknown> {
  try {
    await using _ = await startNest(new ExpressAdapter(), {
      imports: [WebhooksModule.forRoot({ ...trusting(), ...options })],
      providers: providers as Type[],
    });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('an application does not start', () => {
  const [otherwise, invalid] = [OnOtherwise(), OnInvalid()];
  const all = [OnCreated(), OnDeleted(), otherwise, invalid];
  const requestScoped = withMarks(OnCreated());
  Injectable({ scope: Scope.REQUEST })(requestScoped);
  const transient = withMarks(OnCreated());
  Injectable({ scope: Scope.TRANSIENT })(transient);
  const dependent = withMarks(OnCreated());
  Injectable()(dependent);
  Inject(requestScoped)(dependent, undefined, 0);
  const rest = withMarks(OnOtherwise({ rest: true }));

  test.each<[string, readonly (Type | object)[], RegExp]>([
    ['without handlers', [], /created, deleted, `otherwise`, `onInvalid`/],
    ['where kinds have none', [withMarks(otherwise, invalid)], /for created, deleted\.$/],
    ['where one kind has none', [withMarks(OnDeleted(), otherwise, invalid)], /for created\.$/],
    ['without `otherwise`', [withMarks(OnCreated(), OnDeleted(), invalid)], /for `otherwise`\.$/],
    ['without `onInvalid`, with a handler for all kinds', [rest], /for `onInvalid`\.$/],
    [
      'where a kind has two',
      [withMarks(...all), withMarks(OnDeleted())],
      /deleted has two handlers: Marked\.handle of \w+ and Marked\.handle of \w+\.$/,
    ],
    ['where a handler is made for each request', [requestScoped], /Marked\.handle.*created/],
    ['where a handler is made for each injection', [transient], /Marked\.handle.*created/],
    [
      'where a handler that has no name of its own is one too many',
      [withMarks(...all), { provide: Symbol('second'), useValue: new (withMarks(OnDeleted()))() }],
      /deleted has two handlers: Marked\.handle of \w+ and Symbol\(second\)\.handle of \w+\.$/,
    ],
    ['where what a handler needs is made so', [requestScoped, dependent], /Marked\.handle/],
  ])('%s', async (_when, providers, message) => {
    const error = await failure(providers);
    expect(error).toMatchObject({ name: 'WebhookError', code: 'invalid-option' });
    expect(String(error)).toMatch(message);
  });

  test.each(['/webhooks', 'webhooks/below', ''])(
    'where another module receives at or above %s',
    async (path) => {
      const start = startNest(new ExpressAdapter(), {
        imports: [
          WebhooksModule.forRoot({ ...trusting(), path }),
          WebhooksModule.forRoot(trusting()),
        ],
        providers: [Handlers, Seen],
      });
      await expect(start).rejects.toThrow(/two webhooks modules receive at \/webhooks/);
    },
  );

  test('where a module with another copy of the adapter receives above', async () => {
    const copy = '../../../../packages/runtime/adapters/nestjs.ts?copy';
    const { createWebhooksModule: createOther } = (await import(copy)) as {
      createWebhooksModule: typeof createWebhooksModule;
    };
    expect(createOther).not.toBe(createWebhooksModule);
    const [OnA, OnRest, OnFailure] = [createOn(), createOn(), createOn()];
    const Other = createOther({
      on: [['a', OnA]],
      otherwise: OnRest,
      onInvalid: OnFailure,
      createReceive: () => createBareReceiver().receive,
    });
    const marked = withMarks(OnA(), OnRest(), OnFailure());
    const start = startNest(new ExpressAdapter(), {
      imports: [
        WebhooksModule.forRoot({ ...trusting(), path: 'all/a' }),
        Other.forRoot({ path: 'all' }),
      ],
      providers: [Handlers, Seen, marked],
    });
    await expect(start).rejects.toThrow(/two webhooks modules receive at \/all/);
  });

  test.each(['a//b', '../a', 'a/%2e%2e'])('where the path is %s', async (path) => {
    expect(String(await failure([Handlers, Seen], { path }))).toMatch(/`path` is not a valid path/);
  });
});

test.each<[string, readonly (Type | object)[]]>([
  [
    'one method for several kinds',
    [withMarks(OnCreated(), OnDeleted(), OnOtherwise(), OnInvalid())],
  ],
  ['one for the kinds without a handler', [withMarks(OnOtherwise({ rest: true }), OnInvalid())]],
  ['a provider that has two names', [Handlers, Seen, { provide: 'alias', useExisting: Handlers }]],
  ['an instance', [{ provide: 'instance', useValue: new Handlers(new Seen()) }]],
  ['what a factory makes', [{ provide: 'made', useFactory: () => new Handlers(new Seen()) }]],
  [
    'providers that are not objects',
    [
      Handlers,
      Seen,
      { provide: 'text', useValue: 'text' },
      { provide: 'null', useValue: null },
      { provide: 'bare', useValue: Object.create(null) },
      { provide: 'function', useValue: () => undefined },
    ],
  ],
])('an application starts with %s', async (_what, providers) => {
  expect(await failure(providers)).toBeUndefined();
});

test('a controller can have handlers, and is called with itself as `this`', async () => {
  class Controlling extends Handlers {}
  Controller('elsewhere')(Controlling);
  const seen = new Seen();
  await using served = await startNest(new ExpressAdapter(), {
    imports: [WebhooksModule.forRoot(trusting())],
    providers: [{ provide: Seen, useValue: seen }],
    controllers: [Controlling],
  });
  expect(await post(served.port, '/webhooks/deleted', '{"id":1}')).toBe(200);
  expect(seen.calls).toEqual([['deleted', 'deleted']]);
});

test('without a server there is nothing to receive, and the application starts', async () => {
  const app = await NestFactory.createApplicationContext(
    { imports: [WebhooksModule.forRoot(trusting())], providers: [Handlers, Seen] },
    { logger: false, abortOnError: false },
  );
  expect(app.get(Handlers)).toBeInstanceOf(Handlers);
  await app.close();
});

test('a body that a parser of one’s own has read is answered with 500, and the record says why', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { records, ...options } = trusting();
  const server = express().use(express.json({ type: '*/*' }));
  await using served = await startNest(new ExpressAdapter(server), {
    imports: [WebhooksModule.forRoot(options)],
    providers: [Handlers, Seen],
  });
  expect(await post(served.port, '/webhooks/created', '{"id":1}')).toBe(500);
  expect([records[0]?.reason, warn.mock.calls.length]).toEqual(['body-consumed', 1]);
  warn.mockRestore();
});

test('a whole application can stand below a path of another', async () => {
  const seen = new Seen();
  const inner = new ExpressAdapter();
  await using _ = await startNest(inner, {
    imports: [WebhooksModule.forRoot(trusting())],
    providers: [Handlers, { provide: Seen, useValue: seen }],
  });
  await using served = await listen(express().use('/inner', inner.getInstance()));
  expect(await post(served.port, '/inner/webhooks/created', '{"id":1}')).toBe(200);
  expect(await post(served.port, '/webhooks/created', '{"id":1}')).toBe(404);
  expect(seen.calls).toHaveLength(1);
});

test('a method that is replaced before or after the start is called as it is then', async () => {
  const handlers = new Handlers(new Seen());
  const before = vi.spyOn(handlers, 'created').mockReturnValue();
  await using served = await startNest(new ExpressAdapter(), {
    imports: [WebhooksModule.forRoot(trusting())],
    providers: [{ provide: Symbol('handlers'), useValue: handlers }],
  });
  const after = vi.spyOn(handlers, 'deleted').mockReturnValue();
  for (const path of ['created', 'deleted'])
    expect(await post(served.port, `/webhooks/${path}`, '{"id":1}')).toBe(200);
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([1, 1]);
});

test('a mark on anything but a method is refused', () => {
  const on = OnCreated() as (...args: unknown[]) => void;
  for (const args of [[Handlers], [Handlers.prototype, 'seen'], [{}, 'a', { value: 1 }]])
    expect(() => on(...args)).toThrow(/other than a method/);
});
