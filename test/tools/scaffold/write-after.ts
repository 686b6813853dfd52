import { writeFile } from 'node:fs/promises';
import { growMangled, mangledFile, mangledNames, readMangled, sharedHandlers } from './mangled.ts';
import { printTreeDiff } from './tree-diff.ts';

/** `npm run golden`: writes anew what each mangled application becomes, for a reviewer to read. */
for (const name of mangledNames) {
  const { before } = await readMangled(name);
  const after = await growMangled(name).then(
    ({ tree }) => tree,
    (error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'ScaffoldError') throw error;
      return before;
    },
  );
  await writeFile(mangledFile(name), printTreeDiff({ before, after }, sharedHandlers));
}
