import type { TargetContext } from '../target.ts';
import { packageName } from './package-files.ts';
import { runtimeEntries, runtimePackage } from './runtime-package.ts';

/** The specifier of each part, by its path, and the name of the package, for templates. */
export type RuntimeNames = Readonly<Record<(typeof runtimeEntries)[number] | 'name', string>>;

/** Returns the specifiers by which code of this run imports the parts of the runtime. */
export function runtimeNames(context: Pick<TargetContext, 'scope' | 'packageNames'>): RuntimeNames {
  const name = packageName(context, runtimePackage);
  const specifiers = runtimeEntries.map((entry) => [entry, `${name}/${entry}`]);
  return { ...(Object.fromEntries(specifiers) as Omit<RuntimeNames, 'name'>), name };
}
