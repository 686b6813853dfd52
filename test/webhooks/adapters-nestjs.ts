import type { AddressInfo } from 'node:net';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createOn, createWebhooksModule } from '../../packages/webhooks/src/nestjs.ts';
import type { Receive } from '../../packages/webhooks/src/receiver.ts';
import type { Adapter, Served } from './workbench.ts';

/** The Nest module at the root of an application, on either platform. */
export const nestAdapters: readonly Adapter[] = [
  {
    name: 'nestjs on express',
    keepsPath: true,
    serve: (receive) => serve(receive, new ExpressAdapter()),
  },
  {
    name: 'nestjs on fastify',
    keepsPath: true,
    exceptions: {
      'the path: with an encoding that is none is answered with 404':
        'Fastify refuses what it cannot decode, with 400, before it looks for a route',
    },
    serve: (receive) => serve(receive, new FastifyAdapter()),
  },
];

const OnOtherwise = createOn();
const OnInvalid = createOn();

/** Stands for the handlers, which the receiver under test has already. */
class Handlers {
  nothing(): void {}
}
const descriptor = { value: Handlers.prototype.nothing };
OnOtherwise()(Handlers.prototype, 'nothing', descriptor);
OnInvalid()(Handlers.prototype, 'nothing', descriptor);

async function serve(receive: Receive, platform: AbstractHttpAdapter): Promise<Served> {
  const module = createWebhooksModule({
    on: [],
    otherwise: OnOtherwise,
    onInvalid: OnInvalid,
    createReceive: () => receive,
  });
  const app = await NestFactory.create(
    { imports: [module.forRoot({ path: '/' })], providers: [Handlers] },
    platform,
    { logger: false, abortOnError: false, forceCloseConnections: true },
  );
  await app.listen(0, '127.0.0.1');
  return {
    port: (app.getHttpServer().address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => app.close(),
  };
}
