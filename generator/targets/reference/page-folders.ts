import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templateFolder } from '../built-in.ts';

/** Returns the folder of the scripts of the page. */
export function pageFolder(): string {
  return join(templateFolder('reference'), 'page');
}

/** Returns the folder of the sources of the signing runtime. */
export function signingFolder(): string {
  return join(
    dirname(fileURLToPath(import.meta.resolve('@countersign/signing/package.json'))),
    'src',
  );
}
