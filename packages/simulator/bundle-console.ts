import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pages = {
  simulator: { title: 'Simulator', script: 'console/main.tsx', style: 'console/style.css' },
  inbox: { title: 'Inbox', script: 'console/inbox/main.tsx', style: 'console/inbox/style.css' },
} as const;

/**
 * Bundles the page of a console: its script, its style, and the script of the theme, which the reference page has as
 * well. Returns the files by name; the same text for the same sources.
 */
export async function bundleConsole(
  name: keyof typeof pages,
): Promise<ReadonlyMap<string, string>> {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { title, script, style } = pages[name];
  const { outputFiles } = await build({
    entryPoints: {
      main: at(script),
      theme: at('page/theme.ts'),
      style: at(style),
    },
    outdir: at(`dist/console/${name}-page`),
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
  const html = page.replace('<title>Console</title>', `<title>${title}</title>`);
  return new Map([['index.html', html], ...files]);
}
