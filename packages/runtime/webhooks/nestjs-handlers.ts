import type { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type Handler, invalid } from './contract.ts';
import type { OnInvalid, Reactions } from './receiver.ts';

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
