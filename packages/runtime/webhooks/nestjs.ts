import { ConfigurableModuleBuilder, Module, type ConfigurableModuleCls } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  Reflector,
} from '@nestjs/core';
import { type Handler, invalid } from './contract.ts';
import { findHandlers, type Decorators, type Mark } from './nestjs-handlers.ts';
import { Mount, type MountOptions } from './nestjs-mount.ts';
import type { Reactions, Receive } from './receiver.ts';

export type { DecoratorKey, Decorators } from './nestjs-handlers.ts';
export type { MountOptions } from './nestjs-mount.ts';

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
