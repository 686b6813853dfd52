import { join } from 'node:path';
import type { Tree } from '../../../output/tree.ts';
import { repository } from '../../../targets/emit-project.ts';
import type { Run } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

/** The configuration of this repository. */
export const config: string = join(repository, 'countersign.config.ts');

/** Sends with the contract of this repository. */
export function send(parameters: readonly string[], environment: Tree = {}): Promise<Run> {
  const all = ['send', ...parameters, '--config', config, '--quiet'];
  return runInProcess(repository, all, environment);
}
