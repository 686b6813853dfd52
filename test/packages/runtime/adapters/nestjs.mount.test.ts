import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApplicationConfig, type DiscoveryService, type HttpAdapterHost } from '@nestjs/core';
import { expect, test } from 'vitest';
import { Mount } from '../../../../packages/runtime/adapters/nestjs.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';

type Use = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The host of NestJS 10, which has no event for its adapter. */
class Host10 {
  #adapter: unknown;
  set httpAdapter(adapter: unknown) {
    this.#adapter = adapter;
  }
  get httpAdapter(): unknown {
    return this.#adapter;
  }
}

function mountAt(host: Host10, path: string): Mount {
  const discovery = { getProviders: (): [] => [] } as Partial<DiscoveryService>;
  return new Mount(
    host as Partial<HttpAdapterHost> as HttpAdapterHost,
    new ApplicationConfig(),
    discovery as DiscoveryService,
    { path },
    () => createBareReceiver().receive,
  );
}

test('under NestJS 10, every module installs its middleware when a testing application has its server', () => {
  const host = new Host10();
  mountAt(host, 'first');
  mountAt(host, 'second');
  const used: Use[] = [];
  const adapter = { use: (middleware: Use) => used.push(middleware) };
  host.httpAdapter = adapter;
  expect(used).toHaveLength(2);
  expect(host.httpAdapter).toBe(adapter);
});

test('under NestJS 10, a module installs its middleware at once where the server is there', () => {
  const host = new Host10();
  const used: Use[] = [];
  host.httpAdapter = { use: (middleware: Use) => used.push(middleware) };
  mountAt(host, 'first');
  expect(used).toHaveLength(1);
});
