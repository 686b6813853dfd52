import type { PackageDescription } from '../package/package-files.ts';
import type { FrameworkName } from '../registry.ts';

/** A framework that receivers are packaged for; its code and its page are templates named after it. */
export type Framework = Pick<
  PackageDescription,
  'dependencies' | 'peers' | 'optionalPeers' | 'types'
> & {
  /** What people call it. */
  readonly title: string;
  /** The function, or the module, that takes the options. */
  readonly maker: string;
};

/**
 * Types that the declarations of a package name. They are dependencies, as DefinitelyTyped asks: an importer that has
 * to know of them does not compile without them.
 */
const nodeTypes = { '@types/node': '>=22' };

/** Every framework; what differs between two is here and in their templates, nothing else. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    dependencies: nodeTypes,
    types: ['node'],
  },
  express: {
    title: 'Express 5',
    maker: 'createWebhooksRouter',
    dependencies: { '@types/express': '^5.0.0', ...nodeTypes },
    peers: { express: '^5.0.0' },
    types: ['node'],
  },
  fastify: {
    title: 'Fastify 5',
    maker: 'createWebhooksPlugin',
    dependencies: nodeTypes,
    peers: { fastify: '^5.0.0' },
    types: ['node'],
  },
  koa: {
    title: 'Koa 3',
    maker: 'createWebhooksMiddleware',
    dependencies: { '@types/koa': '^3.0.0', ...nodeTypes },
    peers: { koa: '^3.0.0' },
    types: ['node'],
  },
  hono: {
    title: 'Hono 4',
    maker: 'createWebhooksApp',
    peers: { hono: '^4.0.0' },
  },
  nestjs: {
    title: 'NestJS 12',
    maker: 'WebhooksModule.forRoot',
    dependencies: nodeTypes,
    peers: { '@nestjs/common': '^12.0.0', '@nestjs/core': '^12.0.0' },
    types: ['node'],
  },
  nextjs: {
    title: 'Next.js 16',
    maker: 'createWebhooksRoute',
    // Nothing is imported from it: whoever has a route to export has it.
    optionalPeers: { next: '^16.0.0' },
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    maker: 'createWebhooksHandler',
  },
  cloudflare: {
    title: 'Cloudflare Workers',
    maker: 'createWebhooksWorker',
  },
};
