import { join } from 'node:path';
import type { Contract } from '../../../generator/contract/contract.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { generateProject, type GeneratedProject } from '../emit-project.ts';

/** A generated receiver with its contract and the runtimes they import, in a project of its own. */
export interface GeneratedWebhooks extends GeneratedProject {
  /** The folder of the receiver. */
  readonly webhooks: string;
}

/**
 * Emits the packages `contract` and `webhooks` into a temporary project, as they would come to lie on the disk.
 * `built`: the runtimes beside them are what is published, compiled; they are source otherwise.
 */
export async function generateWebhooks(
  contract: Contract,
  options: { readonly built?: boolean } = {},
): Promise<GeneratedWebhooks> {
  const generated = await generateProject(contract, [contractTarget, webhooksTarget], options);
  return { ...generated, webhooks: join(generated.project, 'webhooks') };
}
