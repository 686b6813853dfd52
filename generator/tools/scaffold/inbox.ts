import { runtimeVersion } from '../../execution/toolkit.ts';

type Texts = Readonly<Record<string, string>>;

/** The stores that an application with an inbox can have. */
export const inboxStores = ['sqlite'] as const;

export type InboxStoreName = (typeof inboxStores)[number];

/** That an application handles what an inbox stored. */
export interface InboxUse {
  /** Omitted for a store that is not one of these. */
  readonly store?: InboxStoreName;
}

/** The package of inboxes. The entry of each store is its name. */
export const inboxPackage = '@countersign/inbox';

/** An environment variable of an application, and its value for development. */
export interface Setting {
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

const plans: Readonly<Record<InboxStoreName, InboxPlan>> = {
  sqlite: {
    files: { 'src/inbox.ts': 'inbox.ts', 'src/dev.ts': 'dev.ts', 'test/inbox.ts': 'inbox.test.ts' },
    about: { 'src/inbox.ts': 'the inbox: an SQLite file that the receiver and the worker open' },
    scripts: {
      dev: 'node --env-file-if-exists=.env src/dev.ts',
      worker: 'node --env-file-if-exists=.env src/worker.ts',
    },
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
};

/** Returns what an inbox with this store adds to an application. */
export function planInbox(store: InboxStoreName): InboxPlan {
  const plan = plans[store];
  const inbox = { [inboxPackage]: `^${runtimeVersion(inboxPackage)}` };
  return { ...plan, dependencies: { ...plan.dependencies, ...inbox } };
}
