import { join } from 'node:path';
import type { Generation } from 'countersign';
import { describeMissing, describeMove, findWorkspace } from 'countersign/companion/application';
import { targetName } from 'countersign/companion/configuration';
import { packageManagers } from 'countersign/companion/frameworks';
import { shellWord } from 'countersign/companion/options';
import { receiverFolder } from '../questions.ts';
import type { ContractProject } from './contract-project.ts';

/** Where a project was written, and what of it. */
export interface WrittenProject {
  /** The folder of the configuration, absolute, and as the command line has it. */
  readonly folder: string;
  readonly directory: string;
  readonly project: ContractProject;
  readonly generation: Generation;
  /** Whether the receiving application was written. */
  readonly hasReceiver: boolean;
}

/** Returns the commands that follow, and what the user has to add to files that are not written. */
export async function nextSteps(written: WrittenProject): Promise<readonly string[]> {
  const { folder, directory, project, generation, hasReceiver } = written;
  const { config, manager, framework, receiver } = project;
  const { install, run, runIn } = packageManagers[manager];
  const steps = directory === '.' ? [] : [`cd ${shellWord(directory)}`];
  if (generation.status === 'invalid') return [...steps, 'countersign generate'];
  const isNew = project.folder.packages === undefined;
  if (config.layout === 'folder') {
    const packages = [...describeMove(generation), ...describeMissing(generation)];
    return [...steps, ...(isNew ? [install] : []), ...packages, ...(isNew ? [run('test')] : [])];
  }
  const [first = ''] = config.targets.map(targetName);
  const isMember = await findWorkspace(join(folder, config.output, first));
  const members = [`${config.output}/*`, ...(receiver === undefined ? [] : ['apps/*'])];
  if (isMember === undefined)
    steps.push(
      manager === 'pnpm'
        ? `# add to pnpm-workspace.yaml: packages: ${JSON.stringify(members)}`
        : `# add to package.json: "workspaces": ${JSON.stringify(members)}`,
    );
  steps.push(install);
  if (!hasReceiver && receiver !== undefined) {
    const { contract, authentication } = project;
    const choice = contract.authentication.isUnstated
      ? ` --authenticate ${shellWord(authentication)}`
      : '';
    const words = `countersign scaffold ${framework?.name ?? ''} ${receiverFolder}${choice}`;
    return [...steps, words];
  }
  return [...steps, isNew ? run('test') : runIn(config.output, 'build')];
}
