import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

/** Returns the absolute paths of a target's templates, sorted by name in each folder. */
export function templateFiles({ templates = [] }: Pick<Target, 'templates'>): readonly string[] {
  return [templates].flat().flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.hbs'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
}
