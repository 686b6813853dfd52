import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the page of the console: its script, its style, and the script of the theme, which the reference page has as
 * well. Returns the files by name; the same text for the same sources.
 */
export async function bundleConsole(): Promise<ReadonlyMap<string, string>> {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: {
      main: at('console/main.tsx'),
      theme: at('../../templates/reference/page/theme.ts'),
      style: at('console/style.css'),
    },
    outdir: at('dist/console/page'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The template of the shared style has no placeholders: it is CSS.
    loader: { '.hbs': 'css' },
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, text }) => [path.replace(/^.*[/\\]/u, ''), text] as const);
  const page = await readFile(at('console/index.html'), 'utf8');
  return new Map([['index.html', page], ...files]);
}
