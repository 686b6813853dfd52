import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Links a package into the `node_modules` of a folder. */
export function linkPackage(folder: string, name: string, to: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path, 'junction');
}
