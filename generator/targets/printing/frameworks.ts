import { nodeTypes } from '../package/node-types.ts';
import type { PackageDescription } from '../package/package-files.ts';
import type { ReceiverForm } from '../stubs/receiver-structures.ts';

/** The frameworks that receivers are packaged for. The target of each is `webhooks-<name>`. */
export const frameworkNames = [
  'node',
  'express',
  'fastify',
  'koa',
  'hono',
  'nestjs',
  'nextjs',
  'aws-lambda',
  'cloudflare',
] as const;

export type FrameworkName = (typeof frameworkNames)[number];

/** A framework that receivers are packaged for. The templates of its code and its README have its name. */
export type Framework = Pick<
  PackageDescription,
  'peers' | 'optionalPeers' | 'devDependencies' | 'types'
> & {
  /** The name of the framework in prose. */
  readonly title: string;
  /** Packages with the types of the framework, which an application needs to import the framework. */
  readonly applicationTypes?: Readonly<Record<string, string>>;
  /** Whether it has a file in `packages/runtime/adapters`, which becomes a module of its package. Default: false. */
  readonly adapter?: boolean;
  /** The exported function, or the method of a module, that takes the options. */
  readonly maker: string;
  /** The form of its receiver among the stubs; `providers` where handlers are methods of providers. */
  readonly stub: Omit<ReceiverForm, 'factory'> | 'providers';
};

/**
 * The types of Node, which the declarations of a package refer to. An application has them in its own version: as a
 * dependency, the package would bring a second version, and bring types into production.
 */
const nodeTyped = {
  optionalPeers: { '@types/node': nodeTypes },
  devDependencies: { '@types/node': nodeTypes },
  types: ['node'],
} as const;

const nestRange = '^10.2.0 || ^11.0.0 || ^12.0.0';

/** Every framework. All differences between frameworks are here and in their templates. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    stub: { fileName: 'listener', title: 'the listener', name: 'createListener' },
    ...nodeTyped,
  },
  express: {
    title: 'Express',
    adapter: true,
    maker: 'createWebhooksRouter',
    stub: {
      fileName: 'router',
      title: 'the router',
      name: 'createRouter',
    },
    ...nodeTyped,
    peers: { express: '^4.17.0 || ^5.0.0' },
    applicationTypes: { '@types/express': '^5.0.0' },
  },
  fastify: {
    title: 'Fastify',
    adapter: true,
    maker: 'createWebhooksPlugin',
    stub: {
      fileName: 'plugin',
      title: 'the plugin',
      name: 'createPlugin',
      returns: { type: 'FastifyPluginAsync', package: 'fastify' },
    },
    ...nodeTyped,
    peers: { fastify: '^4.0.0 || ^5.0.0' },
  },
  koa: {
    title: 'Koa',
    adapter: true,
    maker: 'createWebhooksMiddleware',
    stub: {
      fileName: 'middleware',
      title: 'the middleware',
      name: 'createMiddleware',
      more: '{ readonly path?: string }',
    },
    ...nodeTyped,
    peers: { koa: '^2.13.0 || ^3.0.0' },
    applicationTypes: { '@types/koa': '^3.0.0' },
  },
  hono: {
    title: 'Hono',
    adapter: true,
    maker: 'createWebhooksApp',
    stub: {
      fileName: 'app',
      title: 'the app',
      name: 'createApp',
      returns: { type: 'Hono', package: 'hono' },
    },
    peers: { hono: '^4.0.0' },
  },
  nestjs: {
    title: 'NestJS',
    adapter: true,
    maker: 'WebhooksModule.forRoot',
    stub: 'providers',
    ...nodeTyped,
    peers: { '@nestjs/common': nestRange, '@nestjs/core': nestRange },
  },
  nextjs: {
    title: 'Next.js',
    adapter: true,
    maker: 'createWebhooksRoute',
    stub: { fileName: 'route', title: 'the route', name: 'createRoute', options: 'deferred' },
    // The package does not import Next.js; only an application that exports a route has it installed.
    optionalPeers: { next: '^15.0.0 || ^16.0.0' },
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    adapter: true,
    maker: 'createWebhooksHandler',
    stub: { fileName: 'function', title: 'the function', name: 'createFunction' },
    ...nodeTyped,
  },
  cloudflare: {
    title: 'Cloudflare Workers',
    adapter: true,
    maker: 'createWebhooksHandler',
    stub: {
      fileName: 'fetch-handler',
      title: 'the fetch handler',
      name: 'createFetchHandler',
      options: 'environment',
    },
  },
};

/** Returns the packages, with ranges, that have the types of a framework which has none of its own. */
export function applicationTypesOf(packageName: string): Readonly<Record<string, string>> {
  const framework = Object.values(frameworks).find(({ peers = {} }) =>
    Object.hasOwn(peers, packageName),
  );
  return framework?.applicationTypes ?? {};
}
