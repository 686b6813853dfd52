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
  'dependencies' | 'peers' | 'optionalPeers' | 'types'
> & {
  /** The name of the framework in prose. */
  readonly title: string;
  /** The exported function, or the method of a module, that takes the options. */
  readonly maker: string;
  /** The form of its receiver among the stubs; `providers` where handlers are methods of providers. */
  readonly stub: Omit<ReceiverForm, 'factory'> | 'providers';
};

/**
 * The types of Node, which the declarations of a package refer to. They are dependencies, as DefinitelyTyped requires:
 * without them, the code of an importer does not compile.
 */
const nodeTypes = { '@types/node': '>=22' };

/** Every framework. All differences between frameworks are here and in their templates. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    stub: { fileName: 'listener', title: 'the listener', name: 'createListener' },
    dependencies: nodeTypes,
    types: ['node'],
  },
  express: {
    title: 'Express 5',
    maker: 'createWebhooksRouter',
    stub: {
      fileName: 'router',
      title: 'the router',
      name: 'createRouter',
      returns: { type: 'Router', package: 'express' },
    },
    dependencies: { '@types/express': '^5.0.0', ...nodeTypes },
    peers: { express: '^5.0.0' },
    types: ['node'],
  },
  fastify: {
    title: 'Fastify 5',
    maker: 'createWebhooksPlugin',
    stub: {
      fileName: 'plugin',
      title: 'the plugin',
      name: 'createPlugin',
      returns: { type: 'FastifyPluginAsync', package: 'fastify' },
    },
    dependencies: nodeTypes,
    peers: { fastify: '^5.0.0' },
    types: ['node'],
  },
  koa: {
    title: 'Koa 3',
    maker: 'createWebhooksMiddleware',
    stub: {
      fileName: 'middleware',
      title: 'the middleware',
      name: 'createMiddleware',
      returns: { type: 'Middleware', package: 'koa' },
      more: '{ readonly path?: string }',
    },
    dependencies: { '@types/koa': '^3.0.0', ...nodeTypes },
    peers: { koa: '^3.0.0' },
    types: ['node'],
  },
  hono: {
    title: 'Hono 4',
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
    title: 'NestJS 12',
    maker: 'WebhooksModule.forRoot',
    stub: 'providers',
    dependencies: nodeTypes,
    peers: { '@nestjs/common': '^12.0.0', '@nestjs/core': '^12.0.0' },
    types: ['node'],
  },
  nextjs: {
    title: 'Next.js 16',
    maker: 'createWebhooksRoute',
    stub: { fileName: 'route', title: 'the route', name: 'createRoute', options: 'deferred' },
    // The package does not import Next.js; only an application that exports a route has it installed.
    optionalPeers: { next: '^16.0.0' },
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    maker: 'createWebhooksHandler',
    stub: { fileName: 'function', title: 'the function', name: 'createFunction' },
  },
  cloudflare: {
    title: 'Cloudflare Workers',
    maker: 'createWebhooksWorker',
    stub: {
      fileName: 'worker',
      title: 'the Worker',
      name: 'createWorker',
      options: 'environment',
    },
  },
};
