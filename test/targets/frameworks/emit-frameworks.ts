import type { Contract } from '../../../generator/contract/contract.ts';
import { resolveTargets, targetNames } from '../../../generator/targets/registry.ts';
import type { Target } from '../../../generator/targets/target.ts';
import { generateProject, type GeneratedProject } from '../emit-project.ts';

/** Names of the targets that package receivers for a framework. */
export const frameworkTargetNames: readonly string[] = targetNames.filter((name) =>
  name.startsWith('webhooks-'),
);

/** The targets that package receivers for a framework. */
export async function frameworkTargets(): Promise<readonly Target[]> {
  const targets = await resolveTargets(['contract', 'webhooks', ...frameworkTargetNames]);
  return targets.filter(({ name }) => frameworkTargetNames.includes(name));
}

/** Emits the receiver of a contract for every framework, with what they import, into one temporary project. */
export async function generateFrameworks(
  contract: Contract,
  options: { readonly built?: boolean } = {},
): Promise<GeneratedProject> {
  const targets = await resolveTargets(['contract', 'webhooks', ...frameworkTargetNames]);
  return await generateProject(contract, targets, options);
}
