import type { PackageDescription } from '../package/package-files.ts';
import type { FrameworkName } from '../registry.ts';

/** A framework that receivers are packaged for; its code and its page are templates named after it. */
export type Framework = Pick<PackageDescription, 'peers' | 'optionalPeers' | 'types'> & {
  /** What people call it. */
  readonly title: string;
  /** The function, or the module, that takes the options. */
  readonly maker: string;
};

/** Every framework; what differs between two is here and in their templates, nothing else. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    optionalPeers: { '@types/node': '>=22' },
    types: ['node'],
  },
  express: {
    title: 'Express 5',
    maker: 'createWebhooksRouter',
    peers: { express: '^5.0.0' },
    optionalPeers: { '@types/express': '^5.0.0' },
    types: ['node'],
  },
  fastify: {
    title: 'Fastify 5',
    maker: 'createWebhooksPlugin',
    peers: { fastify: '^5.0.0' },
    types: ['node'],
  },
  koa: {
    title: 'Koa 3',
    maker: 'createWebhooksMiddleware',
    peers: { koa: '^3.0.0' },
    optionalPeers: { '@types/koa': '^3.0.0' },
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
