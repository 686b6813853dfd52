import { readFile } from 'node:fs/promises';

/** The files of the page, by name. */
export type PageFiles = ReadonlyMap<string, string>;

/** The media types of the page's files. No other file is served. */
const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'theme.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/** The pages of this package: that of the simulator, and that of an inbox. */
export type PageName = 'simulator' | 'inbox';

/** Returns the file at a path, with its media type. */
export function findPageFile(
  files: PageFiles,
  path: string,
): { readonly text: string; readonly type: string } | undefined {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const text = files.get(name);
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  return text === undefined || type === undefined ? undefined : { text, type };
}

/**
 * Returns the files of a page. Built code reads what the build has bundled. From source, the page is bundled now,
 * because an earlier bundle can be older than its sources.
 */
export async function loadPage(name: PageName = 'simulator'): Promise<PageFiles> {
  if (import.meta.url.endsWith('.ts')) {
    const bundler = new URL('../../bundle-console.ts', import.meta.url).href;
    const { bundleConsole } = (await import(bundler)) as {
      readonly bundleConsole: (name: PageName) => Promise<PageFiles>;
    };
    return await bundleConsole(name);
  }
  return new Map(
    await Promise.all(
      Object.keys(types).map(
        async (file) =>
          [file, await readFile(new URL(`${name}-page/${file}`, import.meta.url), 'utf8')] as const,
      ),
    ),
  );
}
