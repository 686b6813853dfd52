import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  HttpCode,
  Post,
  type DynamicModule,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Handler } from '../../../../packages/runtime/webhooks/contract.ts';
import { createOn, createWebhooksModule } from '../../../../packages/runtime/adapters/nestjs.ts';
import type { Receive } from '../../../../packages/runtime/webhooks/receiver.ts';
import type { Served } from './workbench.ts';

/** The two platforms of Nest. */
export const platforms: readonly (readonly [string, () => AbstractHttpAdapter])[] = [
  ['express', () => new ExpressAdapter()],
  ['fastify', () => new FastifyAdapter()],
];

/** Starts an application on a free port of the loopback; rejects where it does not start. */
export async function startNest(
  platform: AbstractHttpAdapter,
  metadata: ModuleMetadata,
  configure: (app: INestApplication) => void = () => undefined,
): Promise<Served> {
  const options = { logger: false, abortOnError: false, forceCloseConnections: true } as const;
  const root = { module: Application, ...metadata };
  return await listenNest(await NestFactory.create(root, platform, options), configure);
}

class Application {
  name(): string {
    return 'application';
  }
}

/** Listens with an application that was made. */
export async function listenNest(
  app: INestApplication,
  configure: (app: INestApplication) => void = () => undefined,
): Promise<Served> {
  try {
    configure(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => app.close() };
}

type Decorate = (
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Handler<never>>,
) => unknown;

/** Decorates a method as a compiler would. */
export function mark(type: { readonly prototype: object }, name: string, ...by: Decorate[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, name);
  if (descriptor === undefined) throw new Error(`There is no method ${name}`);
  for (const decorate of by) decorate(type.prototype, name, descriptor);
}

/** Answers with the body as Nest has parsed it. */
export class EchoController {
  echo(body: unknown): unknown {
    return body;
  }
}
Controller('echo')(EchoController);
mark(EchoController, 'echo', Post(), HttpCode(200));
Body()(EchoController.prototype, 'echo', 0);

const OnOtherwise = createOn();
const OnInvalid = createOn();

/** Has the handlers of a contract without kinds. */
export class NoHandlers {
  handle(): void {}
}
mark(NoHandlers, 'handle', OnOtherwise(), OnInvalid());

/** The module of a contract without kinds, around a receiver that has what it needs. */
export function moduleOf(receive: Receive, path: string): DynamicModule {
  return createWebhooksModule({
    on: [],
    otherwise: OnOtherwise,
    onInvalid: OnInvalid,
    createReceive: () => receive,
  }).forRoot({ path });
}
