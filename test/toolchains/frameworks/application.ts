const options = `const options: WebhookOptions = {
  authenticate: sharedSecret({ header: 'x-secret' }, 'secret'),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
};`;

const withOptions = (code: string, names: string): string =>
  `import { ${names}, sharedSecret, type WebhookOptions } from '@instant-payment/webhooks-${code};\n${options}\n`;

/** A file for each framework, which mounts its generated package as the framework's own types permit. */
export const applications: Readonly<Record<string, string>> = {
  Express: `import express from 'express';
${withOptions("express'", 'createWebhooksHandler, createWebhooksRouter')}
const app = express();
app.use('/hooks', createWebhooksRouter(options));
app.post('/hook', createWebhooksHandler(options));
app.use(createWebhooksHandler(options));
express.Router().use(createWebhooksRouter(options));
`,
  Fastify: `import { fastify } from 'fastify';
${withOptions("fastify'", 'createWebhooksPlugin')}
await fastify().register(createWebhooksPlugin(options), { prefix: '/hooks' });
`,
  Koa: `import Koa from 'koa';
${withOptions("koa'", 'createWebhooksMiddleware')}
const app: Koa = new Koa().use(createWebhooksMiddleware({ ...options, path: '/hooks' }));
app.use((context) => void context.status);
new Koa<{ user: string }>().use(createWebhooksMiddleware(options));
`,
  Hono: `import { Hono } from 'hono';
${withOptions("hono'", 'createWebhooksApp')}
new Hono().route('/hooks', createWebhooksApp(options));
`,
  NestJS: `import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  OnInvalid,
  OnOtherwise,
  sharedSecret,
  WebhooksModule,
  type InvalidDelivery,
  type UnidentifiedEvent,
  type WebhookEvent,
} from '@instant-payment/webhooks-nestjs';

@Injectable()
class Notifications {
  @OnOtherwise({ rest: true })
  rest(event: UnidentifiedEvent | WebhookEvent): void {
    console.log(event.kind);
  }

  @OnInvalid()
  invalid(delivery: InvalidDelivery): void {
    console.log(delivery.reason);
  }
}

const authenticate = sharedSecret({ header: 'x-secret' }, 'secret');

@Module({
  imports: [WebhooksModule.forRoot({ path: 'hooks', authenticate })],
  providers: [Notifications],
})
class AppModule {}

await NestFactory.create(AppModule);
`,
  'Next.js': `import type { NextRequest } from 'next/server.js';
${withOptions("nextjs'", 'createWebhooksRoute')}
export const { GET, POST, PUT, PATCH, DELETE } = createWebhooksRoute(() => options);
export const route: (request: NextRequest) => Promise<Response> = POST;
`,
};
