import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnModuleInit } from '@nestjs/common';
import type { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Search } from './nestjs-handlers.ts';
import { toNodeHandler, type NodeHandler } from './node.ts';
import { invalid, isAtOrBelow, pathSegments, splitTarget } from './contract.ts';
import type { Receive } from './receiver.ts';

/** The path and the searched modules of a webhooks module. */
export interface MountOptions extends Pick<Search, 'include'> {
  /**
   * The path, after the global prefix unless that excludes it. All requests at and below it are answered. Default:
   * `webhooks`.
   */
  readonly path?: string;
}

/**
 * Installs a receiver as middleware before all body parsers. Registers the middleware when the providers are created,
 * which is before Nest registers parsers. Answers requests once the handlers are found.
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
    if (pathSegments(this.#path || '/') === undefined) throw invalid('`path` is not a valid path');
    this.#createReceive = createReceive;
    whenServerIsSet(host, () => {
      // An application without a server has no adapter.
      (host.httpAdapter as typeof host.httpAdapter | null)?.use(
        (request: IncomingMessage, response: ServerResponse, next: () => void) =>
          this.#receive(request, response, next),
      );
    });
  }

  /**
   * Runs when the global prefix and the providers are known. Finds the handlers.
   * @throws WebhookError `invalid-option` where this module receives at or below the path of another
   */
  onModuleInit(): void {
    for (const wrapper of this.#discovery.getProviders()) {
      const other: unknown = wrapper.instance;
      if (other instanceof Mount && other !== this && isAtOrBelow(this.#path, other.#path))
        throw invalid(
          `two webhooks modules receive at ${other.#path || '/'}; give each its own path`,
        );
    }
    const { exclude = [] } = this.#config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(this.#path || '/'));
    this.#base = (isExcluded ? '' : toPath(this.#config.getGlobalPrefix())) + this.#path;
    this.#handle = toNodeHandler(this.#createReceive());
  }

  #receive(request: IncomingMessage, response: ServerResponse, next: () => void): unknown {
    // Where the application is mounted in another one, `url` is relative to its mount path, as for its routes.
    const isOurs = isAtOrBelow(this.#base, splitTarget(request.url ?? '/').path);
    return isOurs && this.#handle !== undefined ? this.#handle(request, response) : next();
  }
}

/** Calls back when the application has its server. Testing applications create their providers before that. */
function whenServerIsSet(host: HttpAdapterHost, install: () => void): void {
  const { init$, httpAdapter } = host as Partial<Pick<HttpAdapterHost, 'init$' | 'httpAdapter'>>;
  if (init$ !== undefined) {
    init$.subscribe(install);
  } else if (httpAdapter !== undefined) {
    install();
  } else {
    // NestJS 10 has no event for it, so this adds one to the accessor of its host. Several modules add theirs.
    const accessor =
      Object.getOwnPropertyDescriptor(host, 'httpAdapter') ??
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(host), 'httpAdapter');
    Object.defineProperty(host, 'httpAdapter', {
      ...accessor,
      configurable: true,
      set(adapter: HttpAdapterHost['httpAdapter']) {
        accessor?.set?.call(host, adapter);
        install();
      },
    });
  }
}

/** Returns the path with a leading and without a trailing slash; empty for the root. */
function toPath(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/gu, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}
