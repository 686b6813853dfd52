/** A package manager that generated packages can be installed with. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What the workspace of generated packages decides about their text. */
export interface PackageWorkspace {
  readonly manager: PackageManager;
  /** Whether the manager resolves `workspace:*`, which npm and Yarn 1 do not. */
  readonly hasProtocol: boolean;
}

/** The commands of a package manager. */
interface ManagerCommands {
  /** The npm package that has it, with the version that new projects state; npm comes with Node. */
  readonly package?: string;
  readonly version?: string;
  /** Installs a project; may update its lockfile. */
  readonly install: string;
  /** Installs exactly what the lockfile lists, or fails. */
  readonly installLocked: string;
  /** Adds packages to a project; their names, with ranges, or the paths of tarballs follow. */
  readonly add: string;
  /**
   * Makes development dependencies those of production; their names, or the paths of tarballs follow. Absent where the
   * manager keeps the list that has them.
   */
  readonly moveToProduction?: string;
  /** Adds development dependencies to the project in the current folder, also if it is the root of a workspace. */
  readonly addDevelopment: string;
  /** Runs a command of a package that the root of the workspace has installed; its name and arguments follow. */
  readonly execute: string;
  readonly lockfile: string;
  /** Runs a script of the package in the current folder. */
  readonly run: (script: string) => string;
  /** Runs a script of every package in a folder of the workspace that has the script. */
  readonly runIn: (folder: string, script: string) => string;
}

/** The commands of each package manager. Those of Yarn are of version 4 and later. */
export const packageManagers: Readonly<Record<PackageManager, ManagerCommands>> = {
  npm: {
    install: 'npm install',
    add: 'npm install',
    moveToProduction: 'npm install --save-prod',
    addDevelopment: 'npm install --save-dev',
    installLocked: 'npm ci',
    execute: 'npx',
    lockfile: 'package-lock.json',
    run: (script) => (['start', 'test'].includes(script) ? `npm ${script}` : `npm run ${script}`),
    runIn: (folder, script) => `npm run ${script} --workspace ${folder} --if-present`,
  },
  pnpm: {
    package: 'pnpm',
    version: '12.21.0',
    install: 'pnpm install',
    add: 'pnpm add',
    moveToProduction: 'pnpm add --save-prod',
    addDevelopment: 'pnpm add --save-dev --ignore-workspace-root-check',
    installLocked: 'pnpm install --frozen-lockfile',
    execute: 'pnpm exec',
    lockfile: 'pnpm-lock.yaml',
    run: (script) => `pnpm run ${script}`,
    runIn: (folder, script) => `pnpm --filter "./${folder}/**" run --if-present ${script}`,
  },
  yarn: {
    package: '@yarnpkg/cli-dist',
    version: '4.18.1',
    install: 'yarn install',
    add: 'yarn add',
    addDevelopment: 'yarn add --dev',
    installLocked: 'yarn install --immutable',
    execute: 'yarn run --top-level',
    lockfile: 'yarn.lock',
    run: (script) => `yarn run ${script}`,
    runIn: (folder, script) =>
      `yarn workspaces foreach --all --topological-dev --interlaced --include "${folder}/*" run ${script}`,
  },
  bun: {
    package: 'bun',
    version: '1.4.5',
    install: 'bun install',
    add: 'bun add',
    addDevelopment: 'bun add --dev',
    installLocked: 'bun install --frozen-lockfile',
    execute: 'bun run',
    lockfile: 'bun.lock',
    run: (script) => `bun run ${script}`,
    runIn: (folder, script) => `bun run --filter "./${folder}/*" ${script}`,
  },
};

/** The names of the package managers. */
export const packageManagerNames: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun'];
