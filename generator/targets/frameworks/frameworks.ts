import type { FrameworkName } from '../registry.ts';

/** A framework that receivers are packaged for; its code and its page are templates named after it. */
export interface Framework {
  /** What people call it. */
  readonly title: string;
  /** The function, or the module, that takes the options. */
  readonly maker: string;
  /** Ranges of what users of the package have to have, by package name. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Ranges of what not all of them need: types, and what code of ours does not import. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
  /** What users install along. */
  readonly installed: readonly string[];
  /** Whether its types speak of Node's. */
  readonly needsNode: boolean;
}

/** Every framework; what differs between two is here and in their templates, nothing else. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    optionalPeers: { '@types/node': '>=22' },
    installed: [],
    needsNode: true,
  },
  express: {
    title: 'Express 5',
    maker: 'createWebhooksRouter',
    peers: { express: '^5.0.0' },
    optionalPeers: { '@types/express': '^5.0.0' },
    installed: ['express'],
    needsNode: true,
  },
  fastify: {
    title: 'Fastify 5',
    maker: 'createWebhooksPlugin',
    peers: { fastify: '^5.0.0' },
    installed: ['fastify'],
    needsNode: true,
  },
  koa: {
    title: 'Koa 3',
    maker: 'createWebhooksMiddleware',
    peers: { koa: '^3.0.0' },
    optionalPeers: { '@types/koa': '^3.0.0' },
    installed: ['koa'],
    needsNode: true,
  },
  hono: {
    title: 'Hono 4',
    maker: 'createWebhooksApp',
    peers: { hono: '^4.0.0' },
    installed: ['hono'],
    needsNode: false,
  },
  nestjs: {
    title: 'NestJS 12',
    maker: 'WebhooksModule.forRoot',
    peers: { '@nestjs/common': '^12.0.0', '@nestjs/core': '^12.0.0' },
    installed: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express'],
    needsNode: true,
  },
  nextjs: {
    title: 'Next.js 16',
    maker: 'createWebhooksRoute',
    // Nothing is imported from it: whoever has a route to export has it.
    optionalPeers: { next: '^16.0.0' },
    installed: [],
    needsNode: false,
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    maker: 'createWebhooksHandler',
    installed: [],
    needsNode: false,
  },
  cloudflare: {
    title: 'Cloudflare Workers',
    maker: 'createWebhooksWorker',
    installed: [],
    needsNode: false,
  },
};
