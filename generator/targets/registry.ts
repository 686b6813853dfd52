import { ConfigError, type ConfigProblem } from '../diagnostics/config-error.ts';
import { frameworkNames } from './frameworks/frameworks.ts';
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
  ['reference', async () => (await import('./reference/target.ts')).referenceTarget],
  ['openapi-types', async () => (await import('./openapi-types/target.ts')).openapiTypesTarget],
]);

/** The names of the targets of the toolkit, which a configuration can use. */
export const targetNames: readonly string[] = [...builtIn.keys()];

/**
 * Returns the targets of a configuration. Each follows the targets that it requires; otherwise they keep their order.
 * @param file the file that errors report
 * @throws ConfigError `invalid` for an unknown name, a missing required target, or a cycle
 */
export async function resolveTargets(
  targets: readonly (string | Target)[],
  file = '',
): Promise<readonly Target[]> {
  const problems: ConfigProblem[] = [];
  const known = new Map<string, Target>();
  for (const [index, entry] of targets.entries()) {
    const target = typeof entry === 'string' ? await builtIn.get(entry)?.() : entry;
    if (target !== undefined) known.set(target.name, target);
    else if (typeof entry === 'string') {
      problems.push({ member: `targets[${index}]`, message: await unknownTarget(entry) });
    }
  }
  for (const { name, requires } of known.values()) {
    for (const required of requires) {
      if (known.has(required) || problems.length > 0) continue;
      problems.push({ member: 'targets', message: `"${name}" requires "${required}"; add it` });
    }
  }
  if (problems.length === 0) {
    const { ordered, cycle } = sortByRequirement(known);
    if (cycle === undefined) return ordered;
    problems.push({
      member: 'targets',
      message: `these require one another: ${cycle.join(' → ')}`,
    });
  }
  throw new ConfigError('invalid', file, problems);
}

async function unknownTarget(name: string): Promise<string> {
  const { closestMatch } = await import('leven');
  const match = closestMatch(name, targetNames, { maxDistance: 3 });
  const hint =
    match === undefined ? `known targets: ${targetNames.join(', ')}` : `did you mean "${match}"?`;
  return `there is no target "${name}"; ${hint}`;
}

interface Order {
  readonly ordered: readonly Target[];
  /** The names of the targets in a cycle, the first one repeated at the end; left out where there is no cycle. */
  readonly cycle?: readonly string[];
}

function sortByRequirement(targets: ReadonlyMap<string, Target>): Order {
  const ordered: Target[] = [];
  const done = new Set<string>();
  const visit = (target: Target, trail: readonly string[]): readonly string[] | undefined => {
    if (done.has(target.name)) return undefined;
    const path = [...trail, target.name];
    if (trail.includes(target.name)) return path.slice(trail.indexOf(target.name));
    for (const name of target.requires) {
      const required = targets.get(name);
      const cycle = required === undefined ? undefined : visit(required, path);
      if (cycle !== undefined) return cycle;
    }
    done.add(target.name);
    ordered.push(target);
    return undefined;
  };
  for (const target of targets.values()) {
    const cycle = visit(target, []);
    if (cycle !== undefined) return { ordered, cycle };
  }
  return { ordered };
}
