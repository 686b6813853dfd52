import { basename } from 'node:path';

/** The end of the names of files and folders that `pull` writes, before the extension. */
export const pulledMark = '.pulled';

/** Returns the name that a document gets from its file: without folder, extension and the mark of pulled documents. */
export function documentNameOf(path: string): string {
  const name = basename(path).replace(/\.[^.]+$/u, '');
  return name.endsWith(pulledMark) ? name.slice(0, -pulledMark.length) : name;
}
