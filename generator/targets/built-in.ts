import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from './target.ts';

/** The parts in which the targets of the toolkit differ. */
export type BuiltIn<Options extends object> = Pick<
  Target<Options>,
  'name' | 'requires' | 'prepare' | 'options' | 'emit' | 'runtimeEntries'
> & {
  /** Names of the folders of `@countersign/templates` that the target renders from. */
  readonly templates: readonly string[];
  /** Absolute paths of folders of other packages that the target renders from too. */
  readonly folders?: readonly string[];
};

/**
 * Creates a target of the toolkit. Its fingerprint is empty: the run record covers every file of the toolkit and every
 * template already.
 */
export function createBuiltIn<Options extends object = object>({
  templates,
  folders = [],
  ...parts
}: BuiltIn<Options>): Target<Options> {
  return { ...parts, fingerprint: [], templates: [...templates.map(templateFolder), ...folders] };
}

/** Returns the absolute path of a folder of `@countersign/templates`. */
export function templateFolder(name: string): string {
  const root = dirname(fileURLToPath(import.meta.resolve('@countersign/templates/package.json')));
  return join(root, name);
}

/** The absolute path of the folder with the templates of `emitPackageFrame`. The README is the target's own. */
export const packageTemplates: string = templateFolder('package');
