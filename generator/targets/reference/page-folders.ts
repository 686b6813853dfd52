import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templateFolder } from '../built-in.ts';

/** Returns the folder of the scripts of the page. */
export function pageFolder(): string {
  return join(templateFolder('reference'), 'page');
}

/** Returns the folder of what the page shares with the consoles: its theme and the base of its style. */
export function sharedFolder(): string {
  return packageFolder(import.meta.resolve('@countersign/console/package.json'), 'page');
}

/** Returns the folder of the sources of a part of the runtime. */
export function runtimeFolder(part: 'base' | 'signing'): string {
  return packageFolder(import.meta.resolve('@countersign/runtime/package.json'), part);
}

function packageFolder(manifest: string, folder: string): string {
  return join(dirname(fileURLToPath(manifest)), folder);
}
