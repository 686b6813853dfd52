import { basename, join } from 'node:path';
import type { PluginBuild } from 'esbuild';
import type { PageScripts } from '../prepared.ts';
import { pageFolder, runtimeFolder, sharedFolder } from './page-folders.ts';

/**
 * Bundles the scripts from their current sources.
 * @throws TypeError where a script has text that would end its element
 */
export async function bundleScripts(): Promise<PageScripts> {
  const { build } = await import('esbuild');
  const bundle = async (entry: string): Promise<string> => {
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
      plugins: [{ name: 'packages', setup: findPackages }],
      logLevel: 'silent',
    });
    const text = outputFiles.map((file) => file.text).join('');
    if (/<\/script|<!--/iu.test(text))
      throw new TypeError('A script of the page would end its element.');
    return text.trim();
  };
  const [main, theme] = await Promise.all([
    bundle(join(pageFolder(), 'main.ts')),
    bundle(join(sharedFolder(), 'theme.ts')),
  ]);
  return { main, theme };
}

/**
 * Resolves imports of the signing runtime and of the theme to their packages. The page's sources import them by their
 * paths in the repository, which differ from those of installed packages.
 */
function findPackages(build: PluginBuild): void {
  build.onResolve({ filter: /^@countersign\/runtime\/signing$/ }, () => ({
    path: join(runtimeFolder('signing'), 'index.ts'),
  }));
  build.onResolve({ filter: /\/runtime\/signing\/[\w-]+\.ts$/ }, ({ path }) => ({
    path: join(runtimeFolder('signing'), basename(path)),
  }));
  build.onResolve({ filter: /\/console\/page\/theme\.ts$/ }, () => ({
    path: join(sharedFolder(), 'theme.ts'),
  }));
}
