import { isBuiltin } from 'node:module';
import { frameworks } from './frameworks.ts';

/** Packages that a project depends on. npm cannot resolve them where a workspace has their name. */
const dependencies: ReadonlySet<string> = new Set([
  'countersign',
  ...frameworks.flatMap((framework) => [
    ...Object.keys(framework.dependencies),
    ...Object.keys(framework.devDependencies),
  ]),
]);

/** Returns a name for a package of the user: with the suffix where it is a dependency, or a module of Node. */
export function toPackageName(name: string, suffix: string): string {
  return isBuiltin(name) || dependencies.has(name) ? `${name}-${suffix}` : name;
}
