import { nodeTypes } from '../package/node-types.ts';
import type { PackageDescription } from '../package/package-files.ts';
import type { ReceiverForm } from '../stubs/receiver-structures.ts';
import {
  environment,
  type FrameworkApplication,
  functions,
  listening,
  nodeServer,
  servers,
  serving,
  stoppable,
  tools,
} from './framework-application.ts';

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
  /** Its code; omitted if `templates/frameworks/<name>.ts.hbs` has it. */
  readonly receiver?: FrameworkReceiver;
  /** The application that `countersign scaffold` writes. */
  readonly application: FrameworkApplication;
};

/** The function of a package that creates a receiver. */
interface FrameworkReceiver {
  /** The sentences of its documentation. */
  readonly about: string;
  /** The function of the adapter, or of the runtime for Node, that makes a receiver answer the framework. */
  readonly convert: string;
  /** The result, a type beside `convert`; omitted if it is that of the stub. */
  readonly type?: string;
  /** The type of the options that `convert` takes. */
  readonly options?: string;
}

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

/** Every framework, in the order of all lists. The differences between frameworks are here and in their templates. */
export const frameworks: Readonly<Record<string, Framework>> = {
  node: {
    title: 'the servers of Node',
    maker: 'createWebhooksListener',
    stub: { fileName: 'listener', title: 'the listener', name: 'createListener' },
    ...nodeTyped,
    receiver: {
      convert: 'toNodeHandler',
      type: 'NodeHandler',
      about:
        'Creates a listener for `createServer` of `node:http` that answers every request. Throws a WebhookError for options\n' +
        'that are missing or out of range.',
    },
    application: {
      ...servers,
      mount: { code: "createServer(webhooks).listen(3000, '127.0.0.1')" },
      files: { ...listening, 'src/app.ts': 'app.node.ts' },
    },
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
    application: {
      ...servers,
      mount: { code: "app.use('/webhooks', webhooks)", place: 'before body parsers' },
      files: { ...listening, 'src/app.ts': 'app.express.ts' },
    },
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
    receiver: {
      convert: 'toFastifyPlugin',
      about:
        'Creates a plugin that answers every request below its prefix. Other routes keep their parsers. Throws a WebhookError\n' +
        'for options that are missing or out of range.',
    },
    application: {
      ...servers,
      mount: { code: "app.register(webhooks, { prefix: '/webhooks' })" },
      files: {
        ...stoppable,
        'src/app.ts': 'app.fastify.ts',
        'src/main.ts': 'main.fastify.ts',
        'test/application.ts': 'application.fastify.ts',
      },
    },
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
    receiver: {
      convert: 'toKoaMiddleware',
      type: 'KoaMiddleware',
      options: 'KoaOptions',
      about:
        'Creates a middleware that answers requests at and below `path`, or all requests without a path, and passes others on.\n' +
        'Throws a WebhookError for options that are missing or out of range.',
    },
    application: {
      ...servers,
      mount: { code: 'app.use(webhooks)', place: 'before body parsers' },
      files: { ...listening, 'src/app.ts': 'app.koa.ts' },
      options: { path: '/webhooks' },
    },
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
    receiver: {
      convert: 'toHonoApp',
      about:
        'Creates an app that answers every request below its mount path, also after middleware that has read the body with\n' +
        "Hono's methods. Throws a WebhookError for options that are missing or out of range.",
    },
    application: {
      ...servers,
      mount: { code: "app.route('/webhooks', webhooks)" },
      files: { ...serving, 'src/app.ts': 'app.hono.ts' },
      dependencies: nodeServer,
    },
  },
  nestjs: {
    title: 'NestJS',
    adapter: true,
    maker: 'WebhooksModule.forRoot',
    stub: 'providers',
    ...nodeTyped,
    peers: { '@nestjs/common': nestRange, '@nestjs/core': nestRange },
    application: {
      ...servers,
      handlers: 'providers',
      withoutInbox: 'Its module calls the decorated handlers during the request.',
      withoutForward: 'Its module calls the decorated handlers during the request.',
      registration: 'src/webhooks.module.ts',
      files: {
        ...stoppable,
        'src/app.module.ts': 'app.module.ts',
        'src/main.ts': 'main.nestjs.ts',
        'test/application.ts': 'application.nestjs.ts',
      },
      about: {
        'src/app.module.ts': 'the application, which tests start as well',
        'src/main.ts': 'starts it',
        'src/stop.ts': 'ends it',
      },
      scripts: {
        build: 'tsc',
        start: 'tsc && node --env-file-if-exists=.env dist/src/main.js',
        test: 'tsc && node --test "dist/test/**/*.test.js"',
        typecheck: 'tsc --noEmit',
      },
      dependencies: {
        '@nestjs/platform-express': '^12.0.0',
        'reflect-metadata': '^0.2.2',
        rxjs: '^7.8.2',
      },
      ignored: ['dist/'],
    },
  },
  nextjs: {
    title: 'Next.js',
    adapter: true,
    maker: 'createWebhooksRoute',
    stub: { fileName: 'route', title: 'the route', name: 'createRoute', options: 'deferred' },
    // The package does not import Next.js; only an application that exports a route has it installed.
    optionalPeers: { next: '^15.0.0 || ^16.0.0' },
    receiver: {
      convert: 'toRouteHandlers',
      type: 'RouteHandlers',
      about:
        'Creates the exports of an app route. `next build` evaluates the route, without secrets: a function that creates the\n' +
        'options is called with the first delivery. Throws a WebhookError for options that are missing or out of range; with a\n' +
        'function, deliveries are then answered with 500, and a process warning states why.',
    },
    application: {
      ...servers,
      mount: {
        code: 'export const { GET, POST, PUT, PATCH, DELETE } = webhooks',
        place: 'in app/webhooks/[[...label]]/route.ts',
      },
      servesTests: false,
      withoutInbox:
        'It bundles the receiver, and its platforms can end the process after a response.',
      files: {
        ...environment,
        'src/app/webhooks/[[...label]]/route.ts': 'route.ts',
        'test/application.ts': 'application.nextjs.ts',
      },
      about: {
        'src/app/webhooks/[[...label]]/route.ts':
          'the route: everything at or below /webhooks. It reads the secrets at the first request, so that `next build` needs none',
      },
      scripts: {
        dev: 'next dev',
        build: 'next build',
        start: 'next start',
        test: 'node --test "test/**/*.test.ts"',
        typecheck: 'tsc --noEmit',
      },
      dependencies: {
        react: '^19.0.0',
        'react-dom': '^19.0.0',
      },
      // Next.js uses an API of TypeScript that version 7 does not have.
      devDependencies: { ...tools, typescript: '^5.9.3', '@types/react': '^19.0.0' },
      ignored: ['.next/', 'next-env.d.ts'],
      isBundled: true,
    },
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    adapter: true,
    maker: 'createWebhooksHandler',
    stub: { fileName: 'function', title: 'the function', name: 'createFunction' },
    ...nodeTyped,
    receiver: {
      convert: 'toLambdaHandler',
      type: 'LambdaHandler',
      about:
        'Creates the handler of a function behind API Gateway, a load balancer or a function URL. Throws a WebhookError for\n' +
        'options that are missing or out of range.',
    },
    application: {
      ...functions,
      mount: { code: 'export const handler = webhooks' },
      withoutInbox:
        'A function has no lasting disk, and its process does not run after a response.',
      files: {
        ...environment,
        'src/lambda.ts': 'lambda.ts',
        'test/application.ts': 'application.aws-lambda.ts',
      },
      about: { 'src/lambda.ts': 'what Lambda calls: `handler`' },
      scripts: {
        build:
          'esbuild src/lambda.ts --bundle --platform=node --format=esm --outfile=dist/lambda.mjs',
        test: 'node --test "test/**/*.test.ts"',
        typecheck: 'tsc',
      },
      devDependencies: { ...tools, esbuild: '^0.28.2' },
      ignored: ['dist/'],
    },
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
    application: {
      ...functions,
      withoutInbox: 'A Worker has no disk, and no process that runs after a response.',
      withoutForward: 'The clients of SQS and RabbitMQ that applications have run in Node.',
      secrets: 'environment',
      files: {
        'src/index.ts': 'index.cloudflare.ts',
        'wrangler.jsonc': 'wrangler.jsonc',
        'test/application.ts': 'application.cloudflare.ts',
      },
      about: { 'src/index.ts': 'what the platform calls' },
      url: 'http://127.0.0.1:8787/webhooks',
      scripts: {
        start: 'wrangler dev',
        deploy: 'wrangler deploy',
        test: 'node --test "test/**/*.test.ts"',
        typecheck: 'tsc',
      },
      devDependencies: { ...tools, wrangler: '^4.0.0' },
      ignored: ['.wrangler/'],
    },
  },
};

/** The frameworks that receivers are packaged for. The target of each is `webhooks-<name>`. */
export const frameworkNames: readonly string[] = Object.keys(frameworks);

/**
 * Returns the row of a framework.
 * @throws TypeError for a name that the table does not have
 */
export function frameworkOf(name: string): Framework {
  const framework = frameworks[name];
  if (framework === undefined) throw new TypeError(`There is no framework ${name}.`);
  return framework;
}

/** The packages of all frameworks, which generated code or an application imports, with the ranges that are admitted. */
export const packagesOfFrameworks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(frameworks).flatMap(({ peers = {}, optionalPeers = {} }) =>
    Object.entries({ ...peers, ...optionalPeers }),
  ),
);

/** Returns the packages, with ranges, that have the types of a framework which has none of its own. */
export function applicationTypesOf(packageName: string): Readonly<Record<string, string>> {
  const framework = Object.values(frameworks).find(({ peers = {} }) =>
    Object.hasOwn(peers, packageName),
  );
  return framework?.applicationTypes ?? {};
}
