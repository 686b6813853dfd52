import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

/** Absolute paths of a target's templates, those of each folder by name. */
export function templateFiles({ templates = [] }: Pick<Target, 'templates'>): readonly string[] {
  return [templates].flat().flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.hbs'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
}
