import { readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Returns the files that decide what the target emits. The hash of the toolkit has those of the core alone. */
export function targetSources(): readonly string[] {
  const source = dirname(import.meta.dirname);
  const ending = extname(import.meta.filename);
  const folders = [import.meta.dirname, join(source, 'samples')];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
}
