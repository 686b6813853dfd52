import { basename, join } from 'node:path';
import type { PluginBuild } from 'esbuild';
import type { PageScripts } from '../prepared.ts';
import { pageFolder, signingFolder } from './page-folders.ts';

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
