import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { type Tree, writeTree } from '../../../output/tree.ts';
import { describeParcels } from './parcels.ts';
import type { Run } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

/** A project that generates receivers from the contract of parcels. */
export interface ParcelProject {
  readonly folder: string;
  readonly scaffold: (...parameters: readonly string[]) => Promise<Run>;
  /** Scaffolds an application that compares a shared secret: the contract does not state a proof. */
  readonly create: (...parameters: readonly string[]) => Promise<Run>;
}

/** Its configuration. */
export const parcelConfig: object = {
  contract: { asyncapi: 'asyncapi.json' },
  scope: '@parcels',
  output: 'generated',
  targets: [
    'contract',
    { use: 'webhooks', inbox: ['sqlite', 'postgres'] },
    'webhooks-node',
    'webhooks-express',
    'webhooks-cloudflare',
  ],
};

/** Makes a project; `tree` adds to its files or replaces them. */
export async function createParcelProject(tree: Tree = {}): Promise<ParcelProject> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'asyncapi.json': JSON.stringify(describeParcels()),
    'countersign.config.json': JSON.stringify(parcelConfig),
    ...tree,
  });
  const scaffold = async (...parameters: readonly string[]): Promise<Run> =>
    await runInProcess(folder, ['scaffold', ...parameters]);
  return {
    folder,
    scaffold,
    create: (...parameters) => scaffold(...parameters, '--authenticate', 'shared-secret'),
  };
}
