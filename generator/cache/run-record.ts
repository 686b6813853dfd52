import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { contentHash } from '../execution/content-hash.ts';
import type { PackageWorkspace } from '../execution/package-managers.ts';
import { targetOf, targetOptions } from '../targets/target-entry.ts';

/**
 * The inputs and outputs of the last successful run. It is in `node_modules/.cache` and valid for one machine. It can
 * be deleted or damaged at no cost but time: every file that it lists is hashed again before use.
 */
export interface RunRecord {
  /** The hash of the evaluated configuration and of what else was found outside of the files. */
  readonly key: string;
  /** The hash of every file that decides the output, by absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The hash of the output folder's manifest, which has the hashes of the generated files. */
  readonly manifest: string;
  /** The hash of each `package.json` that keeps the version of its package, by path in the output folder. */
  readonly packages: Readonly<Record<string, string>>;
  /** The diagnostics of the run. A run with nothing to do reports them again. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the hash of what two runs must have in common besides files and the toolkit: the evaluated configuration, and
 * the workspace that has the packages. Returns `undefined` if a custom target has an empty `fingerprint`: its output can
 * change without a changed file.
 */
export function recordKey(
  config: Config,
  { workspace }: { readonly workspace?: PackageWorkspace | undefined } = {},
): string | undefined {
  const customTargets = config.targets.map(targetOf).filter((target) => typeof target !== 'string');
  if (customTargets.some(({ fingerprint }) => fingerprint.length === 0)) return undefined;
  const targets = config.targets.map((entry) => {
    const target = targetOf(entry);
    const options = targetOptions(entry);
    if (typeof target === 'string') return { name: target, options };
    const { name, requires, fingerprint } = target;
    return { name, requires, fingerprint, options };
  });
  // The `lint` settings do not affect the output.
  const { lint: _, ...decisive } = config;
  return contentHash(JSON.stringify({ ...decisive, targets, workspace }));
}

/**
 * Returns the path of a configuration's run record or other cache. It is in the nearest `node_modules`, searched
 * upwards, which version control ignores and clean-ups remove. Returns `undefined` if there is none, because no other
 * folder is known to be safe to write to.
 */
export function recordPath(
  folder: string,
  output: string,
  ending:
    | '.json'
    | '.formatted.json'
    | '.patterns.json'
    | '.validators'
    | '.simulator.json' = '.json',
): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules'))) {
      const name = contentHash(resolve(folder, output)).slice(0, 32);
      return join(at, 'node_modules', '.cache', 'countersign', `${name}${ending}`);
    }
    if (dirname(at) === at) return undefined;
  }
}
