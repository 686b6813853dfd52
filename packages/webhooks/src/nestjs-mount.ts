import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnModuleInit } from '@nestjs/common';
import type { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Search } from './nestjs-handlers.ts';
import { toNodeHandler, type NodeHandler } from './node.ts';
import { invalid } from './webhook-error.ts';
import type { Receive } from './receiver.ts';
import { pathSegments, splitTarget } from './target.ts';

/** Where a module receives. */
export interface MountOptions extends Pick<Search, 'include'> {
  /** Behind the global prefix, unless that excludes it; everything below is answered. Default: `webhooks`. */
  readonly path?: string;
}

/**
 * Puts a receiver in front of everything that reads bodies: it is there once the providers are made, which is before
 * Nest registers parsers, and answers from the moment that handlers are found.
 */
export class Mount implements OnModuleInit {
  readonly #config: ApplicationConfig;
  readonly #discovery: DiscoveryService;
  readonly #path: string;
  readonly #createReceive: () => Receive;
  #base = '';
  #handle: NodeHandler | undefined;

  constructor(
    host: HttpAdapterHost,
    config: ApplicationConfig,
    discovery: DiscoveryService,
    { path = 'webhooks' }: MountOptions,
    createReceive: () => Receive,
  ) {
    this.#config = config;
    this.#discovery = discovery;
    this.#path = toPath(path);
    if (pathSegments(this.#path || '/') === undefined) throw invalid('`path` is no path');
    this.#createReceive = createReceive;
    // Applications for tests make their providers before they have a server.
    host.init$.subscribe(() => {
      // No application without a server has an adapter.
      (host.httpAdapter as typeof host.httpAdapter | null)?.use(
        (request: IncomingMessage, response: ServerResponse, next: () => void) =>
          this.#receive(request, response, next),
      );
    });
  }

  /** Prefix and providers are settled by now. */
  onModuleInit(): void {
    for (const wrapper of this.#discovery.getProviders()) {
      const other: unknown = wrapper.instance;
      if (other instanceof Mount && other !== this && isBelow(this.#path, other.#path))
        throw invalid(`two modules receive at ${other.#path || '/'}`);
    }
    const { exclude = [] } = this.#config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(this.#path || '/'));
    this.#base = (isExcluded ? '' : toPath(this.#config.getGlobalPrefix())) + this.#path;
    this.#handle = toNodeHandler(this.#createReceive());
  }

  #receive(request: IncomingMessage, response: ServerResponse, next: () => void): unknown {
    // What is below the place of the whole application in another, as its routes see it.
    const isOurs = isBelow(this.#base, splitTarget(request.url ?? '/').path);
    return isOurs && this.#handle !== undefined ? this.#handle(request, response) : next();
  }
}

/** With a slash in front and none behind; nothing at all for the root. */
function toPath(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/gu, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

function isBelow(base: string, path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}
