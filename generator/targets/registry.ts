import { companions, importCompanion, MissingCompanionError } from '../companions.ts';
import { ConfigError, type ConfigProblem } from '../diagnostics/config-error.ts';
import { frameworkNames } from './printing/frameworks.ts';
import { runtimePackage } from './package/runtime-package.ts';
import { type TargetEntry, targetOf } from './target-entry.ts';
import type { Target } from './target.ts';

/** The targets of the toolkit. Each is loaded on demand. */
const builtIn: ReadonlyMap<string, () => Promise<Target>> = new Map([
  ['contract', async () => (await import('./contract/target.ts')).contractTarget],
  ['client', async () => (await import('./client/target.ts')).clientTarget],
  ['webhooks', async () => (await import('./webhooks/target.ts')).webhooksTarget],
  ...frameworkNames.map((name): [string, () => Promise<Target>] => [
    `webhooks-${name}`,
    async () => (await import('./frameworks/target.ts')).createFrameworkTarget(name),
  ]),
  ['openapi-types', async () => (await import('./openapi-types/target.ts')).openapiTypesTarget],
  ...companions
    .flatMap(({ targets }) => targets)
    .map((row): [string, () => Promise<Target>] => [
      row.name,
      async () => (await importCompanion<{ readonly target: Target }>(row)).target,
    ]),
]);

/** The names of the targets of the toolkit, which a configuration can use. */
export const targetNames: readonly string[] = [...builtIn.keys()];

/** Returns the targets of the toolkit, but for those of companions that are not installed. */
export async function installedTargets(): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const load of builtIn.values()) {
    try {
      targets.push(await load());
    } catch (error) {
      if (!(error instanceof MissingCompanionError)) throw error;
    }
  }
  return targets;
}

/** Returns the target of the toolkit with that name, if there is one. */
export async function findTarget(name: string): Promise<Target | undefined> {
  return await builtIn.get(name)?.();
}

/**
 * Returns the targets of a configuration. Each follows the targets that it requires; otherwise they keep their order.
 * @param file the file that errors report
 * @throws ConfigError `invalid` for an unknown name, a missing required target, or a cycle
 */
export async function resolveTargets(
  targets: readonly TargetEntry[],
  file = '',
): Promise<readonly Target[]> {
  const problems: ConfigProblem[] = [];
  const targetsByName = new Map<string, Target>();
  for (const [index, entry] of targets.entries()) {
    const chosen = targetOf(entry);
    const target = typeof chosen === 'string' ? await findTarget(chosen) : chosen;
    if (target?.name === runtimePackage) {
      const message = `"${runtimePackage}" is the package with what generated code runs; give the target another name`;
      problems.push({ member: `targets[${index}]`, message });
    }
    if (target !== undefined) targetsByName.set(target.name, target);
    else if (typeof chosen === 'string') {
      const member = chosen === entry ? `targets[${index}]` : `targets[${index}].use`;
      problems.push({ member, message: await unknownTarget(chosen) });
    }
  }
  for (const { name, requires } of targetsByName.values()) {
    for (const required of requires) {
      if (targetsByName.has(required) || problems.length > 0) continue;
      problems.push({ member: 'targets', message: `"${name}" requires "${required}"; add it` });
    }
  }
  if (problems.length > 0) throw new ConfigError('invalid', file, problems);
  const ordered = new Set<Target>();
  const add = (target: Target | undefined, trail: readonly string[]): void => {
    if (target === undefined || ordered.has(target)) return;
    const path = [...trail, target.name];
    if (trail.includes(target.name)) {
      const cycle = path.slice(trail.indexOf(target.name)).join(' → ');
      const message = `these require one another: ${cycle}`;
      throw new ConfigError('invalid', file, [{ member: 'targets', message }]);
    }
    for (const name of target.requires) add(targetsByName.get(name), path);
    ordered.add(target);
  };
  for (const target of targetsByName.values()) add(target, []);
  return [...ordered];
}

async function unknownTarget(name: string): Promise<string> {
  const { closestMatch } = await import('leven');
  const match = closestMatch(name, targetNames, { maxDistance: 3 });
  const hint =
    match === undefined ? `known targets: ${targetNames.join(', ')}` : `did you mean "${match}"?`;
  return `there is no target "${name}"; ${hint}`;
}
