import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the toolkit's own package.json: beside its source code, and one folder above what is built from it. */
export function toolkitManifest(): string {
  const beside = join(import.meta.dirname, 'package.json');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', 'package.json');
}

/** The version of the toolkit. */
export function toolkitVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(toolkitManifest(), 'utf8'),
  );
  return manifest.version;
}
