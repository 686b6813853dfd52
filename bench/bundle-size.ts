import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The size of a bundle. */
export interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles one line of code with the generated packages, minified for browsers. */
export async function bundleSize(code: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: {
      contents: code,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    conditions: ['countersign-source'],
    logLevel: 'error',
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return { minified: contents.byteLength, gzipped: gzipSync(contents, { level: 9 }).byteLength };
}
