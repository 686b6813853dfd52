import {
  type InboxStoreName,
  type PackageManager,
  packageManagers,
} from 'countersign/companion/frameworks';

type Texts = Readonly<Record<string, string>>;

/** An environment variable of an application, and its value for development. */
interface Setting {
  readonly name: string;
  readonly about: string;
  readonly value: string;
}

/** What an inbox adds to an application of any framework. */
export interface InboxPlan {
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

/** The file that registers the handlers of an application with an inbox. */
export const workerPath = 'src/worker.ts';

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

/** @param run the command that runs a script of the application */
const plansFor = (
  run: (script: string) => string,
): Readonly<Record<InboxStoreName, InboxPlan>> => ({
  sqlite: {
    files,
    about: {
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
    files: {
      ...files,
      'src/migrate.ts': 'migrate.ts',
      'compose.yaml': 'compose.yaml',
      'postgres/roles.sql': 'roles.sql',
    },
    about: {
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
});

/**
 * Returns what an inbox with this store adds to an application.
 * @param manager the package manager whose commands the texts name
 */
export function planInbox(store: InboxStoreName, manager: PackageManager = 'npm'): InboxPlan {
  return plansFor(packageManagers[manager].run)[store];
}
