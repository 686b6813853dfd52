import { ConfigurableModuleBuilder, Module, type ConfigurableModuleCls } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  Reflector,
} from '@nestjs/core';
import type { Handler } from './event.ts';
import { findHandlers, type Decorators, type Mark } from './nestjs-handlers.ts';
import { Mount, type MountOptions } from './nestjs-mount.ts';
import type { Reactions } from './options.ts';
import { invalid } from './webhook-error.ts';
import type { Receive } from './receiver.ts';

export type { DecoratorKey, Decorators } from './nestjs-handlers.ts';
export type { MountOptions } from './nestjs-mount.ts';

/** Marks a method as a handler, as a decorator under `experimentalDecorators`; one that takes anything else does not compile. */
export type MethodMark<H> = <M extends H>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** A decorator of methods; generated packages give it the type of the events that it stands for. */
export interface On {
  /** With `rest`, the method that gets what is of no kind gets every kind without a method as well. */
  (options?: Mark): MethodMark<Handler<never>>;
  /** Where the methods keep that they have it. */
  readonly KEY: string;
}

/** Makes a decorator that differs from every other; a method can have several. It throws a WebhookError on anything but a method. */
export function createOn(): On {
  const mark = DiscoveryService.createDecorator<Mark>();
  const on =
    (options: Mark = {}): MethodMark<Handler<never>> =>
    (target, name, descriptor) => {
      if (typeof descriptor?.value !== 'function')
        throw invalid('what a decorator marks as a handler is no method');
      mark(options)(target, name, descriptor);
    };
  return Object.assign(on, { KEY: mark.KEY });
}

/** What a module is made from. */
export interface ModuleParts<Options extends object> extends Decorators {
  /** Makes the receiver once every method is found. */
  readonly createReceive: (options: Options & Reactions) => Receive;
}

/**
 * Makes the Nest module of one contract: `forRoot(options)` and `forRootAsync({ imports, inject, useFactory })`. It
 * receives whatever comes below its path before any body parser, and calls the marked methods of every provider and
 * controller. The application does not start, with a WebhookError, where a kind has no method or two.
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
