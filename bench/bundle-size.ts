import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The size of a bundle. */
export interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles one line of code with the generated packages of this repository, minified for browsers. */
export async function bundleSize(code: string): Promise<Size> {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  return sizeOf(await bundle(code, folder, ['countersign-source']));
}

/** Returns the size of a minified bundle. */
export function sizeOf(contents: Uint8Array): Size {
  return { minified: contents.byteLength, gzipped: gzipSync(contents, { level: 9 }).byteLength };
}

/** Bundles one line of code with what it imports from a folder, minified for browsers. */
export async function bundle(
  code: string,
  folder: string,
  conditions: readonly string[] = [],
): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    conditions: [...conditions],
    external: ['node:*'],
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
