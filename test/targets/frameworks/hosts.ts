import { getRequestListener } from '@hono/node-server';
import type { DynamicModule } from '@nestjs/common';
import express, { type Router } from 'express';
import fastify, { type FastifyPluginAsync } from 'fastify';
import { Hono } from 'hono';
import Koa, { type Middleware } from 'koa';
import type { LambdaHandler } from '../../../packages/runtime/adapters/aws-lambda.ts';
import type { ExportedHandler } from '../../../packages/runtime/adapters/cloudflare.ts';
import type { Handler } from '../../../packages/runtime/webhooks/contract.ts';
import type { FetchHandler } from '../../../packages/runtime/webhooks/fetch.ts';
import type { NodeHandler } from '../../../packages/runtime/webhooks/node.ts';
import { serveFunction } from '../../packages/runtime/webhooks/adapters-aws-lambda.ts';
import { callers } from '../../packages/runtime/webhooks/lambda-callers.ts';
import { listen, listenFastify, listenFetch } from '../../packages/runtime/webhooks/listen.ts';
import { mark, platforms, startNest } from '../../packages/runtime/webhooks/nestjs-application.ts';
import type { Served } from '../../packages/runtime/webhooks/workbench.ts';

/** What a generated package exports, by name. */
export type Exported = Readonly<Record<string, unknown>>;

/** The handlers of a receiver and its other settings. */
interface Reception {
  /** By the name of the handler. */
  readonly on: Readonly<Record<string, Handler<never>>>;
  readonly otherwise: Handler<never>;
  readonly onInvalid: Handler<never>;
  /** Names of decorators by handler. */
  readonly decorators: ReadonlyMap<string, string>;
  readonly settings: object;
}

/** A framework that a generated package is used on, as its page says, at `/hooks`. */
export interface Host {
  readonly target: string;
  readonly name: string;
  serve(main: Exported, reception: Reception): Promise<Served>;
}

/** Every framework, and every platform of those that have several. */
export const hosts: readonly Host[] = [
  host('webhooks-node', (main, reception) => {
    const listener = make<NodeHandler>(main, 'createWebhooksListener', reception);
    return listen((request, response) => void listener(request, response));
  }),
  host('webhooks-express', (main, reception) =>
    listen(express().use('/hooks', make<Router>(main, 'createWebhooksRouter', reception))),
  ),
  {
    ...host('webhooks-express', (main, reception) =>
      listen(express().use('/hooks', make<Router>(main, 'createWebhooksHandler', reception))),
    ),
    name: 'webhooks-express, as a handler',
  },
  host('webhooks-fastify', async (main, reception) => {
    const app = fastify();
    const plugin = make<FastifyPluginAsync>(main, 'createWebhooksPlugin', reception);
    await app.register(plugin, { prefix: '/hooks' });
    return await listenFastify(app);
  }),
  host('webhooks-koa', (main, reception) => {
    const middleware = make<Middleware>(main, 'createWebhooksMiddleware', reception, {
      path: '/hooks',
    });
    return listen(new Koa().use(middleware).callback());
  }),
  host('webhooks-hono', (main, reception) => {
    const app = new Hono().route('/hooks', make<Hono>(main, 'createWebhooksApp', reception));
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  }),
  ...platforms.map(([name, createPlatform]): Host => ({
    ...host('webhooks-nestjs', (main, reception) =>
      startNest(createPlatform(), {
        imports: [moduleOf(main).forRoot({ ...reception.settings, path: 'hooks' })],
        providers: [providerOf(main, reception)],
      }),
    ),
    name: `webhooks-nestjs on ${name}`,
  })),
  host('webhooks-nextjs', (main, reception) => {
    const route = make<Record<string, FetchHandler>>(main, 'createWebhooksRoute', reception);
    return listenFetch(
      (request) =>
        route[request.method]?.(request) ?? Promise.resolve(new Response(null, { status: 405 })),
    );
  }),
  ...callers.map((caller): Host => ({
    ...host('webhooks-aws-lambda', (main, reception) =>
      serveFunction(make<LambdaHandler>(main, 'createWebhooksHandler', reception), caller),
    ),
    name: `webhooks-aws-lambda behind ${caller.name}`,
  })),
  host('webhooks-cloudflare', (main, reception) =>
    listenWorker(make<ExportedHandler<object>>(main, 'createWebhooksHandler', reception)),
  ),
  {
    ...host('webhooks-cloudflare', (main, reception) => {
      const create = main['createWebhooksHandler'] as (
        optionsOf: (env: object) => object,
      ) => ExportedHandler<object>;
      return listenWorker(create(() => toOptions(reception)));
    }),
    name: 'webhooks-cloudflare, of its environment',
  },
];

function listenWorker(worker: ExportedHandler<object>): Promise<Served> {
  const env = {};
  return listenFetch((request) => worker.fetch(request, env, { waitUntil: () => undefined }));
}

function host(target: string, serve: Host['serve']): Host {
  return { target, name: target, serve };
}

function toOptions({ on, otherwise, onInvalid, settings }: Reception): object {
  return { ...settings, on, otherwise, onInvalid };
}

function make<T>(main: Exported, name: string, reception: Reception, more: object = {}): T {
  const create = main[name] as (options: object) => T;
  return create({ ...toOptions(reception), ...more });
}

function moduleOf(main: Exported): { forRoot(options: object): DynamicModule } {
  return main['WebhooksModule'] as { forRoot(options: object): DynamicModule };
}

/** A provider with a method for each handler, decorated with what the package exports. */
function providerOf(main: Exported, reception: Reception): new () => object {
  class Notifications extends Object {}
  const handlers: readonly (readonly [string, Handler<never>])[] = [
    ...Array.from(reception.decorators, ([handler, decorator]) => {
      const handle = reception.on[handler];
      if (handle === undefined) throw new Error(`There is no handler ${handler}`);
      return [decorator, handle] as const;
    }),
    ['OnOtherwise', reception.otherwise],
    ['OnInvalid', reception.onInvalid],
  ];
  for (const [decorator, handle] of handlers) {
    const method = `handle${decorator}`;
    const value = (event: never, context: never): unknown => handle(event, context);
    Object.defineProperty(Notifications.prototype, method, { value, configurable: true });
    const decorate = main[decorator] as () => Parameters<typeof mark>[2];
    mark(Notifications, method, decorate());
  }
  return Notifications;
}
