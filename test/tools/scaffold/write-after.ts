import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTree } from '../../output/tree.ts';
import { growMangled, mangled, mangledNames } from './mangled.ts';

/** `npm run golden`: writes anew what each mangled application becomes, for a reviewer to read. */
for (const name of mangledNames) {
  const after = join(mangled, name, 'after');
  await rm(after, { recursive: true, force: true });
  try {
    const { plan, tree } = await growMangled(name);
    if (plan.creates.length + plan.edits.length > 0) await writeTree(after, tree);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ScaffoldError') throw error;
  }
}
