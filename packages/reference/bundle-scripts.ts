import { join } from 'node:path';
import { build } from 'esbuild';
import { type PageScripts, sharedFolder } from './src/page-files.ts';

/**
 * Bundles the scripts of the page from their current sources. The signing runtime is bundled for browsers from its
 * source. The page therefore computes signatures with the code of clients and receivers.
 * @throws TypeError if a script has text that would end its element
 */
export async function bundleScripts(): Promise<PageScripts> {
  const [main, theme] = await Promise.all([
    bundle(join(import.meta.dirname, 'page/main.ts')),
    bundle(join(sharedFolder, 'theme.ts')),
  ]);
  return { main, theme };
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    conditions: ['countersign-source'],
    // The same text wherever the sources are: no `tsconfig.json` beside them is read.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    logLevel: 'silent',
  });
  const text = outputFiles.map((file) => file.text).join('');
  if (/<\/script|<!--/iu.test(text))
    throw new TypeError('A script of the page would end its element.');
  return text.trim();
}
