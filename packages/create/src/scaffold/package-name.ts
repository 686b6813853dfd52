import { isBuiltin } from 'node:module';
import { frameworks } from './frameworks.ts';
import { planStorage, storageNames } from './storage.ts';

/** The dependencies of scaffolded projects. npm cannot resolve a dependency if a workspace has the same name. */
const dependencies: ReadonlySet<string> = new Set([
  'countersign',
  ...storageNames.flatMap((storage) => {
    const { dependencies: ranges, devDependencies } = planStorage(storage);
    return [...Object.keys(ranges), ...Object.keys(devDependencies)];
  }),
  ...frameworks.flatMap((framework) => [
    ...Object.keys(framework.dependencies),
    ...Object.keys(framework.devDependencies),
  ]),
]);

/**
 * Returns a name for a package of the user. Adds the suffix if the name is that of a dependency or a Node.js module.
 */
export function toPackageName(name: string, suffix: string): string {
  return isBuiltin(name) || dependencies.has(name) ? `${name}-${suffix}` : name;
}

/** Returns whether scaffolded projects depend on packages of a scope. */
export function isScopeOfDependency(scope: string): boolean {
  return [...dependencies].some((name) => name.startsWith(`${scope}/`));
}
