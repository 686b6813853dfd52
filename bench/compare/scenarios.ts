import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeOutput } from '../generation.ts';
import { readGitHub } from '../github.ts';
import { writeDocument } from '../write-document.ts';
import { run as runCommand, type Revision } from './revision.ts';

/** One thing that both revisions do. */
export interface Scenario {
  readonly section: 'generation' | 'imports' | 'deliveries' | 'calls';
  readonly name: string;
  /**
   * Prepares an empty folder for a revision.
   *
   * @param operations The number of operations that remain of GitHub's contracts.
   */
  prepare(revision: Revision, folder: string, operations: number): Run;
}

/** How a scenario runs. */
export interface Run {
  readonly cwd: string;
  /** The words after Node and its flags. */
  readonly words: readonly string[];
  /** The folder that the run writes, relative to `cwd`. */
  readonly output?: string;
  /** The words to measure with instead, of a script that prints its cost. */
  readonly measuring?: readonly string[];
  before(): void;
}

const probe = fileURLToPath(new URL('./exchange-probe.mjs', import.meta.url));
const nothing = (): void => undefined;

/** Every scenario. One in which nothing changed has the folder of the one that generates. */
export const scenarios: readonly Scenario[] = [
  ...generations('our contract', writeOwn),
  ...generations('GitHub webhooks', (_, folder, operations) =>
    writeDocument(folder, readGitHub('webhooks', operations), ['contract', 'webhooks']),
  ),
  ...generations('GitHub REST', (_, folder, operations) =>
    writeDocument(folder, readGitHub('REST', operations), ['contract', 'client']),
  ),
  importOf('client'),
  importOf('webhooks'),
  exchangeOf('deliveries', 'one signed delivery', 'delivery', 10_000),
  exchangeOf('calls', 'one signed call, without a network', 'call', 4000),
];

function generations(
  contract: string,
  write: (revision: Revision, folder: string, operations: number) => void,
): readonly Scenario[] {
  const prepare = (revision: Revision, all: string, operations: number): Run => {
    const folder = join(all, contract.replaceAll(' ', '-'));
    if (!existsSync(folder)) write(revision, folder, operations);
    return {
      cwd: folder,
      words: [revision.cli, 'generate', '--quiet'],
      output: contract === 'our contract' ? revision.config.output : 'generated',
      before: () => removeOutput({ folder }),
    };
  };
  return [
    { section: 'generation', name: contract, prepare },
    {
      section: 'generation',
      name: `${contract}, nothing changed`,
      prepare(revision, all, operations) {
        const run = prepare(revision, all, operations);
        return {
          ...run,
          before() {
            if (existsSync(join(run.cwd, run.output ?? ''))) return;
            runCommand(process.execPath, [...revision.flags, ...run.words], run.cwd);
          },
        };
      },
    },
  ];
}

/** Writes the contract of a revision, which its configuration names, with its targets. */
function writeOwn({ root, config }: Revision, folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const { contract, scope, output, targets } = config;
  const paths = Object.values(contract).flatMap((path) => path as string | readonly string[]);
  for (const top of new Set(paths.map((path) => path.replace(/^\.\//u, '').replace(/\/.*$/u, ''))))
    cpSync(join(root, top), join(folder, top), { recursive: true });
  writeFileSync(
    join(folder, 'countersign.config.json'),
    JSON.stringify({ contract, scope, output, targets }),
  );
}

function importOf(name: string): Scenario {
  return {
    section: 'imports',
    name: `import of the generated ${name === 'client' ? 'client' : 'receiver'}`,
    prepare: ({ root, config }) => ({
      cwd: root,
      words: ['--input-type=module', '--eval', `import '${config.scope}/${name}';`],
      before: nothing,
    }),
  };
}

function exchangeOf(
  section: 'deliveries' | 'calls',
  name: string,
  kind: string,
  count: number,
): Scenario {
  return {
    section,
    name,
    prepare: ({ root, config }) => ({
      cwd: root,
      words: [probe, config.scope, kind, '0'],
      measuring: [probe, config.scope, kind, String(count)],
      before: nothing,
    }),
  };
}
