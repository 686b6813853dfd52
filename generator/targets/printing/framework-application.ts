type Texts = Readonly<Record<string, string>>;

/** The line of code that mounts a receiver. */
export interface Mount {
  readonly code: string;
  /** Where the line is, as the end of a sentence. */
  readonly place?: string;
}

/** What `countersign scaffold` knows of the applications of a framework. */
export interface FrameworkApplication {
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
  /** Version ranges by package name, besides the framework itself. */
  readonly dependencies?: Texts;
  /** Those besides the types of the framework. */
  readonly devDependencies: Texts;
  /** Paths of build output, for `.gitignore`. */
  readonly ignored?: readonly string[];
  /** Why its applications cannot have an inbox; omitted if they can. */
  readonly withoutInbox?: string;
  /** Why its applications cannot forward to an engine; omitted if they can. */
  readonly withoutForward?: string;
  /** Whether a bundler resolves the application's modules. */
  readonly isBundled?: boolean;
}

/** The packages that every application is developed with. */
export const tools: Texts = { typescript: '^7.0.2', '@types/node': '^26.6.6' };

/** The common members of frameworks whose handlers are functions. */
export const functions: Pick<
  FrameworkApplication,
  'handlers' | 'secrets' | 'registration' | 'devDependencies'
> = {
  handlers: 'functions',
  secrets: 'process',
  registration: 'src/webhooks.ts',
  devDependencies: tools,
};

/** The common members of frameworks whose application starts a server. */
export const servers: Omit<FrameworkApplication, 'files'> = {
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
};

/** The file that reads the environment of the process. */
export const environment: Texts = { 'src/environment.ts': 'environment.ts' };
/** The files of an application that ends when it is told to. */
export const stoppable: Texts = { ...environment, 'src/stop.ts': 'stop.ts' };
/** The files of an application with a server of `node:http`. */
export const listening: Texts = {
  ...stoppable,
  'src/main.ts': 'main.listen.ts',
  'test/application.ts': 'application.listen.ts',
};
/** The files of an application with `fetch`. */
export const serving: Texts = {
  ...stoppable,
  'src/main.ts': 'main.serve.ts',
  'test/application.ts': 'application.serve.ts',
};
/** The package that serves `fetch` on Node. */
export const nodeServer: Texts = { '@hono/node-server': '^2.1.8' };

/** The application of what has no package of its own: platforms that call `fetch`. */
export const fetchApplication: FrameworkApplication &
  Required<Pick<FrameworkApplication, 'dependencies'>> = {
  ...servers,
  mount: { code: 'export default { fetch: webhooks.fetch }' },
  files: { ...serving, 'src/app.ts': 'app.fetch.ts' },
  about: {
    'src/app.ts': 'the application: what Deno, Bun and other platforms with `fetch` call',
    'src/main.ts': 'starts it on Node',
    'src/stop.ts': 'ends it',
  },
  dependencies: nodeServer,
};
