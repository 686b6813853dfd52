import { basename, posix } from 'node:path';
import type { Config } from 'countersign';
import type { NewFile } from 'countersign/companion/application';
import { type PackageManager, packageManagers } from 'countersign/companion/frameworks';
import { formatOwnedFile, type Render } from 'countersign/companion/printing';
import { optional } from 'countersign/companion/values';
import { Code, type Contract } from 'countersign/kit';
import { frameworks, type ScaffoldFramework } from '../../scaffold/frameworks.ts';
import { planReceiver } from '../../scaffold/plan-receiver.ts';
import { sortRanges } from '../../scaffold/sort-ranges.ts';
import { describeProject, managerFiles, toManagerData } from '../project-files.ts';
import { ciFiles } from '../questions.ts';
import type { FolderFacts } from './contract-facts.ts';

/** A project for a contract that exists. */
export interface ContractProject {
  readonly contract: Contract;
  readonly config: Config;
  readonly folder: FolderFacts;
  readonly manager: PackageManager;
  readonly ci: string;
  /** How deliveries are authenticated: one of `authenticationChoices`. */
  readonly authentication: string;
  /** The framework of the receiver; `undefined` if there is none. */
  readonly framework: ScaffoldFramework | undefined;
  /** The folder of the receiving application; `undefined` if there is none. */
  readonly receiver: string | undefined;
}

/** Returns the name of the configuration file. In a CommonJS package, `.ts` would be no ES module for its compiler. */
export function configurationName({ isModule }: FolderFacts): string {
  return isModule ? 'countersign.config.ts' : 'countersign.config.mts';
}

/** Renders and formats the configuration and, for a folder without a package.json, the files of a project. */
export async function renderContractProject(
  project: ContractProject,
  render: Render,
  toolkit: string,
): Promise<readonly NewFile[]> {
  const { folder, manager, ci } = project;
  const ciFile = ciFiles.get(ci);
  const isNew = folder.packages === undefined;
  const templates = {
    [configurationName(folder)]: 'contract.config.ts',
    ...(isNew
      ? {
          'package.json': 'package.json',
          'tsconfig.json': 'tsconfig.json',
          '.gitattributes': 'gitattributes',
          '.gitignore': 'gitignore',
          'README.md': 'contract.README.md',
          ...managerFiles[manager],
        }
      : {}),
    ...(ciFile === undefined ? {} : { [ciFile]: `ci.${ci}.yml` }),
  };
  const data = toData(project, toolkit);
  return await Promise.all(
    Object.entries(templates).map(async ([path, template]) => ({
      path,
      // The formatter knows no `.mts`.
      text: await formatOwnedFile(path.replace(/\.mts$/u, '.ts'), render(template, data)),
    })),
  );
}

function toData(
  { contract, config, folder, manager, receiver }: ContractProject,
  toolkit: string,
): object {
  const isFolder = config.layout === 'folder';
  const { run, runIn } = packageManagers[manager];
  const managerData = toManagerData(manager, toolkit);
  const [node] = frameworks;
  const { typescript = '', '@types/node': nodeTypes = '' } = node?.devDependencies ?? {};
  const build = isFolder ? '' : runIn(config.output, 'build');
  const first = isFolder ? [] : [run('build')];
  const typecheck = [
    ...first,
    'tsc',
    ...(receiver === undefined ? [] : [runIn('apps', 'typecheck')]),
  ].join(' && ');
  const members = [`${config.output}/*`, ...(receiver === undefined ? [] : ['apps/*'])];
  return {
    ...managerData,
    ...describeProject(contract.info.title.replaceAll(/\s+/gu, ' ').slice(0, 100)),
    contract: new Code(JSON.stringify(config.contract)),
    perspective: config.perspective === 'integrator' ? config.perspective : '',
    isFolder,
    takesTsImports: config.importExtension === '.ts',
    scope: config.scope ?? '',
    output: config.output,
    targets: config.targets,
    receives: config.targets.includes('webhooks'),
    configuration: configurationName(folder),
    sources: isFolder ? ['*.ts', posix.dirname(config.output), config.output] : ['*.ts'],
    devDependencies: sortRanges({ '@types/node': nodeTypes, countersign: toolkit, typescript }),
    build,
    typecheck,
    test: receiver === undefined ? typecheck : [...first, runIn('apps', 'test')].join(' && '),
    ...(receiver === undefined ? { simulate: 'countersign simulate' } : {}),
    workspaces: isFolder || manager === 'pnpm' ? undefined : members,
    hasReceiver: receiver !== undefined,
    receiver: `${receiver ?? ''}/`,
  };
}

/**
 * Renders the file with the receiver, for code in a folder of an application; `undefined` where the framework needs
 * more than a file, or the contract has open questions without an assumption.
 */
export async function renderReceiver(
  { contract, config, framework, authentication }: ContractProject,
  render: Render,
): Promise<NewFile | undefined> {
  if (framework === undefined) return undefined;
  const planned = planReceiver(contract, {
    framework,
    authentication,
    answers: new Map(),
    output: `./${basename(config.output)}`,
    ...optional('importExtension', config.importExtension),
  });
  if (planned === undefined) return undefined;
  const path = posix.join(posix.dirname(config.output), 'webhooks.ts');
  return { path, text: await formatOwnedFile(path, render('receiver.ts', planned.data)) };
}
