import { listTexts } from '../../diagnostics/list-texts.ts';
import { frameworks as packages } from '../../targets/printing/frameworks.ts';

type Texts = Readonly<Record<string, string>>;

/** The line of code that mounts a receiver. */
export interface Mount {
  readonly code: string;
  /** Where the line is, as the end of a sentence. */
  readonly place?: string;
}

/** A framework that `countersign scaffold` supports. */
export interface ScaffoldFramework {
  readonly name: string;
  /** The display name. */
  readonly title: string;
  /** The target that generates the receiving package. */
  readonly target: string;
  /** The function of that package that creates the receiver of a new application. */
  readonly factory: string;
  /** Whether handlers are functions or methods of providers. */
  readonly handlers: 'functions' | 'providers';
  /** Where secrets are read from: the environment of the process, or the `env` argument of a Worker. */
  readonly secrets: 'process' | 'environment';
  /** The path of the file that registers the handlers. */
  readonly registration: string;
  /** The templates of the files that only some frameworks have, by path. */
  readonly files: Texts;
  /** The descriptions of files for the README, by path. */
  readonly about: Texts;
  /** The URL at which the running application receives deliveries; omitted if the application does not listen. */
  readonly url?: string;
  /** How an application mounts the receiver `webhooks`; omitted where that takes more than a line. */
  readonly mount?: Mount;
  /** Whether `test/application.ts` starts a server, which the simulator can send to. */
  readonly servesTests?: boolean;
  /** Receiver options that only this framework needs. */
  readonly options?: Texts;
  readonly scripts: Texts;
  /** Version ranges, by package name. */
  readonly dependencies: Texts;
  readonly devDependencies: Texts;
  /** Paths of build output, for `.gitignore`. */
  readonly ignored?: readonly string[];
  /** Why its applications cannot have an inbox; omitted if they can. */
  readonly withoutInbox?: string;
  /** Whether a bundler resolves the application's modules. */
  readonly isBundled?: boolean;
}

const tools = { typescript: '^7.0.2', '@types/node': '^26.6.6' };

/** The common members of frameworks whose handlers are functions. */
const functions = {
  handlers: 'functions',
  secrets: 'process',
  registration: 'src/webhooks.ts',
  dependencies: {},
  devDependencies: tools,
} as const;

/** The common members of frameworks whose application starts a server. */
const servers = {
  ...functions,
  about: {
    'src/app.ts': 'the application, which tests start as well',
    'src/main.ts': 'starts it',
    'src/stop.ts': 'ends it',
  },
  url: 'http://127.0.0.1:3000/webhooks',
  servesTests: true,
  scripts: {
    start: 'node --env-file-if-exists=.env src/main.ts',
    test: 'node --test "test/**/*.test.ts"',
    typecheck: 'tsc',
  },
} as const;

const environment = { 'src/environment.ts': 'environment.ts' };
const stoppable = { ...environment, 'src/stop.ts': 'stop.ts' };
const listening = {
  ...stoppable,
  'src/main.ts': 'main.listen.ts',
  'test/application.ts': 'application.listen.ts',
};
const serving = {
  ...stoppable,
  'src/main.ts': 'main.serve.ts',
  'test/application.ts': 'application.serve.ts',
};
const nodeServer = { '@hono/node-server': '^2.1.8' };

/** All frameworks, in the order in which the help lists them. */
export const frameworks: readonly ScaffoldFramework[] = [
  {
    ...servers,
    ...packageOf('node'),
    mount: { code: "createServer(webhooks).listen(3000, '127.0.0.1')" },
    files: { ...listening, 'src/app.ts': 'app.node.ts' },
  },
  {
    ...servers,
    ...packageOf('express'),
    mount: { code: "app.use('/webhooks', webhooks)", place: 'before body parsers' },
    files: { ...listening, 'src/app.ts': 'app.express.ts' },
    devDependencies: { ...packages.express.applicationTypes, ...tools },
  },
  {
    ...servers,
    ...packageOf('fastify'),
    mount: { code: "app.register(webhooks, { prefix: '/webhooks' })" },
    files: {
      ...stoppable,
      'src/app.ts': 'app.fastify.ts',
      'src/main.ts': 'main.fastify.ts',
      'test/application.ts': 'application.fastify.ts',
    },
  },
  {
    ...servers,
    ...packageOf('koa'),
    mount: { code: 'app.use(webhooks)', place: 'before body parsers' },
    files: { ...listening, 'src/app.ts': 'app.koa.ts' },
    options: { path: '/webhooks' },
    devDependencies: { ...packages.koa.applicationTypes, ...tools },
  },
  {
    ...servers,
    ...packageOf('hono'),
    mount: { code: "app.route('/webhooks', webhooks)" },
    files: { ...serving, 'src/app.ts': 'app.hono.ts' },
    dependencies: { ...newestOf(packages.hono.peers), ...nodeServer },
  },
  {
    ...servers,
    ...packageOf('nestjs'),
    handlers: 'providers',
    withoutInbox: 'Its module calls the decorated handlers during the request.',
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
      ...newestOf(packages.nestjs.peers),
      '@nestjs/platform-express': '^12.0.0',
      'reflect-metadata': '^0.2.2',
      rxjs: '^7.8.2',
    },
    ignored: ['dist/'],
  },
  {
    ...servers,
    ...packageOf('nextjs'),
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
      ...newestOf(packages.nextjs.optionalPeers),
      react: '^19.0.0',
      'react-dom': '^19.0.0',
    },
    // Next.js uses an API of TypeScript that version 7 does not have.
    devDependencies: { ...tools, typescript: '^5.9.3', '@types/react': '^19.0.0' },
    ignored: ['.next/', 'next-env.d.ts'],
    isBundled: true,
  },
  {
    ...functions,
    ...packageOf('aws-lambda'),
    mount: { code: 'export const handler = webhooks' },
    withoutInbox: 'A function has no lasting disk, and its process does not run after a response.',
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
  {
    ...functions,
    ...packageOf('cloudflare'),
    withoutInbox: 'A Worker has no disk, and no process that runs after a response.',
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
  {
    ...servers,
    name: 'fetch',
    title: 'the standards of the Web',
    target: 'webhooks',
    factory: 'createWebhooks',
    mount: { code: 'export default { fetch: webhooks.fetch }' },
    files: { ...serving, 'src/app.ts': 'app.fetch.ts' },
    about: {
      'src/app.ts': 'the application: what Deno, Bun and other platforms with `fetch` call',
      'src/main.ts': 'starts it on Node',
      'src/stop.ts': 'ends it',
    },
    dependencies: nodeServer,
  },
];

/** The names of all frameworks, as a sentence lists them: `node, express or fetch`. */
export const frameworkChoices: string = listTexts(
  frameworks.map(({ name }) => name),
  'or',
);

/** The names of the frameworks whose applications can have an inbox. */
export const inboxFrameworkChoices: string = listTexts(
  frameworks.filter(({ withoutInbox }) => withoutInbox === undefined).map(({ name }) => name),
  'or',
);

/** Returns the properties of a framework that its generated package defines. */
function packageOf(
  name: keyof typeof packages,
): Pick<ScaffoldFramework, 'name' | 'title' | 'target' | 'factory' | 'dependencies'> {
  const { title, maker, peers = {} } = packages[name];
  const dependencies = newestOf(peers);
  return { name, title, target: `webhooks-${name}`, factory: maker, dependencies };
}

/** Returns the ranges of the newest major version: the last alternative of each range. */
function newestOf(ranges: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [name, range.split(' || ').at(-1) ?? range]),
  );
}
