import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginBuild } from 'esbuild';
import { templateFolder } from '../built-in.ts';
import { findPrepared, type PageScripts } from '../prepared.ts';

/**
 * Returns the absolute paths of the sources of the page's scripts: their own modules, and those of the signing runtime.
 */
export function scriptSources(): readonly string[] {
  return [...sourcesOf(pageFolder()), ...sourcesOf(signingFolder())];
}

/**
 * Returns the bundled scripts of the page: the same text for the same sources. The signing runtime is bundled for
 * browsers from its published source. The page therefore computes signatures with the code of clients and receivers.
 */
export async function pageScripts(): Promise<PageScripts> {
  return findPrepared('scripts')(scriptText()) ?? (await bundleScripts());
}

/** Returns the text of all sources of the scripts. */
export function scriptText(): string {
  return scriptSources()
    .map((path) => readFileSync(path, 'utf8'))
    .join('\0');
}

/**
 * Bundles the scripts from their current sources.
 * @throws TypeError where a script has text that would end its element
 */
export async function bundleScripts(): Promise<PageScripts> {
  const { build } = await import('esbuild');
  const bundle = async (entry: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [join(pageFolder(), entry)],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      target: 'es2022',
      conditions: ['countersign-source'],
      plugins: [{ name: 'signing', setup: findSigning }],
      logLevel: 'silent',
    });
    const text = outputFiles.map((file) => file.text).join('');
    if (/<\/script|<!--/iu.test(text))
      throw new TypeError('A script of the page would end its element.');
    return text.trim();
  };
  const [main, theme] = await Promise.all([bundle('main.ts'), bundle('theme.ts')]);
  return { main, theme };
}

/**
 * Resolves imports of the signing runtime to the package. The page's sources import it by its path in the repository,
 * which differs from that of an installed package.
 */
function findSigning(build: PluginBuild): void {
  build.onResolve({ filter: /^@countersign\/signing$/ }, () => ({
    path: join(signingFolder(), 'index.ts'),
  }));
  build.onResolve({ filter: /\/signing\/src\/[\w-]+\.ts$/ }, ({ path }) => ({
    path: join(signingFolder(), basename(path)),
  }));
}

function pageFolder(): string {
  return join(templateFolder('reference'), 'page');
}

function signingFolder(): string {
  return join(
    dirname(fileURLToPath(import.meta.resolve('@countersign/signing/package.json'))),
    'src',
  );
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join(folder, basename(name)));
}
