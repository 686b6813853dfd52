import {
  type AdapterEngine,
  adapterEngines,
  type InboxStoreName,
  inboxStores,
  type PackageManager,
  packageManagers,
} from 'countersign/companion/frameworks';

/** Where an application stores deliveries before it acknowledges them: in an inbox, or on an engine. */
export type StorageName = InboxStoreName | AdapterEngine;

export const storageNames: readonly StorageName[] = [...inboxStores, ...adapterEngines];

/** Returns whether deliveries are stored in an inbox of the runtime, and not on an engine. */
export const isInbox = (storage: StorageName | undefined): storage is InboxStoreName =>
  inboxStores.some((name) => name === storage);

/** The entries of the generated packages that handle what was stored in an inbox, or on an engine. */
export const workerPackageOf = (scope: string): string => `${scope}/webhooks/worker`;
export const consumerPackageOf = (scope: string): string => `${scope}/webhooks/consumer`;

type Texts = Readonly<Record<string, string>>;

/** An environment variable of an application, and its value for development. */
interface Setting {
  readonly name: string;
  readonly about: string;
  readonly value: string;
}

/** What a storage adds to an application of any framework. */
export interface StoragePlan {
  /** The file that registers the handlers. */
  readonly registration: string;
  /** The module of the tests that creates an empty storage, and its function. */
  readonly test: { readonly module: string; readonly create: string };
  /** The options of the receiver. */
  readonly options: Readonly<Record<string, number>>;
  /** The templates of files, by path. */
  readonly files: Texts;
  /** The descriptions of files for the README, by path. */
  readonly about: Texts;
  readonly scripts: Texts;
  /** The commands that prepare the store, before the application starts. */
  readonly preparations: readonly string[];
  readonly settings: readonly Setting[];
  /** Version ranges, by package name. */
  readonly dependencies: Texts;
  readonly devDependencies: Texts;
  /** Files of the store, for `.gitignore`. */
  readonly ignored: readonly string[];
}

const file = 'inbox.db';

const files = {
  'src/inbox.ts': 'inbox.ts',
  'src/probes.ts': 'probes.ts',
  'src/dev.ts': 'dev.ts',
  'test/inbox.ts': 'inbox.test.ts',
};

const probes = 'answers whether the receiver and the worker live, and are ready';

const scripts = {
  dev: 'node --env-file-if-exists=.env src/dev.ts',
  worker: 'node --env-file-if-exists=.env src/worker.ts',
};

const withWorker = {
  registration: 'src/worker.ts',
  test: { module: './inbox.ts', create: 'createTestInbox' },
  options: {},
};
const aboutWorker = {
  'src/worker.ts': 'the worker, a separate process: the handler of each kind of stored deliveries',
};

const withConsumer = {
  registration: 'src/consumer.ts',
  test: { module: './queue.ts', create: 'createTestQueue' },
  options: {},
};
const aboutConsumer = {
  'src/consumer.ts': 'the consumer: the handler of each kind of stored deliveries',
};

/** @param run the command that runs a script of the application */
const plansFor = (run: (script: string) => string): Readonly<Record<StorageName, StoragePlan>> => ({
  sqlite: {
    ...withWorker,
    files,
    about: {
      ...aboutWorker,
      'src/inbox.ts': 'the inbox: an SQLite file that the receiver and the worker open',
      'src/probes.ts': probes,
    },
    scripts,
    preparations: [],
    settings: [
      {
        name: 'INBOX_FILE',
        about:
          'The SQLite file of the inbox, on a local disk that outlives the application. A relative path starts at the working directory.',
        value: file,
      },
    ],
    dependencies: {},
    devDependencies: {},
    ignored: [file, `${file}-shm`, `${file}-wal`],
  },
  postgres: {
    ...withWorker,
    files: {
      ...files,
      'src/migrate.ts': 'migrate.ts',
      'compose.yaml': 'compose.yaml',
      'postgres/roles.sql': 'roles.sql',
    },
    about: {
      ...aboutWorker,
      'src/inbox.ts': 'the inbox: tables in Postgres that the receiver and the worker use',
      'src/migrate.ts': 'creates these tables, and updates them',
      'src/probes.ts': probes,
      'compose.yaml': 'a Postgres server for development',
    },
    scripts: {
      ...scripts,
      migrate: 'node --env-file-if-exists=.env src/migrate.ts',
      test: 'node --env-file-if-exists=.env --test "test/**/*.test.ts"',
    },
    preparations: ['docker compose up --detach --wait', run('migrate')],
    settings: [
      {
        name: 'DATABASE_URL',
        about: 'The database of the inbox. The value is that of compose.yaml.',
        value: 'postgres://application:development@127.0.0.1:5432/receiver',
      },
      {
        name: 'MIGRATION_DATABASE_URL',
        about: `The same database, with the role that owns the tables. Only \`${run('migrate')}\` and the tests use it.`,
        value: 'postgres://postgres:development@127.0.0.1:5432/receiver',
      },
      {
        name: 'APPLICATION_ROLE',
        about: `The role of DATABASE_URL, to which \`${run('migrate')}\` gives its rights.`,
        value: 'application',
      },
      { name: 'INBOX_SCHEMA', about: 'The schema with the tables of the inbox.', value: 'inbox' },
    ],
    dependencies: { pg: '^8.16.0' },
    devDependencies: { '@types/pg': '^8.15.0' },
    ignored: [],
  },
  sqs: {
    ...withConsumer,
    // A message of SQS has at most 1 MiB, and a body becomes 4/3 of its size.
    options: { maxBodyBytes: 700_000 },
    files: {
      'src/queue.ts': 'queue.sqs.ts',
      'src/consumer.ts': 'consumer.ts',
      'src/consume.ts': 'consume.sqs.ts',
      'test/queue.ts': 'queue.sqs.test.ts',
    },
    about: {
      ...aboutConsumer,
      'src/queue.ts': 'the FIFO queue of SQS, and `forward`, which puts deliveries on it',
      'src/consume.ts': '`handler`, which Lambda calls for messages of the queue',
    },
    scripts: {
      'build:consumer':
        'esbuild src/consume.ts --bundle --platform=node --format=esm --outfile=dist/consume.mjs',
    },
    preparations: [],
    settings: [
      { name: 'AWS_REGION', about: 'The region of the queues.', value: 'eu-central-1' },
      {
        name: 'QUEUE_URL',
        about: 'The FIFO queue of deliveries.',
        value: 'https://sqs.eu-central-1.amazonaws.com/000000000000/deliveries.fifo',
      },
      {
        name: 'DEAD_LETTER_QUEUE_URL',
        about: 'The FIFO queue of deliveries that are not tried again. Only the consumer uses it.',
        value: 'https://sqs.eu-central-1.amazonaws.com/000000000000/dead.fifo',
      },
    ],
    dependencies: { '@aws-sdk/client-sqs': '^3.0.0' },
    devDependencies: { esbuild: '^0.28.2' },
    ignored: ['dist/'],
  },
  rabbitmq: {
    ...withConsumer,
    files: {
      'src/queue.ts': 'queue.rabbitmq.ts',
      'src/consumer.ts': 'consumer.ts',
      'src/consume.ts': 'consume.rabbitmq.ts',
      'src/stop.ts': 'stop.ts',
      'test/queue.ts': 'queue.rabbitmq.test.ts',
      'compose.yaml': 'compose.rabbitmq.yaml',
      'rabbitmq/enabled_plugins': 'enabled_plugins',
    },
    about: {
      ...aboutConsumer,
      'src/queue.ts': 'the queues of RabbitMQ, and `forward`, which puts deliveries on them',
      'src/consume.ts': 'a separate process: handles the messages of the queues',
      'src/stop.ts': 'ends a process',
      'compose.yaml': 'a RabbitMQ server for development',
    },
    scripts: {
      consumer: 'node --env-file-if-exists=.env src/consume.ts',
      test: 'node --env-file-if-exists=.env --test "test/**/*.test.ts"',
    },
    preparations: ['docker compose up --detach --wait'],
    settings: [
      {
        name: 'RABBITMQ_URL',
        about: 'The RabbitMQ server. The value is that of compose.yaml.',
        value: 'amqp://guest:guest@127.0.0.1:5672',
      },
      {
        name: 'EXCHANGE',
        about: 'The exchange of deliveries. The names of its queues begin with it.',
        value: 'deliveries',
      },
    ],
    dependencies: { amqplib: '^2.3.1' },
    devDependencies: {},
    ignored: [],
  },
});

/**
 * Returns what a storage adds to an application.
 * @param manager the package manager whose commands the texts name
 */
export function planStorage(storage: StorageName, manager: PackageManager = 'npm'): StoragePlan {
  return plansFor(packageManagers[manager].run)[storage];
}
