import { fromSource } from './execution/from-source.ts';

/**
 * Where a companion's module is. The compiler does not resolve the name, so that the core compiles without the
 * companion. The one package that is installed has a relative path in its place.
 */
type Resolve = () => string;

/** A command of a companion. Its module exports the `CliCommand` as `command`. */
export interface CompanionCommand {
  readonly name: string;
  /** What the command does, on the first page of help. */
  readonly summary: string;
  /** An example for the first page of help, and the first of the command's own page: the command line and its meaning. */
  readonly example: readonly [command: string, meaning: string];
  /** Whether help lists it before or after the commands of the core. */
  readonly position: 'first' | 'last';
  readonly resolve: Resolve;
}

/** A target of a companion. Its module exports the `Target` as `target`. */
interface CompanionTarget {
  readonly name: string;
  readonly resolve: Resolve;
}

/** A package with commands or targets that the core builds and works without. */
export interface Companion {
  readonly package: string;
  readonly commands: readonly CompanionCommand[];
  readonly targets: readonly CompanionTarget[];
}

/** Every companion. Nothing else in the core names one. */
export const companions: readonly Companion[] = [
  {
    package: '@countersign/create',
    commands: [
      {
        name: 'init',
        summary: 'start a project: a small contract, its packages, tests and CI',
        example: ['countersign init', 'in an empty folder, with four questions'],
        position: 'first',
        resolve: () => import.meta.resolve('@countersign/create/commands/init'),
      },
      {
        name: 'scaffold',
        summary: 'write an application that receives notifications, or print missing handlers',
        example: ['countersign scaffold express apps/receiver', 'a new application'],
        position: 'last',
        resolve: () => import.meta.resolve('@countersign/create/commands/scaffold'),
      },
    ],
    targets: [],
  },
  {
    package: '@countersign/simulator',
    commands: [
      {
        name: 'send',
        summary: 'send a notification to a running endpoint, or let the running simulator send it',
        example: [
          'countersign send orderShipped --to http://127.0.0.1:3000/webhooks',
          'the first example',
        ],
        position: 'last',
        resolve: () => import.meta.resolve('@countersign/simulator/commands/send'),
      },
      {
        name: 'simulate',
        summary: 'start the service that the contract describes, on this machine',
        example: ['countersign simulate --to http://127.0.0.1:3000/webhooks', 'with your receiver'],
        position: 'last',
        resolve: () => import.meta.resolve('@countersign/simulator/commands/simulate'),
      },
    ],
    targets: [
      {
        name: 'simulator',
        resolve: () => import.meta.resolve('@countersign/simulator/target'),
      },
    ],
  },
  {
    package: '@countersign/inbox',
    commands: [
      {
        name: 'inbox',
        summary: 'operate an inbox of stored webhooks',
        example: ['countersign inbox stats --store inbox.db', 'how many events are in which state'],
        position: 'last',
        resolve: () => import.meta.resolve('@countersign/inbox/commands/inbox'),
      },
    ],
    targets: [],
  },
  {
    package: '@countersign/diff',
    commands: [
      {
        name: 'diff',
        summary: 'report what a change of the contract breaks, and for whom',
        example: ['countersign diff main', 'what this branch changes'],
        position: 'last',
        resolve: () => import.meta.resolve('@countersign/diff/commands/diff'),
      },
    ],
    targets: [],
  },
  {
    package: '@countersign/pull',
    commands: [
      {
        name: 'pull',
        summary: 'fetch a contract from the network once, with everything that it refers to',
        example: ['countersign pull https://api.example.com/openapi.yaml', 'into contract/'],
        position: 'first',
        resolve: () => import.meta.resolve('@countersign/pull/commands/pull'),
      },
    ],
    targets: [],
  },
  {
    package: '@countersign/reference',
    commands: [],
    targets: [
      {
        name: 'reference',
        resolve: () => import.meta.resolve('@countersign/reference/target'),
      },
    ],
  },
];

/** The error of a command or target whose companion is not installed. */
export class MissingCompanionError extends Error {
  override readonly name = 'MissingCompanionError';
  readonly code = 'missing-companion';
}

/**
 * Imports the module of a command or target.
 * @throws MissingCompanionError if its companion is not installed
 */
export async function importCompanion<Module>({
  name,
  resolve,
}: {
  readonly name: string;
  readonly resolve: Resolve;
}): Promise<Module> {
  return await fromSource(async () => {
    let url: string | undefined;
    try {
      url = resolve();
      return (await import(url)) as Module;
    } catch (error) {
      if (!isMissing(error, url)) throw error;
      throw new MissingCompanionError(
        `This installation of countersign has no "${name}". Install the package again.`,
        { cause: error },
      );
    }
  });
}

/** Returns whether an error means that the module itself is missing, and not a module that it imports. */
function isMissing(error: unknown, url: string | undefined): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND')
    return false;
  return url === undefined || ('url' in error && error.url === url);
}
