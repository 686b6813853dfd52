import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler, OnInvalid, Reactions, Receive } from '@countersign/runtime/webhooks';
import {
  invalid,
  isAtOrBelow,
  pathSegments,
  splitTarget,
  toNodeHandler,
  type NodeHandler,
} from '@countersign/runtime/webhooks/node';
import {
  ConfigurableModuleBuilder,
  Module,
  type ConfigurableModuleCls,
  type OnModuleInit,
} from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  Reflector,
} from '@nestjs/core';

/** A method decorator under `experimentalDecorators`. Applying it to a method of another type does not compile. */
export type MethodMark<H> = <M extends H>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** A decorator that marks a method as a handler. Generated packages narrow its type to the events of the handler. */
export interface On {
  /**
   * Marks a method as a handler. With `rest`, the method for unidentified events also gets every kind without its own
   * method.
   */
  (options?: Mark): MethodMark<Handler<never>>;
  /** The metadata key of the decorator. */
  readonly KEY: string;
}

/**
 * Creates a distinct decorator. A method can have several. The decorator throws a WebhookError `invalid-option` on
 * anything but a method.
 */
export function createOn(): On {
  const mark = DiscoveryService.createDecorator<Mark>();
  const on =
    (options: Mark = {}): MethodMark<Handler<never>> =>
    (target, name, descriptor) => {
      if (typeof descriptor?.value !== 'function')
        throw invalid('a decorator marks something other than a method as a handler');
      mark(options)(target, name, descriptor);
    };
  return Object.assign(on, { KEY: mark.KEY });
}

/** The contract-specific parts of a module. */
export interface ModuleParts<Options extends object> extends Decorators {
  /** Creates the receiver when all methods have been found. */
  readonly createReceive: (options: Options & Reactions) => Receive;
}

/**
 * Creates the Nest module of a contract, with `forRoot(options)` and `forRootAsync({ imports, inject, useFactory })`.
 * It receives all requests at and below its path before any body parser. It calls the decorated methods of all
 * providers and controllers. The application fails to start with a WebhookError where a kind has no method, or has two.
 */
export function createWebhooksModule<Options extends object>(
  parts: ModuleParts<Options>,
): ConfigurableModuleCls<Options & MountOptions, 'forRoot'> {
  const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<
    Options & MountOptions
  >()
    .setClassMethodName('forRoot')
    .build();
  const inject = [
    MODULE_OPTIONS_TOKEN,
    HttpAdapterHost,
    ApplicationConfig,
    DiscoveryService,
    MetadataScanner,
    Reflector,
  ];
  const useFactory = (
    options: Options & MountOptions,
    host: HttpAdapterHost,
    config: ApplicationConfig,
    discovery: DiscoveryService,
    scanner: MetadataScanner,
    reflector: Reflector,
  ): Mount =>
    new Mount(host, config, discovery, options, () => {
      const search = { ...options, discovery, scanner, reflector };
      return parts.createReceive({ ...options, ...findHandlers(search, parts) });
    });
  Module({
    imports: [DiscoveryModule],
    providers: [{ provide: Mount, inject, useFactory }],
  })(ConfigurableModuleClass);
  return ConfigurableModuleClass;
}

/** The metadata key of a decorator. */
export interface DecoratorKey {
  readonly KEY: string;
}

/** The decorators of a contract. */
export interface Decorators {
  /** Decorators by the name of a kind or of a union of kinds. */
  readonly on: readonly (readonly [name: string, decorator: DecoratorKey])[];
  readonly otherwise: DecoratorKey;
  readonly onInvalid: DecoratorKey;
}

/** The services of Nest that find decorated methods. */
export interface Search {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
  readonly reflector: Reflector;
  /** The modules to search. Default: all modules. */
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- Nest has no narrower type for them
  readonly include?: readonly Function[];
}

type Methods = Readonly<Record<string, Handler<unknown>>>;

/** The options of a decorator. */
export interface Mark {
  /**
   * Whether the method also handles every kind without its own method. It has an effect for `otherwise` only.
   * Default: false.
   */
  readonly rest?: boolean;
}

interface MarkedHandler {
  readonly key: string;
  readonly place: string;
  readonly takesRest: boolean;
  readonly handle: Handler<unknown>;
}

/**
 * Finds the handlers of a contract.
 * @throws WebhookError `invalid-option` where a handler is missing, occurs twice, or belongs to a request-scoped or
 * transient provider
 */
export function findHandlers(search: Search, { on, otherwise, onInvalid }: Decorators): Reactions {
  const names = new Map(on.map(([name, { KEY }]) => [KEY, name]));
  names.set(otherwise.KEY, '`otherwise`').set(onInvalid.KEY, '`onInvalid`');
  const handlersByKey = new Map<string, MarkedHandler>();
  for (const method of markedMethods(search, names)) {
    const other = handlersByKey.get(method.key);
    if (other !== undefined)
      throw invalid(
        `${names.get(method.key)} has two handlers: ${other.place} and ${method.place}`,
      );
    handlersByKey.set(method.key, method);
  }
  const rest = handlersByKey.get(otherwise.KEY);
  const invalidHandler = handlersByKey.get(onInvalid.KEY);
  const takesRest = rest?.takesRest ?? false;
  const missing = [...names].filter(
    ([key]) => !handlersByKey.has(key) && (key === onInvalid.KEY || !takesRest),
  );
  if (rest === undefined || invalidHandler === undefined || missing.length > 0)
    throw invalid(
      `no provider or controller has a handler for ${missing.map(([, name]) => name).join(', ')}`,
    );
  return {
    on: Object.fromEntries(on.map(([name, { KEY }]) => [name, handlersByKey.get(KEY)?.handle])),
    otherwise: takesRest ? { rest: rest.handle } : rest.handle,
    onInvalid: invalidHandler.handle as OnInvalid<never, never>,
  };
}

function* markedMethods(
  { discovery, scanner, reflector, include }: Search,
  names: ReadonlyMap<string, string>,
): Generator<MarkedHandler> {
  const within = include === undefined ? {} : { include: [...include] };
  const seen = new Set<unknown>();
  for (const wrapper of [...discovery.getProviders(within), ...discovery.getControllers(within)]) {
    const instance = wrapper.instance as Methods | null;
    // A provider with an alias is the same instance.
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
    seen.add(instance);
    const marked = Object.getPrototypeOf(instance) as Methods | null;
    for (const method of scanner.getAllMethodNames(marked)) {
      for (const [key, name] of names) {
        const mark = reflector.get<Mark | undefined>(key, marked?.[method] as Handler<unknown>);
        if (mark === undefined) continue;
        const place = `${String(wrapper.name)}.${method} of ${wrapper.host?.name}`;
        if (wrapper.isTransient || !wrapper.isDependencyTreeStatic())
          throw invalid(
            `${place} handles ${name} but is request-scoped or transient; use a provider in the default scope`,
          );
        const handle: Handler<unknown> = (event, context) => instance[method]?.(event, context);
        yield { key, place, takesRest: mark.rest === true, handle };
      }
    }
  }
}

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
  /** The path, with a leading and without a trailing slash; empty for the root. */
  readonly pathOfWebhooks: string;
  readonly #config: ApplicationConfig;
  readonly #discovery: DiscoveryService;
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
    this.pathOfWebhooks = toPath(path);
    if (pathSegments(this.pathOfWebhooks || '/') === undefined)
      throw invalid('`path` is not a valid path');
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
      // By its member: the module of another contract has another copy of this class.
      const other = wrapper.instance as Partial<Mount> | null | undefined;
      const path = other?.pathOfWebhooks;
      if (typeof path === 'string' && other !== this && isAtOrBelow(this.pathOfWebhooks, path))
        throw invalid(`two webhooks modules receive at ${path || '/'}; give each its own path`);
    }
    const { exclude = [] } = this.#config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(this.pathOfWebhooks || '/'));
    this.#base = (isExcluded ? '' : toPath(this.#config.getGlobalPrefix())) + this.pathOfWebhooks;
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
