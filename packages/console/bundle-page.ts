import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What a console's page is made of. */
export interface PageSources {
  readonly title: string;
  /** The module that renders the page. */
  readonly script: URL;
  readonly style: URL;
}

/**
 * Bundles the page of a console: its script, its style, and the script of the theme, which the reference page has as
 * well. Returns the files by name; the same text for the same sources.
 */
export async function bundlePage({
  title,
  script,
  style,
}: PageSources): Promise<ReadonlyMap<string, string>> {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: {
      main: fileURLToPath(script),
      theme: at('page/theme.ts'),
      style: fileURLToPath(style),
    },
    outdir: at('dist/page'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    // The page is bundled from sources, also where the runtime has not been built.
    conditions: ['countersign-source', 'module'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The template of the shared style has no placeholders: it is CSS.
    loader: { '.hbs': 'css' },
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, text }) => [path.replace(/^.*[/\\]/u, ''), text] as const);
  const page = await readFile(at('components/index.html'), 'utf8');
  const html = page.replace('<title>Console</title>', `<title>${title}</title>`);
  return new Map([['index.html', html], ...files]);
}
