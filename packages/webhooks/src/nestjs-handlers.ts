import type { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Handler } from './event.ts';
import type { Reactions } from './options.ts';
import { invalid } from './webhook-error.ts';

/** A decorator, as methods remember it. */
export interface DecoratorKey {
  readonly KEY: string;
}

/** The decorators of a contract. */
export interface Decorators {
  /** By kind, and by what several kinds are called together. */
  readonly on: readonly (readonly [name: string, decorator: DecoratorKey])[];
  readonly otherwise: DecoratorKey;
  readonly onInvalid: DecoratorKey;
}

/** What Nest finds methods with. */
export interface Search {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
  readonly reflector: Reflector;
  /** The modules that are searched. Default: all. */
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- Nest has no narrower type for them
  readonly include?: readonly Function[];
}

type Methods = Readonly<Record<string, Handler<unknown>>>;

/** What a decorator was given. */
export interface Mark {
  readonly rest?: boolean;
}

interface Found {
  readonly key: string;
  readonly place: string;
  readonly takesRest: boolean;
  readonly handle: Handler<unknown>;
}

/** The handlers of a contract. Throws a WebhookError where one is missing, is there twice, or waits for a request. */
export function findHandlers(search: Search, { on, otherwise, onInvalid }: Decorators): Reactions {
  const names = new Map(on.map(([name, { KEY }]) => [KEY, name]));
  names.set(otherwise.KEY, '`otherwise`').set(onInvalid.KEY, '`onInvalid`');
  const found = new Map<string, Found>();
  for (const method of markedMethods(search, names)) {
    const other = found.get(method.key);
    if (other !== undefined)
      throw invalid(
        `${names.get(method.key)} has two handlers, ${other.place} and ${method.place}`,
      );
    found.set(method.key, method);
  }
  const rest = found.get(otherwise.KEY);
  const told = found.get(onInvalid.KEY);
  const standsIn = rest?.takesRest ?? false;
  const missing = [...names].filter(
    ([key]) => !found.has(key) && (key === onInvalid.KEY || !standsIn),
  );
  if (rest === undefined || told === undefined || missing.length > 0)
    throw invalid(`no provider has a method for ${missing.map(([, name]) => name).join(', ')}`);
  return {
    on: Object.fromEntries(on.map(([name, { KEY }]) => [name, found.get(KEY)?.handle])),
    otherwise: standsIn ? { rest: rest.handle } : rest.handle,
    onInvalid: told.handle,
  };
}

function* markedMethods(
  { discovery, scanner, reflector, include }: Search,
  names: ReadonlyMap<string, string>,
): Generator<Found> {
  const within = include === undefined ? {} : { include: [...include] };
  const seen = new Set<unknown>();
  for (const wrapper of [...discovery.getProviders(within), ...discovery.getControllers(within)]) {
    const instance = wrapper.instance as Methods | null;
    // A provider under another name is the same instance.
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
    seen.add(instance);
    const marked = Object.getPrototypeOf(instance) as Methods | null;
    for (const method of scanner.getAllMethodNames(marked)) {
      for (const [key, name] of names) {
        const mark = reflector.get<Mark | undefined>(key, marked?.[method] as Handler<unknown>);
        if (mark === undefined) continue;
        const place = `${String(wrapper.name)}.${method} of ${wrapper.host?.name}`;
        if (wrapper.isTransient || !wrapper.isDependencyTreeStatic())
          throw invalid(`${place}, for ${name}, has no instance before a request of Nest's own`);
        const handle: Handler<unknown> = (event, context) => instance[method]?.(event, context);
        yield { key, place, takesRest: mark.rest === true, handle };
      }
    }
  }
}
